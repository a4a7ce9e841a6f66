import CivilTime

/// The latest events of a world, from which a watcher can resume.
///
/// The log belongs to the registry, not to the world's value: a fork has its own, and a reset does not revert it.
package struct EventLog: Sendable {
    /// The number of events that are kept at least, once there are as many.
    package static let capacity = 1_000
    /// The maximum number of packed events.
    private static let mostPacked = 64

    /// The number of the newest event ever.
    package private(set) var lastSeq: UInt64 = 0
    /// The first events, packed while there are few and the world is not in use.
    private var packed: [UInt8] = []
    private var packedCount = 0
    private var kept: [WorldEvent] = []

    /// Creates an empty log that continues the numbering.
    init(lastSeq: UInt64 = 0) { self.lastSeq = lastSeq }

    /// Returns an event with the next number; `keep` has to follow.
    mutating func next(
        _ kind: WorldEvent.Kind,
        world: String,
        at: Instant,
        _ detail: WorldEvent.Detail
    ) -> WorldEvent {
        lastSeq += 1
        return WorldEvent(seq: lastSeq, at: at, kind: kind, world: world, detail: detail)
    }

    /// Adds an event.
    mutating func keep(_ event: consuming WorldEvent) {
        if packedCount > 0, packedCount + kept.count > Self.mostPacked { unpack() }
        if kept.count == 2 * Self.capacity { kept.removeFirst(Self.capacity) }
        kept.append(event)
    }

    /// Returns the kept events with a larger number, oldest first.
    package func since(_ seq: UInt64) -> ArraySlice<WorldEvent> {
        let kept = packedCount > 0 && seq < lastSeq ? unpacked + kept : kept
        guard let first = kept.first, seq >= first.seq else { return kept[...] }
        return kept.dropFirst(Int(clamping: min(seq - first.seq + 1, UInt64(kept.count))))
    }

    /// Packs a few events, because the world is not in use; their content stays the same.
    mutating func rest() {
        guard !kept.isEmpty, packedCount + kept.count <= Self.mostPacked else { return }
        var writer = PackedWriter(reserving: packed.count + 128 * kept.count)
        writer.raw(packed)
        for event in kept {
            guard event.pack(to: &writer) else { return }
        }
        packed = writer.bytes.exact
        packedCount += kept.count
        kept = []
    }

    private mutating func unpack() {
        kept = unpacked + kept
        packed = []
        packedCount = 0
    }

    private var unpacked: [WorldEvent] {
        var events: [WorldEvent] = []
        events.reserveCapacity(packedCount)
        var reader = PackedReader(packed)
        while !reader.isAtEnd, let event = WorldEvent(&reader) { events.append(event) }
        return events
    }
}
