import Locking

/// A value that is made once, at its first use, by whichever thread uses it first.
package final class Lazily<Value: Sendable>: Sendable {
    private enum Stage {
        case planned(@Sendable () -> Value)
        case made(Value)
    }

    private let stage: Locked<Stage>

    /// Creates a value to be made later.
    ///
    /// `make` must not use the value that it makes.
    package init(_ make: @escaping @Sendable () -> Value) { stage = Locked(.planned(make)) }

    /// Creates a value that is already made.
    package init(_ value: Value) { stage = Locked(.made(value)) }

    /// Tells whether the value has been made.
    package var isMade: Bool {
        stage.withLock { stage in
            if case .made = stage { true } else { false }
        }
    }

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
                return value
            }
        }
    }
}
