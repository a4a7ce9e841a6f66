import HTTPMessage
import JSON

/// A path to match: a glob (`*` one segment or a part of one, `**` any number), or a route template (`{id}` one
/// segment, `{rest…}` one or more).
///
/// Segments are compared decoded, so a pattern may be written with or without escapes. A path has to end in a slash where
/// the pattern does, and must not elsewhere; one whose last part is open takes either (wire contract, section 6).
package struct PathPattern: Sendable {
    enum Part: Sendable, Equatable {
        case text(String)
        /// A text with `*` in it, as the pieces between the stars.
        case pieces([ByteSearch])
        case one
        case many
        case rest

        /// Tells whether it matches any number of segments.
        var isOpen: Bool {
            switch self {
            case .many, .rest: true
            case .text, .pieces, .one: false
            }
        }
    }

    package let text: String
    /// The parts before the first open one.
    private let head: [Part]
    /// Tells whether there is an open part.
    private let isOpen: Bool
    /// The parts that must follow the head directly: one segment for each `{rest…}` that opens the middle.
    private let opening: [Part]
    /// The runs between the open parts.
    private let runs: [SegmentRun]
    /// The parts after the last open one.
    private let tail: [Part]

    /// Tells whether a path has to end in a slash; nil where both forms are taken.
    let endsInSlash: Bool?

    package init(_ text: String) {
        self.text = text
        let parts = text.split(separator: "/").map { Self.part(String($0)) }
        let first = parts.firstIndex { $0.isOpen } ?? parts.endIndex
        let last = parts.lastIndex { $0.isOpen }.map { $0 + 1 } ?? parts.endIndex
        head = Array(parts[..<first])
        tail = Array(parts[last...])
        isOpen = first < last
        endsInSlash = text.hasSuffix("/") && !parts.isEmpty ? true : parts.last.map { $0.isOpen } ?? true ? nil : false
        // One or more is one followed by any number.
        var runs: [[Part]] = [[]]
        for part in parts[first..<last] {
            if part == .rest { runs[runs.count - 1].append(.one) }
            if part.isOpen { runs.append([]) } else { runs[runs.count - 1].append(part) }
        }
        opening = runs[0]
        self.runs = runs.dropFirst().filter { !$0.isEmpty }.map { SegmentRun($0) }
        isSearch = !self.runs.isEmpty || parts.contains { if case .pieces = $0 { true } else { false } }
    }

    /// Tells whether a path has to be searched, rather than compared.
    let isSearch: Bool

    /// The maximum length of a pattern in bytes (control contract, section 17); no request line is longer.
    package static let mostBytes = 8 * 1024
    /// The maximum number of stars in a pattern.
    package static let mostStars = 32

    private static func part(_ segment: String) -> Part {
        if segment == "**" { return .many }
        if segment == "*" { return .one }
        if segment.hasPrefix("{"), segment.hasSuffix("}") { return segment.hasSuffix("…}") ? .rest : .one }
        if segment.utf8.contains(UInt8(ascii: "*")) {
            let pieces = segment.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
            return .pieces(pieces.map { ByteSearch(Array($0)) })
        }
        // A valid escape stands for its character, everything else for itself.
        return .text(Path(raw: "/" + segment)?.segments.first ?? segment)
    }

    /// Returns the reason why the text is not a valid pattern; nil if it is.
    package static func refusal(of text: String) -> String? {
        guard text.utf8.count <= mostBytes else { return "must be at most \(mostBytes) bytes long" }
        guard text.utf8.count(where: { $0 == UInt8(ascii: "*") }) <= mostStars else {
            return "must have at most \(mostStars) stars"
        }
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

    /// The literal segments, nil for parts that fit any one segment; nil for a pattern that has to be searched.
    var literals: [String?]? {
        guard !isOpen else { return nil }
        var literals: [String?] = []
        for part in head {
            switch part {
            case .text(let text): literals.append(text)
            case .one: literals.append(nil)
            case .pieces, .many, .rest: return nil
            }
        }
        return literals
    }

    /// The names of the template's parameters, one for each part; nil for a part without one.
    var names: [String?] {
        text.split(separator: "/").map { part in
            guard part.hasPrefix("{"), part.hasSuffix("}") else { return nil }
            return String(part.dropFirst().dropLast(part.hasSuffix("…}") ? 2 : 1))
        }
    }

    /// The text with the segments of a path in the places of its parameters; as it is if their numbers differ.
    func filled(from segments: [String]) -> String {
        guard !isOpen, head.count == segments.count, !head.isEmpty else { return text }
        let path = zip(text.split(separator: "/"), zip(head, segments)).reduce(into: "") { filled, part in
            filled += "/" + (part.1.0 == .one ? part.1.1 : String(part.0))
        }
        return endsInSlash == true ? path + "/" : path
    }

    /// Returns the values of the parameters for segments that match.
    ///
    /// A part behind the first of several open ones has no fixed place, and so no value.
    func parameters(of segments: [String]) -> [(name: String, value: String)] {
        let names = names
        var found: [(name: String, value: String)] = []
        for (place, name) in names.enumerated() {
            guard let name else { continue }
            let rest = names.count - 1 - place
            if !isOpen || place < head.count {
                if place < segments.count { found.append((name, segments[place])) }
            } else if rest < tail.count {
                if rest < segments.count { found.append((name, segments[segments.count - 1 - rest])) }
            } else if runs.isEmpty, opening.count <= 1, names.count == head.count + tail.count + 1 {
                let end = segments.count - tail.count
                if head.count <= end { found.append((name, segments[head.count..<end].joined(separator: "/"))) }
            }
        }
        return found
    }

    /// Returns whether the path of a request matches, with or without its slash at the end as it was sent.
    package func matches(_ segments: [String], endingInSlash: Bool) -> Bool {
        if let endsInSlash, endsInSlash != endingInSlash { return false }
        return matches(segments)
    }

    /// Returns whether a path as text matches, escapes included; a slash at its end does not count.
    package func matches(_ path: String) -> Bool {
        matches(Path(raw: path)?.segments ?? path.split(separator: "/").map(String.init))
    }

    /// Returns whether decoded segments match, whatever the end of their path.
    ///
    /// The ends are compared first: a thousand faults may have to be told from a path of a thousand segments.
    package func matches(_ segments: [String]) -> Bool {
        let start = head.count
        let end = segments.count - tail.count
        guard isOpen ? start <= end : start == end, Self.fit(tail, segments[end...]), Self.fit(head, segments[..<start])
        else { return false }
        return !isOpen || middleMatches(segments[start..<end])
    }

    private static func fit(_ parts: [Part], _ segments: ArraySlice<String>) -> Bool {
        zip(parts, segments).allSatisfy { fits($0, $1) }
    }

    /// Returns whether segments match the parts in the middle: each run as early as possible after the one before.
    private func middleMatches(_ segments: ArraySlice<String>) -> Bool {
        guard segments.count >= opening.count, Self.fit(opening, segments) else { return false }
        var rest = segments.dropFirst(opening.count)
        for run in runs {
            guard let end = run.end(in: rest) else { return false }
            rest = rest[end...]
        }
        return true
    }

    static func fits(_ part: Part, _ segment: String) -> Bool {
        switch part {
        case .one, .many, .rest: true
        case .text(let text): text.hasSameCodePoints(as: segment)
        case .pieces(let pieces): fits(pieces, Array(segment.utf8))
        }
    }

    /// Returns whether a segment matches the pieces between stars: the first at its start, the last at its end, the
    /// others in order.
    private static func fits(_ pieces: [ByteSearch], _ segment: [UInt8]) -> Bool {
        guard let first = pieces.first?.bytes, let last = pieces.last?.bytes,
            segment.count >= first.count + last.count, segment.starts(with: first),
            segment.suffix(last.count).elementsEqual(last)
        else { return false }
        var place = first.count
        let end = segment.count - last.count
        for piece in pieces.dropFirst().dropLast() {
            guard let found = piece.end(in: segment, place..<end) else { return false }
            place = found
        }
        return true
    }
}
