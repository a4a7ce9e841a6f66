import HTTPMessage

/// The incremental decoder of the chunked coding (RFC 9112 section 7.1).
///
/// It gives out ranges of the buffer, so chunk data is never copied here. Everything that is not exactly the grammar
/// is refused: after a doubtful chunk line there is no telling where the next request starts.
struct ChunkedDecoder {
    enum Piece: Equatable {
        /// A chunk of that many bytes begins.
        case chunk(Int)
        /// Some of the chunk's data lies there in the buffer.
        case data(Range<Int>)
        /// The last chunk and the trailer section have been read.
        case end
    }

    private enum Phase {
        case line
        case data(left: Int)
        case dataEnd
        case trailers
        case complete
    }

    private var phase = Phase.line
    /// Bytes of the unfinished chunk line already looked at.
    private var scanned = 0
    private var extensionBytes = 0
    private var section: FieldSection

    /// A decoder whose trailers share the budgets of that header section.
    init(after header: FieldSection) { section = FieldSection(after: header) }

    var trailers: Fields { section.fields }

    /// The next piece from `position` on, which moves behind it; nil when more bytes are needed.
    mutating func next(
        _ buffer: [UInt8],
        from position: inout Int,
        limits: WireLimits
    ) throws(WireRefusal) -> Piece? {
        if case .dataEnd = phase {
            guard try skipDataEnd(buffer, from: &position) else { return nil }
        }
        switch phase {
        case .line:
            guard let size = try parseLine(buffer, from: &position, limits: limits) else { return nil }
            if size > 0 {
                phase = .data(left: size)
                return .chunk(size)
            }
            phase = .trailers
            return try finish(buffer, from: &position, limits: limits)
        case .data(let left):
            let count = min(left, buffer.count - position)
            guard count > 0 else { return nil }
            let range = position..<position + count
            position += count
            phase = count == left ? .dataEnd : .data(left: left - count)
            return .data(range)
        case .trailers: return try finish(buffer, from: &position, limits: limits)
        case .complete, .dataEnd: return nil
        }
    }

    private mutating func finish(
        _ buffer: [UInt8],
        from position: inout Int,
        limits: WireLimits
    ) throws(WireRefusal) -> Piece? {
        guard try section.parse(buffer, from: &position, limits: limits) else { return nil }
        let noted = section.noted
        guard noted.host.count + noted.contentLength.count + noted.transferEncoding.count == 0 else {
            throw .malformed(
                .malformedTrailer,
                "A trailer says how the message is framed or routed (RFC 9110 section 6.5.1)."
            )
        }
        phase = .complete
        return .end
    }

    private mutating func skipDataEnd(_ buffer: [UInt8], from position: inout Int) throws(WireRefusal) -> Bool {
        guard position < buffer.count else { return false }
        guard buffer[position] == .carriageReturn else { throw Self.unterminated }
        guard position + 1 < buffer.count else { return false }
        guard buffer[position + 1] == .lineFeed else { throw Self.unterminated }
        position += 2
        phase = .line
        return true
    }

    private static var unterminated: WireRefusal {
        .malformed(.malformedChunk, "Chunk data is not followed by CR LF.")
    }

    /// The chunk's size, once its line is whole.
    private mutating func parseLine(
        _ buffer: [UInt8],
        from position: inout Int,
        limits: WireLimits
    ) throws(WireRefusal) -> Int? {
        let end = buffer.count
        let budget = position + limits.chunkLine
        let stop = min(end, budget)
        var index = position + scanned
        while index < stop, buffer[index] != .carriageReturn, buffer[index] != .lineFeed { index += 1 }
        scanned = index - position
        guard index < end else { return nil }
        guard buffer[index] != .lineFeed else { throw .bareLineFeed }
        guard buffer[index] == .carriageReturn else {
            throw .malformed(.chunkLineTooLong, "A chunk line exceeds \(limits.chunkLine) bytes.")
        }
        guard index + 1 < end else { return nil }
        guard buffer[index + 1] == .lineFeed else { throw .bareCarriageReturn }
        let size = try checkLine(buffer, position..<index, limits: limits)
        position = index + 2
        scanned = 0
        return size
    }

    private mutating func checkLine(
        _ buffer: [UInt8],
        _ line: Range<Int>,
        limits: WireLimits
    ) throws(WireRefusal) -> Int {
        var index = line.lowerBound
        var size = 0
        while index < line.upperBound, let digit = buffer[index].hexDigit {
            guard size <= Int.max >> 4 else {
                throw .malformed(.malformedChunk, "A chunk size does not fit in 63 bits.")
            }
            size = size << 4 | Int(digit)
            index += 1
        }
        guard index > line.lowerBound else {
            throw .malformed(.malformedChunk, "A chunk size is not a hexadecimal number.")
        }
        extensionBytes += line.upperBound - index
        guard extensionBytes <= limits.chunkExtensions else {
            throw .malformed(.chunkExtensionsTooLarge, "The chunk extensions exceed \(limits.chunkExtensions) bytes.")
        }
        guard Self.areExtensions(buffer, index..<line.upperBound) else {
            throw .malformed(.malformedChunk, "A chunk size is followed by something that is no extension.")
        }
        return size
    }

    /// `*( BWS ";" BWS token [ BWS "=" BWS ( token / quoted-string ) ] )` (RFC 9112 section 7.1.1).
    private static func areExtensions(_ buffer: [UInt8], _ range: Range<Int>) -> Bool {
        var index = range.lowerBound
        let end = range.upperBound
        while index < end {
            guard skipDelimiter(0x3B, buffer, &index, end), skipToken(buffer, &index, end) else { return false }
            guard skipDelimiter(0x3D, buffer, &index, end) else { continue }
            if index < end, buffer[index] == 0x22 {
                guard skipQuoted(buffer, &index, end) else { return false }
            } else {
                guard skipToken(buffer, &index, end) else { return false }
            }
        }
        return true
    }

    /// Moves behind that byte and the blanks on both its sides; stays where it is when the byte is another.
    private static func skipDelimiter(_ byte: UInt8, _ buffer: [UInt8], _ index: inout Int, _ end: Int) -> Bool {
        var next = index
        while next < end, buffer[next].isBlank { next += 1 }
        guard next < end, buffer[next] == byte else { return false }
        next += 1
        while next < end, buffer[next].isBlank { next += 1 }
        index = next
        return true
    }

    private static func skipToken(_ buffer: [UInt8], _ index: inout Int, _ end: Int) -> Bool {
        let start = index
        while index < end, buffer[index].isToken { index += 1 }
        return index > start
    }

    private static func skipQuoted(_ buffer: [UInt8], _ index: inout Int, _ end: Int) -> Bool {
        index += 1
        while index < end {
            let byte = buffer[index]
            guard byte.isFieldValue else { return false }
            index += 1
            if byte == 0x22 { return true }
            if byte == 0x5C {
                guard index < end, buffer[index].isFieldValue else { return false }
                index += 1
            }
        }
        return false
    }
}
