import HTTPMessage

/// Takes one request's content out of the buffer, keeps what the owner wants and counts the rest.
struct BodyReader {
    enum Progress {
        case needsMore
        case complete
        /// More is announced than the owner would even throw away.
        case tooLong
    }

    private enum Framing {
        case none
        case known(left: Int)
        case chunked
        case complete
    }

    private var framing: Framing
    private var chunks: ChunkedDecoder?
    private var kept = BodyPieces()
    private var length = 0
    /// The bytes that have come, kept or not.
    private var received = 0
    private var keepLimit: Int
    private var readLimit: Int

    /// A reader that keeps up to `keepLimit` bytes of content and reads up to `readLimit`.
    init(
        _ announced: ConnectionMachine.AnnouncedLength,
        after header: FieldSection,
        keepLimit: Int,
        readLimit: Int
    ) {
        self.keepLimit = max(keepLimit, 0)
        self.readLimit = max(readLimit, keepLimit, 0)
        switch announced {
        case .none: framing = .none
        case .chunked:
            framing = .chunked
            chunks = ChunkedDecoder(after: header)
        case .known(let announced):
            framing = .known(left: announced)
            length = announced
        }
    }

    /// A reader for a request without content.
    init() {
        framing = .none
        keepLimit = 0
        readLimit = 0
    }

    var trailers: Fields { chunks?.trailers ?? Fields() }

    /// The number of bytes still to come; nil when the coding does not tell.
    var remaining: Int? {
        switch framing {
        case .none, .complete: 0
        case .known(let left): left
        case .chunked: nil
        }
    }

    /// The kept content, and the length of the whole as sent or announced.
    var body: RequestBody {
        RequestBody(pieces: kept, length: length, exceedsLimit: exceedsLimit, received: isComplete ? nil : received)
    }

    /// The part that has come so far.
    var unread: UnreadContent { UnreadContent(bytes: kept.prefix(UnreadContent.longest), received: received) }

    private var isComplete: Bool {
        switch framing {
        case .none, .complete: true
        case .known, .chunked: false
        }
    }

    var exceedsLimit: Bool { length > keepLimit }

    /// Bytes of memory held.
    var capacity: Int { kept.capacity }

    /// From now on keeps at most `most` bytes and, with chunked coding, reads at most that many further bytes of content.
    mutating func discardRest(upTo limit: Int, keeping most: Int) {
        kept = BodyPieces()
        keepLimit = most
        let (sum, overflow) = length.addingReportingOverflow(limit)
        readLimit = overflow ? .max : sum
    }

    /// True if the announced length already exceeds the read limit.
    var isTooLong: Bool { length > readLimit }

    /// Reads from `position` on and moves it behind what was taken.
    ///
    /// Memory grows only with bytes that have come.
    mutating func read(
        _ buffer: [UInt8],
        from position: inout Int,
        limits: WireLimits
    ) throws(WireRefusal) -> Progress {
        switch framing {
        case .none, .complete:
            framing = .complete
            return .complete
        case .known(let left):
            let count = min(left, buffer.count - position)
            keep(buffer[position..<position + count])
            position += count
            framing = count == left ? .complete : .known(left: left - count)
            return count == left ? .complete : .needsMore
        case .chunked: return try readChunks(buffer, from: &position, limits: limits)
        }
    }

    /// Takes content that need not be parsed and returns its length.
    mutating func take(_ bytes: ArraySlice<UInt8>) -> Int {
        guard case .known(let left) = framing, !isTooLong else { return 0 }
        let count = min(left, bytes.count)
        keep(bytes.prefix(count))
        framing = count == left ? .complete : .known(left: left - count)
        return count
    }

    private mutating func readChunks(
        _ buffer: [UInt8],
        from position: inout Int,
        limits: WireLimits
    ) throws(WireRefusal) -> Progress {
        while let piece = try chunks?.next(buffer, from: &position, limits: limits) {
            switch piece {
            case .chunk(let size):
                let (sum, overflow) = length.addingReportingOverflow(size)
                length = overflow ? .max : sum
                if isTooLong { return .tooLong }
            case .data(let range): keep(buffer[range])
            case .end:
                framing = .complete
                return .complete
            }
        }
        return .needsMore
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        received += bytes.count
        let room = keepLimit - kept.count
        guard room > 0, !bytes.isEmpty else { return }
        // The number of chunks still to come is unknown.
        let expected = chunks == nil ? min(room, length - kept.count) : room
        kept.append(bytes.prefix(room), expected: expected)
    }
}
