import Basics

/// Work on parts of a world, one of them large, done by a worker in a copy of the world.
///
/// A scan of the rows of a large state takes longer than the event loop can spare (control contract, section 17). The
/// result is used only if those parts, their random streams and the clock are unchanged since it began.
package final class PartTrial<Outcome: Sendable>: Sendable {
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

    /// Applies the result to the parts and returns the outcome; nil if anything that it depends on has changed.
    package func take(over world: inout World) -> Outcome? {
        guard let end = end.value, world.core.clock == start.value.core.clock,
            places.allSatisfy({ world.isSamePart(start.value, $0) })
        else { return nil }
        world.adopt(end.world, from: start.value, at: places)
        return end.outcome
    }
}

extension World {
    /// A copy without the journal, for work on parts: a journal that is not shared is never copied.
    package var withoutJournal: World {
        var copy = self
        copy.journal = Journal(capacity: journal.capacity)
        return copy
    }

    fileprivate func isSamePart(_ other: World, _ place: Int) -> Bool {
        let name = parts[place].name
        return parts[place].box === other.parts[place].box && parts[place].epoch.t0 == other.parts[place].epoch.t0
            && core.randomness.lines(of: name) == other.core.randomness.lines(of: name)
    }
}

extension Emulator {
    /// Returns whether work on those parts of a world may take longer than the event loop can spare.
    package func isLarge(_ places: [Int], of hosted: HostedWorld) -> Bool {
        hasLargeWorlds && places.contains { hosted.world.parts[$0].box?.isLarge == true }
    }

    /// Notes which of those parts have become large.
    package func weigh(_ places: [Int], of hosted: HostedWorld) {
        for place in places { weigh(hosted, place) }
    }
}
