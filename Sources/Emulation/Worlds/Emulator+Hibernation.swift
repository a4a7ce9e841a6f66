extension Emulator {
    /// Worlds that are in use at a time without one having to rest for another: as many as tests run next to each other.
    package static let mostAwake = 256

    /// Notes that a world is in use; the one that has been awake for longest rests when there are too many.
    ///
    /// Resting changes nothing that anybody could see: what is remembered to save time is let go of, and what is kept is
    /// packed. Ten thousand worlds that a test run has been through take a fraction of the memory that way.
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
    /// Keeps everything in as little room as it takes, since the world is not in use for a while.
    mutating func rest(_ shelf: HeaderLinePool) {
        journal.rest(shelf)
        for place in parts.indices { restPart(place) }
    }
}
