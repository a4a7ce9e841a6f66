import CivilTime
package import JSON

/// What a world has beside the states of its APIs, its outbox and its journal.
struct WorldRecord: Codable, Sendable {
    /// A scenario that is on.
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
    /// What a reset returns the clock to.
    var startClock: ClockRecord
    var crossOrigin: CrossOrigin
    var startCrossOrigin: CrossOrigin
    var requests: Int
    var lastSeq: UInt64
    var posted: UInt64
    var scenarios: [Scenario]
    var interventions: [StoredIntervention]
    var counters: [Counters.Line]
    var randomness: [Counters.Line]

    init(_ world: World, clock: ClockRecord) {
        name = world.name
        seed = world.core.seed
        createdAt = world.createdAt
        forkedFrom = world.forkedFrom
        self.clock = clock
        startClock = ClockRecord(world.initialClock)
        crossOrigin = world.crossOrigin
        startCrossOrigin = world.initialCrossOrigin
        requests = world.requestCount
        lastSeq = world.journal.lastSeq
        posted = world.core.outbox.posted
        scenarios = world.activeScenarios.map { Scenario(name: $0.name, former: $0.former, changed: $0.changed) }
        interventions = world.interventions.compactMap(\.stored)
        counters = world.core.counters.rows
        randomness = world.core.randomness.counters.rows
    }
}

/// An intervention as it is kept outside of the process: what reads it, and what that one needs.
package struct StoredIntervention: Codable, Sendable, Equatable {
    /// The name of an `InterventionKind`.
    package var kind: String
    package var content: JSON

    package init(kind: String, content: JSON) {
        self.kind = kind
        self.content = content
    }
}

/// A kind of intervention that can be kept outside of the process and read again.
package struct InterventionKind: Sendable {
    package let name: String
    /// Reads the content that `Intervention.stored` gave; throws what does not fit, with paths below the content.
    let read: @Sendable (JSON) throws(JSONDecodingFaults) -> any Intervention

    package init(
        _ name: String,
        read: @escaping @Sendable (JSON) throws(JSONDecodingFaults) -> any Intervention
    ) {
        self.name = name
        self.read = read
    }
}

/// What does not fit in the content of an intervention.
package struct JSONDecodingFaults: Error, Sendable {
    package var items: [JSONIssue]

    package init(_ items: [JSONIssue]) { self.items = items }
}
