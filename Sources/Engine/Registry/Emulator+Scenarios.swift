package import Backend
import CivilTime
import Conditions
import HTTPMessage
package import JSON
package import Worlds

/// The name of a scenario that exists.
package struct ScenarioName: Sendable, Equatable {
    package let api: Int
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

    /// Switches a scenario on; nothing happens if it is on already.
    ///
    /// Returns whether the clock was moved.
    @discardableResult
    package func activate(_ name: ScenarioName, in hosted: HostedWorld, at hostTime: HostTime) -> Bool {
        guard !isActive(name, in: hosted) else { return false }
        let outcomes = changes(of: [name], at: hostTime)(&hosted.world)
        weigh(hosted, name.api)
        return outcomes.reduce(false) { activate(name, in: hosted, $1, at: hostTime) || $0 }
    }

    package func isActive(_ name: ScenarioName, in hosted: HostedWorld) -> Bool {
        let scenario = scenario(name)
        return hosted.world.activeScenarios.contains { $0.name == scenario.name }
    }

    /// Returns the changes that scenarios make to the parts of their APIs, one after the other.
    package func changes(
        of names: [ScenarioName],
        at hostTime: HostTime
    ) -> @Sendable (inout World) -> [ScenarioOutcome] {
        let steps = names.map { (scenario: scenario($0), api: apis[$0.api], place: $0.api) }
        return { world in
            let clock = world.core.clock
            let outcomes = steps.map { $0.scenario.change(&world, $0.api, $0.place, at: hostTime) }
            // The caller that switches them on moves the clock.
            world.withCore { $0.clock = clock }
            world.tick(to: hostTime)
            return outcomes
        }
    }

    /// Returns the refusal of scenarios whose stubs are more than the world has room for.
    package func refusal(of names: [ScenarioName], in hosted: HostedWorld) -> Problem? {
        let coming = names.reduce(0) { $0 + scenario($1).stubs.count }
        guard coming > 0, hosted.world.stubs.count + coming > StubRegistry.most else { return nil }
        return Problem(
            .tooManyStubs,
            "The world \(hosted.world.name) has \(hosted.world.stubs.count) stubs, and the scenario adds \(coming); the limit is \(StubRegistry.most). Nothing was changed."
        )
    }

    /// Switches on a scenario that has made its changes to the part of its API.
    package func activate(
        _ name: ScenarioName,
        in hosted: HostedWorld,
        _ outcome: ScenarioOutcome,
        at hostTime: HostTime
    ) -> Bool {
        let scenario = scenario(name)
        let advance = scenario.distance(in: hosted.world, at: hostTime)
        if advance > .zero {
            hosted.world.withCore { $0.clock.advance(by: advance, at: hostTime) }
            hosted.world.tick(to: hostTime)
        }
        for spec in scenario.faults { hosted.world.faults.add(spec, .scenario(scenario.name)) }
        for (place, spec) in scenario.stubs.enumerated() {
            hosted.world.stubs.add(spec, .scenario(scenario.name), at: place)
        }
        if let latency = scenario.latency {
            hosted.world.latency.set(latency, .scenario(scenario.name), scope: apis[name.api].identity.name)
        }
        hosted.world.activeScenarios.append(
            ActiveScenario(name: scenario.name, former: outcome.former, changed: outcome.changed)
        )
        return advance > .zero
    }

    /// Sets switches of an API for a call; those that it changes stay when the scenarios that are on go off.
    package func change(_ settings: JSON, ofAPI api: Int, in hosted: HostedWorld) {
        let former = apis[api].readSettings(hosted.world, api)
        _ = apis[api].writeSettings(&hosted.world, api, settings)
        let changes = apis[api].readSettings(hosted.world, api).changes(since: former)
        let prefix = apis[api].identity.name + "/"
        for place in hosted.world.activeScenarios.indices
        where hosted.world.activeScenarios[place].name.hasPrefix(prefix) {
            hosted.world.activeScenarios[place].former = hosted.world.activeScenarios[place].former.without(changes)
        }
    }

    /// Switches a scenario off.
    ///
    /// Its settings return to their former values, unless a later scenario holds them or a call has changed them since,
    /// and its faults and its latency are removed.
    ///
    /// Returns the rows that it changed, which stay changed; nil if it was not on.
    package func deactivate(_ name: ScenarioName, in hosted: HostedWorld) -> [String]? {
        let scenario = scenario(name)
        guard let place = hosted.world.activeScenarios.firstIndex(where: { $0.name == scenario.name }) else {
            return nil
        }
        let active = hosted.world.activeScenarios.remove(at: place)
        var former = active.former
        let prefix = apis[name.api].identity.name + "/"
        for later in hosted.world.activeScenarios.indices.dropFirst(place)
        where hosted.world.activeScenarios[later].name.hasPrefix(prefix) {
            // The later scenario now returns to the values from before this one.
            let shared = former.restricted(to: hosted.world.activeScenarios[later].former)
            hosted.world.activeScenarios[later].former = hosted.world.activeScenarios[later].former.merged(with: shared)
            former = former.without(shared)
        }
        _ = apis[name.api].writeSettings(&hosted.world, name.api, former)
        scenario.undo(&hosted.world, name.api)
        hosted.world.faults.remove { $0.origin == .scenario(scenario.name) }
        hosted.world.stubs.remove { $0.origin == .scenario(scenario.name) }
        hosted.world.latency.remove(.scenario(scenario.name))
        return active.changed
    }
}

/// The result of a scenario in its API's part of a world.
package struct ScenarioOutcome: Sendable {
    /// The settings as they were before.
    let former: JSON
    /// The rows it changed.
    let changed: [String]
}

extension Scenario {
    /// The distance by which it moves the clock of a world.
    func distance(in world: World, at hostTime: HostTime) -> Interval {
        destination?.distance(from: world.now(hostTime)) ?? advance
    }

    /// Sets its settings, moves the clock and changes its rows.
    func change(_ world: inout World, _ api: AnyAPI, _ place: Int, at hostTime: HostTime) -> ScenarioOutcome {
        let former = api.readSettings(world, place).restricted(to: settings)
        _ = api.writeSettings(&world, place, settings)
        let advance = distance(in: world, at: hostTime)
        if advance > .zero { world.withCore { $0.clock.advance(by: advance, at: hostTime) } }
        world.tick(to: hostTime)
        return ScenarioOutcome(former: former, changed: apply(&world, place))
    }
}

extension JSON {
    /// The members that the other value has too, recursively.
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

    /// This value with the members of the other one set in it, recursively.
    func merged(with other: JSON) -> JSON {
        guard case .object(var mine) = self, case .object(let theirs) = other else { return other }
        for member in theirs.members {
            mine[member.name] = mine[member.name].map { $0.merged(with: member.value) } ?? member.value
        }
        return .object(mine)
    }

    /// The members that have another value than in a former state of it, recursively.
    fileprivate func changes(since former: JSON) -> JSON {
        guard case .object(let mine) = self, case .object(let theirs) = former else { return self }
        return .object(
            JSONObject(
                mine.members.compactMap { member in
                    guard let former = theirs[member.name], former != member.value else { return nil }
                    return JSONObject.Member(name: member.name, value: member.value.changes(since: former))
                }
            )
        )
    }

    /// This value without the members that the other one has, recursively.
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
