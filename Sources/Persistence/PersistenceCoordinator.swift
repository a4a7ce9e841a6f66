import CivilTime
package import Emulation
import Locking
package import SQLiteStore

/// The owner of the order "disk first, answer second": no answer leaves before what it tells of is on disk (control
/// contract, section 4).
///
/// Changes of all requests gather while a batch is being written and are written together by the next one; the answers
/// wait for their batch. An answer that changed nothing waits only if its world has changes that are not written yet,
/// since it may tell of them.
///
/// Belongs to the loop's thread; its host's worker writes.
package final class PersistenceCoordinator {
    /// Answers that wait, and what they wait for.
    private struct Gathering {
        /// Worlds with changes that answers may tell of.
        var worlds: Set<Int> = []
        /// Worlds whose counters and journal ride along.
        var alongside: Set<Int> = []
        /// The oldest journal entry of each world that answers wait for.
        var oldestEntries: [Int: UInt64] = [:]
        /// Tells that worlds or snapshots came or went.
        var isStructural = false
        var answers: [any AwaitingStore] = []

        var isEmpty: Bool { worlds.isEmpty && alongside.isEmpty && !isStructural }
        /// Tells that an answer waits, or may have to.
        var isAwaited: Bool { !worlds.isEmpty || isStructural || !answers.isEmpty }
    }

    /// The worker has it while a batch is under way, and the loop otherwise.
    private let store: HandedOver<any WorldStore>
    private let emulator: Emulator
    /// Told of every batch that could not be written.
    private let report: (StorageError) -> Void
    package weak var host: (any PersistenceHost)?
    private var open = Gathering()
    private var underWay: Gathering?
    private let outcome = OutcomeBox()
    /// The worlds and snapshots that the store holds after the batch under way and those that failed.
    private var written: Set<Int> = []
    /// The batch that could not be written, which comes before the next one.
    private var failed: StoreBatch?
    /// The batch that is being written, freed where it was written: it may have the last reference to a large table.
    private var pending = HandedOver<StoreBatch?>(nil)
    /// Tells that the last batch failed, so that any answer may tell of what is not written.
    private var isDoubtful = false
    /// Steps that are kept of what could not be written; with more of them everything is written anew.
    private static let mostFailed = 2_000
    /// Tells that the store is freeing what nobody needs.
    private var isCollecting = false
    private static let collectedAtOnce = 1_024
    /// Rounds of freeing at a stop; the rest is freed after the next start.
    private static let lastRounds = 64

    package init(_ store: any WorldStore, _ emulator: Emulator, report: @escaping (StorageError) -> Void) {
        self.store = HandedOver(store)
        self.emulator = emulator
        self.report = report
        written = Set(store.keys)
    }

    /// Worlds with journal entries that no answer waits for and that are not written yet.
    private var news: Set<Int> = []
    /// The one of them that was used last, since the next answer is likely one of it.
    private var latestNews = -1
    private var isTicking = false
    /// The time between two looks at the age of such entries, and the looks after which one is written: within a
    /// second, but late in it, since under load the journal's bound lets most of them go until then.
    private static let tick = Interval.milliseconds(150)
    private static let ticksUntilDue = 5
    /// Such entries that one batch takes: few enough that no write waits long for them, and that no sync keeps the loop
    /// from a core that both share.
    private static let mostDue = 64

    // MARK: Answers

    /// Takes an answer of an API that has to wait; false if it may leave at once.
    package func takes(
        _ answer: @autoclosure () -> any AwaitingStore,
        to exchange: UInt64,
        world: Int,
        api: Int
    ) -> Bool {
        if isDoubtful || open.worlds.contains(world) || emulator.hasChanged(worldKey: world, api: api) {
            add(world, exchange)
        } else {
            note(newsOf: world)
        }
        return waits(answer, worlds: CollectionOfOne(world))
    }

    /// Takes the answer of a control call that has to wait; false if it may leave at once.
    package func takesControl(_ answer: @autoclosure () -> any AwaitingStore, isReading: Bool) -> Bool {
        let chosen = emulator.chosen
        if !isReading {
            for world in chosen { add(world, nil) }
            open.isStructural = true
            open.answers.append(answer())
            return true
        }
        if isDoubtful { for world in chosen { add(world, nil) } }
        return waits(answer, worlds: chosen)
    }

    /// Takes an answer that stands at an effect and has to wait there; false if it may go on.
    package func holds(
        _ answer: @autoclosure () -> any AwaitingStore,
        to exchange: UInt64,
        world: Int,
        api: Int
    ) -> Bool {
        guard isDoubtful || open.worlds.contains(world) || emulator.hasChanged(worldKey: world, api: api) else {
            return false
        }
        add(world, exchange)
        open.answers.append(answer())
        return true
    }

    /// Has the next batch write all changes of a world, and its journal from the entry of an exchange on; nil stands
    /// for all of it.
    private func add(_ world: Int, _ exchange: UInt64?) {
        open.worlds.insert(world)
        let entry = exchange.flatMap { emulator.journalSeq(of: $0) } ?? 0
        open.oldestEntries[world] = min(open.oldestEntries[world] ?? entry, entry)
    }

    private func waits(_ answer: () -> any AwaitingStore, worlds: some Sequence<Int>) -> Bool {
        if worlds.contains(where: open.worlds.contains) {
            open.answers.append(answer())
        } else if let under = underWay?.worlds, worlds.contains(where: under.contains) {
            underWay?.answers.append(answer())
        } else {
            return false
        }
        return true
    }

    // MARK: Journal entries that ride along

    private func note(newsOf world: Int) {
        guard world != latestNews else { return }
        latestNews = world
        news.insert(world)
        guard !isTicking, let host else { return }
        isTicking = true
        host.schedule(after: Self.tick) { [weak self] in self?.lookAtNews() }
    }

    /// Lets counters, and entries that are old enough, ride along.
    private func lookAtNews() {
        isTicking = false
        let worlds = news.sorted()
        news = []
        latestNews = -1
        for world in worlds {
            emulator.ageJournal(worldKey: world, looks: Self.ticksUntilDue)
            open.alongside.insert(world)
            if emulator.hasNews(worldKey: world) { note(newsOf: world) }
        }
    }

    // MARK: Batches

    /// Worlds or snapshots came or went without a call.
    package func noteStructure() { open.isStructural = true }

    /// A world was changed without a call.
    package func noteChange(of world: Int) { add(world, nil) }

    /// Lets counters and journals that have grown without an answer ride along, so that they don't pile up.
    package func noteNews() {
        for world in emulator.worldsWithNews where !news.contains(world) {
            emulator.ageJournal(worldKey: world, looks: 0)
            open.alongside.insert(world)
        }
    }

    /// Begins to write what has gathered, unless a batch is being written.
    package func turnEnded() {
        guard underWay == nil, !isCollecting else { return }
        guard !open.isEmpty || emulator.hasSteps else { return collect() }
        pending = HandedOver(batch())
        underWay = open
        open = Gathering()
        let (store, outcome, pending) = (store, outcome, pending)
        @Sendable func write() {
            guard let batch = pending.value else { return }
            let result = store.value.attempt(batch)
            if case .success = result { pending.value = nil }
            outcome.set(result)
        }
        let isTaken = host?.submit(write) { [weak self] in self?.finished() } ?? false
        guard !isTaken else { return }
        write()
        finished()
    }

    /// Has the worker free some of what nobody needs, while nothing is to be written.
    private func collect() {
        guard failed == nil, store.value.hasGarbage, let host else { return }
        let (store, outcome) = (store, outcome)
        isCollecting = host.submit {
            if store.value.collect(most: Self.collectedAtOnce) { outcome.set(.success(())) }
        } then: { [weak self] in
            self?.isCollecting = false
            // What can't be written now is tried again beside the next batch.
            if outcome.take() != nil { self?.turnEnded() }
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
                    add(key, nil)
                }
            }
            written = coming
        }
        // A change that no answer told of is one that the next may tell of.
        for key in open.alongside.subtracting(open.worlds) where emulator.hasChanged(worldKey: key) { add(key, nil) }
        let isAwaited = !batch.steps.isEmpty || !batch.gone.isEmpty || open.isAwaited || failed != nil
        var hasMore = false
        for key in open.worlds.union(open.alongside).sorted() {
            let from = open.worlds.contains(key) ? open.oldestEntries[key] ?? 0 : .max
            let wanted = Journal.Wanted(from: from, mostDue: Self.mostDue)
            add(emulator.kept(key: key, owner: nil), emulator.takeChanges(worldKey: key, journal: wanted), &batch)
            hasMore = emulator.hasDueEntries(worldKey: key) || hasMore
        }
        batch.isAwaited = isAwaited
        // One of several batches in a row that nobody waits for is synced with the last of them.
        batch.isSynced = isAwaited || !hasMore || !batch.issued.isEmpty
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
        for world in done.worlds.union(done.alongside) where emulator.hasDueEntries(worldKey: world) {
            open.alongside.insert(world)
        }
        switch result {
        case .success:
            isDoubtful = false
            for answer in done.answers { answer.stored() }
        case .failure(let error):
            // The worlds go on as they are, and all of it comes before the next batch.
            failed = pending.value
            pending.value = nil
            isDoubtful = true
            report(error)
            for answer in done.answers { answer.failed("The state could not be written: \(error).") }
        }
    }

    /// Writes everything there is to write, and closes the store; false if it could not be written.
    package func close() -> Bool {
        // Ends after the job it is at.
        host?.stopWriting()
        finished()
        if underWay != nil { failed = pending.value }
        open = Gathering()
        open.isStructural = true
        for (key, owner) in emulator.keptKeys where owner == nil { add(key, nil) }
        let store = store.value
        let result = store.attempt(batch())
        var rounds = 0
        while store.hasGarbage, rounds < Self.lastRounds, store.collect(most: Self.collectedAtOnce) { rounds += 1 }
        store.close()
        guard case .failure(let error) = result else { return true }
        report(error)
        return false
    }

    /// Opens the store for writing, and writes the worlds that it does not hold yet.
    package func begin() throws(WorldStoreError) {
        let store = store.value
        try store.begin()
        emulator.isKept = true
        open.isStructural = true
        if case .failure(let error) = store.attempt(batch()) {
            throw WorldStoreError(path: store.path, reason: "can't be written: \(error)")
        }
        open = Gathering()
    }
}

/// The outcome of a batch, on its way from the worker to the loop.
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
