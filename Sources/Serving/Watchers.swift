import Engine

/// The open event streams, by the worlds they watch (control contract, section 15; console contract, section 3).
struct Watchers {
    final class Watcher {
        let exchange: Exchange
        let world: Int
        let api: String?
        /// The number of the last event that it was sent, or that does not concern it.
        var seen: UInt64
        /// Tells that it is looked at again soon, because it is behind.
        var isDue = false
        /// Tells that it is among those in line.
        var isInLine = false
        /// Tells that its stream has ended.
        var isOver = false

        init(_ exchange: Exchange, world: Int, api: String?, seen: UInt64) {
            self.exchange = exchange
            self.world = world
            self.api = api
            self.seen = seen
        }
    }

    private(set) var all: [Watcher] = []
    /// Those that wait for their turn to be told of an event, where there are many.
    var line: [Watcher] = []
    /// Tells that a turn for them is scheduled.
    var isTelling = false
    /// The stream that the current control call has requested.
    private var expected: (world: Int, api: String?, seen: UInt64)?

    /// Marks the next response as a stream of that world's events after a number.
    mutating func expect(world: Int, api: String?, seen: UInt64) { expected = (world, api, seen) }

    /// Makes the exchange a watcher if a stream was requested; returns true if it was.
    mutating func admit(_ exchange: Exchange) -> Bool {
        guard let expected else { return false }
        self.expected = nil
        all.append(Watcher(exchange, world: expected.world, api: expected.api, seen: expected.seen))
        return true
    }

    /// Removes the watcher of an exchange; returns true if there was one.
    mutating func forget(_ exchange: Exchange) -> Bool {
        guard let place = all.firstIndex(where: { $0.exchange === exchange }) else { return false }
        all.remove(at: place).isOver = true
        return true
    }

    var isEmpty: Bool { all.isEmpty }

    /// The watchers of a world.
    func watching(_ world: Int) -> [Watcher] { all.isEmpty ? [] : all.filter { $0.world == world } }
}
