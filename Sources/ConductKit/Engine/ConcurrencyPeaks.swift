/// The peaks of a client's concurrency: the moments at which it had four or more exchanges under way (conduct contract,
/// section 2, "known").
///
/// Exchanges are added in the order of their begins, so that the four latest ends tell everything: whatever ends earlier
/// is not needed for a peak of four. Times are microseconds.
struct ConcurrencyPeaks: Sendable {
    private static let size = 4

    /// The latest ends, at most four, in ascending order.
    private var ends: [Int64] = []
    /// The last moment of the peaks that began before `from`.
    private var settled = Int64.min
    /// The begin and the end of the latest peak.
    private var from = Int64.min
    private var until = Int64.min

    /// Tells whether there was a peak at a moment in between; nothing was added that begins after `end`.
    func wasThere(after start: Int64, before end: Int64) -> Bool {
        settled > start || from < end && until > start
    }

    package mutating func add(_ begin: Int64, _ end: Int64) {
        let place = ends.firstIndex { $0 > end } ?? ends.endIndex
        ends.insert(end, at: place)
        if ends.count > Self.size { ends.removeFirst() }
        guard ends.count == Self.size, ends[0] > begin else { return }
        if from < begin {
            settled = max(settled, until)
            from = begin
            until = ends[0]
        } else {
            until = max(until, ends[0])
        }
    }
}
