/// Finds the parts of a value in the text it was read from.
///
/// Nothing is recorded while reading: most texts have no mistake to report, so the text is walked again, once for each
/// question.
public struct JSONPositions: Sendable {
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
