import Basics
import Transport

/// A queue of work for threads of its own, and the work in progress.
///
/// Work for a client that has gone is dropped, or ends at the next point at which it checks whether it is still wanted.
/// A client that has ended its side may have gone or may still be reading: its work comes after everything else.
///
/// Belongs to the loop's thread.
final class WorkLine {
    /// The priority of an item; lower ones come first.
    enum Rank: Int {
        /// A client waits for the item to be done.
        case call
        /// A client waits for a match that the item may find.
        case look
        /// The client has ended its side and may have gone.
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
        /// Reports that the item will not be done, because others need its place.
        let refuse: () -> Void
    }

    private struct UnderWay {
        let item: Item
        let wanted: Wanted
        var isDropped = false
        /// The item yields to others, and restarts after them.
        var givesWay = false
    }

    private let pool: WorkerPool
    private let chores: WorkerPool
    /// The number of items in progress at the same time.
    private let abreast: Int
    /// The number of items that may wait; one more is refused.
    private let capacity: Int
    /// Tells whether an item in progress may be ended and restarted.
    private let canGiveWay: Bool
    /// Tells whether the next item may begin, apart from a thread being free.
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
    var hasRoom: Bool { waiting.count < capacity }

    /// Adds an item for an exchange, or for none in particular; returns false if the queue is full, unless the item
    /// `mustRun`.
    ///
    /// The job checks now and then whether it is still wanted; it may be ended at such a check and restarted. Then
    /// `finish` is called on the loop's thread, unless the exchange is over by then, or `refuse` if others needed its
    /// place.
    func add<Value: Sendable>(
        _ exchange: ExchangeID?,
        _ rank: Rank = .call,
        mustRun: Bool = false,
        _ job: @escaping @Sendable (Wanted) -> Value,
        then finish: @escaping (Value) -> Void,
        refuse: @escaping () -> Void = {}
    ) -> Bool {
        if !mustRun, waiting.count(where: { !$0.mustRun }) >= capacity {
            // The last of the items whose clients may have gone gives up its place.
            guard let index = waiting.lastIndex(where: { $0.rank == .left && !$0.mustRun }) else { return false }
            let gone = waiting.remove(at: index)
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

    /// Drops the work for an exchange that is over.
    func ended(_ exchange: UInt64) {
        if let index = waiting.firstIndex(where: { $0.exchange == exchange }) {
            release(waiting.remove(at: index).job)
        }
        if let index = underWay.firstIndex(where: { $0.item.exchange == exchange }) {
            underWay[index].isDropped = true
            underWay[index].wanted.end()
        }
    }

    /// Lowers the priority of the work for an exchange whose client has ended its side.
    func left(_ exchange: UInt64) {
        if let index = waiting.firstIndex(where: { $0.exchange == exchange }) {
            var item = waiting.remove(at: index)
            item.rank = .left
            insert(item)
        }
        guard let index = underWay.firstIndex(where: { $0.item.exchange == exchange }) else { return }
        var item = underWay[index].item
        item.rank = .left
        underWay[index] = UnderWay(
            item: item,
            wanted: underWay[index].wanted,
            isDropped: underWay[index].isDropped,
            givesWay: underWay[index].givesWay
        )
        giveWay()
    }

    /// Begins the items that may begin.
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
                // No thread is available.
                item.refuse()
                continue
            }
            underWay.append(UnderWay(item: item, wanted: wanted))
        }
        giveWay()
    }

    /// Ends work whose client may have gone, if another client waits.
    private func giveWay() {
        guard canGiveWay, let next = waiting.first, next.rank.rawValue < Rank.left.rawValue else { return }
        for index in underWay.indices where underWay[index].item.rank == .left && !underWay[index].givesWay {
            underWay[index].givesWay = true
            underWay[index].wanted.end()
        }
    }

    private func done(_ number: Int, _ outcome: WorkBox) {
        guard let index = underWay.firstIndex(where: { $0.item.number == number }) else { return }
        let ended = underWay.remove(at: index)
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

    /// Inserts an item after those of its rank.
    private func insert(_ item: Item) {
        let index = waiting.firstIndex { $0.rank.rawValue > item.rank.rawValue } ?? waiting.count
        waiting.insert(item, at: index)
    }

    /// Has a worker free the contents of a job, which may be a whole journal.
    private func release(_ box: WorkBox) { _ = chores.submit(mustRun: true, { box.free() }, then: {}) }
}

/// A job or its outcome, passed between the loop and a worker.
///
/// Unchecked: one thread at a time uses it, in the order in which the queue passes it on.
final class WorkBox: @unchecked Sendable {
    private var job: (@Sendable (Wanted) -> WorkBox)?
    private var value: (any Sendable)?

    init(_ job: @escaping @Sendable (Wanted) -> WorkBox) { self.job = job }

    init(holding value: any Sendable) { self.value = value }

    /// Runs the job; returns an empty outcome if it was freed.
    func run(_ wanted: Wanted) -> WorkBox { job?(wanted) ?? WorkBox(holding: ()) }

    func take<Value>(_ type: Value.Type) -> Value? {
        defer { value = nil }
        return value as? Value
    }

    /// Frees the contents.
    func free() {
        job = nil
        value = nil
    }
}
