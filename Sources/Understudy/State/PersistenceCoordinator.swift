import Emulation
import HTTPMessage
import Locking
import SQLiteStore
import Transport

/// Sees to it that no answer leaves before what it tells of is on disk (control contract, section 4).
///
/// Changes of all requests gather while a batch is being written and are written together by the next one; the answers
/// wait for their batch. An answer that changed nothing waits only if its world has changes that are not written yet,
/// since it may tell of them.
///
/// Belongs to the loop's thread; the disk worker writes.
final class PersistenceCoordinator {
    /// Answers that wait, and what they wait for.
    private struct Gathering {
        /// Worlds with changes that answers may tell of.
        var worlds: Set<Int> = []
        /// Worlds whose counters and journal ride along.
        var alongside: Set<Int> = []
        /// Whether worlds or snapshots came or went.
        var isStructural = false
        var answers: [(exchange: ExchangeID, answer: PlayableResponse)] = []
        /// Answers that stand at an effect.
        var held: [ExchangeID] = []

        var isEmpty: Bool { worlds.isEmpty && alongside.isEmpty && !isStructural }
    }

    private let store: StateStore
    private let emulator: Emulator
    /// Told of every batch that could not be written.
    private let report: (StorageError) -> Void
    weak var server: Server?
    private var open = Gathering()
    private var underWay: Gathering?
    private let outcome = OutcomeBox()
    /// The worlds and snapshots that the store holds after the batch under way and those that failed.
    private var written: Set<Int> = []
    /// What could not be written, which comes before the next batch.
    private var failed: StoreBatch?
    /// The batch that is being written: let go of where it was written, since that may be the last reference to a large table.
    private var pending = HandedOver<StoreBatch?>(nil)
    /// Whether the last batch failed, so that any answer may tell of what is not written.
    private var isDoubtful = false
    /// Steps that are kept of what could not be written; with more of them everything is written anew.
    private static let mostFailed = 2_000
    /// Whether the store is freeing what nobody needs.
    private var isCollecting = false
    private static let collectedAtOnce = 1_024
    /// What is left is freed after the next start.
    private static let lastRounds = 64

    init(_ store: StateStore, _ emulator: Emulator, report: @escaping (StorageError) -> Void) {
        self.store = store
        self.emulator = emulator
        self.report = report
        written = Set(store.keys)
    }

    /// Exchanges whose journal entries are not written, and how many may come together.
    private var news = 0
    private static let mostNews = 256

    // MARK: Answers

    /// Takes an answer of an API that has to wait; false if it may leave at once.
    func takes(_ answer: PlayableResponse, to exchange: ExchangeID, world: Int, api: Int) -> Bool {
        if isDoubtful || emulator.hasChanged(worldKey: world, api: api) {
            open.worlds.insert(world)
        } else {
            // So that no write ever waits for a long backlog of other exchanges.
            news += 1
            if news >= Self.mostNews { open.alongside.insert(world) }
        }
        return waits(answer, exchange, worlds: [world])
    }

    /// Takes the answer of a control call that has to wait; false if it may leave at once.
    func takesControl(_ answer: PlayableResponse, to exchange: ExchangeID, isReading: Bool) -> Bool {
        let chosen = emulator.chosen
        if !isReading {
            open.worlds.formUnion(chosen)
            open.isStructural = true
            open.answers.append((exchange, answer))
            return true
        }
        if isDoubtful { open.worlds.formUnion(chosen) }
        return waits(answer, exchange, worlds: chosen)
    }

    /// Whether an answer that stands at an effect has to wait there.
    func holds(_ exchange: ExchangeID, world: Int, api: Int) -> Bool {
        guard isDoubtful || emulator.hasChanged(worldKey: world, api: api) else { return false }
        open.worlds.insert(world)
        open.held.append(exchange)
        return true
    }

    private func waits(_ answer: PlayableResponse, _ exchange: ExchangeID, worlds: Set<Int>) -> Bool {
        if !open.worlds.isDisjoint(with: worlds) {
            open.answers.append((exchange, answer))
        } else if let under = underWay, !under.worlds.isDisjoint(with: worlds) {
            underWay?.answers.append((exchange, answer))
        } else {
            return false
        }
        return true
    }

    // MARK: Batches

    /// Worlds or snapshots came or went without a call.
    func noteStructure() { open.isStructural = true }

    /// A world was changed without a call.
    func noteChange(of world: Int) { open.worlds.insert(world) }

    /// Lets counters and journals that have grown ride along, so that they don't pile up.
    func noteNews() { open.alongside.formUnion(emulator.worldsWithNews) }

    /// Begins to write what has gathered, unless a batch is being written.
    func turnEnded() {
        guard underWay == nil, !isCollecting else { return }
        guard !open.isEmpty || emulator.hasSteps else { return collect() }
        pending = HandedOver(batch())
        underWay = open
        news = 0
        open = Gathering()
        let (store, outcome, pending) = (store, outcome, pending)
        @Sendable func write() {
            guard let batch = pending.value else { return }
            let result = store.attempt(batch)
            if case .success = result { pending.value = nil }
            outcome.set(result)
        }
        let isTaken = server?.disk.submit(write) { [weak self] in self?.finished() } ?? false
        guard !isTaken else { return }
        write()
        finished()
    }

    /// Has the disk worker free some of what nobody needs, while nothing is to be written.
    private func collect() {
        guard failed == nil, store.hasGarbage, let server else { return }
        let store = store
        isCollecting = server.disk.submit {
            store.collect(most: Self.collectedAtOnce)
        } then: { [weak self] isDone in
            self?.isCollecting = false
            // What can't be written now is tried again beside the next batch.
            if isDone { self?.turnEnded() }
        }
    }

    private func batch() -> StoreBatch {
        var batch = StoreBatch(
            steps: emulator.takeSteps(),
            counts: emulator.counts,
            issued: emulator.issued.takeRecords()
        )
        let isAnew = (failed?.steps.count ?? 0) > Self.mostFailed
        if isAnew {
            // What was to be written is kept as what it came to.
            batch.gone = failed?.gone ?? []
            batch.steps = []
            batch.issued = (failed?.issued ?? []) + batch.issued
            failed = nil
        }
        var branched: Set<Int> = []
        for case .branch(_, let to) in batch.steps { branched.insert(to) }
        if open.isStructural || isAnew || !branched.isEmpty {
            let keys = emulator.keptKeys
            let coming = Set(keys.map(\.key))
            batch.gone = Set(batch.gone).union(written).union(branched).subtracting(coming).sorted()
            for (key, owner) in keys where isAnew || !written.contains(key) {
                if let owner {
                    guard isAnew || !branched.contains(key) else { continue }
                    add(emulator.kept(key: key, owner: owner), emulator.takeSnapshot(key: key, owner: owner), &batch)
                } else {
                    if isAnew || !branched.contains(key) { emulator.untrack(worldKey: key) }
                    open.worlds.insert(key)
                }
            }
            written = coming
        }
        for key in open.worlds.union(open.alongside).sorted() {
            add(emulator.kept(key: key, owner: nil), emulator.takeChanges(worldKey: key), &batch)
        }
        defer { failed = nil }
        return failed?.followed(by: batch) ?? batch
    }

    private func add(_ kept: Emulator.Kept?, _ changes: WorldChanges?, _ batch: inout StoreBatch) {
        guard let kept, let changes else { return }
        batch.steps.append(.changes(kept, changes))
    }

    private func finished() {
        guard let done = underWay, let result = outcome.take() else { return }
        underWay = nil
        switch result {
        case .success:
            isDoubtful = false
            for (exchange, answer) in done.answers { server?.complete(exchange, with: answer) }
            for exchange in done.held { server?.release(exchange) }
        case .failure(let error):
            // The worlds go on as they are, and all of it comes before the next batch.
            failed = pending.value
            pending.value = nil
            isDoubtful = true
            report(error)
            for (exchange, answer) in done.answers {
                server?.complete(exchange, with: Self.refusal(in: answer, error))
            }
            for exchange in done.held { server?.cancel(exchange) }
        }
    }

    /// What stands for an answer whose changes did not reach the disk.
    private static func refusal(in answer: PlayableResponse, _ error: StorageError) -> PlayableResponse {
        var refusal = answer
        refusal.response = Problem(.storeFailed, "The state could not be written: \(error).").response
        if let id = answer.response.fields[.requestID] { refusal.response.fields.append(.requestID, id) }
        refusal.staysOpen = false
        return refusal
    }

    /// Writes everything there is to write, and closes the store; false if it could not be written.
    func close() -> Bool {
        // Ends after the job it is at.
        server?.disk.stop()
        finished()
        if underWay != nil { failed = pending.value }
        open = Gathering()
        open.isStructural = true
        for (key, owner) in emulator.keptKeys where owner == nil { open.worlds.insert(key) }
        let result = store.attempt(batch())
        var rounds = 0
        while store.hasGarbage, rounds < Self.lastRounds, store.collect(most: Self.collectedAtOnce) { rounds += 1 }
        store.close()
        guard case .failure(let error) = result else { return true }
        report(error)
        return false
    }

    /// Opens the store for writing, and writes the worlds that it does not hold yet.
    func begin() throws(StateStoreError) {
        try store.begin()
        emulator.isKept = true
        open.isStructural = true
        if case .failure(let error) = store.attempt(batch()) {
            throw StateStoreError(path: store.path, reason: "can't be written: \(error)")
        }
        open = Gathering()
    }
}

/// What became of a batch, on its way from the disk worker to the loop.
final class OutcomeBox: Sendable {
    private let outcome = Locked<Result<Void, StorageError>?>(nil)

    func set(_ result: Result<Void, StorageError>) { outcome.withLock { $0 = result } }

    func take() -> Result<Void, StorageError>? {
        outcome.withLock { held in
            defer { held = nil }
            return held
        }
    }
}
