import Backend
import Conditions
import Engine
import JSON
import Templates
import Worlds

extension CustomAPI {
    /// Returns what `work` does where the route alone decides on it; nil where the request or the rows do.
    func settledWork(_ match: RouteMatch, stubs: Int) -> Int? {
        guard !errors.load.looksAtRequest else { return nil }
        let refusal = errors.load.work(line: 0, fields: 0, body: 0)
        return switch match {
        case .endpoint(let place, _): definition.routes[place].work == nil ? refusal : nil
        case .unknownPath: refusal + min(stubs, StubRegistry.mostCompared) * Self.nanosecondsOfStub
        case .otherMethod: refusal
        }
    }

    /// Returns what the route looks through and writes, or what a refusal takes that names the nearest stub.
    func work(_ call: Call, _ match: RouteMatch, _ world: World, _ index: Int) -> Int {
        let home = home(world, index)
        let refusal = call.work(of: home.errors.load)
        switch home === self ? match : home.router.match(call.method, call.path) {
        case .endpoint(let place, _):
            let route = home.definition.routes[place]
            guard let work = route.work else { return refusal }
            let state = world.state(index, CustomAPIState.self)
            let isChecked = route.operation != nil && state.settings.validation != .off
            return refusal + work(call, state) * (isChecked ? Self.timesOfCheck : 1)
        case .unknownPath: return refusal + min(world.stubs.count, StubRegistry.mostCompared) * Self.nanosecondsOfStub
        case .otherMethod: return refusal
        }
    }

    /// The time that it takes to make an answer and to hold it against the document, in times of making it.
    private static let timesOfCheck = 3

    /// A stub is held against a request that nothing takes.
    private static let nanosecondsOfStub = 3_000

    /// The ids of sessions, which their tokens carry.
    ///
    /// No file declares sessions, so the seed has none.
    ///
    /// Tokens themselves are in no row: they are known by their form and their issuer. Passwords and codes are what users
    /// chose, often a common word or 123456, and no proof that a text is of the emulator's making.
    func secrets(_ state: CustomAPIState) -> [String] {
        definition.signIn == nil ? [] : state.signIn.sessions.rows.map(\.id)
    }
}
