import CivilTime
import Synchronization
import TestSupport
import Testing
import Transport

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

@Suite struct WorkerPoolTests {
    @Test(arguments: PollerKind.allCases)
    func `a result comes back on the loop's thread`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        let loop = pthread_self()
        var results: [Int] = []
        for number in 0..<50 {
            let taken = harness.server.workers.submit({ number * number }) { result in
                #expect(pthread_equal(loop, pthread_self()) != 0)
                results.append(result)
            }
            #expect(taken)
        }
        #expect(harness.turn { results.count == 50 })
        expectEqual(results.sorted(), (0..<50).map { $0 * $0 })
        expectEqual(harness.server.workers.outstanding, 0)
    }

    @Test func `a job runs on another thread`() throws {
        let harness = try Harness(.portable)
        let loop = UInt(bitPattern: pthread_self().hashValue)
        var elsewhere: Bool?
        _ = harness.server.workers.submit({ UInt(bitPattern: pthread_self().hashValue) != loop }) { elsewhere = $0 }
        #expect(harness.turn { elsewhere != nil })
        expectEqual(elsewhere, true)
    }

    @Test func `as many jobs wait as may, and one more is refused`() throws {
        var limits = ServerLimits()
        limits.workers = 1
        limits.waitingJobs = 3
        let harness = try Harness(.portable, limits: limits)
        let gate = Gate()
        var done = 0
        #expect(harness.server.workers.submit({ gate.enter() }) { done += 1 })
        gate.awaitEntered()
        for _ in 0..<3 { #expect(harness.server.workers.submit({}) { done += 1 }) }
        var ran = false
        #expect(!harness.server.workers.submit({}) { ran = true })
        gate.open()
        #expect(harness.turn { done == 4 })
        #expect(harness.server.workers.submit({}) { done += 1 })
        #expect(harness.turn { done == 5 })
        #expect(!ran)
    }

    @Test func `a job that must run is taken beyond those that may wait, and another pool has a line of its own`()
        throws
    {
        var limits = ServerLimits()
        limits.workers = 1
        limits.waitingJobs = 1
        let harness = try Harness(.portable, limits: limits)
        let (workers, other) = (harness.server.workers, harness.server.makePool())
        let gate = Gate()
        var done: [String] = []
        #expect(workers.submit({ gate.enter() }) { done.append("first") })
        gate.awaitEntered()
        #expect(workers.submit({}) { done.append("second") })
        #expect(!workers.submit({}) { done.append("refused") })
        #expect(workers.submit(mustRun: true, {}) { done.append("third") })
        #expect(other.submit({}) { done.append("elsewhere") })
        #expect(harness.turn { done == ["elsewhere"] })
        gate.open()
        #expect(harness.turn { done == ["elsewhere", "first", "second", "third"] })
    }

    @Test func `a stopped pool takes nothing and delivers nothing`() throws {
        let harness = try Harness(.portable)
        var delivered = false
        #expect(harness.server.workers.submit({}) { delivered = true })
        harness.server.workers.stop()
        harness.settle()
        #expect(!delivered)
        #expect(!harness.server.workers.submit({}) { delivered = true })
    }
}

/// Holds a worker's thread until the test lets it go.
private final class Gate: Sendable {
    private let entered = Atomic<Bool>(false)
    private let opened = Atomic<Bool>(false)

    func enter() {
        entered.store(true, ordering: .releasing)
        while !opened.load(ordering: .acquiring) { sched_yield() }
    }

    func awaitEntered() { while !entered.load(ordering: .acquiring) { sched_yield() } }

    func open() { opened.store(true, ordering: .releasing) }
}
