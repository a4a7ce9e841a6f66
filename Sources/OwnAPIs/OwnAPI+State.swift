package import Backend
import Conditions
import Engine
package import JSON
package import Worlds

extension OwnAPI {
    package func makeState(_ core: WorldCore, _ epoch: Epoch) -> AnyStateBox {
        var state = definition.seed
        definition.signIn?.bind(&state, core: core)
        return StateBox(state)
    }

    package func bind(_ world: inout World, _ index: Int) {
        guard let signIn = home(world, index).definition.signIn else { return }
        world.with(index, OwnState.self) { state, core in signIn.bind(&state, core: core) }
    }

    /// Returns what the route looks through and writes, or what a refusal takes that names the nearest stub.
    package func work(on match: RouteMatch, _ call: Call, _ world: World, _ index: Int) -> Int {
        let home = home(world, index)
        let refusal = call.work(of: home.errors.load)
        switch home === self ? match : home.match(call.method, call.path) {
        case .endpoint(let place, _):
            let route = home.definition.routes[place]
            guard let work = route.work else { return refusal }
            let state = world.state(index, OwnState.self)
            let isChecked = route.operation != nil && state.settings.validation != .off
            return refusal + work(call, state) * (isChecked ? Self.timesOfCheck : 1)
        case .unknownPath: return refusal + min(world.stubs.count, StubBook.mostCompared) * Self.nanosecondsOfStub
        case .otherMethod: return refusal
        }
    }

    /// The time that it takes to make an answer and to hold it against the document, in times of making it.
    private static let timesOfCheck = 3

    /// A stub is held against a request that nothing takes.
    private static let nanosecondsOfStub = 3_000

    package func begin(_ box: AnyStateBox, _ epoch: Epoch) {}

    package func dropCaches(_ box: AnyStateBox) {
        let box = box.typed(OwnState.self)
        for place in box.state.tables.indices { box.state.tables[place].dropCaches() }
        box.state.signIn.tokens.forget()
    }

    package func holds(_ type: Any.Type) -> Bool { type == OwnState.self }

    /// The ids of sessions, which their tokens carry.
    ///
    /// Tokens themselves are in no row: they are known by their form and their issuer. Passwords and codes are what users
    /// chose, often a common word or 123456, and no proof that a text is of the emulator's making.
    package func secrets(_ world: World, _ index: Int) -> [String] {
        guard home(world, index).definition.signIn != nil else { return [] }
        return world.state(index, OwnState.self).signIn.sessions.rows.map(\.id)
    }

    /// Returns none: no file declares sessions.
    package func seedSecrets() -> [String] { [] }

    // MARK: Settings and scenarios

    package var scenarios: [Scenario] { definition.scenarios }

    package func read(_ parts: APIParts) {}

    package func settingFaults(_ settings: JSON) -> [Problem.Item] {
        tree.faults(in: settings, at: "$.\(identity.name)")
    }

    package func readSettings(_ world: World, _ index: Int) -> JSON {
        home(world, index).tree.read(world.state(index, OwnState.self))
    }

    package func writeSettings(_ world: inout World, _ index: Int, _ settings: JSON) -> [Problem.Item] {
        let tree = home(world, index).tree
        return world.with(index, OwnState.self) { state, _ in
            tree.write(settings, to: &state, at: "$.\(identity.name)")
        }
    }
}
