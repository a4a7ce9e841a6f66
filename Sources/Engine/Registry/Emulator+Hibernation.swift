import Journal
import Worlds

extension Emulator {
    /// The number of worlds in use at a time before the first hibernates: as many as tests run in parallel.
    package static let mostAwake = 256

    /// Notes that a world is in use.
    ///
    /// When there are too many, the one that was woken first hibernates.
    ///
    /// Hibernation is not observable: caches are dropped and kept data is packed. It lets the ten thousand worlds of a
    /// test run take a fraction of the memory.
    func wake(_ hosted: HostedWorld) {
        guard !hosted.isAwake else { return }
        hosted.isAwake = true
        guard awake.count == Self.mostAwake else { return awake.append(hosted.key) }
        let key = awake[nextToRest]
        awake[nextToRest] = hosted.key
        nextToRest = (nextToRest + 1) % Self.mostAwake
        guard let former = self.hosted(key: key) else { return }
        former.isAwake = false
        former.world.rest(shelf)
        former.events.rest()
    }
}

extension World {
    /// Drops caches and packs kept data, because the world is not in use for a while.
    mutating func rest(_ shelf: HeaderLinePool) {
        journal.rest(shelf)
        for place in parts.indices { restPart(place) }
    }
}
