import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Waits by looking again, never longer than its time.
///
/// The time only ends a test that hangs: how soon a thing came is never told by it, since the machine may be busy.
struct Deadline {
    /// Longer than a machine that does many other things makes anybody wait.
    static let patience = 90.0

    private let end: Date

    init(_ seconds: Double = patience) { end = Date().addingTimeInterval(seconds) }

    func wait(for what: String, until isDone: () throws -> Bool) throws {
        while try !isDone() {
            guard Date() < end else { throw TestError(description: "waited in vain for \(what)") }
            usleep(2_000)
        }
    }
}
