/// The object identifiers that certificates of ours contain, encoded.
enum ObjectIdentifier {
    static let commonName = DER.identifier([2, 5, 4, 3])
    static let organization = DER.identifier([2, 5, 4, 10])

    static let subjectKeyID = DER.identifier([2, 5, 29, 14])
    static let keyUsage = DER.identifier([2, 5, 29, 15])
    static let subjectAlternativeName = DER.identifier([2, 5, 29, 17])
    static let basicConstraints = DER.identifier([2, 5, 29, 19])
    static let nameConstraints = DER.identifier([2, 5, 29, 30])
    static let authorityKeyID = DER.identifier([2, 5, 29, 35])
    static let extendedKeyUsage = DER.identifier([2, 5, 29, 37])

    static let serverAuth = DER.identifier([1, 3, 6, 1, 5, 5, 7, 3, 1])
    static let clientAuth = DER.identifier([1, 3, 6, 1, 5, 5, 7, 3, 2])
    static let basicOCSP = DER.identifier([1, 3, 6, 1, 5, 5, 7, 48, 1, 1])

    static let ecdsaWithSHA1 = DER.identifier([1, 2, 840, 10045, 4, 1])
    static let ecdsaWithSHA256 = DER.identifier([1, 2, 840, 10045, 4, 3, 2])
    static let sha1 = DER.identifier([1, 3, 14, 3, 2, 26])
}
