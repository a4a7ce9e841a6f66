import Backend
import Basics
import Journal
package import Worlds

/// Work on parts of a world, done by a worker in a copy of the world.
///
/// What takes over a millisecond leaves the event loop (control contract, section 17). The result is used only if those
/// parts, their random streams and counters, and the clock are unchanged since it began. So only the thread differs.
package final class SpeculativeWork<Outcome: Sendable>: Sendable {
    private let start: HandedOver<World>
    private let places: [Int]
    private let task: @Sendable (inout World) -> Outcome
    private let end = HandedOver<(world: World, outcome: Outcome)?>(nil)

    package init(_ world: World, _ places: [Int], _ task: @escaping @Sendable (inout World) -> Outcome) {
        start = HandedOver(world.withoutJournal)
        self.places = places
        self.task = task
    }

    /// Runs the task.
    package func work() {
        var world = start.value
        let outcome = task(&world)
        end.value = (world, outcome)
    }

    /// The outcome of the task; nil before it has run.
    var outcome: Outcome? { end.value?.outcome }

    /// Returns whether the task would have the same outcome in a world now, but for the clock.
    func isCurrent(in world: World) -> Bool { places.allSatisfy { world.isSamePart(start.value, $0) } }

    /// Applies the result to the parts and returns the outcome; nil if anything that it depends on has changed.
    package func take(over world: inout World) -> Outcome? {
        guard world.core.clock == start.value.core.clock, isCurrent(in: world) else { return nil }
        return adopt(into: &world)
    }

    /// Applies the result to the parts of a world in which it is current.
    func adopt(into world: inout World) -> Outcome? {
        guard let end = end.value else { return nil }
        world.adopt(end.world, from: start.value, at: places)
        return end.outcome
    }
}

extension World {
    fileprivate func isSamePart(_ other: World, _ place: Int) -> Bool {
        let name = parts[place].name
        return parts[place].box === other.parts[place].box && parts[place].epoch.t0 == other.parts[place].epoch.t0
            && core.randomness.lines(of: name) == other.core.randomness.lines(of: name)
            && core.counters.lines(of: name) == other.core.counters.lines(of: name)
    }
}

/// One API's part of a world, in whose line long work waits.
package struct LargePart: Hashable, Sendable {
    package let world: Int
    package let api: Int

    package init(world: Int, api: Int) {
        self.world = world
        self.api = api
    }
}

extension Emulator {
    /// The number of requests after which the states of a world are measured again.
    static let requestsToWeigh = 128

    /// Notes which states of a world are large.
    func weigh(_ hosted: HostedWorld) {
        for place in apis.indices { weigh(hosted, place) }
    }

    func weigh(_ hosted: HostedWorld, _ api: Int) {
        if hosted.world.weigh(api, discardedStates) { hasLargeWorlds = true }
    }

    /// Notes which of those parts have become large.
    package func weigh(_ places: [Int], of hosted: HostedWorld) {
        for place in places { weigh(hosted, place) }
    }

    /// Returns whether work on those parts of a world may take longer than the event loop can spare.
    package func isLarge(_ places: [Int], of hosted: HostedWorld) -> Bool {
        hasLargeWorlds && places.contains { hosted.world.parts[$0].box?.isLarge == true }
    }
}
