/// Base 64 with `+` and `/`, always padded (RFC 4648 section 4).
package enum Base64 {
    /// The padded text of the bytes.
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        Base64Coding.standard.encode(Array(bytes), padded: true, into: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes; nil for white space, missing or surplus padding, other characters, or stray bits at the end.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        Base64Coding.standard.decode(Array(text)[...], padded: true)
    }

    /// The bytes; nil for white space, missing or surplus padding, other characters, or stray bits at the end.
    package static func decode(_ text: String) -> [UInt8]? { decode(text.utf8) }
}

/// Base 64 with `-` and `_`, without padding by default (RFC 4648 section 5, RFC 7515 section 2).
package enum Base64URL {
    /// The text of the bytes.
    package static func encode(_ bytes: some Collection<UInt8>, padded: Bool = false) -> String {
        var text: [UInt8] = []
        Base64Coding.url.encode(Array(bytes), padded: padded, into: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes a text; nil for white space, unexpected padding, other characters, or stray bits at the end.
    package static func decode(_ text: some Collection<UInt8>, padded: Bool = false) -> [UInt8]? {
        Base64Coding.url.decode(Array(text)[...], padded: padded)
    }

    /// Decodes a text; nil for white space, unexpected padding, other characters, or stray bits at the end.
    package static func decode(_ text: String, padded: Bool = false) -> [UInt8]? {
        decode(text.utf8, padded: padded)
    }
}
