/// One API's state inside a world, type-erased.
///
/// It is a reference, so that a world can be copied in constant time. It is written only while it has one owner.
package class AnyStateBox {
    /// The list that takes the state when it is discarded; nil for a state that is freed quickly.
    package var discardedStates: DiscardedStates?

    fileprivate init() {}

    /// Tells whether a scan of its rows takes longer than the event loop can spare.
    package var isLarge: Bool { discardedStates != nil }

    /// Returns a box of its own with the same state, which shares its rows until they are written.
    package func copied() -> AnyStateBox { self }

    /// Returns the box with its type.
    ///
    /// An API creates the boxes of its own part alone, so another type is a mistake of the caller.
    package final func typed<State: Sendable>(_ type: State.Type) -> StateBox<State> {
        guard let box = self as? StateBox<State> else { preconditionFailure("the box holds no \(type)") }
        return box
    }
}

package final class StateBox<State: Sendable>: AnyStateBox {
    package var state: State

    package init(_ state: State) { self.state = state }

    deinit { discardedStates?.add(state) }

    package override func copied() -> AnyStateBox {
        let copy = StateBox(state)
        copy.discardedStates = discardedStates
        return copy
    }
}
