/// The grammar of a Host value (RFC 9110 section 7.2): `uri-host [ ":" port ]`, user information excluded.
enum HostSyntax {
    /// Returns true if the bytes are a non-empty host with an optional port from 0 to 65535.
    static func isAuthority(_ buffer: [UInt8], _ range: Range<Int>) -> Bool {
        guard !range.isEmpty else { return false }
        var index = range.lowerBound
        if buffer[index] == 0x5B {
            guard let close = buffer[range].firstIndex(of: 0x5D) else { return false }
            guard isAddressLiteral(buffer, index + 1..<close) else { return false }
            index = close + 1
        } else {
            while index < range.upperBound, buffer[index] != .colon {
                if buffer[index] == 0x25 {
                    guard index + 2 < range.upperBound, buffer[index + 1].hexDigit != nil,
                        buffer[index + 2].hexDigit != nil
                    else { return false }
                    index += 3
                } else {
                    guard isNameByte(buffer[index]) else { return false }
                    index += 1
                }
            }
            guard index > range.lowerBound else { return false }
        }
        guard index < range.upperBound else { return true }
        return buffer[index] == .colon && isPort(buffer, index + 1..<range.upperBound)
    }

    /// Returns true if an authority names a port other than 0.
    static func namesPort(_ buffer: [UInt8], _ range: Range<Int>) -> Bool {
        guard let colon = buffer[range].lastIndex(of: .colon), buffer[colon...].count > 1 else { return false }
        return buffer[colon + 1..<range.upperBound].allSatisfy(\.isDigit)
            && buffer[colon + 1..<range.upperBound].contains { $0 != 0x30 }
    }

    /// RFC 3986 allows an empty port.
    private static func isPort(_ buffer: [UInt8], _ range: Range<Int>) -> Bool {
        guard range.count <= 5 else { return false }
        var number = 0
        for index in range {
            guard buffer[index].isDigit else { return false }
            number = number * 10 + Int(buffer[index] - 0x30)
        }
        return number <= 65_535
    }

    /// unreserved / sub-delims (RFC 3986 section 3.2.2).
    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x2D, 0x2E, 0x5F, 0x7E: true
        case 0x21, 0x24, 0x26...0x2C, 0x3B, 0x3D: true
        default: false
        }
    }

    /// Returns true for the content of brackets: an IPv6 address or `v1.future`.
    private static func isAddressLiteral(_ buffer: [UInt8], _ range: Range<Int>) -> Bool {
        guard !range.isEmpty else { return false }
        return buffer[range.lowerBound].lowercased == 0x76 ? isFutureAddress(buffer, range) : isIPv6(buffer, range)
    }

    private static func isFutureAddress(_ buffer: [UInt8], _ range: Range<Int>) -> Bool {
        var index = range.lowerBound + 1
        while index < range.upperBound, buffer[index].hexDigit != nil { index += 1 }
        guard index > range.lowerBound + 1, index + 1 < range.upperBound, buffer[index] == 0x2E else { return false }
        return buffer[index + 1..<range.upperBound].allSatisfy { isNameByte($0) || $0 == .colon }
    }

    private static func isIPv6(_ buffer: [UInt8], _ range: Range<Int>) -> Bool {
        var groups = 0
        var hasGap = false
        var index = range.lowerBound
        while index < range.upperBound {
            if buffer[index] == .colon {
                guard index + 1 < range.upperBound, buffer[index + 1] == .colon, !hasGap else { return false }
                hasGap = true
                index += 2
                continue
            }
            let start = index
            while index < range.upperBound, buffer[index].hexDigit != nil { index += 1 }
            if index < range.upperBound, buffer[index] == 0x2E {
                guard isIPv4(buffer, start..<range.upperBound) else { return false }
                groups += 2
                break
            }
            guard (1...4).contains(index - start) else { return false }
            groups += 1
            guard index < range.upperBound else { break }
            guard buffer[index] == .colon, index + 1 < range.upperBound else { return false }
            if buffer[index + 1] != .colon { index += 1 }
        }
        return hasGap ? groups <= 7 : groups == 8
    }

    private static func isIPv4(_ buffer: [UInt8], _ range: Range<Int>) -> Bool {
        let parts = buffer[range].split(separator: 0x2E, omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                (1...3).contains(part.count) && part.allSatisfy(\.isDigit)
                    && part.reduce(0) { $0 * 10 + Int($1 - 0x30) } <= 255
            }
    }
}
