import Locking

/// A value that is made when it is first asked for, once, by whichever thread asks first.
package final class Lazily<Value: Sendable>: Sendable {
    private enum Stage {
        case planned(@Sendable () -> Value)
        case made(Value)
    }

    private let stage: Locked<Stage>

    /// A value for later.
    ///
    /// `make` must not ask for the value it makes.
    package init(_ make: @escaping @Sendable () -> Value) { stage = Locked(.planned(make)) }

    /// A value that is there already.
    package init(_ value: Value) { stage = Locked(.made(value)) }

    /// Tells that nobody has to wait for it any more.
    package var isMade: Bool {
        stage.withLock { stage in
            if case .made = stage { true } else { false }
        }
    }

    /// The value, which the first to ask makes while others wait.
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
