import Basics

/// Values that were made and may be wanted again: those that were made first are given up first.
final class BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct State: Sendable {
        var values: [Key: (value: Value, bytes: Int)] = [:]
        /// The keys in the order of their coming, the first ones given up.
        var order: [Key] = []
        var givenUp = 0
        var bytes = 0
    }

    private let state = Locked(State())
    private let mostBytes: Int
    /// The values that are kept at most.
    private static var mostValues: Int { 1_000 }

    init(mostBytes: Int) { self.mostBytes = mostBytes }

    subscript(key: Key) -> Value? { state.withLock { $0.values[key]?.value } }

    /// Keeps a value in the place of a former one, unless it is too large to leave room for others.
    func keep(_ value: Value, of bytes: Int, for key: Key) {
        guard bytes <= mostBytes / 4 else { return }
        state.withLock { state in
            if let former = state.values.updateValue((value, bytes), forKey: key) {
                state.bytes -= former.bytes
            } else {
                state.order.append(key)
            }
            state.bytes += bytes
            while state.bytes > mostBytes || state.values.count > Self.mostValues {
                let oldest = state.order[state.givenUp]
                state.givenUp += 1
                if let gone = state.values.removeValue(forKey: oldest) { state.bytes -= gone.bytes }
            }
            if state.givenUp > state.order.count / 2 {
                state.order.removeSubrange(..<state.givenUp)
                state.givenUp = 0
            }
        }
    }
}
