/// What a value that must not be kept is, as far as its pseudonym has to keep its form.
package enum SecretKind: String, Sendable, CaseIterable {
    case email
    /// A JSON Web Token: its stand-in still reads as one.
    case jwt
    /// A phone number: as many digits in the same places.
    case phone
    /// A personal number: as many digits in the same places.
    case person
    /// A code of digits: as many digits.
    case code
    /// Any other credential.
    case token
    /// The user and the password of Basic authentication.
    case basic
    case cookie
}

/// Which names say that their value is a secret.
package enum SecretNames {
    /// What a name says of its value; nil for nothing.
    package static func kind(of name: String) -> SecretKind? {
        let plain = normalised(name)
        guard !plain.isEmpty else { return nil }
        if let kind = exact[plain] { return kind }
        if harmless.contains(plain) { return nil }
        return suffixes.first { plain.hasSuffix($0.ending) }?.kind
    }

    /// Whether a value under a name may be an `otp` or an authorisation code: `code` also names errors and countries.
    package static func isCodeName(_ name: String) -> Bool { normalised(name) == "code" }

    /// Header fields that carry a credential behind a scheme word.
    package static func isAuthorization(_ name: String) -> Bool {
        ["authorization", "proxyauthorization", "xauthorization", "xforwardedauthorization"].contains(normalised(name))
    }

    /// Letters and digits, in lower case.
    private static func normalised(_ name: String) -> String {
        var plain: [UInt8] = []
        for byte in name.utf8.prefix(128) {
            switch byte {
            case 0x41...0x5A: plain.append(byte | 0x20)
            case 0x61...0x7A, 0x30...0x39: plain.append(byte)
            default: break
            }
        }
        return String(decoding: plain, as: UTF8.self)
    }

    private static let exact: [String: SecretKind] = [
        "auth": .token, "sid": .token, "pin": .code, "cvv": .code, "cvc": .code, "jwt": .jwt, "pass": .token,
        "pwd": .token, "tel": .phone, "phone": .phone, "mobile": .phone, "msisdn": .phone, "whatsapp": .phone,
        "ssn": .person, "iqama": .person, "civilid": .person, "idnumber": .person, "pnr": .person,
        "xapikey": .token, "apikey": .token, "tokens": .token, "signature": .token, "sig": .token,
        "personnummer": .person, "personalnumber": .person, "personalnum": .person, "nationalid": .person,
        "iban": .token, "cardnumber": .code, "otp": .code, "passcode": .code, "ticket": .token, "key": .token,
    ]

    /// Names that end like a secret and are none.
    private static let harmless: Set<String> = [
        "tokentype", "maxtokens", "hastoken", "hastokens", "haspassword", "expirytoken", "emailverified",
        "maxtoken", "mintoken", "requirespin", "haspin", "isotp", "useotp",
    ]

    private static let suffixes: [(ending: String, kind: SecretKind)] = [
        ("password", .token), ("passwd", .token), ("passphrase", .token), ("secret", .token), ("token", .token),
        ("apikey", .token), ("privatekey", .token), ("subscriptionkey", .token), ("accesskey", .token),
        ("credential", .token), ("credentials", .token), ("jwt", .jwt), ("sessionid", .token), ("cookie", .cookie),
        ("verificationcode", .code), ("onetimecode", .code), ("otpcode", .code), ("otp", .code),
        ("authcode", .token), ("authorizationcode", .token), ("codeverifier", .token), ("assertion", .token),
        ("pincode", .code), ("passcode", .code), ("magiclink", .token), ("securitycode", .code),
        ("phonenumber", .phone), ("mobilenumber", .phone), ("phone", .phone), ("msisdn", .phone),
        ("personalnumber", .person), ("personnummer", .person), ("nationalid", .person), ("nationalidnumber", .person),
        ("nationalnumber", .person), ("iqamanumber", .person), ("identitynumber", .person), ("civilregistry", .person),
        ("passportnumber", .person), ("socialsecuritynumber", .person), ("licensenumber", .person),
    ]
}
