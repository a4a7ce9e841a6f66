/// The last handshakes that failed, and the counts of all.
package struct HandshakeLog: Sendable {
    package struct Counts: Hashable, Sendable {
        package var completed = 0
        package var resumed = 0
        package var failed = 0

        package init(completed: Int = 0, resumed: Int = 0, failed: Int = 0) {
            self.completed = completed
            self.resumed = resumed
            self.failed = failed
        }
    }

    /// The most failures that are kept.
    package static let capacity = 256

    /// The numbers since the start; a resumed handshake counts as completed too.
    package private(set) var counts = Counts()
    /// A ring: the oldest is at `first` once it is full.
    private var kept: [HandshakeFailure] = []
    private var first = 0

    package init() {}

    /// The failures, newest first.
    package var failures: [HandshakeFailure] { (kept[first...] + kept[..<first]).reversed() }

    package mutating func completed(isResumed: Bool) {
        counts.completed += 1
        if isResumed { counts.resumed += 1 }
    }

    package mutating func failed(_ failure: HandshakeFailure) {
        counts.failed += 1
        guard kept.count == Self.capacity else {
            kept.append(failure)
            return
        }
        kept[first] = failure
        first = (first + 1) % Self.capacity
    }

    /// Forgets the failures; the counts stay.
    package mutating func clear() {
        kept = []
        first = 0
    }
}
