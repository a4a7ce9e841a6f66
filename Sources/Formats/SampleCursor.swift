package import JSON

/// The texts that lead to a page.
package enum SampleCursor {
    private static let front = "cursor"
    private static let uuid = "00000000-0000-4000-8000-"

    /// The texts for a page with so many items before it, the likeliest first.
    package static func texts(_ offset: Int) -> [JSON] {
        let digits = String(offset)
        func padded(_ width: Int) -> String {
            String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
        }
        return [.string(front + digits)] + [10, 18, 26, 58].map { .string(front + padded($0)) }
            + [.string(uuid + padded(12)), .string(digits)]
    }

    /// The items before the page to which a text leads; nil for a text that is none of these.
    package static func offset(_ text: String, isNumber: Bool) -> Int? {
        for start in [front, uuid] where text.hasPrefix(start) {
            if let offset = Int(String(text.dropFirst(start.count))), offset >= 0 { return offset }
        }
        return isNumber ? Int(text).map { max(0, $0) } : nil
    }
}
