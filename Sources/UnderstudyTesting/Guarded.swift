import Foundation

/// A value behind a lock.
///
/// Unchecked: every access goes through the lock. `Synchronization` has a lock that the compiler checks, but this module
/// uses nothing beside Foundation.
final class Guarded<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    func withLock<Result>(_ body: (inout Value) -> Result) -> Result { lock.withLock { body(&value) } }
}
