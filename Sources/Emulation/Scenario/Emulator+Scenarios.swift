import CivilTime
import HTTPMessage
import JSON

/// A scenario that exists.
package struct ScenarioName: Sendable, Equatable {
    let api: Int
    let place: Int
}

extension Emulator {
    package var scenarioNames: [String] { apis.flatMap { $0.scenarios.map(\.name) } }

    package func scenario(named name: String) -> ScenarioName? {
        for (api, definition) in apis.enumerated() {
            if let place = definition.scenarios.firstIndex(where: { $0.name == name }) {
                return ScenarioName(api: api, place: place)
            }
        }
        return nil
    }

    package func scenario(_ name: ScenarioName) -> Scenario { apis[name.api].scenarios[name.place] }

    /// Switches a scenario on; nothing happens if it is on.
    ///
    /// Answers whether the clock was moved.
    @discardableResult
    package func activate(_ name: ScenarioName, in slot: Slot, at real: RealTime) -> Bool {
        let scenario = scenario(name)
        guard !slot.world.activeScenarios.contains(where: { $0.name == scenario.name }) else { return false }
        let api = apis[name.api]
        let former = api.readSettings(slot.world, name.api).restricted(to: scenario.settings)
        _ = api.writeSettings(&slot.world, name.api, scenario.settings)
        let advance = scenario.destination?.distance(from: slot.world.now(real)) ?? scenario.advance
        if advance > .zero {
            slot.world.withCore { $0.clock.advance(by: advance, at: real) }
            slot.world.arrive(real)
        }
        for spec in scenario.faults { slot.world.faults.add(spec, .scenario(scenario.name)) }
        if let latency = scenario.latency {
            slot.world.latency.set(latency, .scenario(scenario.name), scope: api.identity.name)
        }
        let changed = scenario.apply(&slot.world, name.api)
        slot.world.activeScenarios.append(ActiveScenario(name: scenario.name, former: former, changed: changed))
        return advance > .zero
    }

    /// Switches a scenario off: its settings return to what they were, unless a later scenario holds them, and
    /// its faults and its latency go.
    ///
    /// Answers the rows that it changed, which stay changed; nil if it was not on.
    package func deactivate(_ name: ScenarioName, in slot: Slot) -> [String]? {
        let scenario = scenario(name)
        guard let place = slot.world.activeScenarios.firstIndex(where: { $0.name == scenario.name }) else { return nil }
        let active = slot.world.activeScenarios.remove(at: place)
        var former = active.former
        let prefix = apis[name.api].identity.name + "/"
        for later in slot.world.activeScenarios.indices.dropFirst(place)
        where slot.world.activeScenarios[later].name.hasPrefix(prefix) {
            // What the later one would return to is now what stood before this one.
            let shared = former.restricted(to: slot.world.activeScenarios[later].former)
            slot.world.activeScenarios[later].former = slot.world.activeScenarios[later].former.merged(with: shared)
            former = former.without(shared)
        }
        _ = apis[name.api].writeSettings(&slot.world, name.api, former)
        scenario.undo(&slot.world, name.api)
        slot.world.faults.remove { $0.origin == .scenario(scenario.name) }
        slot.world.latency.remove(.scenario(scenario.name))
        return active.changed
    }
}

extension JSON {
    /// The members that the other value has too, by nested names.
    func restricted(to other: JSON) -> JSON {
        guard case .object(let mine) = self, case .object(let theirs) = other else { return self }
        return .object(
            JSONObject(
                mine.members.compactMap { member in
                    theirs[member.name].map {
                        JSONObject.Member(name: member.name, value: member.value.restricted(to: $0))
                    }
                }
            )
        )
    }

    /// Members of the other value set in this one, by nested names.
    func merged(with other: JSON) -> JSON {
        guard case .object(var mine) = self, case .object(let theirs) = other else { return other }
        for member in theirs.members {
            mine[member.name] = mine[member.name].map { $0.merged(with: member.value) } ?? member.value
        }
        return .object(mine)
    }

    /// Without the members that the other value has, by nested names.
    func without(_ other: JSON) -> JSON {
        guard case .object(let mine) = self, case .object(let theirs) = other else { return self }
        return .object(
            JSONObject(
                mine.members.compactMap { member in
                    guard let other = theirs[member.name] else { return member }
                    guard case .object = member.value, case .object = other else { return nil }
                    let rest = member.value.without(other)
                    return rest.objectValue?.isEmpty == true ? nil : JSONObject.Member(name: member.name, value: rest)
                }
            )
        )
    }
}
