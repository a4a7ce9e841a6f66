import Crypto

/// The strong entity tags of contents that come without a validator, as they stand in the field `ETag` (wire contract, section 1).
package enum ContentTag {
    /// The number of bytes beyond which only parts of content are looked at where a name stands for the rest.
    private static let sampled = 1 << 16
    private static let samples = 16

    /// Returns a tag over content.
    package static func over(_ bytes: [UInt8]) -> String { tag(bytes) }

    /// Returns a tag over content that never changes under its name, in a time that does not grow with it.
    package static func over(_ bytes: [UInt8], named name: String) -> String {
        var input = Array("\(name) \(bytes.count) ".utf8)
        if bytes.count <= sampled {
            input += bytes
        } else {
            let length = sampled / samples
            let step = (bytes.count - length) / (samples - 1)
            for part in 0..<samples { input += bytes[(step * part)...].prefix(length) }
        }
        return tag(input)
    }

    private static func tag(_ bytes: [UInt8]) -> String { "\"\(Hex.encode(SHA256.digest(bytes).prefix(16)))\"" }
}
