/// A path with places for parameters: `/api/v1/conversations/{id}/messages`, or `/api/v1/files/{key…}` for the rest of
/// the path.
package struct RouteTemplate: Sendable, Hashable {
    /// The requirement on one segment of a path.
    package enum Segment: Sendable, Hashable {
        /// Exactly this text, compared with case after decoding.
        case literal(String)
        /// Any one segment.
        case parameter(String)
        /// One or more segments up to the end of the path; only as the last.
        case rest(String)
    }

    package let segments: [Segment]
    /// As it was written.
    package let text: String
    /// The names of the parameters in order.
    package let parameterNames: [String]

    /// Parses a template; nil for any other text.
    ///
    /// It begins with `/`, and every segment is either visible ASCII without braces or `%`, or one parameter with a
    /// name of letters, digits, `_` and `-` that occurs once. `/` alone is the empty path.
    package init?(_ text: String) {
        guard text.utf8.first == UInt8(ascii: "/") else { return nil }
        var segments: [Segment] = []
        var names: [String] = []
        let pieces =
            text.utf8.count == 1 ? [] : text.utf8.dropFirst().split(separator: 0x2F, omittingEmptySubsequences: false)
        for piece in pieces {
            guard let piece = String(piece), !piece.isEmpty else { return nil }
            if case .some(.rest) = segments.last { return nil }
            if piece.hasPrefix("{"), piece.hasSuffix("}") {
                var name = piece.dropFirst().dropLast()
                let isRest = name.hasSuffix("…")
                if isRest { name = name.dropLast() }
                guard !name.isEmpty, name.utf8.allSatisfy(\.isParameterNameByte), !names.contains(String(name)) else {
                    return nil
                }
                names.append(String(name))
                segments.append(isRest ? .rest(String(name)) : .parameter(String(name)))
            } else {
                guard piece.utf8.allSatisfy(\.isLiteralByte), piece != ".", piece != ".." else { return nil }
                segments.append(.literal(piece))
            }
        }
        self.segments = segments
        self.text = text
        parameterNames = names
    }

    /// The parameters' values in order, or nil when the path is another one.
    ///
    /// Values are decoded. The rest of a path is joined with `/`, so it is the same whether a client sent it as plain
    /// segments or as one segment with `%2F`. A trailing slash is not looked at: the contracts differ about it.
    package func match(_ path: Path) -> [String]? {
        var values: [String] = []
        for (place, segment) in segments.enumerated() {
            guard place < path.segments.count else { return nil }
            let sent = path.segments[place]
            switch segment {
            case .literal(let literal):
                guard sent.isSameSegment(as: literal) else { return nil }
            case .parameter: values.append(sent)
            case .rest:
                values.append(path.segments[place...].joined(separator: "/"))
                return values
            }
        }
        return segments.count == path.segments.count ? values : nil
    }
}

extension String {
    /// Returns true if a sent segment is a template's literal, byte for byte.
    ///
    /// `==` alone compares canonical equivalents, so U+212A (the Kelvin sign) would do for `K`. Literals are ASCII, and
    /// whatever else is equivalent to an ASCII text takes more bytes.
    func isSameSegment(as literal: String) -> Bool { utf8.count == literal.utf8.count && self == literal }
}

extension UInt8 {
    fileprivate var isParameterNameByte: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
        default: false
        }
    }

    /// Visible ASCII but `%`, `{` and `}`; a slash does not get here.
    fileprivate var isLiteralByte: Bool {
        (0x21...0x7E).contains(self) && self != 0x25 && self != 0x7B && self != 0x7D
    }
}
