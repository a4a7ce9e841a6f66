/// The forms of names and addresses in targets.
package enum HostName {
    private static let longest = 253
    private static let longestLabel = 63

    /// Returns a DNS name in lower case without the root's dot; nil for what is none.
    package static func canonical(_ text: String) -> String? {
        var name = text
        if name.utf8.last == dot { name.removeLast() }
        guard !name.isEmpty, name.utf8.count <= longest else { return nil }
        // The bytes of the label so far, and the last of them.
        var count = 0
        var last: UInt8 = 0
        var isLower = true
        for byte in name.utf8 {
            guard byte != dot else {
                guard count > 0, last != hyphen else { return nil }
                count = 0
                continue
            }
            guard isNameByte(byte), count < longestLabel, count > 0 || byte != hyphen else { return nil }
            if 0x41...0x5A ~= byte { isLower = false }
            count += 1
            last = byte
        }
        guard count > 0, last != hyphen else { return nil }
        return isLower ? name : name.lowercased()
    }

    private static let dot: UInt8 = 0x2E
    private static let hyphen: UInt8 = 0x2D

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
        default: false
        }
    }

    /// Tells whether the last label is a number, decimal or hexadecimal, by which resolvers take the whole for an IPv4
    /// address.
    package static func endsInNumber(_ name: String) -> Bool {
        let bytes = name.utf8
        let last = bytes.lastIndex(of: dot).map { bytes[bytes.index(after: $0)...] } ?? bytes[...]
        guard let first = last.first, isDigit(first) else { return false }
        if last.allSatisfy(isDigit) { return true }
        guard first == 0x30, let mark = last.dropFirst().first, mark | 0x20 == 0x78 else { return false }
        return last.dropFirst(2).allSatisfy { isDigit($0) || ($0 | 0x20) &- 0x61 < 6 }
    }

    /// Returns the bytes of an IPv4 address in its one usual spelling: four decimal numbers without leading zeros.
    package static func four(_ text: String) -> [UInt8]? {
        guard text.utf8.allSatisfy({ isDigit($0) || $0 == dot }) else { return nil }
        let parts = text.utf8.split(separator: dot, omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bytes: [UInt8] = []
        for part in parts {
            guard (1...3).contains(part.count), part.count == 1 || part.first != 0x30 else { return nil }
            guard let byte = UInt8(String(decoding: part, as: UTF8.self)) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    /// Returns the bytes of an IPv6 address without brackets and without a zone.
    package static func six(_ text: String) -> [UInt8]? {
        let halves = gapped(text)
        guard let halves, let front = groups(halves.front), let back = groups(halves.back) else { return nil }
        let missing = 16 - front.count - back.count
        guard halves.hasGap ? missing >= 2 : missing == 0 else { return nil }
        return front + [UInt8](repeating: 0, count: missing) + back
    }

    /// Cuts an address at its gap, of which there may be one.
    private static func gapped(_ text: String) -> (front: [String], back: [String], hasGap: Bool)? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard (3...9).contains(parts.count) else { return nil }
        var gaps: [Int] = []
        for place in parts.indices.dropFirst().dropLast() where parts[place].isEmpty { gaps.append(place) }
        guard let gap = gaps.first else {
            return parts.contains("") ? nil : (parts, [], false)
        }
        // `::` at an end has two empty parts there, `::` alone three.
        var front = Array(parts[..<gap])
        var back = Array(parts[(gap + 1)...])
        if front == [""] { front = [] }
        if back == [""] { back = [] }
        guard gaps.count == 1, !front.contains(""), !back.contains("") else { return nil }
        return (front, back, true)
    }

    private static func groups(_ parts: [String]) -> [UInt8]? {
        var bytes: [UInt8] = []
        for (place, part) in parts.enumerated() {
            if place == parts.count - 1, part.utf8.contains(0x2E) {
                guard let four = four(part) else { return nil }
                bytes += four
                continue
            }
            guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy({ $0 != 0x2B && $0 != 0x2D }),
                let group = UInt16(part, radix: 16)
            else { return nil }
            bytes += [UInt8(group >> 8), UInt8(group & 0xFF)]
        }
        return bytes
    }

    /// Returns the usual spelling of an address of four or sixteen bytes.
    package static func text(_ bytes: [UInt8]) -> String {
        guard bytes.count == 16 else { return bytes.map { "\($0)" }.joined(separator: ".") }
        let groups = stride(from: 0, to: 16, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        var best: Range<Int> = 0..<0
        var start = 0
        while start < 8 {
            var end = start
            while end < 8, groups[end] == 0 { end += 1 }
            if end - start > best.count { best = start..<end }
            start = max(end, start + 1)
        }
        let words = groups.map { String($0, radix: 16) }
        guard best.count > 1 else { return words.joined(separator: ":") }
        return words[..<best.lowerBound].joined(separator: ":") + "::"
            + words[best.upperBound...].joined(separator: ":")
    }
}
