package import HTTPMessage

/// A path with places for parameters, also within a segment: `/pets/{id}`, `/files/{name}.json`.
package struct PathTemplate: Sendable, Hashable {
    /// A part of a segment.
    package enum Piece: Sendable, Hashable {
        /// Exactly this text, decoded.
        case literal(String)
        /// One character or more.
        case parameter(String)
    }

    /// The reason why a text is no template.
    package struct Defect: Error, Sendable {
        package let reason: String
    }

    /// The segments; neither a segment nor a literal is empty, and no two parameters are adjacent.
    package let segments: [[Piece]]
    /// As it was written.
    package let text: String
    /// The names of the parameters, in order.
    package let parameterNames: [String]

    /// Reads a template; a slash at the end does not count.
    package init(_ text: String) throws(Defect) {
        guard text.utf8.first == UInt8(ascii: "/") else { throw Defect(reason: "a path begins with a slash") }
        guard !text.utf8.contains(UInt8(ascii: "?")), !text.utf8.contains(UInt8(ascii: "#")) else {
            throw Defect(reason: "a path has neither a query nor a fragment")
        }
        var segments: [[Piece]] = []
        var names: [String] = []
        for piece in text.utf8.split(separator: UInt8(ascii: "/")) {
            segments.append(try Self.segment(piece, &names))
        }
        self.segments = segments
        self.text = text
        parameterNames = names
    }

    private static func segment(_ bytes: Substring.UTF8View, _ names: inout [String]) throws(Defect) -> [Piece] {
        var pieces: [Piece] = []
        var rest = Substring(bytes).utf8
        while let first = rest.first {
            guard first == UInt8(ascii: "{") else {
                let literal = rest.prefix { $0 != UInt8(ascii: "{") }
                rest = rest.dropFirst(literal.count)
                guard !literal.contains(UInt8(ascii: "}")) else {
                    throw Defect(reason: "a brace is closed but not opened")
                }
                // Decoded as a request's path is.
                // The letter in front keeps a dot from being a segment that leads nowhere.
                guard let decoded = Path(raw: "/a" + String(Substring(literal)))?.segments.first?.dropFirst() else {
                    throw Defect(reason: "a segment has a broken escape")
                }
                pieces.append(.literal(String(decoded)))
                continue
            }
            guard let end = rest.firstIndex(of: UInt8(ascii: "}")) else {
                throw Defect(reason: "a brace is opened but not closed")
            }
            let name = String(Substring(rest[rest.index(after: rest.startIndex)..<end]))
            rest = rest[rest.index(after: end)...]
            guard !name.isEmpty, !name.utf8.contains(UInt8(ascii: "{")) else {
                throw Defect(reason: "a parameter has no name")
            }
            guard !names.contains(name) else { throw Defect(reason: "the parameter {\(name)} occurs twice") }
            if case .parameter? = pieces.last { throw Defect(reason: "two parameters are adjacent") }
            names.append(name)
            pieces.append(.parameter(name))
        }
        guard pieces != [.literal(".")], pieces != [.literal("..")] else {
            throw Defect(reason: "a path can't have a segment of dots")
        }
        return pieces
    }

    /// The parameters' values in order, decoded, or nil when the path is another one.
    ///
    /// Within a segment each parameter takes as little as the rest allows. A slash at the end is not looked at.
    package func match(_ path: Path) -> [String]? {
        guard path.segments.count == segments.count else { return nil }
        var values: [String] = []
        for (pieces, sent) in zip(segments, path.segments) {
            guard Self.match(pieces, sent, &values) else { return nil }
        }
        return values
    }

    private static func match(_ pieces: [Piece], _ sent: String, _ values: inout [String]) -> Bool {
        if pieces.count == 1 {
            switch pieces[0] {
            case .literal(let literal): return sent.utf8.elementsEqual(literal.utf8)
            case .parameter:
                values.append(sent)
                return true
            }
        }
        let bytes = Array(sent.utf8)
        var place = 0
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .literal(let literal):
                let wanted = Array(literal.utf8)
                guard index > 0 else {
                    guard bytes.starts(with: wanted) else { return false }
                    place = wanted.count
                    continue
                }
                // The parameter before it has one character at least; the last literal stands at the end.
                let earliest = place + 1
                let found: Int? =
                    if index == pieces.count - 1 {
                        bytes.count - wanted.count >= earliest && bytes.suffix(wanted.count).elementsEqual(wanted)
                            ? bytes.count - wanted.count : nil
                    } else {
                        self.place(of: wanted, in: bytes, from: earliest)
                    }
                guard let found else { return false }
                values.append(String(decoding: bytes[place..<found], as: UTF8.self))
                place = found + wanted.count
            case .parameter:
                guard index == pieces.count - 1 else { continue }
                guard place < bytes.count else { return false }
                values.append(String(decoding: bytes[place...], as: UTF8.self))
                place = bytes.count
            }
        }
        return place == bytes.count
    }

    private static func place(of wanted: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        var place = start
        while place + wanted.count <= bytes.count {
            if bytes[place..<place + wanted.count].elementsEqual(wanted) { return place }
            place += 1
        }
        return nil
    }
}

extension PathTemplate {
    /// The template with each name left out: two templates of one shape take the same requests.
    package var shape: String {
        var text = ""
        for segment in segments {
            text += "/"
            for piece in segment {
                switch piece {
                case .literal(let literal): text += literal.percentEncodedSegment
                case .parameter: text += "{}"
                }
            }
        }
        return text.isEmpty ? "/" : text
    }

    /// Tells whether a template comes before another that takes the same path.
    ///
    /// From the left, a literal segment wins over one with a parameter, and of two with parameters the one with more
    /// literal characters (own-API contract, section 4).
    package func isMoreSpecific(than other: PathTemplate) -> Bool {
        for (own, its) in zip(segments, other.segments) {
            let (left, right) = (Self.weight(own), Self.weight(its))
            if left != right { return left > right }
        }
        return segments.count > other.segments.count
    }

    /// More for a literal than for anything with a parameter; then the literal characters.
    private static func weight(_ segment: [Piece]) -> Int {
        var characters = 0
        var isLiteral = true
        for piece in segment {
            switch piece {
            case .literal(let text): characters += text.utf8.count
            case .parameter: isLiteral = false
            }
        }
        return isLiteral ? .max : characters
    }
}

extension PathTemplate: CustomStringConvertible {
    /// The template as it was written.
    package var description: String { text }
}
