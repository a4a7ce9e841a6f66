import Engine

/// A discarded world or journal that a worker frees.
///
/// It is freed once, on one thread. Storage that it shares with other worlds is reference-counted atomically, and those
/// worlds write to it only once they hold it alone.
final class DeferredDeallocation: @unchecked Sendable {
    private var content: Discarded?

    init(_ content: Discarded) { self.content = content }

    func free() { content = nil }
}
