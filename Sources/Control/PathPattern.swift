/// A path to match: a glob (`*` one segment, `**` any number), or a route template (`{id}` one segment).
struct PathPattern: Sendable {
    private let segments: [Substring]

    init(_ text: String) { segments = text.split(separator: "/") }

    func matches(_ path: String) -> Bool { Self.matches(segments[...], path.split(separator: "/")[...]) }

    /// Iterative with one fallback, so that many `**` do not multiply.
    private static func matches(_ pattern: ArraySlice<Substring>, _ path: ArraySlice<Substring>) -> Bool {
        var place = pattern.startIndex
        var segment = path.startIndex
        var fallback: (pattern: Int, segment: Int)?
        while segment < path.endIndex {
            if place < pattern.endIndex, pattern[place] == "**" || isRest(pattern[place]) {
                fallback = (place + 1, segment)
                place += 1
            } else if place < pattern.endIndex, fits(pattern[place], path[segment]) {
                place += 1
                segment += 1
            } else if let last = fallback {
                fallback = (last.pattern, last.segment + 1)
                place = last.pattern
                segment = last.segment + 1
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == "**" }
    }

    private static func isRest(_ pattern: Substring) -> Bool { pattern.hasPrefix("{") && pattern.hasSuffix("…}") }

    private static func fits(_ pattern: Substring, _ segment: Substring) -> Bool {
        pattern == "*" || (pattern.hasPrefix("{") && pattern.hasSuffix("}")) || pattern == segment
    }
}
