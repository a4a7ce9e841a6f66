import HTTPMessage

/// The incremental parser of one request head: empty lines, request line, header section.
struct HeadParser {
    private enum Phase {
        case emptyLines(skipped: Int)
        case requestLine
        case fields
        case complete
    }

    private var phase = Phase.emptyLines(skipped: 0)
    private var skippedLines = 0
    /// Bytes of the unfinished request line already looked at.
    private var scanned = 0
    private(set) var section = FieldSection()
    /// The request line, from when it has been read in full until the head is given out.
    private(set) var requestLine: RequestLine?
    /// Bytes of the finished request line, its line end included.
    private var lineBytes = 0

    /// True once a byte of the request line has come; empty lines before it do not count.
    var hasBegun: Bool {
        if case .emptyLines = phase { false } else { true }
    }

    /// Gives out the complete head, which is then no longer here: a head is many references, and each copy counts.
    mutating func takeHead() -> RequestHead? {
        guard case .complete = phase, let line = requestLine.take() else { return nil }
        return RequestHead(
            method: line.method,
            target: line.target,
            version: line.version,
            fields: section.takeFields()
        )
    }

    /// Returns the known part of a head that will never be complete; nil if its request line was not understood.
    mutating func takePartialHead() -> RequestHead? {
        guard let line = requestLine.take() else { return nil }
        return RequestHead(
            method: line.method,
            target: line.target,
            version: line.version,
            fields: section.takeFields()
        )
    }

    /// Bytes of the whole head: request line, field lines, and the empty line after them.
    var wireLength: Int { lineBytes + section.bytes + 2 }

    /// Reads from `position` on and moves it behind what is done with.
    ///
    /// - Returns: true when the head is complete, false when more bytes are needed.
    mutating func parse(
        _ buffer: [UInt8],
        from position: inout Int,
        limits: WireLimits
    ) throws(WireRefusal) -> Bool {
        if case .emptyLines(let skipped) = phase {
            guard try skipEmptyLines(buffer, from: &position, skipped: skipped) else { return false }
        }
        if case .requestLine = phase {
            guard try parseRequestLine(buffer, from: &position, limits: limits) else { return false }
        }
        guard case .fields = phase else { return true }
        guard try section.parse(buffer, from: &position, limits: limits) else { return false }
        phase = .complete
        return true
    }

    /// RFC 9112 section 2.2 asks to ignore at least one empty line before a request line; old clients add one behind a
    /// body.
    ///
    /// Two are taken.
    private mutating func skipEmptyLines(
        _ buffer: [UInt8],
        from position: inout Int,
        skipped: Int
    ) throws(WireRefusal) -> Bool {
        var count = skipped
        while true {
            phase = .emptyLines(skipped: count)
            guard position < buffer.count else { return false }
            switch buffer[position] {
            case .carriageReturn:
                guard position + 1 < buffer.count else { return false }
                guard buffer[position + 1] == .lineFeed else { throw .bareCarriageReturn }
                guard count < 2 else {
                    throw .malformed(.malformedRequestLine, "More than two empty lines stand before the request line.")
                }
                position += 2
                count += 1
            case .lineFeed: throw .bareLineFeed
            default:
                skippedLines = count
                phase = .requestLine
                return true
            }
        }
    }

    private mutating func parseRequestLine(
        _ buffer: [UInt8],
        from position: inout Int,
        limits: WireLimits
    ) throws(WireRefusal) -> Bool {
        let end = buffer.count
        let budget = position + limits.requestLine
        let stop = min(end, budget)
        var index = position + scanned
        while index < stop, buffer[index].isVisible || buffer[index] == .space { index += 1 }
        scanned = index - position
        guard index < end else { return false }
        switch buffer[index] {
        case .carriageReturn:
            guard index + 1 < end else { return false }
            guard buffer[index + 1] == .lineFeed else { throw .bareCarriageReturn }
        case .lineFeed: throw .bareLineFeed
        case _ where index >= budget: throw .requestLineTooLong(limits.requestLine)
        default: throw strayByte(buffer, line: position..<index)
        }
        requestLine = try RequestLine(buffer, position..<index, takesConnect: limits.takesConnect)
        lineBytes = scanned + 2
        position = index + 2
        phase = .fields
        return true
    }

    /// The refusal for a control or non-ASCII byte in the request line, by its place.
    private func strayByte(_ buffer: [UInt8], line: Range<Int>) -> WireRefusal {
        let byte = buffer[line.upperBound]
        if line.isEmpty, byte == 0x16 {
            return .malformed(.foreignProtocol, WireRefusal.tlsDetail)
        }
        if line.isEmpty, byte == 0, skippedLines == 2 {
            return .malformed(.foreignProtocol, "This is a binary PROXY protocol header; the port speaks plain HTTP.")
        }
        return buffer[line].contains(.space)
            ? .malformed(.malformedTarget, "The request line holds a control or non-ASCII byte behind the method.")
            : .malformed(.malformedMethod, "The method holds a control or non-ASCII byte.")
    }
}
