/// A name of the domain name system, in lower case and without a dot at its end.
package struct DNSName: Hashable, Sendable {
    package let text: String

    /// Reads a name of 1 to 253 bytes whose labels have 1 to 63 letters, digits, hyphens and underscores; nil for
    /// anything else, for numeric addresses too.
    package init?(_ text: some StringProtocol) {
        var bytes = Array(text.utf8)
        if bytes.last == 0x2E { bytes.removeLast() }
        guard (1...253).contains(bytes.count) else { return nil }
        for (place, byte) in bytes.enumerated() where (0x41...0x5A).contains(byte) { bytes[place] = byte | 0x20 }
        let labels = bytes.split(separator: 0x2E, omittingEmptySubsequences: false)
        guard labels.allSatisfy(Self.isLabel), let last = labels.last else { return nil }
        // The last label of a numeric address is a number; no top-level domain is.
        guard !last.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        self.text = String(decoding: bytes, as: UTF8.self)
    }

    private static func isLabel(_ label: ArraySlice<UInt8>) -> Bool {
        (1...63).contains(label.count) && label.first != 0x2D && label.last != 0x2D
            && label.allSatisfy {
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F
            }
    }

    /// Tells whether it is the other name, or one below it.
    package func isWithin(_ other: String) -> Bool { text == other || text.hasSuffix("." + other) }
}
