/// The languages that a client would read, best first (RFC 9110 section 12.5.4).
package struct LanguagePreference: Sendable, Equatable {
    /// A language range with its weight.
    package struct Range: Sendable, Equatable {
        /// In lower case, for example `sv-se`, or `*`.
        package let tag: String
        /// In thousandths, 0 to 1000; 0 means not acceptable.
        package let weight: Int
    }

    /// By weight, highest first; equal ones in the order they stood in; at most `limit`.
    package let ranges: [Range]

    /// Ranges after this many are left out.
    package static let limit = 64

    /// The preference in a field's value; elements that are not of the right form are left out.
    package init(_ text: String?) {
        var ranges: [Range] = []
        for element in Array((text ?? "").utf8).split(separator: UInt8(ascii: ",")) {
            guard ranges.count < Self.limit else { break }
            if let range = Self.range(element) { ranges.append(range) }
        }
        // The standard sort does not promise to keep the order of equals.
        self.ranges = ranges.enumerated().sorted {
            ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset)
        }
        .map(\.element)
    }

    /// The best of the languages offered, by lookup (RFC 4647 section 3.4), or nil when no range names one of them.
    ///
    /// Each range is tried, then shortened from its end; `*` names the first one not refused. The languages are tags
    /// such as `sv` or `en-GB`, the preferred one first.
    package func best(of offered: [String]) -> String? {
        func isRefused(_ tag: String) -> Bool { ranges.contains { $0.weight == 0 && $0.tag == tag } }
        for range in ranges where range.weight > 0 {
            if range.tag == "*" {
                if let first = offered.first(where: { !isRefused($0.lowercased()) }) { return first }
                continue
            }
            var tag = range.tag[...]
            while !tag.isEmpty {
                if let found = offered.first(where: { $0.lowercased() == tag && !isRefused($0.lowercased()) }) {
                    return found
                }
                tag = tag[..<(tag.lastIndex(of: "-") ?? tag.startIndex)]
            }
        }
        return nil
    }

    private static func range(_ element: ArraySlice<UInt8>) -> Range? {
        let pieces = element.split(separator: UInt8(ascii: ";"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let tag = pieces.first?.trimmingFieldSpace, isRange(tag) else { return nil }
        var weight = 1_000
        if pieces.count == 2 {
            guard let parsed = Self.weight(pieces[1].trimmingFieldSpace) else { return nil }
            weight = parsed
        }
        return Range(tag: String(decoding: tag.map(\.asciiLowercased), as: UTF8.self), weight: weight)
    }

    /// `*`, or one to eight letters followed by subtags of one to eight letters or digits (RFC 4647 section 2.1).
    private static func isRange(_ tag: ArraySlice<UInt8>) -> Bool {
        if tag.elementsEqual([UInt8(ascii: "*")]) { return true }
        let subtags = tag.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return subtags.enumerated().allSatisfy { place, subtag in
            (1...8).contains(subtag.count)
                && subtag.allSatisfy {
                    (0x61...0x7A).contains($0.asciiLowercased) || (place > 0 && (0x30...0x39).contains($0))
                }
        }
    }

    /// Returns the weight in thousandths that a parameter such as `q=0.5` gives; nil for one of another form.
    static func weight(_ parameter: ArraySlice<UInt8>) -> Int? {
        guard let first = parameter.first, first.asciiLowercased == UInt8(ascii: "q"),
            parameter.dropFirst().first == UInt8(ascii: "=")
        else { return nil }
        return thousandths(parameter.dropFirst(2))
    }

    /// `0`, `0.5`, `1.000` and the like (`qvalue`).
    private static func thousandths(_ text: ArraySlice<UInt8>) -> Int? {
        guard let whole = text.first, whole == 0x30 || whole == 0x31 else { return nil }
        var value = Int(whole - 0x30) * 1_000
        let rest = text.dropFirst()
        if rest.isEmpty { return value }
        guard rest.first == UInt8(ascii: "."), rest.count <= 4 else { return nil }
        var scale = 100
        for digit in rest.dropFirst() {
            guard (0x30...0x39).contains(digit) else { return nil }
            value += Int(digit - 0x30) * scale
            scale /= 10
        }
        return value <= 1_000 ? value : nil
    }
}
