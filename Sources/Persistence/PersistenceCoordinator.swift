import Backend
import Basics
import CivilTime
package import Engine
import Journal
import Worlds

/// Holds each response until the state that it reports is on disk (control contract, section 4).
///
/// Changes of all requests gather while a batch is being written, and the next batch writes them together. Responses
/// wait for their batch. A response that changed nothing waits only if its world has changes that are not written yet,
/// because it may report them.
///
/// The coordinator belongs to the loop's thread; its host's worker writes.
package final class PersistenceCoordinator {
    /// Waiting responses, and the changes that they wait for.
    private struct Gathering {
        /// Worlds with changes that responses may report.
        var worlds: Set<Int> = []
        /// Worlds whose counters and journal are written along with the others.
        var alongside: Set<Int> = []
        /// The oldest journal entry of each world that responses wait for.
        var oldestEntries: [Int: UInt64] = [:]
        /// Tells that worlds or snapshots were added or removed.
        var isStructural = false
        var answers: [any AwaitingStore] = []

        var isEmpty: Bool { worlds.isEmpty && alongside.isEmpty && !isStructural }
        /// Tells whether a response waits, or may have to.
        var isAwaited: Bool { !worlds.isEmpty || isStructural || !answers.isEmpty }
    }

    /// The store, used by the worker while a batch is being written, and by the loop otherwise.
    private let store: HandedOver<any WorldStore>
    private let emulator: Emulator
    /// Called for every batch that could not be written.
    private let report: (StorageError) -> Void
    package weak var host: (any PersistenceHost)?
    private var open = Gathering()
    private var underWay: Gathering?
    private let outcome = OutcomeBox()
    /// The worlds and snapshots that the store has after the present batch and the failed ones.
    private var written: Set<Int> = []
    /// The batch that could not be written, which comes before the next one.
    private var failed: StoreBatch?
    /// The batch that is being written.
    ///
    /// The worker frees it, because it may have the last reference to a large table.
    private var pending = HandedOver<StoreBatch?>(nil)
    /// Tells that the last batch failed, so that any response may report unwritten changes.
    private var isDoubtful = false
    /// The number of failed steps that are kept; beyond it everything is written anew.
    private static let mostFailed = 2_000
    /// Tells that the store is removing garbage.
    private var isCollecting = false
    private static let collectedAtOnce = 1_024
    /// The rounds of garbage collection on stopping; the next start removes the rest.
    private static let lastRounds = 64

    package init(_ store: any WorldStore, _ emulator: Emulator, report: @escaping (StorageError) -> Void) {
        self.store = HandedOver(store)
        self.emulator = emulator
        self.report = report
        written = Set(store.keys)
    }

    /// Worlds with unwritten journal entries that no response waits for.
    private var news: Set<Int> = []
    /// The one of them that was used last, because the next response probably belongs to it.
    private var latestNews = -1
    private var isTicking = false
    /// The interval between two calls of `age` for such entries.
    ///
    /// An entry is written after `ticksUntilDue` calls: within a second but late in it, because under load the
    /// journal's limit evicts most of them until then.
    private static let tick = Interval.milliseconds(150)
    private static let ticksUntilDue = 5
    /// The number of such entries in a batch: few enough to delay no write, and the loop where it shares the core.
    private static let mostDue = 64

    // MARK: Answers

    /// Takes a response of an API that has to wait; false if it may leave at once.
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

    /// Takes the response of a control call that has to wait; false if it may leave at once.
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

    /// Takes a response that has to wait at an effect; false if it may continue.
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

    /// Adds all changes of a world to the next batch, and its journal from the entry of an exchange on; nil stands for
    /// the whole journal.
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

    /// Adds counters, and entries that are old enough, to the next batch.
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

    /// Notes that worlds or snapshots were added or removed without a call.
    package func noteStructure() { open.isStructural = true }

    /// Notes that a world was changed without a call.
    package func noteChange(of world: Int) { add(world, nil) }

    /// Adds counters and journals that have grown without a response, so that they don't pile up.
    package func noteNews() {
        for world in emulator.worldsWithNews where !news.contains(world) {
            emulator.ageJournal(worldKey: world, looks: 0)
            open.alongside.insert(world)
        }
    }

    /// Begins to write the gathered changes, unless a batch is being written.
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

    /// Makes the worker remove some garbage while nothing has to be written.
    private func collect() {
        guard failed == nil, store.value.hasGarbage, let host else { return }
        let (store, outcome) = (store, outcome)
        isCollecting = host.submit {
            if store.value.collect(most: Self.collectedAtOnce) { outcome.set(.success(())) }
        } then: { [weak self] in
            self?.isCollecting = false
            // A failed removal is tried again with the next batch.
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
            // Of so many failed steps only the outcome is kept, and everything is written anew.
            emulator.forgetSeeds()
            batch.gone = failed?.gone ?? []
            batch.steps = []
            batch.issued = (failed?.issued ?? []) + batch.issued
            failed = nil
        }
        var branched: Set<Int> = []
        // The first changes of a key have all of it.
        var begun: Set<Int> = []
        for step in batch.steps {
            switch step {
            case .seed: continue
            case .branch(_, let to): branched.insert(to)
            case .changes(let kept, _): begun.insert(kept.key)
            }
        }
        if open.isStructural || isAnew || !branched.isEmpty {
            let keys = emulator.keptKeys
            let coming = Set(keys.map(\.key))
            batch.gone = Set(batch.gone).union(written).union(branched).subtracting(coming).sorted()
            for (key, owner) in keys where isAnew || !written.contains(key) {
                if let owner {
                    guard isAnew || !branched.contains(key) && !begun.contains(key) else { continue }
                    add(emulator.kept(key: key, owner: owner), emulator.takeSnapshot(key: key, owner: owner), &batch)
                } else {
                    if isAnew || !branched.contains(key) { emulator.untrack(worldKey: key) }
                    add(key, nil)
                }
            }
            written = coming
        }
        // A change that no response has reported may be reported by the next.
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
        // Of several batches in a row that no response waits for, only the last one is synced.
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
            // The worlds continue, and the failed batch comes before the next one.
            failed = pending.value
            pending.value = nil
            isDoubtful = true
            report(error)
            for answer in done.answers { answer.failed("The state could not be written: \(error).") }
        }
    }

    /// Writes everything that is left and closes the store; false if it could not be written.
    package func close() -> Bool {
        // Returns after the present job has ended.
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

    /// Opens the store for writing, and writes the worlds that it does not have yet.
    package func begin() throws(WorldStoreError) {
        let store = store.value
        try store.begin()
        emulator.beginKeeping(isNew: written.isEmpty)
        open.isStructural = true
        // Of an API that is new to the store nothing is written yet, and the next process may have other seeds.
        for (key, owner) in emulator.keptKeys where owner == nil && written.contains(key) {
            if emulator.hasChanged(worldKey: key) { add(key, nil) }
        }
        if case .failure(let error) = store.attempt(batch()) {
            throw WorldStoreError(path: store.path, reason: "can't be written: \(error)")
        }
        open = Gathering()
    }
}

/// The outcome of a batch, passed from the worker to the loop.
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
