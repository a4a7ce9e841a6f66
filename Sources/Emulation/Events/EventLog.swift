import CivilTime

/// The latest events of a world, so that a watcher can go on where it stopped.
///
/// Belongs to the registry, not to the world's value: a fork has its own, and a reset does not take it back.
package struct EventLog: Sendable {
    /// How many are kept at least, once there have been as many.
    package static let capacity = 1_000

    /// The number of the newest event ever.
    package private(set) var lastSeq: UInt64 = 0
    private var kept: [WorldEvent] = []

    /// Counts on from there.
    init(lastSeq: UInt64 = 0) { self.lastSeq = lastSeq }

    /// Adds an event and answers it with its number.
    mutating func append(
        _ kind: WorldEvent.Kind,
        world: String,
        at: Instant,
        _ detail: WorldEvent.Detail
    ) -> WorldEvent {
        lastSeq += 1
        let event = WorldEvent(seq: lastSeq, at: at, kind: kind, world: world, detail: detail)
        if kept.count == 2 * Self.capacity { kept.removeFirst(Self.capacity) }
        kept.append(event)
        return event
    }

    /// The kept events with a larger number, oldest first.
    package func since(_ seq: UInt64) -> ArraySlice<WorldEvent> {
        guard let first = kept.first, seq >= first.seq else { return kept[...] }
        return kept.dropFirst(Int(clamping: min(seq - first.seq + 1, UInt64(kept.count))))
    }
}
