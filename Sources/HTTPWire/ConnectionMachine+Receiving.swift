package import CivilTime
package import HTTPMessage

extension ConnectionMachine {
    /// Capacity that an empty buffer may keep between requests: ten thousand idle connections must stay small.
    static let keptCapacity = 4 * 1024
    /// Used-up bytes at the front of the buffer that are worth moving the rest for.
    private static let compactionThreshold = 16 * 1024
    /// The number of bytes read ahead during a response: one head's worth, but little enough for thousands of
    /// connections.
    private var readAhead: Int { min(limits.requestLine + limits.headerSection, 16 * 1024) }

    /// The maximum number of bytes to read at once, beside the owner's own limit.
    package mutating func mostWanted() -> Int {
        switch state {
        case .headHandedOut, .late: return readAhead
        case .answering(let answer): return answer.rest == .requests ? readAhead : .max
        case .idle, .head, .body, .discarding, .held, .shut, .lingering, .closing, .closed: return .max
        }
    }

    /// Returns the bytes of content that have not come of the request that is being read; nil where its coding does not
    /// tell.
    package mutating func dueContent() -> Int? {
        guard case .body = state else { return nil }
        return reader.remaining.map { $0 - bufferedBytes }
    }

    /// Content up to this length, in bytes, arrives together with its head or shortly after it.
    private static let shortContent = 16 * 1024

    /// Returns true if the next bytes belong to long content, kept or discarded, rather than to a head.
    ///
    /// A reader of many connections may serve these after those that need little.
    package mutating func takesLongContent() -> Bool {
        switch state {
        case .body:
            if case .known(let length) = exchange.announced { length > Self.shortContent } else { true }
        case .discarding, .lingering: true
        case .answering(let answer): answer.rest != .requests
        case .idle, .head, .headHandedOut, .late, .held, .shut, .closing, .closed: false
        }
    }

    /// True if the owner should read from the socket.
    ///
    /// False while enough is buffered behind an unfinished answer (one head's worth), after the peer's end, and when
    /// there is nothing left to read for.
    package var wantsRead: Bool {
        guard !peerHasClosed else { return false }
        switch state {
        case .idle, .head, .body, .discarding, .held, .lingering: return true
        case .headHandedOut, .late: return bufferedBytes < readAhead
        case .answering(let answer): return answer.rest != .requests || bufferedBytes < readAhead
        case .shut, .closing, .closed: return false
        }
    }

    /// Bytes came from the peer.
    package mutating func received(_ bytes: [UInt8], now: Instant) {
        received(bytes[...], now: now)
    }

    /// Bytes came from the peer.
    ///
    /// They are copied once, or dropped where the state has no use for them.
    package mutating func received(_ bytes: ArraySlice<UInt8>, now: Instant) {
        guard !bytes.isEmpty else { return }
        switch state {
        case .idle, .head, .headHandedOut: store(bytes)
        case .body:
            // Content that lies alone is not copied twice.
            let used = position == buffer.count ? reader.take(bytes) : 0
            exchange.wireLength += used
            if used < bytes.count { store(bytes.dropFirst(used)) }
            state = .body(since: now)
        case .discarding:
            store(bytes)
            state = .discarding(since: now)
        case .answering(let answer):
            switch answer.rest {
            case .requests: store(bytes)
            case .content:
                store(bytes)
                discardContent()
            case .ignored: break
            }
        case .lingering(let until, let left):
            state = bytes.count > left ? .closing : .lingering(until: until, left: left - bytes.count)
        case .late, .held, .shut, .closing, .closed: break
        }
    }

    /// The peer ended its direction.
    ///
    /// What it sent before is still answered; an unfinished request is not.
    package mutating func peerClosed(now: Instant) {
        peerHasClosed = true
        switch state {
        case .held, .lingering: state = .closing
        case .idle, .head, .headHandedOut, .body, .late, .answering, .discarding, .shut, .closing, .closed: break
        }
    }

    /// The next thing to do, or nil when there is nothing to do before more input, a deadline or the end of an answer.
    package mutating func nextEvent(now: Instant) -> Event? {
        switch state {
        case .idle, .head: return readHead(now: now)
        case .body: return readBody()
        case .late(let kind):
            return kind == .head
                ? refuse(.headTimeout, head: parser.takePartialHead()) : refuse(.bodyTimeout, head: exchange.head)
        case .discarding: return readRest(now: now)
        case .closing:
            state = .closed
            dropBuffer()
            return .closeConnection
        case .headHandedOut, .answering, .held, .shut, .lingering, .closed: return nil
        }
    }

    /// Accepts the request whose head was handed out, with the owner's limits.
    ///
    /// Writes `100 Continue` when the client waits for it and its content is welcome (RFC 9110 section 10.1.1).
    ///
    /// Content that is announced to be longer than what would be read is not waited for: the request is handed over at
    /// once, marked as exceeding the limit, and the connection closes after its answer.
    package mutating func admit(_ admission: Admission, now: Instant, into output: inout [UInt8]) {
        guard case .headHandedOut = state else { return }
        if exchange.announced != .none {
            reader = BodyReader(
                exchange.announced,
                after: parser.section,
                keepLimit: admission.bodyLimit,
                readLimit: admission.drainLimit
            )
        }
        state = .body(since: now)
        guard exchange.awaitsContinue else { return }
        if bufferedBytes > 0 || exchange.announced == .none || exchange.announced == .known(0) {
            exchange.awaitsContinue = false
        } else if !reader.exceedsLimit || admission.isCounting {
            exchange.awaitsContinue = false
            if admission.sendsContinue { ResponseEncoder.writeInterim(.continue, Fields(), into: &output) }
        }
    }

    /// Writes a `100 Continue` that was withheld; nothing once content has come.
    package mutating func writeContinue(into output: inout [UInt8]) {
        guard case .body = state, bufferedBytes == 0, reader.unread.received == 0 else { return }
        ResponseEncoder.writeInterim(.continue, Fields(), into: &output)
    }

    /// The owner answers before the content has been read, or has been read in full.
    ///
    /// What is left of it is thrown away; the connection stays only when that is known to be no more than
    /// `WireLimits.drain` and the client is not waiting to be told to send it.
    ///
    /// - Parameter drain: how much that may be instead.
    package mutating func answerEarly(drain: Int? = nil) {
        let drain = drain ?? limits.drain
        unreadLimit = drain
        // What came together with the head is kept for whoever asks what was not read.
        var kept = 0
        switch state {
        case .headHandedOut:
            reader = BodyReader(exchange.announced, after: parser.section, keepLimit: 0, readLimit: drain)
            kept = bufferedBytes
        case .body: break
        case .idle, .head, .late, .answering, .discarding, .held, .shut, .lingering, .closing, .closed: return
        }
        reader.discardRest(upTo: drain, keeping: kept)
        startAnswer(rest: .content)
        discardContent()
    }

    /// Returns what has come of the content of a request that was not handed over, whose exchange ends; nil without such
    /// a request.
    package mutating func unreadContent() -> UnreadContent? {
        guard exchange.announced != .none, exchange.head != nil else { return finishedUnread.take() }
        switch state {
        case .headHandedOut: return UnreadContent(bytes: [], received: 0)
        // A paced reading has left some where it came in.
        case .body:
            let start = position
            _ = try? reader.read(buffer, from: &position, limits: limits)
            exchange.wireLength += position - start
        default: break
        }
        return reader.unread
    }

    /// The owner has no memory left for a request that is coming in; false if none is.
    ///
    /// Hands out the received part of the head; a response is to be played.
    package mutating func giveUpRequest(drain: Int) -> (head: RequestHead?, isRefusable: Bool) {
        switch state {
        case .body:
            let head = exchange.head
            answerEarly(drain: drain)
            return (head, true)
        case .head:
            noteRequestLine()
            let head = parser.takePartialHead()
            startAnswer(rest: .ignored)
            return (head, true)
        case .idle, .headHandedOut, .late, .answering, .discarding, .held, .shut, .lingering, .closing, .closed:
            return (nil, false)
        }
    }

    /// Returns true if `giveUpRequest` would have an effect.
    package mutating func mayGiveUpRequest() -> Bool {
        switch state {
        case .body, .head: true
        case .idle, .headHandedOut, .late, .answering, .discarding, .held, .shut, .lingering, .closing, .closed: false
        }
    }

    /// Ends the connection as soon as no answer is cut by it: at once when idle, else after the answer in progress,
    /// which says so if its head has not been sent.
    package mutating func beginDrain() {
        isDraining = true
        switch state {
        case .idle, .discarding, .held: state = .closing
        case .head, .headHandedOut, .body, .late, .answering, .shut, .lingering, .closing, .closed: break
        }
    }

    /// The owner has flushed the last answer and shut down our direction.
    ///
    /// From here on input is thrown away until the peer ends, `WireLimits.lingerBytes` have come or
    /// `WireLimits.lingerTime` is over; closing at once would make the kernel answer unread input with a reset, and the
    /// peer could lose the answer.
    package mutating func beganLingering(now: Instant) {
        if case .closed = state { return }
        dropBuffer()
        let left = max(limits.lingerBytes, unreadLimit)
        state = peerHasClosed ? .closing : .lingering(until: now + limits.lingerTime, left: left)
    }

    // MARK: Reading requests

    private mutating func readHead(now: Instant) -> Event? {
        do {
            guard try parser.parse(buffer, from: &position, limits: limits) else { return waitForHead(now: now) }
        } catch {
            noteRequestLine()
            return refuse(error, head: parser.takePartialHead())
        }
        guard let head = parser.takeHead() else { return nil }
        exchange.isHead = head.method == .head
        exchange.version = head.version
        exchange.wireLength = parser.wireLength
        do {
            let rules = try MessageRules(head, parser.section.noted)
            exchange.announced = rules.announced
            exchange.keepsAlive = rules.keepsAlive
            exchange.awaitsContinue = rules.awaitsContinue
        } catch {
            return refuse(error, head: head)
        }
        exchange.head = head
        state = .headHandedOut
        return .head(head, announcedLength: exchange.announced)
    }

    /// Notes the facts about the request line that the response to an unfinished head needs: HEAD gets no content even
    /// then.
    mutating func noteRequestLine() {
        exchange = Exchange()
        guard let line = parser.requestLine else { return }
        exchange.isHead = line.method == .head
        exchange.version = line.version
    }

    private mutating func waitForHead(now: Instant) -> Event? {
        if peerHasClosed {
            state = .closed
            dropBuffer()
            return .closeConnection
        }
        if case .idle = state, parser.hasBegun { state = .head(since: now) }
        if case .idle = state { shrinkBuffer() }
        return nil
    }

    private mutating func readBody() -> Event? {
        let start = position
        do {
            // An announced length that is too long needs no byte of the content to be known.
            let isHopeless = reader.isTooLong || exchange.awaitsContinue
            // What has come with the head is read all the same, for whoever asks what came.
            let read = try reader.read(buffer, from: &position, limits: limits)
            let progress = isHopeless ? .tooLong : read
            exchange.wireLength += position - start
            switch progress {
            case .complete: return handOver(rest: exchange.keepsAlive ? .requests : .ignored)
            case .tooLong: return handOver(rest: .ignored)
            case .needsMore: shrinkBuffer()
            }
        } catch {
            return refuse(error, head: exchange.head)
        }
        guard peerHasClosed else { return nil }
        state = .closed
        dropBuffer()
        return .closeConnection
    }

    private mutating func handOver(rest: Rest) -> Event? {
        guard let head = exchange.head.take() else { return nil }
        startAnswer(rest: rest)
        let request: HTTPRequest
        if exchange.announced == .none {
            request = HTTPRequest(head: head, wireLength: exchange.wireLength)
        } else {
            request = HTTPRequest(
                head: head,
                body: reader.body,
                trailers: reader.trailers,
                wireLength: exchange.wireLength
            )
            reader = BodyReader()
        }
        shrinkBuffer()
        return .request(request)
    }

    private mutating func refuse(_ refusal: WireRefusal, head: RequestHead?) -> Event {
        startAnswer(rest: .ignored)
        return .refused(refusal, head: head)
    }

    private mutating func startAnswer(rest: Rest) {
        state = .answering(OutgoingResponse(closes: rest == .ignored || !exchange.keepsAlive, rest: rest))
        if rest == .ignored { dropBuffer() }
    }

    /// Discards the received part of a request that is answered early.
    private mutating func discardContent() {
        guard case .answering(var answer) = state, answer.rest == .content else { return }
        let progress = try? reader.read(buffer, from: &position, limits: limits)
        switch progress {
        case .complete: answer.rest = answer.closes ? .ignored : .requests
        case .needsMore: break
        case .tooLong, nil:
            // Broken or endless: the answer being played is the last.
            answer.rest = .ignored
            answer.closes = true
        }
        if answer.rest == .ignored { dropBuffer() } else { shrinkBuffer() }
        state = .answering(answer)
    }

    private mutating func readRest(now: Instant) -> Event? {
        let progress = try? reader.read(buffer, from: &position, limits: limits)
        switch progress {
        case .needsMore where !peerHasClosed:
            shrinkBuffer()
            return nil
        case .complete:
            startNextRequest(now: now)
            return readHead(now: now)
        case .needsMore, .tooLong, nil:
            state = .closed
            dropBuffer()
            return .closeConnection
        }
    }

    mutating func startNextRequest(now: Instant) {
        parser = HeadParser()
        finishedUnread = nil
        if exchange.announced != .none {
            if exchange.head != nil { finishedUnread = reader.unread }
            reader = BodyReader()
        }
        exchange = Exchange()
        unreadLimit = limits.drain
        state = .idle(since: now)
    }

    // MARK: Memory

    private mutating func store(_ bytes: ArraySlice<UInt8>) {
        if position == buffer.count {
            buffer.removeAll(keepingCapacity: true)
            position = 0
        } else if position >= Self.compactionThreshold {
            buffer.removeSubrange(..<position)
            position = 0
        }
        buffer.append(contentsOf: bytes)
    }

    private mutating func shrinkBuffer() {
        guard position == buffer.count, buffer.capacity > Self.keptCapacity else { return }
        dropBuffer()
    }

    mutating func dropBuffer() {
        buffer = []
        position = 0
    }
}
