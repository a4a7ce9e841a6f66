/// One API's state inside a world, without its type.
///
/// A reference so that a world can be copied in constant time; it is only written when nobody else holds it.
package class AnyStateBox {
    fileprivate init() {}

    /// A box of its own with the same state (which shares its rows until they are written).
    func copied() -> AnyStateBox { self }
}

package final class StateBox<State: Sendable>: AnyStateBox {
    package var state: State

    package init(_ state: State) { self.state = state }

    override func copied() -> AnyStateBox { StateBox(state) }
}
