package import Backend
package import CivilTime
package import Conditions
package import HTTPMessage
package import Handshakes
package import JSON

/// One exchange as it was handled (control contract, section 11).
package struct JournalEntry: Sendable {
    package enum Outcome: String, Sendable {
        /// The whole response left.
        case delivered
        /// The client left first.
        case interrupted
        /// A fault, a reset or a deletion cut it.
        case cut
        /// It is kept open with nothing more to send.
        case held
    }

    /// The milliseconds spent in each part.
    package struct Timings: Sendable {
        package var receive: Double
        package var handle: Double
        package var wait: Double
        package var send: Double

        package init(receive: Double = 0, handle: Double = 0, wait: Double = 0, send: Double = 0) {
            self.receive = receive
            self.handle = handle
            self.wait = wait
            self.send = send
        }
    }

    /// Content in the journal: whole up to a limit, else its head.
    ///
    /// The length is always the true one.
    package struct Body: Sendable {
        /// The length up to which bodies are kept whole.
        package static let wholeLimit = 64 * 1024
        /// The number of bytes kept of a longer one.
        package static let headLength = 1_024

        package var kept: [UInt8]
        package var length: Int
        /// The digest of a body that is not kept whole; computed on demand for the others.
        package var digest: [UInt8]?
        /// Tells that not all of it came or was read; the length is that of what did.
        package var isPartial = false
        /// The coding in which it came or left; nil where it is shown as it was.
        package var coded: Coded?

        /// A coding that was taken off.
        package final class Coded: Sendable {
            package let coding: String
            /// The number of bytes in the coding.
            package let bytes: Int

            package init(coding: String, bytes: Int) {
                self.coding = coding
                self.bytes = bytes
            }
        }

        /// Creates content that was not read to its end, with its first bytes.
        ///
        /// Text ends with a whole character.
        package init(unread bytes: [UInt8], received: Int) {
            length = received
            isPartial = true
            kept = Array(bytes.prefix(Self.wholeLimit))
            for cut in 1...3 where cut < kept.count && String(validating: kept, as: UTF8.self) == nil {
                guard String(validating: kept.dropLast(cut), as: UTF8.self) != nil else { continue }
                kept.removeLast(cut)
            }
        }

        /// Creates the content.
        ///
        /// The digest of content that is not kept whole follows later (`Emulator.takeUnhashed`).
        package init(_ bytes: [UInt8], length: Int? = nil) {
            self.length = length ?? bytes.count
            kept = bytes.count <= Self.wholeLimit ? bytes.fitted : Self.head(of: bytes)
        }

        /// Returns the head of longer content.
        ///
        /// That of a text ends with a whole character, so that it can be shown as text.
        private static func head(of bytes: [UInt8]) -> [UInt8] {
            var end = headLength
            while end > headLength - 4, bytes[end] & 0xC0 == 0x80 { end -= 1 }
            let isText = end < headLength && String(validating: bytes[..<end], as: UTF8.self) != nil
            return Array(bytes[..<(isText ? end : headLength)])
        }

        package var isTruncated: Bool { isPartial || kept.count < length }
    }

    // A member that the initializer sets has no value before, not even nil: the whole entry would be copied at its end.

    /// The journal's key: the request id, with a suffix if it was used before.
    package var id: String
    package var seq: UInt64
    package var at: Instant
    package var wallAt: Instant
    /// The machine's time at which the first byte of the head was read.
    package var startedAt: Instant
    /// The machine's time at which the last byte of the response was written, or the connection was lost.
    package var endedAt: Instant?
    /// Address and port of the client.
    package var peer: Optional<String>
    /// The number of the connection; 0 where there is none.
    package var connection: UInt64
    /// Tells whether another request came on the connection before.
    package var isOnReused: Bool
    package var world: String
    package var api: String
    package var route: Optional<String>
    package var user: Optional<CallUser>
    package var method: HTTPMethod
    package var path: String
    package var query: Optional<String>
    package var headers: Fields
    package var body: Body
    package var status: Status
    package var responseHeaders: Fields
    package var responseBody: Body
    package var timings: Timings
    /// The outcome; nil while the exchange is in progress.
    package var outcome: Outcome?
    /// The id that the key was made of, where it needed a suffix.
    package var givenID: Optional<String>
    /// Tells whether the id is our own, not the client's.
    package var isOwnID: Bool
    /// The bytes that the journal counted for it, kept so that its removal need not read the rest.
    var charged = 0
    /// The scenario of its API that was switched on last, if any.
    package var scenario: Optional<String>
    /// The decisions on the faults that the request matched.
    package var decisions: [FaultDecision]
    /// The length that the head announced, where less was sent.
    package var announcedLength: Optional<Int>
    /// The differences between the real backend and the emulation, as `{path,emulated,upstream}` (control contract,
    /// section 13).
    package var differences: Optional<[JSON]>
    /// The parts of the request that were translated for the real backend, as `{path,emulated,upstream}`.
    package var translated: Optional<[JSON]>
    /// Tells whether the content was sent in chunks over time.
    package var isStreamed: Bool
    /// Tells that a recording, a fault or a real backend answered it, whether or not a route would.
    package var isTakenElsewhere: Bool

    /// The source that answered it, where the journal tells sources apart.
    package var source: Optional<AnswerSource>
    /// The id of the stub that acted.
    package var stub: Optional<String>
    /// The answerer in words, such as `row 3 of bikes`; nil where the source and the route say all.
    package var answeredBy: Optional<String>
    /// The stub nearest to it of those that are there for its path, and why none of them acted.
    package var nearestStub: Optional<String>
    /// The rules that the exchange breaks of the API's document, as `{path,reason}`.
    package var violations: Optional<[JSON]>
    /// The name of the gate that has held it, the last of several.
    package var gate: Optional<String>
    /// The key of the entry whose request it repeats.
    package var replayOf: Optional<String>
    /// The way in which the request came; nil for HTTP/1.1 without TLS.
    package var transport: Optional<TransportFacts>
    /// The way to the API that it took; nil where that is not known, as in a store of an older version.
    package var way: Optional<RequestTargetForm>

    package init(
        givenID: String? = nil,
        isOwnID: Bool = false,
        id: String,
        seq: UInt64,
        at: Instant,
        wallAt: Instant,
        startedAt: Instant? = nil,
        peer: String? = nil,
        connection: UInt64 = 0,
        isOnReused: Bool = false,
        world: String,
        api: String,
        route: String?,
        user: CallUser?,
        method: HTTPMethod,
        path: String,
        query: String?,
        headers: Fields,
        body: Body,
        status: Status,
        responseHeaders: Fields,
        responseBody: Body,
        timings: Timings,
        scenario: String? = nil,
        decisions: [FaultDecision] = [],
        announcedLength: Int? = nil,
        differences: [JSON]? = nil,
        translated: [JSON]? = nil,
        isStreamed: Bool = false,
        isTakenElsewhere: Bool = false,
        source: AnswerSource? = nil,
        stub: String? = nil,
        answeredBy: String? = nil,
        nearestStub: String? = nil,
        violations: [JSON]? = nil,
        gate: String? = nil,
        replayOf: String? = nil,
        transport: TransportFacts? = nil,
        way: RequestTargetForm? = nil
    ) {
        self.startedAt = startedAt ?? wallAt
        self.peer = peer
        self.connection = connection
        self.isOnReused = isOnReused
        self.gate = gate
        self.replayOf = replayOf
        self.source = source
        self.stub = stub
        self.answeredBy = answeredBy
        self.nearestStub = nearestStub
        self.violations = violations
        self.transport = transport
        self.way = way
        self.scenario = scenario
        self.decisions = decisions
        self.announcedLength = announcedLength
        self.differences = differences
        self.translated = translated
        self.isStreamed = isStreamed
        self.isTakenElsewhere = isTakenElsewhere
        self.givenID = givenID
        self.isOwnID = isOwnID
        self.id = id
        self.seq = seq
        self.at = at
        self.wallAt = wallAt
        self.world = world
        self.api = api
        self.route = route
        self.user = user
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.status = status
        self.responseHeaders = responseHeaders
        self.responseBody = responseBody
        self.timings = timings
    }

    /// The fault that acted: the one that won, or else the first additive one.
    package var fault: FaultDecision? { decisions.acting }

    /// The bytes of the entry itself and its short texts.
    private static let baseCost = 768

    /// Keeps only the content that was sent.
    mutating func cutContent(at count: Int) {
        if let coded = responseBody.coded {
            cutCoded(coded, at: count)
            return
        }
        guard count < responseBody.length else { return }
        announcedLength = announcedLength ?? responseBody.length
        responseBody.length = count
        if count < responseBody.kept.count { responseBody.kept.removeSubrange(count...) }
        responseBody.digest = nil
    }

    /// Keeps as many plain bytes as coded ones were sent: which they stand for is not known any more, and those at least.
    private mutating func cutCoded(_ coded: Body.Coded, at count: Int) {
        guard count < coded.bytes else { return }
        announcedLength = announcedLength ?? coded.bytes
        responseBody.length = min(count, responseBody.length)
        if responseBody.length < responseBody.kept.count {
            responseBody.kept.removeSubrange(responseBody.length...)
        }
        responseBody.digest = nil
        responseBody.isPartial = true
        responseBody.coded = Body.Coded(coding: coded.coding, bytes: count)
    }

    /// The bytes that the entry counts for in the journal's limit.
    package var cost: Int {
        let texts =
            id.utf8.count + path.utf8.count + (query?.utf8.count ?? 0) + (way?.cost ?? 0)
            + (answeredBy?.utf8.count ?? 0) + (nearestStub?.utf8.count ?? 0)
        // Fields keep 16 bytes beside each line.
        let fields = headers.wire.count + responseHeaders.wire.count + 16 * (headers.count + responseHeaders.count)
        // A decision is a few short texts and an effect.
        return Self.baseCost + 256 * decisions.count + texts + fields + body.kept.count + responseBody.kept.count
    }
}
