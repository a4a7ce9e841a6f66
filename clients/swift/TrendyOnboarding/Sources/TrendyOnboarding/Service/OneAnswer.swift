/// An answer that one of several tasks gives: the first one counts, and later ones are discarded.
@MainActor
final class OneAnswer<Value: Sendable> {
    private enum State {
        case open
        case awaited(CheckedContinuation<Value, Never>)
        case given(Value)
    }

    private var state = State.open

    /// True once an answer was given.
    var isGiven: Bool {
        if case .given = state { true } else { false }
    }

    /// Gives the answer, if there is none yet.
    func give(_ value: Value) {
        switch state {
        case .open: state = .given(value)
        case .awaited(let continuation):
            state = .given(value)
            continuation.resume(returning: value)
        case .given: break
        }
    }

    /// Waits for the answer; only one task may.
    func wait() async -> Value {
        if case .given(let value) = state { return value }
        return await withCheckedContinuation { continuation in
            // The state can't have changed: the body runs at once, on the same actor.
            state = .awaited(continuation)
        }
    }
}
