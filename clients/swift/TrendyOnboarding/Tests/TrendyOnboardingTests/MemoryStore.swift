import Foundation
import Synchronization
import TrendyOnboarding

/// A store in memory, which can be full, unreadable, or watched.
final class MemoryStore: KeyValueStore {
    /// `halfFull` takes the first write of a change.
    enum Fitness { case good, full, halfFull, unreadable }

    private struct State {
        var values: [String: Data] = [:]
        var fitness = Fitness.good
        var busyTimes = 0
        var readKeys: [String] = []
        var listedPrefixes: [String] = []
        var writtenKeys: [String] = []
    }

    private let state = Mutex(State())

    subscript(key: String) -> String? {
        get { state.withLock { $0.values[key].map { String(decoding: $0, as: UTF8.self) } } }
        set { state.withLock { $0.values[key] = newValue.map { Data($0.utf8) } } }
    }

    var keys: [String] { state.withLock { $0.values.keys.sorted() } }
    var readKeys: [String] { state.withLock(\.readKeys) }
    var listedPrefixes: [String] { state.withLock(\.listedPrefixes) }
    var writtenKeys: [String] { state.withLock(\.writtenKeys) }

    func become(_ fitness: Fitness) { state.withLock { $0.fitness = fitness } }

    /// Makes the next changes find that another process holds the store.
    func beBusy(times: Int) { state.withLock { $0.busyTimes = times } }

    func data(forKey key: String) throws(StoreError) -> Data? {
        try state.withLock { state throws(StoreError) in
            guard state.fitness != .unreadable else { throw .unreadable(key: key, reason: "locked") }
            state.readKeys.append(key)
            return state.values[key]
        }
    }

    func keys(withPrefix prefix: String) throws(StoreError) -> [String] {
        try state.withLock { state throws(StoreError) in
            guard state.fitness != .unreadable else { throw .unreadable(key: prefix, reason: "locked") }
            state.listedPrefixes.append(prefix)
            return state.values.keys.filter { $0.hasPrefix(prefix) }
        }
    }

    func update<Result>(
        _ change: (inout StoreTransaction) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let isBusy = state.withLock { state in
            defer { state.busyTimes = max(state.busyTimes - 1, 0) }
            return state.busyTimes > 0
        }
        if isBusy { throw .busy }
        // Tests change it from one thread; a lock around the change would wait for itself.
        var transaction = StoreTransaction(data: data(forKey:), keys: keys(withPrefix:))
        let result = try change(&transaction)
        try state.withLock { state throws(StoreError) in
            for (place, write) in transaction.writes.enumerated() {
                let isTaken = state.fitness == .good || state.fitness == .halfFull && place == 0
                guard isTaken else { throw .unwritable(reason: "full") }
                state.values[write.key] = write.value
                state.writtenKeys.append(write.key)
            }
        }
        return result
    }
}
