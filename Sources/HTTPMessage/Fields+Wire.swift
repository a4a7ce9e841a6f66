extension Fields {
    /// Field lines as `wire` shows them; nil if any of them could not have been there.
    package init?(wire bytes: [UInt8]) {
        self.init()
        var start = 0
        while start < bytes.count {
            guard let end = bytes[start...].firstIndex(of: 0x0A), end > start, bytes[end - 1] == 0x0D,
                let colon = bytes[start..<end].firstIndex(of: 0x3A), colon > start,
                bytes[start..<colon].allSatisfy(\.isTokenByte)
            else { return nil }
            var value = (colon + 1)..<(end - 1)
            while let first = value.first, bytes[first].isBlank { value.removeFirst() }
            while let last = value.last, bytes[last].isBlank { value.removeLast() }
            guard bytes[value].allSatisfy(\.isFieldValueByte) else { return nil }
            appendChecked(
                line: bytes[start...end],
                name: 0..<(colon - start),
                value: (value.lowerBound - start)..<(value.upperBound - start)
            )
            start = end + 1
        }
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }
}
