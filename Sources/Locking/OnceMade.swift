import Synchronization

/// An object that the first use makes, for places that every request passes: a use after that costs no lock.
///
/// Threads that come first at the same time may each make one; all of them get the one that is kept.
package struct OnceMade<Object: AnyObject & Sendable>: ~Copyable, Sendable {
    private let object = AtomicLazyReference<Object>()

    package init() {}

    /// Tells that the object is there.
    package var isMade: Bool { object.load() != nil }

    /// The object, which `make` makes if there is none.
    package func value(_ make: () -> Object) -> Object {
        if let object = object.load() { return object }
        return object.storeIfNil(make())
    }
}
