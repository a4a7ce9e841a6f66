import Crypto
import HTTPMessage
package import JSON

/// The reading of kept content.
package enum Content {
    private static let options = JSONReader.Options(maxDepth: 64, allowBOM: true)

    /// The JSON of whole content that may be an object or a list.
    package static func json(_ body: ConductExchange.Body) -> JSON? {
        guard body.isWhole, let first = body.bytes.first(where: { $0 > 0x20 }),
            first == UInt8(ascii: "{") || first == UInt8(ascii: "[") || first == 0xEF
        else { return nil }
        return try? JSONReader.read(body.bytes, options: options)
    }

    /// The value at a path of names.
    package static func value(at path: [String], in json: JSON?) -> JSON? {
        var current = json
        for name in path { current = current?[name] }
        return current
    }

    /// The same number for the same content; nil where it is not known.
    package static func mark(_ body: ConductExchange.Body) -> UInt64? {
        guard body.isKnown else { return nil }
        if let digest = body.digest { return fold(digest, UInt64(body.length)) }
        return fold(body.bytes, UInt64(body.length))
    }

    /// 64 bits of the bytes (FNV-1a).
    package static func fold(_ bytes: [UInt8], _ seed: UInt64) -> UInt64 {
        var value = 0xcbf2_9ce4_8422_2325 ^ seed
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return value
    }

    /// 128 bits of the digest of a body; nil where it is not known.
    package static func digest(_ body: ConductExchange.Body) -> (UInt64, UInt64)? {
        if body.length == 0 { return (0, 0) }
        if let digest = body.digest, digest.count >= 16 { return halves(digest) }
        guard body.isWhole else { return nil }
        return halves(SHA256.digest(body.bytes))
    }

    private static func halves(_ digest: [UInt8]) -> (UInt64, UInt64) {
        var first: UInt64 = 0
        var second: UInt64 = 0
        for place in 0..<8 {
            first = first << 8 | UInt64(digest[place])
            second = second << 8 | UInt64(digest[place + 8])
        }
        return (first, second)
    }

    /// Tells whether the bytes hold a text.
    package static func holds(_ text: StaticString, in bytes: [UInt8]) -> Bool {
        let pattern = Array("\(text)".utf8)
        guard let first = pattern.first, bytes.count >= pattern.count else { return false }
        for start in 0...(bytes.count - pattern.count) where bytes[start] == first {
            if bytes[start..<(start + pattern.count)].elementsEqual(pattern) { return true }
        }
        return false
    }

    /// The string members of these names at any of the first four levels, in order.
    package static func strings(named names: Set<String>, in json: JSON?, depth: Int = 4) -> [(
        name: String, value: String
    )] {
        guard let object = json?.objectValue, depth > 0 else { return [] }
        var found: [(String, String)] = []
        for member in object.members {
            if names.contains(member.name), let text = member.value.stringValue, !text.isEmpty {
                found.append((member.name, text))
            } else if member.value.objectValue != nil {
                found += strings(named: names, in: member.value, depth: depth - 1)
            }
        }
        return found
    }

    /// The strings at any of the first four levels, in order.
    package static func strings(in json: JSON?, depth: Int = 4) -> [String] {
        guard let object = json?.objectValue, depth > 0 else { return [] }
        return object.members.flatMap { member in
            member.value.stringValue.map { [$0] } ?? strings(in: member.value, depth: depth - 1)
        }
    }

    /// The path with segments that name a thing written as `{id}`.
    package static func route(of path: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false).map { isName($0) ? "{id}" : String($0) }
            .joined(separator: "/")
    }

    private static func isName(_ segment: Substring) -> Bool {
        let bytes = segment.utf8
        guard !bytes.isEmpty else { return false }
        if bytes.count > 20 || bytes.allSatisfy({ (0x30...0x39).contains($0) }) { return true }
        return false
    }
}
