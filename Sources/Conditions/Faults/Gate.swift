package import Backend
package import JSON

/// A gate holds matching requests until the test releases them (control contract, section 10).
package struct Gate: Sendable {
    package let name: String
    package internal(set) var matcher: Matcher
    /// The phase: before the endpoint, or after it with the finished response.
    package internal(set) var phase: FaultSpec.Phase
    /// Tells whether it holds what comes from now on.
    package internal(set) var isEnabled = true
    /// The requests released so far.
    package internal(set) var passed = 0
    /// The number of the gate in its world; requests pass the gates in this order.
    package let ordinal: UInt64

    package init(
        name: String,
        matcher: Matcher,
        phase: FaultSpec.Phase,
        isEnabled: Bool = true,
        passed: Int = 0,
        ordinal: UInt64
    ) {
        self.name = name
        self.matcher = matcher
        self.phase = phase
        self.isEnabled = isEnabled
        self.passed = passed
        self.ordinal = ordinal
    }

    /// The members that a listing shows besides the held requests.
    package var members: JSONObject {
        ["name": .string(name), "match": matcher.json, "phase": .string(phase.rawValue)]
    }
}

/// The gates of a world; a part of its value.
///
/// The held requests are not part of it: a request in progress belongs to one world alone.
package struct GateRegistry: Sendable {
    package private(set) var gates: [Gate] = []
    package private(set) var load = MatchLoad()
    package private(set) var lastOrdinal: UInt64 = 0
    /// The numbers in generated names of APIs that were reset alone; the others use the ordinals.
    package private(set) var numbering = Numbering()

    package init() {}

    /// Restores existing gates.
    package init(_ gates: [Gate], lastOrdinal: UInt64, restarted: [Counters.Line] = []) {
        self.gates = gates
        self.lastOrdinal = lastOrdinal
        numbering = Numbering(restarted: restarted)
        weigh()
    }

    private mutating func weigh() {
        load = MatchLoad()
        for gate in gates { load.add(gate.matcher) }
    }

    package var isEmpty: Bool { gates.isEmpty }
    package var count: Int { gates.count }

    package subscript(name: String) -> Gate? { gates.first { $0.name == name } }

    /// Adds a gate; its name is generated if none is given.
    package mutating func add(
        _ name: String?,
        _ matcher: Matcher,
        _ phase: FaultSpec.Phase,
        isEnabled: Bool = true
    ) -> Gate {
        lastOrdinal += 1
        let made: String
        if numbering.isRestarted(matcher.api) {
            // Gates with names of their own count as well, like the ordinals.
            let taken = name == nil ? Set(gates.map(\.name)) : []
            made = "gate-\(numbering.next(matcher.api) { taken.contains("gate-\($0)") })"
        } else {
            made = unusedName()
        }
        let gate = Gate(name: name ?? made, matcher: matcher, phase: phase, isEnabled: isEnabled, ordinal: lastOrdinal)
        gates.append(gate)
        load.add(matcher)
        return gate
    }

    private func unusedName() -> String {
        var number = lastOrdinal
        while self["gate-\(number)"] != nil { number += 1 }
        return "gate-\(number)"
    }

    /// Changes a gate, which keeps what it holds; nil if there is none of that name.
    package mutating func change(
        _ name: String,
        matcher: Matcher? = nil,
        phase: FaultSpec.Phase? = nil,
        isEnabled: Bool? = nil
    ) -> Gate? {
        guard let place = gates.firstIndex(where: { $0.name == name }) else { return nil }
        if let matcher { gates[place].matcher = matcher }
        if let phase { gates[place].phase = phase }
        if let isEnabled { gates[place].isEnabled = isEnabled }
        weigh()
        return gates[place]
    }

    package mutating func remove(_ name: String) {
        gates.removeAll { $0.name == name }
        weigh()
    }

    /// Removes the gates of one API, whose generated names begin at 1 again.
    package mutating func restart(api: String) {
        gates.removeAll { $0.matcher.api == api }
        numbering.restart(api)
        weigh()
    }

    package mutating func noteReleased(_ name: String, of count: Int) {
        guard let place = gates.firstIndex(where: { $0.name == name }) else { return }
        gates[place].passed += count
    }

    /// Returns the next gate of a phase that holds a request, after the one passed last.
    package func next(_ phase: FaultSpec.Phase, after ordinal: UInt64, for subject: MatchSubject) -> Gate? {
        gates.first { $0.isEnabled && $0.phase == phase && $0.ordinal > ordinal && $0.matcher.matches(subject) }
    }
}
