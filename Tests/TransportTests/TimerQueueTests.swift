import CivilTime
import TestSupport
import Testing
import Transport

@Suite struct TimerQueueTests {
    @Test func `ten thousand timers come in order and those of one instant in the order they were added`() {
        let seed: UInt64 = 42
        var random = SeededGenerator(seed: seed)
        var queue = TimerQueue<Int>()
        var deadlines: [Int64] = []
        for number in 0..<10_000 {
            let deadline = Int64(random.next() % 500)
            deadlines.append(deadline)
            _ = queue.add(at: Instant(microseconds: deadline), number)
        }
        let expected = deadlines.indices.sorted { (deadlines[$0], $0) < (deadlines[$1], $1) }
        var fired: [Int] = []
        while let number = queue.popDue(at: Instant(microseconds: 500)) { fired.append(number) }
        expectEqual(fired, expected, "seed \(seed)")
        expectEqual(queue.count, 0)
        expectNil(queue.earliest)
    }

    @Test func `a timer is due at its very instant and not one microsecond before`() {
        var queue = TimerQueue<String>()
        _ = queue.add(at: Instant(microseconds: 100), "a")
        let before = queue.popDue(at: Instant(microseconds: 99))
        let due = queue.popDue(at: Instant(microseconds: 100))
        let after = queue.popDue(at: Instant(microseconds: 100))
        expectNil(before)
        expectEqual(due, "a")
        expectNil(after)
    }

    @Test func `random cancels take out exactly the cancelled ones`() {
        let seed: UInt64 = 7
        var random = SeededGenerator(seed: seed)
        var queue = TimerQueue<Int>()
        var alive: [Int: (deadline: Int64, handle: TimerQueue<Int>.Handle)] = [:]
        var fired = 0
        for number in 0..<5_000 {
            let deadline = Int64(random.next() % 10_000)
            alive[number] = (deadline, queue.add(at: Instant(microseconds: deadline), number))
            let victim = Int(random.next() % UInt64(number + 1))
            if random.next() % 3 == 0, let entry = alive.removeValue(forKey: victim) {
                let cancelled = queue.cancel(entry.handle)
                let again = queue.cancel(entry.handle)
                #expect(cancelled && !again)
            }
            if random.next() % 5 == 0, let popped = queue.popDue(at: Instant(microseconds: 10_000)) {
                let entry = alive.removeValue(forKey: popped)
                let least = alive.values.map(\.deadline).min() ?? .max
                expectEqual(entry.map { $0.deadline <= least }, true, "seed \(seed)")
                fired += 1
            }
            expectEqual(queue.count, alive.count)
        }
        #expect(fired > 500)
    }

    @Test func `the handle of a timer that fired does not touch the one that took its place`() {
        var queue = TimerQueue<Int>()
        let old = queue.add(at: Instant(microseconds: 1), 1)
        let fired = queue.popDue(at: Instant(microseconds: 1))
        let new = queue.add(at: Instant(microseconds: 2), 2)
        let cancelledOld = queue.cancel(old)
        expectEqual(fired, 1)
        #expect(!cancelledOld)
        expectEqual(queue.count, 1)
        let cancelledNew = queue.cancel(new)
        #expect(cancelledNew)
    }
}
