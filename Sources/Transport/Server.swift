package import CivilTime
import HTTPMessage
import HTTPWire

/// The event loop: one thread that owns the sockets, the connections, the timers and the application.
///
/// It is deliberately not Sendable; other threads use `handle`. The server keeps its application alive, so an
/// application that needs its server refers to it weakly or unowned.
package final class Server {
    /// The purposes of the loop's timers.
    enum Alarm {
        case deadline(ConnectionID)
        case stall(ConnectionID)
        case wait(ChannelID)
        case application(() -> Void)
        case acceptAgain
        case stop
    }

    enum State: Equatable {
        case running
        /// The server is stopping and accepts no connection.
        case draining
        case stopped
    }

    /// The id of a timer of the application.
    package struct Timer: Hashable, Sendable {
        fileprivate var handle: TimerQueue<Alarm>.Handle
    }

    package let application: any Application
    package let limits: ServerLimits
    let time: TimeSource
    let poller: any Poller
    let mailbox = Mailbox()
    package let workers: WorkerPool
    /// A pool of one thread, which runs its jobs in order: for disk writes.
    package let disk: WorkerPool
    /// Further threads that the application has requested.
    private var pools: [WorkerPool] = []

    /// The times of this turn.
    package let clock: LoopClock
    /// The monotonic time of this turn.
    package internal(set) var now: Instant {
        get { clock.monotonic }
        set { clock.monotonic = newValue }
    }
    /// The time of day of this turn.
    package internal(set) var realTime: Instant {
        get { clock.wall }
        set { clock.wall = newValue }
    }

    var state = State.running
    var connections = ConnectionTable()
    var listeners: [Listener] = []
    var listening: [ListeningSocket] = []
    /// Connections accepted beyond the limit, oldest first.
    var reserve: [Connection] = []
    /// Tells whether all listening sockets are in the poll set.
    var isAccepting = false
    var timers = TimerQueue<Alarm>()
    var nextSerial: UInt64 = 1
    var nextConnection: UInt64 = 1
    /// Connections to resume at the end of the turn.
    var ready: [Connection] = []
    /// Connections whose long content is read in turns, in order.
    var round: [Connection] = []
    /// Channels whose exchange takes longer than one turn, in no order.
    var slow: [Channel] = []
    /// Channels whose connection closes after a wait, and some that no longer do.
    var closing: [Channel] = []
    /// Channels that hold memory for a request, the newest last, with gaps for former ones.
    var holders: [Channel?] = []
    var gaps = 0
    /// The bytes that they hold together.
    var heldTogether = 0
    var lastHold: UInt64 = 0
    /// The most that they have held since memory was returned to the system.
    var heldPeak = 0
    var isTrimDue = false
    /// Joins the pieces of long bodies, on one thread that never refuses a job.
    let joiner: WorkerPool
    /// The number of exchanges ended by a stop.
    var cutByStop = 0

    /// The buffer into which every connection is read.
    var input = [UInt8](repeating: 0, count: 64 * 1024)
    /// The output buffer of every connection, empty between any two connections.
    var output: [UInt8] = []
    /// The certificates and faults of TLS; nil where no port speaks it.
    var tls: ServerTLS?
    /// Counts what peers other than this machine take; nil where no limit of theirs holds.
    var strangers: StrangerGuard?
    /// The listener of the forward proxy; nil without it.
    package var proxyListener: Int?
    /// The tunnels to other hosts by their numbers.
    var tunnels: [UInt32: Tunnel] = [:]
    var lastTunnel: UInt32 = 0
    /// The names that are being looked up for tunnels, those included that nobody waits for any more.
    var lookups = 0
    /// Tells whether the ports speak TLS, for the way of each request.
    var speaksTLS = false
    private var events: [PollEvent] = []

    /// Creates a server.
    ///
    /// - Parameters:
    ///   - application: The service.
    ///   - limits: See `ServerLimits`.
    ///   - time: The clocks; a test provides its own.
    ///   - poller: Nil for the system's best.
    /// - Throws: The system's error when it has no descriptor for the poller.
    package init(
        application: any Application,
        limits: ServerLimits = ServerLimits(),
        time: TimeSource = .system,
        poller: (any Poller)? = nil
    ) throws(Errno) {
        self.application = application
        self.limits = limits
        self.time = time
        let poller = if let poller { poller } else { try Socket.preferredPoller() }
        self.poller = poller
        workers = WorkerPool(threads: limits.workers, capacity: limits.waitingJobs, wakeUp: poller.wakeUp)
        disk = WorkerPool(threads: 1, capacity: 4, wakeUp: poller.wakeUp)
        joiner = WorkerPool(
            threads: 1,
            capacity: limits.connections + limits.reserved + 1,
            wakeUp: poller.wakeUp
        )
        strangers = limits.stranger.map { StrangerGuard($0, own: Self.ownHosts()) }
        clock = LoopClock(monotonic: time.monotonic(), wall: time.wall())
        output.reserveCapacity(16 * 1024)
        events.reserveCapacity(256)
    }

    deinit {
        workers.stop()
        disk.stop()
        joiner.stop()
        pools.forEach { $0.stop() }
    }

    /// Creates more threads with a queue of their own; they start with its first job.
    package func makePool(threads: Int = 1) -> WorkerPool {
        let pool = WorkerPool(threads: threads, capacity: limits.waitingJobs, wakeUp: poller.wakeUp)
        pools.append(pool)
        return pool
    }

    /// The part of the server that other threads may use.
    package var handle: ServerHandle { ServerHandle(mailbox: mailbox, wakeUp: poller.wakeUp) }

    /// The number of open connections.
    package var openConnections: Int { connections.count }

    /// The number that the next connection gets.
    package var nextConnectionNumber: UInt64 { nextConnection }

    package var isStopped: Bool { state == .stopped }

    /// Runs until stopped; returns the number of exchanges that the stop cut.
    @discardableResult
    package func run() -> Int {
        while state != .stopped { turn(atMost: nil) }
        return cutByStop
    }

    /// Runs one turn: waits for events, at most that long (nil: no limit), and handles them.
    package func turn(atMost limit: Interval?) {
        var batch = events
        events = []
        poller.wait(atMost: waitingTime(limit), into: &batch)
        readClocks()
        tls?.beginTurn()
        for call in mailbox.take() { call(self) }
        workers.deliver()
        disk.deliver()
        joiner.deliver()
        for pool in pools { pool.deliver() }
        for event in batch { handle(event) }
        events = batch
        fireTimers()
        readRound()
        resumeReady()
        application.turnEnded()
        if state == .draining, connections.count == 0 { state = .stopped }
    }

    /// Runs an action on the loop's thread after that time.
    @discardableResult
    package func schedule(after delay: Interval, _ action: @escaping () -> Void) -> Timer {
        Timer(handle: timers.add(at: time.monotonic() + delay, .application(action)))
    }

    /// Cancels a scheduled action; false if it ran or was cancelled before.
    @discardableResult
    package func cancel(_ timer: Timer) -> Bool { timers.cancel(timer.handle) }

    /// Reads the clocks again: at the start of a turn, and where a delay begins after possibly long work.
    func readClocks() {
        now = time.monotonic()
        realTime = time.wall()
    }

    /// Resumes a connection at the end of this turn.
    func makeReady(_ connection: Connection) {
        guard !connection.isQueued else { return }
        connection.isQueued = true
        ready.append(connection)
    }

    private func waitingTime(_ limit: Interval?) -> Interval? {
        guard ready.isEmpty, round.isEmpty else { return .zero }
        guard let earliest = timers.earliest else { return limit }
        let left = max(earliest - time.monotonic(), .zero)
        guard let limit else { return left }
        return min(left, limit)
    }

    private func handle(_ event: PollEvent) {
        let id = ConnectionID(token: event.token)
        guard id.generation != 0 else {
            if id.slot >= Tunnel.firstSlot { tunnelReady(id.slot, event) } else { accept(from: Int(id.slot)) }
            return
        }
        // The connection was closed, and its slot possibly reused, earlier in this batch.
        guard let connection = connections[id] else { return }
        if event.writable { becameWritable(connection) }
        guard connection.isOpen, !connection.isInRound || !event.readable else { return }
        if connection.interest.contains(.read), event.readable || event.broken {
            read(connection)
        } else if event.broken || (event.readable && connection.interest.contains(.end)) {
            if !event.broken, endedWhilePaced(connection) { return }
            // Over in both directions: even a half-closed peer could receive nothing more.
            lose(connection)
        }
    }

    private func fireTimers() {
        // Only the present timers: one that sets itself again for now waits for the next turn.
        var left = timers.count
        let end = time.monotonic() + Self.longestRound
        while left > 0, let alarm = timers.popDue(at: now) {
            left -= 1
            // The rest is due in the next turn, after events that came meanwhile.
            if left.isMultiple(of: Self.looksAtTime), time.monotonic() > end { left = 0 }
            switch alarm {
            case .deadline(let id): deadlineReached(id)
            case .stall(let id): lookAtWriting(id)
            case .wait(let id): waitEnded(id)
            case .application(let action): action()
            case .acceptAgain: startAccepting()
            case .stop: cutAll()
            }
        }
    }

    /// The time limit of a round.
    ///
    /// A clock that moves or a gate that opens can resume thousands of exchanges at once. A turn resumes as many as it
    /// has time for, so that other connections do not wait for all (control contract, section 17).
    static let longestRound = Interval.milliseconds(1)
    /// The number of resumptions after which the time is checked.
    private static let looksAtTime = 16

    /// Runs one round only: connections that return to the list wait for the next turn, after the others.
    private func resumeReady() {
        guard !ready.isEmpty else { return }
        let batch = ready
        ready = []
        let end = time.monotonic() + Self.longestRound
        for (place, connection) in batch.enumerated() {
            if place > 0, place.isMultiple(of: Self.looksAtTime), time.monotonic() > end {
                ready.insert(contentsOf: batch[place...], at: 0)
                return
            }
            connection.isQueued = false
            guard connection.isOpen else { continue }
            endMarked(connection)
            proceed(connection)
            readBuffered(connection)
        }
    }
}

@available(*, unavailable)
extension Server: Sendable {}
