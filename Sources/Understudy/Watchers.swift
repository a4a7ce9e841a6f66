import Emulation

/// The open event streams, by the worlds they watch (control contract, section 15).
struct Watchers {
    private struct Watcher {
        var exchange: Exchange
        var world: Int
        var api: String?
    }

    private var watchers: [Watcher] = []
    /// The stream that the current control call has requested.
    private var expected: (world: Int, api: String?)?

    /// Marks the next response as a stream of that world's events.
    mutating func expect(world: Int, api: String?) { expected = (world, api) }

    /// Makes the exchange a watcher if a stream was requested; returns true if it was.
    mutating func admit(_ exchange: Exchange) -> Bool {
        guard let expected else { return false }
        self.expected = nil
        watchers.append(Watcher(exchange: exchange, world: expected.world, api: expected.api))
        return true
    }

    mutating func forget(_ exchange: Exchange) {
        if !watchers.isEmpty { watchers.removeAll { $0.exchange === exchange } }
    }

    var isEmpty: Bool { watchers.isEmpty }

    var all: [Exchange] { watchers.map(\.exchange) }

    /// The exchanges that watch for an event of that world.
    func exchanges(of world: Int, _ event: WorldEvent) -> [Exchange] {
        guard !watchers.isEmpty else { return [] }
        return watchers.filter { watcher in
            watcher.world == world && (watcher.api.map { event.concerns($0) } ?? true)
        }.map(\.exchange)
    }
}
