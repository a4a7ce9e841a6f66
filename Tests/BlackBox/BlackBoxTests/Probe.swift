import Foundation
import Synchronization

/// Asks for `health` on a connection of its own, again and again, and notes how long the longest answer took.
final class Probe: Sendable {
    private let longest = Atomic<Int>(0)
    private let count = Atomic<Int>(0)
    private let isOver = Atomic<Bool>(false)
    private let port: Int

    private init(_ port: Int) { self.port = port }

    /// Tells whether something can be done without an answer that takes so many milliseconds longer than one does while
    /// nothing is done.
    ///
    /// A machine that does other things may stop the process or the test for longer than that: then it is done again.
    static func holdsNobody(_ served: Served, within allowance: Double, _ work: () throws -> Void) throws -> Bool {
        for _ in 0..<4 {
            let found = try around(served, work)
            if found.longest < found.idle + allowance { return true }
        }
        return false
    }

    /// The longest answer in milliseconds while something is done, and while nothing is.
    static func around(_ served: Served, _ work: () throws -> Void) throws -> (idle: Double, longest: Double) {
        let idle = try measured(served) { usleep(150_000) }
        return (idle, try measured(served, work))
    }

    private static func measured(_ served: Served, _ work: () throws -> Void) throws -> Double {
        let probe = Probe(served.hub)
        let thread = Thread { probe.run() }
        thread.start()
        defer { probe.isOver.store(true, ordering: .releasing) }
        try Deadline().wait(for: "the probe") { probe.count.load(ordering: .acquiring) > 2 }
        probe.longest.store(0, ordering: .releasing)
        try work()
        // One that was under way when the work ended counts too.
        let asked = probe.count.load(ordering: .acquiring)
        try Deadline().wait(for: "the probe") { probe.count.load(ordering: .acquiring) > asked + 1 }
        return Double(probe.longest.load(ordering: .acquiring)) / 1_000
    }

    private func run() {
        guard let wire = try? Wire(port: port) else { return }
        while !isOver.load(ordering: .acquiring) {
            let began = Date()
            guard (try? wire.ask("GET", "/__admin/health"))?.status == 200 else { return }
            let taken = Int(Date().timeIntervalSince(began) * 1_000_000)
            if taken > longest.load(ordering: .acquiring) { longest.store(taken, ordering: .releasing) }
            count.add(1, ordering: .acquiringAndReleasing)
            usleep(5_000)
        }
    }
}
