import Basics
import TestSupport
import Testing

/// `make sanitize` runs these too: without the flag in `Locked` the sanitizer reports a race here almost every time.
@Suite struct LockedTests {
    private struct Refusal: Error {}

    private final class Shared: Sendable {
        let all = Locked<[Int]>([])
    }

    @Test func `many that meet at a lock take turns`() async {
        let (tasks, turns) = (16, 2_000)
        let shared = Shared()
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<tasks {
                group.addTask {
                    for turn in 0..<turns { shared.all.withLock { $0.append(task * turns + turn) } }
                }
            }
        }
        let all = shared.all.withLock { $0 }
        expectEqual(all.sorted(), Array(0..<tasks * turns))
        // Each one's own come in their order.
        for task in 0..<tasks {
            let own = all.filter { $0 / turns == task }
            expectEqual(own, own.sorted())
        }
    }

    @Test func `an error ends the turn and leaves what was done`() throws {
        let held = Locked(1)
        #expect(throws: Refusal.self) {
            try held.withLock { value throws(Refusal) in
                value = 2
                throw Refusal()
            }
        }
        expectEqual(held.withLock { $0 }, 2)
    }
}
