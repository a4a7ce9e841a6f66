import Emulation

/// A world or a journal on its way out, which a worker lets go of.
///
/// It is only ever freed, once, on one thread. What it shares with other worlds is counted atomically, and those write none of it before
/// they hold it alone.
final class DeferredDeallocation: @unchecked Sendable {
    private var content: Discarded?

    init(_ content: Discarded) { self.content = content }

    func free() { content = nil }
}
