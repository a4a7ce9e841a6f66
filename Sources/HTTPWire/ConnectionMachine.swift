package import CivilTime
package import HTTPMessage

/// One server-side HTTP/1.1 connection as a value: bytes and time go in, events come out, steps become bytes.
///
/// Use: `received`, then `nextEvent` until nil. After `.head` the owner must call `admit` (or `answerEarly`) before it
/// asks for the next event. After `.request` or `.refused` it plays an answer with `send`; the next pipelined request
/// is only handed out when that answer has ended. `now` is a monotonic instant (its origin does not matter).
///
/// Requests are read strictly one after the other, so a broken one behind a good one is refused only when the good
/// one's answer has ended: answers keep the order of requests (RFC 9112 section 9.3.2).
package struct ConnectionMachine: Sendable {
    /// The next task of the owner.
    package enum Event: Sendable {
        /// A checked head.
        ///
        /// Answer with `admit` before anything else.
        case head(RequestHead, announcedLength: AnnouncedLength)
        /// The whole request, body included.
        ///
        /// Play an answer to it.
        case request(HTTPRequest)
        /// The request can't be taken.
        ///
        /// Play an answer with this status; the connection closes after it.
        case refused(WireRefusal, head: RequestHead?)
        /// Flush what is still to be written, then close the socket (peer gone, idle for too long, lingering over).
        case closeConnection
    }

    /// The length of the following content according to the head.
    package enum AnnouncedLength: Sendable, Equatable {
        case none
        case known(Int)
        case chunked
    }

    /// The owner's decision on the body.
    package struct Admission: Sendable {
        /// Bytes kept; what comes beyond is counted and thrown away, and marked in `RequestBody.exceedsLimit`.
        package var bodyLimit: Int
        /// Bytes read (and thrown away) at most, in all, before the request is handed over and the connection closes
        /// after its answer.
        ///
        /// At least `bodyLimit`.
        package var drainLimit: Int

        /// Tells that content of any length is welcome, although nothing of it is kept.
        package var isCounting = false

        /// The admission of content that is only counted.
        package static var counting: Admission {
            var admission = Admission(bodyLimit: 0, drainLimit: .max)
            admission.isCounting = true
            return admission
        }

        /// Counts the kept bytes among the bodies being received (control contract, section 17).
        package var isCounted = true
        /// Writes `100 Continue` to a client that waits for it; else the content is awaited without.
        package var sendsContinue = true

        package init(bodyLimit: Int, drainLimit: Int) {
            self.bodyLimit = bodyLimit
            self.drainLimit = drainLimit
        }
    }

    /// The meaning of a played step for the player.
    ///
    /// `finished`, `resetChannel` and `hold` concern the exchange alone; the others that end something end the connection,
    /// and with it all its channels.
    package enum SendOutcome: Sendable, Equatable {
        /// Bytes (perhaps none) were added to the output; go on with the next step.
        case proceed
        /// The answer is complete and the connection stays; ask `nextEvent`.
        case finished
        /// The answer is complete; flush, then shut down our direction and linger (`beganLingering`).
        case finishedClosing
        /// Flush, then shut down our direction, and go on with the next step.
        case halfCloseConnection
        /// Flush, then close.
        case closeConnection
        /// Reset the connection now, without flushing.
        case resetConnection
        /// The exchange is cut and the connection stays; HTTP/1.1 has no such end.
        case resetChannel
        /// Send nothing more and keep the connection open.
        case hold
    }

    /// Which timer a deadline belongs to.
    package enum DeadlineKind: Sendable, Equatable {
        case head, body, idle, linger
    }

    /// The state of the connection.
    ///
    /// Free of references: it is looked at often, and copying it must cost nothing.
    enum State: Sendable {
        /// Between requests; no byte of the next request line has come.
        case idle(since: Instant)
        /// A head has begun.
        case head(since: Instant)
        /// The head was handed out; the owner decides about the content.
        case headHandedOut
        /// The content is being read; the instant is that of its last bytes.
        case body(since: Instant)
        /// The head or the content did not arrive in time, and the owner is to be notified.
        case late(DeadlineKind)
        /// The owner plays the answer.
        case answering(OutgoingResponse)
        /// The answer ended before its request; the rest of the request is thrown away.
        case discarding(since: Instant)
        /// Nothing more will be sent, on purpose; only the peer ends this.
        case held
        /// The last answer is complete; the owner is about to shut down our direction.
        case shut
        /// Our direction is shut; the peer may still send that many bytes.
        case lingering(until: Instant, left: Int)
        /// The owner is to be told to close.
        case closing
        case closed
    }

    /// The answer being played.
    struct OutgoingResponse: Sendable {
        enum Stage: Sendable, Equatable {
            case beforeHead
            case content(Coding)
            /// Trailers and the last chunk are written; only the end is missing.
            case complete
            /// Our direction is shut in mid-answer.
            case halfClosed
        }

        enum Coding: Sendable, Equatable {
            /// The answer has no content (HEAD, 204, 304): content steps write nothing.
            case none
            case length(left: Int)
            case chunked
            case untilClose
        }

        var stage = Stage.beforeHead
        /// True if the connection closes after this response.
        var closes: Bool
        var rest: Rest
    }

    /// The meaning of bytes that arrive during a response.
    enum Rest: Sendable, Equatable {
        /// The next requests.
        case requests
        /// The rest of the request being answered, thrown away as it comes.
        case content
        /// Of no interest: the connection closes after the answer.
        case ignored
    }

    /// The request being read or answered.
    struct Exchange: Sendable {
        var head: RequestHead?
        var isHead = false
        var version = HTTPVersion.http11
        var announced = AnnouncedLength.none
        var keepsAlive = false
        /// The client waits for a 100 that has not been sent.
        var awaitsContinue = false
        var wireLength = 0
    }

    let limits: WireLimits
    var state: State
    var buffer: [UInt8] = []
    /// The number of bytes of `buffer` that are used up.
    var position = 0
    var parser = HeadParser()
    var reader = BodyReader()
    var exchange = Exchange()
    /// The number of bytes to read and discard of a request that was answered early, to keep the connection.
    var unreadLimit: Int
    /// The part that had come of a request which was answered without being handed over, once the next one may begin.
    var finishedUnread: UnreadContent?
    /// The peer has ended its direction.
    var peerHasClosed = false
    /// True if the owner ends the connection after the response being played.
    var isDraining = false

    /// A fresh connection, accepted at `now`.
    package init(limits: WireLimits, now: Instant) {
        self.limits = limits.bounded
        unreadLimit = self.limits.drain
        state = .idle(since: now)
    }

    /// Bytes held that have not been used; bounded by one read of the owner plus one head's worth.
    package var bufferedBytes: Int { buffer.count - position }

    /// Gives out the bytes behind the head that was handed out: after CONNECT they belong to another protocol.
    package mutating func takeRest() -> [UInt8] {
        let rest = Array(buffer[position...])
        buffer = []
        position = 0
        return rest
    }

    /// Bytes of memory reserved for input, for tests of its bound.
    package var bufferCapacity: Int { buffer.capacity }

    /// Bytes of memory held for a request that is coming in; a little is left out, which every connection may have.
    package mutating func heldMemory() -> Int {
        let input = buffer.capacity > Self.keptCapacity ? buffer.capacity : 0
        guard case .body = state else { return input }
        let head = exchange.head?.fields.wire.count ?? 0
        return input + reader.capacity + (head > Self.keptCapacity ? head : 0)
    }

    /// The value of `wantsRead`, without a copy of the machine.
    ///
    /// To read a property of a value that an object holds copies the whole value; to change it does not.
    package mutating func looksForInput() -> Bool { wantsRead }

    /// The instant of `deadline`, without a copy of the machine.
    package mutating func nextDeadline() -> Instant? { deadline?.at }

    /// True if the connection is between two requests, with nothing of the next one received.
    package var isIdle: Bool {
        if case .idle = state { true } else { false }
    }
}
