import Backend
import CivilTime
import JSON
import Journal

/// The members of a world besides the states of its APIs, its outbox and its journal.
struct WorldRecord: Codable, Sendable {
    /// A scenario that is switched on.
    struct Scenario: Codable, Sendable {
        var name: String
        var former: JSON
        var changed: [String]
    }

    var name: String
    var seed: UInt64
    var createdAt: Instant
    var forkedFrom: String?
    var clock: ClockRecord
    /// The clock setting that a reset restores.
    var startClock: ClockRecord
    var crossOrigin: CrossOrigin
    var startCrossOrigin: CrossOrigin
    /// Nil in a world that judges clients by the defaults.
    var conduct: JSON?
    var startConduct: JSON?
    var requests: Int
    var lastSeq: UInt64
    var posted: UInt64
    var scenarios: [Scenario]
    var faults: FaultRegistryRecord
    var latency: LatencyRegistryRecord
    var gates: GateRegistryRecord
    /// Nil in a world that never had a stub.
    var stubs: StubRegistryRecord?
    /// The counts of stubs in a store, where `stubs` is a part of its own.
    var stubCounts: [StubRegistryRecord.Counts]?
    /// Nil in a world that never had a note.
    var notes: WorldNotesRecord?
    /// The ends of earlier epochs in a store; an import begins an epoch of its own.
    var epochs: [UInt64]?
    /// Nil in a world that nothing was asked of.
    var coverage: CoverageRecord?
    /// The journal's entries that its bound has pushed out; nil if there are none.
    var dropped: Int?
    var counters: [Counters.Line]
    var randomness: [Counters.Line]

    /// The suffix of the name of the line that numbers an API's requests, and the name of the one that earlier numbered
    /// all.
    static let requestCounter = "request"

    /// Creates the record for a document, or for a store, which has parts for what is long and changes seldom.
    init(_ world: World, clock: ClockRecord, forStore: Bool = false) {
        name = world.name
        seed = world.core.seed
        createdAt = world.createdAt
        forkedFrom = world.forkedFrom
        self.clock = clock
        startClock = ClockRecord(world.initialClock)
        crossOrigin = world.crossOrigin
        startCrossOrigin = world.initialCrossOrigin
        conduct = world.conduct
        startConduct = world.initialConduct
        requests = world.requestCount
        lastSeq = world.journal.lastSeq
        posted = world.core.outbox.posted
        scenarios = world.activeScenarios.map { Scenario(name: $0.name, former: $0.former, changed: $0.changed) }
        faults = FaultRegistryRecord(world.faults)
        latency = LatencyRegistryRecord(world.latency)
        gates = GateRegistryRecord(world.gates)
        if forStore {
            stubCounts = StubRegistryRecord.counts(of: world.stubs)
            epochs = world.journalEpochs.isEmpty ? nil : world.journalEpochs
        } else {
            stubs = StubRegistryRecord(world.stubs)
        }
        notes = WorldNotesRecord(world.notes)
        coverage = CoverageRecord(world.coverage, world.parts.map(\.api))
        if world.journal.dropped > 0 { dropped = world.journal.dropped }
        counters = world.keptCounters
        randomness = world.core.randomness.counters.rows
    }

    /// Tells whether a number has passed the limit of a document.
    var isOverrun: Bool {
        let lines =
            counters + randomness + (faults.restarted ?? []) + (latency.drawsByAPI ?? []) + (gates.restarted ?? [])
        let numbers =
            [lastSeq, posted, UInt64(max(requests, 0)), UInt64(max(faults.lastNumber, 0)), gates.lastOrdinal]
            + lines.map(\.value)
            + faults.faults.flatMap { [UInt64(max($0.matches, 0)), UInt64(max($0.hits, 0)), $0.draws] }
            + gates.gates.flatMap { [UInt64(max($0.passed, 0)), $0.ordinal] } + (stubs?.numbers ?? [])
            + [UInt64(max(dropped ?? 0, 0))] + (coverage?.numbers ?? [])
        return numbers.contains { $0 > UInt64(StoredRange.largestCount) }
    }
}
