/// The part of DER (X.690) that an RSA key in PKCS #1 form needs.
///
/// Only Security.framework asks for it, but it is compiled and tested everywhere.
enum KeyDER {
    /// A whole number of zero or more, given highest byte first.
    static func integer(_ bytes: [UInt8]) -> [UInt8] {
        var content = Array(bytes.drop { $0 == 0 })
        // A set high bit would mean a negative number.
        if content.first.map({ $0 >= 0x80 }) ?? true { content.insert(0, at: 0) }
        return element(0x02, content)
    }

    /// A sequence of elements already encoded.
    static func sequence(_ elements: [[UInt8]]) -> [UInt8] { element(0x30, Array(elements.joined())) }

    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        guard content.count >= 0x80 else { return [tag, UInt8(content.count)] + content }
        let length = Natural(limbs: [UInt64(content.count)]).bigEndian
        return [tag, 0x80 | UInt8(length.count)] + length + content
    }
}
