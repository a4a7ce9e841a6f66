/// One API's state inside a world, without its type.
///
/// A reference so that a world can be copied in constant time; it is only written when nobody else holds it.
package class AnyStateBox {
    /// Where its state goes when it is out of use; nil of one that is freed in no time.
    var bin: Bin?

    fileprivate init() {}

    /// Whether a look through its rows takes longer than the loop has.
    var isLarge: Bool { bin != nil }

    /// A box of its own with the same state (which shares its rows until they are written).
    func copied() -> AnyStateBox { self }

    /// The box with its type.
    ///
    /// An API makes the boxes of its own part alone, so that another type is a mistake of the caller.
    final func typed<State: Sendable>(_ type: State.Type) -> StateBox<State> {
        guard let box = self as? StateBox<State> else { preconditionFailure("the box holds no \(type)") }
        return box
    }
}

package final class StateBox<State: Sendable>: AnyStateBox {
    package var state: State

    package init(_ state: State) { self.state = state }

    deinit { bin?.add(state) }

    override func copied() -> AnyStateBox {
        let copy = StateBox(state)
        copy.bin = bin
        return copy
    }
}
