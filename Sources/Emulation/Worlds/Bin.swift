import Locking

/// States of large worlds that are out of use.
///
/// To free one takes longer than the loop has, wherever its last reference goes: it comes here, and a worker frees it.
package final class Bin: Sendable {
    private let states = Locked<[any Sendable]>([])

    package init() {}

    func add(_ state: any Sendable) { states.withLock { $0.append(state) } }

    var isEmpty: Bool { states.withLock { $0.isEmpty } }

    func take() -> [any Sendable] {
        states.withLock { states in
            defer { states = [] }
            return states
        }
    }
}
