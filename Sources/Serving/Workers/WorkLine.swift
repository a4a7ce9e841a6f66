import Locking
import Transport

/// What waits for a thread of its own kind, and what that is at.
///
/// What is asked for by a client that has gone is dropped, or ended at the next place where it asks whether it is wanted.
/// A client that has ended its side may have gone or still listen: what it asked for comes after everything else.
///
/// Belongs to the loop's thread.
final class WorkLine {
    /// Who goes first.
    enum Rank: Int {
        /// Somebody waits for it to be done.
        case call
        /// Somebody waits for what it may find.
        case look
        /// Perhaps nobody waits any more.
        case left
    }

    private struct Item {
        let number: Int
        let exchange: UInt64?
        var rank: Rank
        let mustRun: Bool
        let job: WorkBox
        /// Takes the outcome; called on the loop's thread.
        let finish: (WorkBox) -> Void
        /// Tells that it is not done, since others need its place.
        let refuse: () -> Void
    }

    private struct UnderWay {
        let item: Item
        let wanted: Wanted
        var isDropped = false
        /// It gives way to others, and begins anew after them.
        var givesWay = false
    }

    private let pool: WorkerPool
    private let chores: WorkerPool
    /// Items at work at the same time.
    private let abreast: Int
    /// Items that may wait; one more is refused.
    private let capacity: Int
    /// Whether what is at work may be ended and begun anew.
    private let canGiveWay: Bool
    /// Whether the next may begin, apart from a thread being free.
    var mayBegin: () -> Bool = { true }
    private var waiting: [Item] = []
    private var underWay: [UnderWay] = []
    private var lastNumber = 0

    init(_ pool: WorkerPool, chores: WorkerPool, abreast: Int = 1, capacity: Int, canGiveWay: Bool = false) {
        self.pool = pool
        self.chores = chores
        self.abreast = abreast
        self.capacity = capacity
        self.canGiveWay = canGiveWay
    }

    var isIdle: Bool { waiting.isEmpty && underWay.isEmpty }

    /// Puts something into the line that is done for an exchange, or for nobody in particular; false if too much waits,
    /// unless it `mustRun`.
    ///
    /// The job asks now and then whether it is wanted: it may be ended so and begun anew. Then `finish` is called on the
    /// loop's thread, unless the exchange is over by then, or `refuse` when others needed its place.
    func add<Value: Sendable>(
        _ exchange: ExchangeID?,
        _ rank: Rank = .call,
        mustRun: Bool = false,
        _ job: @escaping @Sendable (Wanted) -> Value,
        then finish: @escaping (Value) -> Void,
        refuse: @escaping () -> Void = {}
    ) -> Bool {
        if !mustRun, waiting.count(where: { !$0.mustRun }) >= capacity {
            // Perhaps nobody waits for the last of those.
            guard let place = waiting.lastIndex(where: { $0.rank == .left && !$0.mustRun }) else { return false }
            let gone = waiting.remove(at: place)
            release(gone.job)
            gone.refuse()
        }
        lastNumber += 1
        let item = Item(
            number: lastNumber,
            exchange: exchange?.serial,
            rank: rank,
            mustRun: mustRun,
            job: WorkBox { wanted in WorkBox(holding: job(wanted)) },
            finish: { if let value = $0.take(Value.self) { finish(value) } },
            refuse: refuse
        )
        insert(item)
        begin()
        return true
    }

    /// Whatever was done for an exchange that is over is done no further.
    func ended(_ exchange: UInt64) {
        if let place = waiting.firstIndex(where: { $0.exchange == exchange }) {
            release(waiting.remove(at: place).job)
        }
        if let place = underWay.firstIndex(where: { $0.item.exchange == exchange }) {
            underWay[place].isDropped = true
            underWay[place].wanted.end()
        }
    }

    /// The client of an exchange has ended its side.
    func left(_ exchange: UInt64) {
        if let place = waiting.firstIndex(where: { $0.exchange == exchange }) {
            var item = waiting.remove(at: place)
            item.rank = .left
            insert(item)
        }
        guard let place = underWay.firstIndex(where: { $0.item.exchange == exchange }) else { return }
        var item = underWay[place].item
        item.rank = .left
        underWay[place] = UnderWay(
            item: item,
            wanted: underWay[place].wanted,
            isDropped: underWay[place].isDropped,
            givesWay: underWay[place].givesWay
        )
        giveWay()
    }

    /// Begins what may begin.
    func begin() {
        while underWay.count < abreast, !waiting.isEmpty, mayBegin() {
            let item = waiting.removeFirst()
            let wanted = Wanted()
            let job = item.job
            let isTaken = pool.submit(mustRun: true) {
                job.run(wanted)
            } then: { [weak self] outcome in
                self?.done(item.number, outcome)
            }
            guard isTaken else {
                // There is no thread to be had.
                item.refuse()
                continue
            }
            underWay.append(UnderWay(item: item, wanted: wanted))
        }
        giveWay()
    }

    /// Ends what perhaps nobody waits for, if somebody else waits.
    private func giveWay() {
        guard canGiveWay, let next = waiting.first, next.rank.rawValue < Rank.left.rawValue else { return }
        for place in underWay.indices where underWay[place].item.rank == .left && !underWay[place].givesWay {
            underWay[place].givesWay = true
            underWay[place].wanted.end()
        }
    }

    private func done(_ number: Int, _ outcome: WorkBox) {
        guard let place = underWay.firstIndex(where: { $0.item.number == number }) else { return }
        let ended = underWay.remove(at: place)
        if ended.isDropped {
            release(ended.item.job)
            release(outcome)
        } else if ended.givesWay {
            insert(ended.item)
            release(outcome)
        } else {
            release(ended.item.job)
            ended.item.finish(outcome)
        }
        begin()
    }

    /// Behind those of its rank.
    private func insert(_ item: Item) {
        let place = waiting.firstIndex { $0.rank.rawValue > item.rank.rawValue } ?? waiting.count
        waiting.insert(item, at: place)
    }

    /// Has a thread let go of what a job holds, which may be a whole journal.
    private func release(_ box: WorkBox) { _ = chores.submit(mustRun: true, { box.free() }, then: {}) }
}

/// A job, or its outcome, on its way between the loop and a worker.
///
/// Unchecked: one thread at a time has it, in the order in which the line hands it on.
final class WorkBox: @unchecked Sendable {
    private var job: (@Sendable (Wanted) -> WorkBox)?
    private var value: (any Sendable)?

    init(_ job: @escaping @Sendable (Wanted) -> WorkBox) { self.job = job }

    init(holding value: any Sendable) { self.value = value }

    /// Does it; an empty outcome if it was let go of.
    func run(_ wanted: Wanted) -> WorkBox { job?(wanted) ?? WorkBox(holding: ()) }

    func take<Value>(_ type: Value.Type) -> Value? {
        defer { value = nil }
        return value as? Value
    }

    /// Lets go of everything.
    func free() {
        job = nil
        value = nil
    }
}
