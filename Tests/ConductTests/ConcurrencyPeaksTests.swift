import TestSupport
import Testing

@testable import Conduct
@testable import ConductKit

/// Section 2: four or more requests under way at one moment shortly before.
@Suite struct ConcurrencyPeaksTests {
    /// The same by counting at every begin.
    private func isCrowded(_ list: [(begin: Int64, end: Int64)], after start: Int64, before end: Int64) -> Bool {
        let moments = list.map(\.begin) + [start]
        return moments.contains { moment in
            moment >= start && moment < end
                && list.filter { $0.begin <= moment && $0.begin < end && $0.end > moment && $0.end > start }.count >= 4
        }
    }

    @Test func `2 a crowd is told as by counting`() {
        var chance = SeededGenerator.announced()
        for _ in 0..<300 {
            var peaks = ConcurrencyPeaks()
            var list: [(begin: Int64, end: Int64)] = []
            var time: Int64 = 0
            for _ in 0..<60 {
                time += Int64(chance.below(30))
                let start = time - 50
                expectEqual(
                    peaks.wasThere(after: start, before: time),
                    isCrowded(list, after: start, before: time),
                    "seed \(chance.seed)"
                )
                let end = time + Int64(chance.below(150))
                peaks.add(time, end)
                list.append((time, end))
            }
        }
    }
}
