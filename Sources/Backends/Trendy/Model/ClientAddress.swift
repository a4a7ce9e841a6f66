import Backend
import HTTPMessage

/// The address of a request's client, for the limiters (contract, section 8).
enum ClientAddress {
    /// Returns the left-most valid address of `X-Forwarded-For`, else `X-Real-IP`, else the peer.
    static func of(_ call: Call) -> String {
        for value in call.fields.values(.forwardedFor) {
            for part in value.split(separator: ",") {
                if let address = normal(trimmed(part)) { return address }
            }
        }
        if let value = call.fields[realIP], let address = normal(trimmed(value[...])) { return address }
        return normal(call.peer[...]) ?? call.peer
    }

    private static let realIP: FieldName = "X-Real-IP"

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while let first = text.utf8.first, first == 0x20 || first == 0x09 { text.removeFirst() }
        while let last = text.utf8.last, last == 0x20 || last == 0x09 { text.removeLast() }
        return text
    }

    /// Returns the normal form of an address; nil if the text is no address.
    static func normal(_ text: Substring) -> String? {
        if let bytes = version4(text) { return bytes.map { String($0) }.joined(separator: ".") }
        return version6(text).map { groups in groups.map { String($0, radix: 16) }.joined(separator: ":") }
    }

    private static func version4(_ text: Substring) -> [UInt8]? {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bytes: [UInt8] = []
        for part in parts {
            guard (1...3).contains(part.count), part.allSatisfy({ (0x30...0x39).contains($0) }),
                part.count == 1 || part.first != 0x30
            else { return nil }
            let value = part.reduce(0) { $0 * 10 + Int($1 - 0x30) }
            guard let byte = UInt8(exactly: value) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    /// The eight groups of RFC 4291 section 2.2; the last two may be written as an IPv4 address.
    private static func version6(_ text: Substring) -> [UInt16]? {
        guard (2...45).contains(text.utf8.count), text.utf8.contains(UInt8(ascii: ":")) else { return nil }
        let bytes = Array(text.utf8)
        let colon = UInt8(ascii: ":")
        var gap: Int?
        for place in 0..<(bytes.count - 1) where bytes[place] == colon && bytes[place + 1] == colon {
            guard gap == nil else { return nil }
            gap = place
        }
        guard let gap else {
            guard let groups = groups(bytes[...]), groups.count == 8 else { return nil }
            return groups
        }
        guard let head = groups(bytes[..<gap]), let tail = groups(bytes[(gap + 2)...]), head.count + tail.count < 8
        else { return nil }
        return head + Array(repeating: 0, count: 8 - head.count - tail.count) + tail
    }

    private static func groups(_ bytes: ArraySlice<UInt8>) -> [UInt16]? {
        guard !bytes.isEmpty else { return [] }
        let parts = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        var groups: [UInt16] = []
        for (place, part) in parts.enumerated() {
            let text = String(decoding: part, as: UTF8.self)
            if place == parts.count - 1, let last = version4(text[...]) {
                groups += [UInt16(last[0]) << 8 | UInt16(last[1]), UInt16(last[2]) << 8 | UInt16(last[3])]
                continue
            }
            guard (1...4).contains(part.count), part.allSatisfy({ $0.hexDigitValue != nil }),
                let group = UInt16(text, radix: 16)
            else { return nil }
            groups.append(group)
        }
        return groups.count <= 8 ? groups : nil
    }
}
