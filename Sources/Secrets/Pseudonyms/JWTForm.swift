import Crypto
import JSON

/// Recognises JSON Web Tokens in compact form by their parts.
package enum JWTForm {
    /// The maximum length of a token.
    private static let longest = 64 * 1024

    package static func isJSONObject(_ part: ArraySlice<UInt8>) -> Bool {
        // An object begins with a brace, perhaps after white space, which gives the letters `e`, `I`, `C`, `D`, `A`.
        guard part.count >= 4, part.count <= longest, let decoded = Base64URL.decode(part) else { return false }
        return (try? JSONReader.read(decoded))?.objectValue != nil
    }

    package static func isEncrypted(_ part: ArraySlice<UInt8>) -> Bool {
        guard part.count <= longest, let decoded = Base64URL.decode(part) else { return false }
        return (try? JSONReader.read(decoded))?["enc"] != nil
    }

    /// Returns the start of a token's header in the part before its first dot; nil when there is none.
    package static func startOfHeader(in part: ArraySlice<UInt8>) -> Int? {
        guard part.count >= 4, part.count <= longest else { return nil }
        if isJSONObject(part) { return part.startIndex }
        // Other text may precede it directly.
        var tries = 0
        for place in part.indices.dropFirst() where part[place] == 0x65 && tries < 16 {
            guard place + 2 < part.endIndex, part[place + 1] == 0x79, part[place + 2] == 0x4A else { continue }
            tries += 1
            if isJSONObject(part[place...]) { return place }
        }
        return nil
    }

    /// Returns true if a whole text is a token.
    package static func isToken(_ text: ArraySlice<UInt8>) -> Bool {
        let parts = text.split(separator: 0x2E, omittingEmptySubsequences: false)
        guard parts.count == 3 || parts.count == 5, isJSONObject(parts[0]) else { return false }
        return parts.count == 5 ? isEncrypted(parts[0]) : isJSONObject(parts[1])
    }
}
