/// The control calls whose work a worker does, one after the other.
///
/// One at a time, so that the other workers stay free for what the APIs' clients wait for; and none while the answers
/// that are still on their way to slow readers hold too much, so that memory stays bounded whoever asks how often.
///
/// Belongs to the loop's thread.
struct LongCalls {
    /// Bytes of answers under way beyond which the next call waits.
    static let mostBytes = 256 * 1024 * 1024

    private var waiting: [() -> Void] = []
    /// The calls that wait stand from here on.
    private var first = 0
    private var isBusy = false
    private var sizes: [UInt64: Int] = [:]
    private var bytes = 0

    /// Puts a call at the end of the line.
    mutating func add(_ start: @escaping () -> Void) { waiting.append(start) }

    /// The call whose turn it is; it is busy until `ended`.
    mutating func next() -> (() -> Void)? {
        guard !isBusy, bytes <= Self.mostBytes, first < waiting.count else { return nil }
        isBusy = true
        let start = waiting[first]
        waiting[first] = {}
        first += 1
        if first == waiting.count || first >= 256 {
            waiting.removeFirst(first)
            first = 0
        }
        return start
    }

    /// The work of a call is done.
    mutating func ended() { isBusy = false }

    /// An answer of that many bytes is on its way to an exchange.
    mutating func note(_ count: Int, to exchange: UInt64) {
        guard count > 0 else { return }
        bytes += count - (sizes.updateValue(count, forKey: exchange) ?? 0)
    }

    /// An exchange is over; true if a call that waits may go on.
    mutating func finished(_ exchange: UInt64) -> Bool {
        guard !sizes.isEmpty, let count = sizes.removeValue(forKey: exchange) else { return false }
        bytes -= count
        return first < waiting.count
    }
}
