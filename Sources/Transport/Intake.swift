package import CivilTime
package import HTTPMessage

/// A deliberate pace of reading a request's content: slowly, or not to its end.
package struct Intake: Sendable, Equatable {
    package enum Ending: Sendable, Equatable {
        /// The connection is reset once that many bytes have come.
        case reset(afterBytes: Int)
        /// Nothing more is read once that many bytes have come; the connection stays open.
        case stop(afterBytes: Int)
    }

    /// A `100 Continue` that is written late, or not at all once content has come.
    package struct LateContinue: Sendable, Equatable {
        package var delay: Interval
        /// The clocks that end the delay.
        package var waiting: Waiting

        package init(delay: Interval, _ waiting: Waiting) {
            self.delay = delay
            self.waiting = waiting
        }
    }

    package var bytesPerSecond: Int?
    /// The clocks that the time of reading passes by.
    package var pace = Waiting.either
    package var ending: Ending?
    package var lateContinue: LateContinue?

    package init(bytesPerSecond: Int? = nil, ending: Ending? = nil, lateContinue: LateContinue? = nil) {
        self.bytesPerSecond = bytesPerSecond
        self.ending = ending
        self.lateContinue = lateContinue
    }
}

/// The state of an intake.
struct IntakeState {
    let intake: Intake
    /// The bytes of content read so far, including chunk framing.
    private(set) var taken: Int
    /// The bytes read that no time has passed for yet.
    private var owed: Int
    var wait: Wait?
    /// The time by which the world's clock exceeded the wait before.
    var surplus = Interval.zero
    /// The delay of a `100 Continue` that has not been written; content is read meanwhile.
    var continueWait: Wait?
    /// Tells that nothing more is read.
    var isStopped = false
    /// The place of the client as it was when its direction ended before a wait did.
    private(set) var ended: Ended?

    /// A client whose direction has ended, as the system tells while nothing is read.
    enum Ended {
        /// All of the content is there or may be; it is read at its pace.
        case behindContent
        /// The client has left in mid-content: what is there is read at once.
        case inContent
    }

    init(_ intake: Intake, taken: Int) {
        self.intake = intake
        self.taken = taken
        owed = taken
    }

    /// Tells whether the connection is not to be read at present.
    var isPaused: Bool { isStopped || wait != nil }

    /// The time at which the first of its waits ends; nil while only a change of the world's clock can end one.
    var nextEnd: Instant? {
        let ends = [wait?.end, continueWait?.end].compactMap { $0 }
        return ends.min()
    }

    /// Tells whether the end of the client's direction is watched for while nothing is read.
    var watchesEnd: Bool { isStopped || wait != nil && ended == nil }

    /// The bytes a second; nil where they are not limited, or are no more.
    private var pace: Int? { ended == .inContent ? nil : intake.bytesPerSecond }

    /// Notes that the client's direction has ended: in mid-content where fewer bytes are there than are due.
    mutating func ended(_ place: Ended) {
        ended = place
        if place == .inContent { wait = nil }
    }

    /// The maximum number of bytes of the next read: those of a tenth of a second, and none beyond the end.
    var share: Int {
        var share = Int.max
        if let rate = pace { share = max(rate / 10, 1) }
        switch intake.ending {
        case .reset(let count), .stop(let count): share = min(share, max(count - taken, 1))
        case nil: break
        }
        return share
    }

    /// Tells whether it has reached its end.
    var isOver: Bool {
        switch intake.ending {
        case .reset(let count), .stop(let count): taken >= count
        case nil: false
        }
    }

    /// Returns what was read of content before it was stopped; what is in a buffer behind that is not.
    func read(of unread: UnreadContent) -> UnreadContent {
        guard isStopped else { return unread }
        switch intake.ending {
        case .reset(let count), .stop(let count):
            return UnreadContent(bytes: Array(unread.bytes.prefix(count)), received: min(unread.received, count))
        case nil: return unread
        }
    }

    /// Notes the bytes of content among those that were read.
    mutating func foundContent(_ count: Int) { taken = min(taken, count) }

    mutating func took(_ count: Int) {
        taken += count
        owed += count
    }

    /// Returns the time that the bytes read last should have taken.
    mutating func takeDebt() -> Interval? {
        guard let rate = pace, owed > 0 else { return nil }
        let microseconds = Double(owed) * 1_000_000 / Double(max(rate, 1))
        owed = 0
        return Interval(microseconds: Int64(min(microseconds.rounded(.up), 9e15)))
    }
}
