import Emulation
import HTTPMessage
import Locking
import Storage
import Transport

/// Sees to it that no answer leaves before what it tells of is on disk (control contract, section 4).
///
/// Changes of all requests gather while a batch is being written and are written together by the next one; the answers
/// wait for their batch. An answer that changed nothing waits only if its world has changes that are not written yet,
/// since it may tell of them.
///
/// Belongs to the loop's thread; the disk worker writes.
final class Keeper {
    /// Answers that wait, and what they wait for.
    private struct Gathering {
        /// Worlds with changes that answers may tell of.
        var worlds: Set<Int> = []
        /// Worlds whose counters and journal ride along.
        var alongside: Set<Int> = []
        /// Whether worlds or snapshots came or went.
        var isStructural = false
        var answers: [(exchange: ExchangeID, answer: Transport.Answer)] = []
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
    /// The worlds and snapshots that the store holds, and those it will hold after the batch under way.
    private var written: Set<Int> = []
    private var coming: Set<Int> = []
    /// Whether a batch has failed, so that the next one has to look for worlds that came or went.
    private var isDoubtful = false

    init(_ store: StateStore, _ emulator: Emulator, report: @escaping (StorageError) -> Void) {
        self.store = store
        self.emulator = emulator
        self.report = report
        written = Set((store.content?.worlds ?? []).map(\.key))
    }

    /// What the batch under way tells of credentials, to be told again if it fails.
    private var recordsUnderWay: [UInt8] = []

    /// Exchanges whose journal entries are not written, and how many may come together.
    private var news = 0
    private static let mostNews = 256

    // MARK: Answers

    /// Takes an answer of an API that has to wait; false if it may leave at once.
    func takes(_ answer: Transport.Answer, to exchange: ExchangeID, world: Int, api: Int) -> Bool {
        if emulator.hasChanged(worldKey: world, api: api) {
            open.worlds.insert(world)
        } else {
            // So that no write ever waits for a long backlog of other exchanges.
            news += 1
            if news >= Self.mostNews { open.alongside.insert(world) }
        }
        return waits(answer, exchange, worlds: [world])
    }

    /// Takes the answer of a control call that has to wait; false if it may leave at once.
    func takesControl(_ answer: Transport.Answer, to exchange: ExchangeID, isReading: Bool) -> Bool {
        let chosen = emulator.chosen
        if !isReading {
            open.worlds.formUnion(chosen)
            open.isStructural = true
            open.answers.append((exchange, answer))
            return true
        }
        return waits(answer, exchange, worlds: chosen)
    }

    /// Whether an answer that stands at an effect has to wait there.
    func holds(_ exchange: ExchangeID, world: Int, api: Int) -> Bool {
        guard emulator.hasChanged(worldKey: world, api: api) else { return false }
        open.worlds.insert(world)
        open.held.append(exchange)
        return true
    }

    private func waits(_ answer: Transport.Answer, _ exchange: ExchangeID, worlds: Set<Int>) -> Bool {
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
        guard underWay == nil, !open.isEmpty else { return }
        let batch = batch()
        underWay = open
        news = 0
        open = Gathering()
        let (store, outcome) = (store, outcome)
        let isTaken =
            server?.disk.submit {
                outcome.set(store.attempt(batch))
            } then: { [weak self] in
                self?.finished()
            } ?? false
        guard !isTaken else { return }
        outcome.set(store.attempt(batch))
        finished()
    }

    private func batch() -> StoreBatch {
        var batch = StoreBatch(counts: emulator.counts, issued: emulator.issued.takeRecords())
        recordsUnderWay = batch.issued
        coming = written
        if open.isStructural || isDoubtful {
            let keys = emulator.keptKeys
            coming = Set(keys.map(\.key))
            batch.gone = written.subtracting(coming).sorted()
            for (key, owner) in keys where !written.contains(key) {
                if let owner {
                    add(emulator.kept(key: key, owner: owner), emulator.takeSnapshot(key: key, owner: owner), &batch)
                } else {
                    open.worlds.insert(key)
                }
            }
        }
        for key in open.worlds.union(open.alongside).sorted() {
            add(emulator.kept(key: key, owner: nil), emulator.takeChanges(worldKey: key), &batch)
        }
        return batch
    }

    private func add(_ kept: Emulator.Kept?, _ changes: WorldChanges?, _ batch: inout StoreBatch) {
        guard let kept, let changes else { return }
        batch.items.append(StoreBatch.Item(kept: kept, changes: changes))
    }

    private func finished() {
        guard let done = underWay, let result = outcome.take() else { return }
        underWay = nil
        switch result {
        case .success:
            written = coming
            isDoubtful = false
            for (exchange, answer) in done.answers { server?.complete(exchange, with: answer) }
            for exchange in done.held { server?.release(exchange) }
        case .failure(let error):
            // The worlds go on as they are, and everything is written anew with the next batch.
            emulator.untrackAll()
            emulator.issued.putBack(recordsUnderWay)
            isDoubtful = true
            report(error)
            for (exchange, answer) in done.answers {
                server?.complete(exchange, with: Self.refusal(in: answer, error))
            }
            for exchange in done.held { server?.cut(exchange) }
        }
    }

    /// What stands for an answer whose changes did not reach the disk.
    private static func refusal(in answer: Transport.Answer, _ error: StorageError) -> Transport.Answer {
        var refusal = answer
        refusal.response = ControlFault(.storeFailed, "The state could not be written: \(error).").response
        if let id = answer.response.fields[.requestID] { refusal.response.fields.append(.requestID, id) }
        refusal.staysOpen = false
        return refusal
    }

    /// Writes everything there is to write, and closes the store; false if it could not be written.
    func close() -> Bool {
        // Ends after the job it is at.
        server?.disk.stop()
        finished()
        if underWay != nil {
            emulator.untrackAll()
            emulator.issued.putBack(recordsUnderWay)
        }
        open = Gathering()
        open.isStructural = true
        for (key, owner) in emulator.keptKeys where owner == nil { open.worlds.insert(key) }
        let result = store.attempt(batch())
        store.close()
        guard case .failure(let error) = result else { return true }
        report(error)
        return false
    }

    /// Opens the store for writing, and writes the worlds that it does not hold yet.
    func begin() throws(StateStoreError) {
        try store.begin()
        open.isStructural = true
        if case .failure(let error) = store.attempt(batch()) {
            throw StateStoreError(path: store.path, reason: "can't be written: \(error)")
        }
        written = coming
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
