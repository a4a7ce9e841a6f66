package import CivilTime

/// Header or trailer fields in the order they stand on the wire, repeats and spelling kept.
///
/// They are stored as one byte buffer of field lines with an index beside it: parsing costs two allocations
/// however many fields there are, encoding is one append, and the journal can show exactly what arrived.
package struct Fields: Sendable {
    /// The place of one field in `wire`.
    private struct Line: Sendable {
        var nameStart: UInt32
        var nameEnd: UInt32
        var valueStart: UInt32
        var valueEnd: UInt32
    }

    /// The field lines, each ended by CR LF, without the empty line that ends a section.
    package private(set) var wire: [UInt8]
    private var lines: [Line]

    package init() {
        wire = []
        lines = []
    }

    /// The number of field lines.
    package var count: Int { lines.count }

    package var isEmpty: Bool { lines.isEmpty }

    /// Makes room for that many bytes of field lines.
    package mutating func reserve(bytes: Int, lines count: Int) {
        wire.reserveCapacity(bytes)
        lines.reserveCapacity(count)
    }

    /// Makes room for that much more than there is, so that what follows does not grow the buffers bit by bit.
    package mutating func reserveMore(bytes: Int, lines count: Int) {
        reserve(bytes: wire.count + bytes, lines: lines.count + count)
    }

    /// Adds a line that a parser has checked, raw as it arrived (line end included).
    ///
    /// - Parameters:
    ///   - line: the whole line, CR LF included.
    ///   - name: where the name lies, counted from the start of the line.
    ///   - value: where the value without its white space lies, counted from the start of the line.
    package mutating func appendChecked(line: ArraySlice<UInt8>, name: Range<Int>, value: Range<Int>) {
        let base = wire.count
        wire.append(contentsOf: line)
        lines.append(
            Line(
                nameStart: UInt32(base + name.lowerBound),
                nameEnd: UInt32(base + name.upperBound),
                valueStart: UInt32(base + value.lowerBound),
                valueEnd: UInt32(base + value.upperBound)
            )
        )
    }

    /// Adds a field.
    ///
    /// A value that could not stand on the wire (CR, LF, NUL, other controls) is refused: nothing is
    /// added, and the answer is false.
    @discardableResult
    package mutating func append(_ name: FieldName, _ value: String) -> Bool {
        append(name, value.utf8)
    }

    /// Adds a field with a value in bytes; returns false, and adds nothing, if a byte is not allowed.
    @discardableResult
    package mutating func append(_ name: FieldName, _ value: some Collection<UInt8>) -> Bool {
        let nameStart = wire.count
        wire.append(contentsOf: name.lineStart)
        let valueStart = wire.count
        let nameEnd = valueStart - 2
        wire.append(contentsOf: value)
        let valueEnd = wire.count
        // Looked at where it now lies: walking through a text byte by byte costs several times as much.
        for place in valueStart..<valueEnd where !wire[place].isFieldValueByte {
            wire.removeLast(valueEnd - nameStart)
            return false
        }
        wire.append(0x0D)
        wire.append(0x0A)
        lines.append(
            Line(
                nameStart: UInt32(nameStart),
                nameEnd: UInt32(nameEnd),
                valueStart: UInt32(valueStart),
                valueEnd: UInt32(valueEnd)
            )
        )
        return true
    }

    /// Adds a field with a number in decimal.
    package mutating func append(_ name: FieldName, decimal number: Int) {
        appendLine(name) { $0.append(decimal: number) }
    }

    /// Adds a field with an instant in UTC, as `Instant.iso8601` has it.
    package mutating func append(_ name: FieldName, _ instant: Instant, _ precision: Instant.Precision) {
        appendLine(name) { instant.appendISO8601(precision, to: &$0) }
    }

    /// Adds a field whose value is written in place; the bytes have to be allowed in one.
    @inline(__always)
    private mutating func appendLine(_ name: FieldName, value write: (inout [UInt8]) -> Void) {
        let nameStart = wire.count
        wire.append(contentsOf: name.lineStart)
        let valueStart = wire.count
        let nameEnd = valueStart - 2
        write(&wire)
        let valueEnd = wire.count
        wire.append(0x0D)
        wire.append(0x0A)
        lines.append(
            Line(
                nameStart: UInt32(nameStart),
                nameEnd: UInt32(nameEnd),
                valueStart: UInt32(valueStart),
                valueEnd: UInt32(valueEnd)
            )
        )
    }

    /// Replaces all fields of that name by one at the place of the first, or adds it at the end.
    ///
    /// A value that could
    /// not stand on the wire is refused: nothing changes, and the answer is false.
    @discardableResult
    package mutating func set(_ name: FieldName, _ value: String) -> Bool {
        guard value.utf8.allSatisfy(\.isFieldValueByte) else { return false }
        guard let place = index(of: name, from: 0) else { return append(name, value) }
        var rebuilt = Fields()
        rebuilt.reserve(bytes: wire.count + value.utf8.count, lines: lines.count)
        for position in lines.indices {
            if position == place {
                rebuilt.append(name, value)
            } else if !matches(lines[position], name) {
                rebuilt.copyLine(position, from: self)
            }
        }
        self = rebuilt
        return true
    }

    /// Takes out every field of that name.
    package mutating func remove(_ name: FieldName) {
        guard index(of: name, from: 0) != nil else { return }
        var rebuilt = Fields()
        for position in lines.indices where !matches(lines[position], name) {
            rebuilt.copyLine(position, from: self)
        }
        self = rebuilt
    }

    /// Adds all lines of another list.
    package mutating func append(contentsOf other: Fields) {
        let base = UInt32(wire.count)
        wire.append(contentsOf: other.wire)
        for line in other.lines {
            lines.append(
                Line(
                    nameStart: base + line.nameStart,
                    nameEnd: base + line.nameEnd,
                    valueStart: base + line.valueStart,
                    valueEnd: base + line.valueEnd
                )
            )
        }
    }

    package func contains(_ name: FieldName) -> Bool { index(of: name, from: 0) != nil }

    /// The first value of that name, as UTF-8 text (bytes that are not UTF-8 are replaced), or nil.
    package subscript(name: FieldName) -> String? {
        index(of: name, from: 0).map { text(valueBytes(at: $0)) }
    }

    /// The bytes of the first value of that name.
    package func bytes(_ name: FieldName) -> ArraySlice<UInt8>? {
        index(of: name, from: 0).map { valueBytes(at: $0) }
    }

    /// Every value of that name, in order.
    package func values(_ name: FieldName) -> [String] {
        var found: [String] = []
        var position = 0
        while let next = index(of: name, from: position) {
            found.append(text(valueBytes(at: next)))
            position = next + 1
        }
        return found
    }

    /// The elements of a comma-separated list field, trimmed, lower-cased, empty ones left out, over all its lines.
    package func listElements(_ name: FieldName) -> [String] {
        var found: [String] = []
        var position = 0
        while let next = index(of: name, from: position) {
            // Cut by bytes: a comma followed by a combining mark is one Character, but still a comma on the wire.
            for element in valueBytes(at: next).split(separator: 0x2C) {
                let trimmed = element.trimmingFieldSpace
                guard !trimmed.isEmpty else { continue }
                found.append(String(decoding: trimmed.map(\.asciiLowercased), as: UTF8.self))
            }
            position = next + 1
        }
        return found
    }

    /// The bytes of the line at a place, its end included, if it is written as `append` writes one; nil for another form.
    package func plainLine(at position: Int) -> ArraySlice<UInt8>? {
        let line = lines[position]
        let (colon, end) = (Int(line.nameEnd), Int(line.valueEnd) + 2)
        let next = position + 1 < lines.count ? Int(lines[position + 1].nameStart) : wire.count
        guard end == next, Int(line.valueStart) == colon + 2, wire[colon] == 0x3A, wire[colon + 1] == 0x20 else {
            return nil
        }
        return wire[Int(line.nameStart)..<end]
    }

    /// The bytes of the name at a place from 0 to `count` - 1.
    package func nameBytes(at position: Int) -> ArraySlice<UInt8> {
        wire[Int(lines[position].nameStart)..<Int(lines[position].nameEnd)]
    }

    /// The length of the name at a position.
    package func nameLength(at position: Int) -> Int {
        Int(lines[position].nameEnd) - Int(lines[position].nameStart)
    }

    /// The bytes of the value at a place from 0 to `count` - 1.
    package func valueBytes(at position: Int) -> ArraySlice<UInt8> {
        wire[Int(lines[position].valueStart)..<Int(lines[position].valueEnd)]
    }

    /// All fields as text pairs, in order.
    package var pairs: [(name: String, value: String)] {
        lines.indices.map { (text(nameBytes(at: $0)), text(valueBytes(at: $0))) }
    }

    private func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    /// Tells whether a field is `Range` or begins with `If-`.
    var hasConditions: Bool {
        lines.contains { line in
            let start = Int(line.nameStart)
            switch (wire[start].asciiLowercased, line.nameEnd - line.nameStart) {
            case (UInt8(ascii: "r"), 5): return matches(line, .range)
            case (UInt8(ascii: "i"), 4...):
                return wire[start + 1].asciiLowercased == UInt8(ascii: "f") && wire[start + 2] == UInt8(ascii: "-")
            default: return false
            }
        }
    }

    private func index(of name: FieldName, from start: Int) -> Int? {
        var position = start
        while position < lines.count {
            if matches(lines[position], name) { return position }
            position += 1
        }
        return nil
    }

    private func matches(_ line: Line, _ name: FieldName) -> Bool {
        let length = Int(line.nameEnd - line.nameStart)
        guard length == name.lowercased.count else { return false }
        let start = Int(line.nameStart)
        for offset in 0..<length where wire[start + offset].asciiLowercased != name.lowercased[offset] {
            return false
        }
        return true
    }

    private mutating func copyLine(_ position: Int, from other: Fields) {
        let line = other.lines[position]
        let start = Int(line.nameStart)
        let end = position + 1 < other.lines.count ? Int(other.lines[position + 1].nameStart) : other.wire.count
        appendChecked(
            line: other.wire[start..<end],
            name: 0..<Int(line.nameEnd) - start,
            value: Int(line.valueStart) - start..<Int(line.valueEnd) - start
        )
    }
}

extension Fields: Equatable {
    /// The same names (without case) and values in the same order.
    package static func == (left: Fields, right: Fields) -> Bool {
        guard left.count == right.count else { return false }
        return (0..<left.count).allSatisfy { place in
            left.valueBytes(at: place).elementsEqual(right.valueBytes(at: place))
                && left.nameBytes(at: place).lazy.map(\.asciiLowercased)
                    .elementsEqual(right.nameBytes(at: place).lazy.map(\.asciiLowercased))
        }
    }
}

extension Fields: ExpressibleByDictionaryLiteral {
    /// Creates fields from literals; a value that is not allowed on the wire is a programming error.
    package init(dictionaryLiteral elements: (FieldName, String)...) {
        self.init()
        for (name, value) in elements {
            precondition(append(name, value), "not a field value: \(value)")
        }
    }
}

extension [UInt8] {
    /// Adds a number in decimal; a negative one counts as 0.
    fileprivate mutating func append(decimal number: Int) {
        let number = Swift.max(number, 0)
        var divisor = 1
        while number / divisor >= 10 { divisor *= 10 }
        var rest = number
        while divisor > 0 {
            append(0x30 + UInt8(truncatingIfNeeded: rest / divisor))
            rest %= divisor
            divisor /= 10
        }
    }
}
