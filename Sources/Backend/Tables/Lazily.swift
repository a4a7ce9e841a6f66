import Basics
import Synchronization

/// A value that is made once, at its first use, by whichever thread uses it first.
package final class Lazily<Value: Sendable>: Sendable {
    private enum Stage {
        case planned(@Sendable () -> Value)
        case made(Value)
    }

    private let stage: Locked<Stage>
    private let hasBeenMade: Atomic<Bool>

    /// Creates a value to be made later.
    ///
    /// `make` must not use the value that it makes.
    package init(_ make: @escaping @Sendable () -> Value) {
        stage = Locked(.planned(make))
        hasBeenMade = Atomic(false)
    }

    /// Creates a value that is already made.
    package init(_ value: Value) {
        stage = Locked(.made(value))
        hasBeenMade = Atomic(true)
    }

    /// Tells whether the value has been made, also while another thread makes it.
    package var isMade: Bool { hasBeenMade.load(ordering: .acquiring) }

    /// The value.
    ///
    /// The first thread to use it makes it while others wait.
    package var value: Value {
        stage.withLock { stage in
            switch stage {
            case .made(let value): return value
            case .planned(let make):
                let value = make()
                stage = .made(value)
                hasBeenMade.store(true, ordering: .releasing)
                return value
            }
        }
    }
}
