/// Finds the parts of a value in the text it was read from.
///
/// Nothing is recorded while reading: most texts have no mistake to report, so the text is walked again, once for each
/// question.
public struct JSONPositions: SourcePositions {
    private let bytes: [UInt8]

    /// Takes a text that the reader accepted.
    init(validated bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Returns the start of the value at that path, or nil when the text has no such value.
    public func line(at path: [JSONPathElement]) -> (line: Int, column: Int)? {
        guard let found = offset(of: path), found.depth == path.count else { return nil }
        let position = JSONPosition(offset: found.offset, in: bytes)
        return (position.line, position.column)
    }

    /// Returns the start of the value at that path, or of the deepest existing value around it.
    ///
    /// This is the place to report a missing member at.
    public func closestLine(to path: [JSONPathElement]) -> (line: Int, column: Int) {
        let position = JSONPosition(offset: offset(of: path)?.offset ?? 0, in: bytes)
        return (position.line, position.column)
    }

    /// Returns what `closestLine` returns for each of the paths, after one walk through the text.
    public func closestLines(to paths: [[JSONPathElement]]) -> [(line: Int, column: Int)] {
        guard paths.count > 1 else { return paths.map { closestLine(to: $0) } }
        var scanner = JSONScanner(bytes)
        _ = scanner.skipByteOrderMark()
        scanner.skipWhitespace()
        var offsets = [Int](repeating: scanner.index, count: paths.count)
        scanner.locate(Array(paths.indices), paths, depth: 0, &offsets)
        // Lines are counted from offset to offset, not each from the start.
        var found = [(line: Int, column: Int)](repeating: (1, 1), count: paths.count)
        var place = (offset: 0, line: 1, column: 1)
        for index in offsets.indices.sorted(by: { offsets[$0] < offsets[$1] }) {
            for byte in bytes[place.offset..<offsets[index]] {
                if byte == 0x0A {
                    place.line += 1
                    place.column = 1
                } else if byte & 0xC0 != 0x80 {
                    place.column += 1
                }
            }
            place.offset = offsets[index]
            found[index] = (place.line, place.column)
        }
        return found
    }

    /// The start of the deepest value on the path and how many steps lead to it.
    private func offset(of path: [JSONPathElement]) -> (offset: Int, depth: Int)? {
        var scanner = JSONScanner(bytes)
        _ = scanner.skipByteOrderMark()
        scanner.skipWhitespace()
        var start = scanner
        for (depth, element) in path.enumerated() {
            let next =
                switch element {
                case .key(let name): start.member(name)
                case .index(let index): start.element(index)
                }
            guard let next else { return (start.index, depth) }
            start = next
        }
        return (start.index, path.count)
    }
}

extension JSONScanner {
    /// Notes the start of the value here for those of the paths that lead to it or through it, and walks past the value.
    fileprivate mutating func locate(
        _ wanted: [Int],
        _ paths: [[JSONPathElement]],
        depth: Int,
        _ offsets: inout [Int]
    ) {
        for index in wanted { offsets[index] = self.index }
        let deeper = wanted.filter { paths[$0].count > depth }
        guard !deeper.isEmpty, let bracket = peek(), bracket == UInt8(ascii: "{") || bracket == UInt8(ascii: "[") else {
            return skipValueAndComma()
        }
        advance()
        skipWhitespace()
        var byName: [ExactName: [Int]] = [:]
        var byPlace: [Int: [Int]] = [:]
        for index in deeper {
            switch paths[index][depth] {
            case .key(let name): byName[ExactName(text: name), default: []].append(index)
            case .index(let place): byPlace[place, default: []].append(index)
            }
        }
        var place = 0
        while let byte = peek(), byte != UInt8(ascii: "}"), byte != UInt8(ascii: "]") {
            let inside: [Int]
            if bracket == UInt8(ascii: "{") {
                guard let name = try? string() else { return }
                skipWhitespace()
                advance()
                skipWhitespace()
                inside = byName[ExactName(text: name)] ?? []
            } else {
                inside = byPlace[place] ?? []
            }
            // Before the call: a place behind the value belongs to no path.
            if inside.isEmpty { skipValueAndComma() } else { locate(inside, paths, depth: depth + 1, &offsets) }
            place += 1
        }
        advance()
        skipWhitespace()
        if peek() == UInt8(ascii: ",") {
            advance()
            skipWhitespace()
        }
    }

    /// A scanner at the value of the last member of that name.
    fileprivate func member(_ name: String) -> JSONScanner? {
        var scanner = self
        guard scanner.peek() == UInt8(ascii: "{") else { return nil }
        scanner.advance()
        scanner.skipWhitespace()
        var found: JSONScanner?
        while scanner.peek() == UInt8(ascii: "\"") {
            guard let candidate = try? scanner.string() else { return found }
            scanner.skipWhitespace()
            scanner.advance()
            scanner.skipWhitespace()
            if candidate.hasSameCodePoints(as: name) { found = scanner }
            scanner.skipValueAndComma()
        }
        return found
    }

    /// A scanner at the element of that place.
    fileprivate func element(_ index: Int) -> JSONScanner? {
        var scanner = self
        guard index >= 0, scanner.peek() == UInt8(ascii: "[") else { return nil }
        scanner.advance()
        scanner.skipWhitespace()
        for _ in 0..<index {
            guard !scanner.isAtEnd, scanner.peek() != UInt8(ascii: "]") else { return nil }
            scanner.skipValueAndComma()
        }
        guard !scanner.isAtEnd, scanner.peek() != UInt8(ascii: "]") else { return nil }
        return scanner
    }

    /// Skips a value of a valid text, and the comma and space after it.
    fileprivate mutating func skipValueAndComma() {
        var depth = 0
        repeat {
            switch peek() {
            case UInt8(ascii: "\""):
                guard (try? string()) != nil else { return }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                advance()
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                advance()
            case UInt8(ascii: ","), UInt8(ascii: ":"):
                advance()
            case .some:
                skipScalar()
            case nil:
                return
            }
            skipWhitespace()
        } while depth > 0
        if peek() == UInt8(ascii: ",") {
            advance()
            skipWhitespace()
        }
    }

    /// Skips a number or a word.
    private mutating func skipScalar() {
        while let byte = peek() {
            switch byte {
            case 0x20, 0x0A, 0x0D, 0x09, UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                return
            default: advance()
            }
        }
    }
}
