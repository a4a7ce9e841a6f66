import HTTPMessage

/// A path to match: a glob (`*` one segment or a part of one, `**` any number), or a route template (`{id}` one
/// segment, `{rest…}` one or more).
///
/// Segments are compared decoded, so a pattern may be written with or without escapes. A slash at the end makes no
/// difference.
package struct PathPattern: Sendable, Equatable {
    private enum Part: Sendable, Equatable {
        case text(String)
        /// A text with `*` in it: the pieces between the stars.
        case pieces([[UInt8]])
        case one
        case many
        case rest

        /// Whether it fits any number of segments.
        var isOpen: Bool {
            switch self {
            case .many, .rest: true
            case .text, .pieces, .one: false
            }
        }
    }

    package let text: String
    /// The parts before the first of those that fit any number of segments.
    private let head: [Part]
    /// From the first to the last of those that fit any number of segments; empty if there is none.
    private let middle: [Part]
    /// The parts after the last of those that fit any number of segments.
    private let tail: [Part]

    package init(_ text: String) {
        self.text = text
        let parts = text.split(separator: "/").map { Self.part(String($0)) }
        let first = parts.firstIndex { $0.isOpen } ?? parts.endIndex
        let last = parts.lastIndex { $0.isOpen }.map { $0 + 1 } ?? parts.endIndex
        head = Array(parts[..<first])
        middle = Array(parts[first..<last])
        tail = Array(parts[last...])
    }

    private static func part(_ segment: String) -> Part {
        if segment == "**" { return .many }
        if segment == "*" { return .one }
        if segment.hasPrefix("{"), segment.hasSuffix("}") { return segment.hasSuffix("…}") ? .rest : .one }
        if segment.utf8.contains(UInt8(ascii: "*")) {
            let pieces = segment.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
            return .pieces(pieces.map { Array($0) })
        }
        // An escape that is one stands for its character; anything else for itself.
        return .text(Path(raw: "/" + segment)?.segments.first ?? segment)
    }

    /// Why the text can't be a path to match; nil if it can.
    package static func refusal(of text: String) -> String? {
        guard text.hasPrefix("/") || text.hasPrefix("*") else { return "must begin with / or a star" }
        if text.contains("?") { return "is a path alone; the query goes into match.query" }
        if text.contains("#") { return "is a path alone, without a fragment" }
        for segment in text.split(separator: "/") where segment.contains("{") || segment.contains("}") {
            let inside = segment.dropFirst().dropLast()
            guard segment.hasPrefix("{"), segment.hasSuffix("}"), !inside.isEmpty, !inside.contains("{"),
                !inside.contains("}")
            else { return "has a brace that is not a whole segment such as {id}" }
        }
        return nil
    }

    /// Whether a path as text fits, escapes included.
    package func matches(_ path: String) -> Bool {
        matches(Path(raw: path)?.segments ?? path.split(separator: "/").map(String.init))
    }

    /// Whether decoded segments fit.
    ///
    /// What stands at the ends is looked at first: a thousand faults may have to be told from a path of a thousand segments.
    package func matches(_ segments: [String]) -> Bool {
        let start = head.count
        let end = segments.count - tail.count
        guard middle.isEmpty ? start == end : start <= end,
            Self.fit(tail, segments[end...]), Self.fit(head, segments[..<start])
        else { return false }
        if middle.count > 1 { return middleMatches(segments[start..<end]) }
        return middle.first != .rest || start < end
    }

    private static func fit(_ parts: [Part], _ segments: ArraySlice<String>) -> Bool {
        zip(parts, segments).allSatisfy { fits($0, $1) }
    }

    /// Whether segments fit the parts in the middle.
    ///
    /// Iterative with one fallback, so that many `**` do not multiply.
    private func middleMatches(_ segments: ArraySlice<String>) -> Bool {
        var place = 0
        var segment = segments.startIndex
        var fallback: (part: Int, segment: Int)?
        while segment < segments.endIndex {
            if place < middle.count, case .many = middle[place] {
                fallback = (place + 1, segment)
                place += 1
            } else if place < middle.count, case .rest = middle[place] {
                fallback = (place + 1, segment + 1)
                place += 1
                segment += 1
            } else if place < middle.count, Self.fits(middle[place], segments[segment]) {
                place += 1
                segment += 1
            } else if let last = fallback {
                fallback = (last.part, last.segment + 1)
                place = last.part
                segment = last.segment + 1
            } else {
                return false
            }
        }
        return middle[place...].allSatisfy { $0 == .many }
    }

    private static func fits(_ part: Part, _ segment: String) -> Bool {
        switch part {
        case .one, .many, .rest: true
        // Most differ in length already.
        case .text(let text): text.utf8.count == segment.utf8.count && text.utf8.elementsEqual(segment.utf8)
        case .pieces(let pieces): fits(pieces, Array(segment.utf8))
        }
    }

    /// A segment against the pieces between stars: the first at its start, the last at its end, the others in order.
    private static func fits(_ pieces: [[UInt8]], _ segment: [UInt8]) -> Bool {
        guard let first = pieces.first, let last = pieces.last, segment.count >= first.count + last.count,
            segment.starts(with: first), segment.suffix(last.count).elementsEqual(last)
        else { return false }
        var place = first.count
        let end = segment.count - last.count
        for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
            guard
                let found = (place...max(place, end)).first(where: {
                    $0 + piece.count <= end && segment[$0..<$0 + piece.count].elementsEqual(piece)
                })
            else { return false }
            place = found + piece.count
        }
        return true
    }
}
