import Backend
package import CivilTime
import JSON

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
    package init(lastSeq: UInt64 = 0) { self.lastSeq = lastSeq }

    /// Returns an event with the next number; `keep` has to follow.
    package mutating func next(
        _ kind: WorldEvent.Kind,
        world: String,
        at: Instant,
        _ detail: consuming WorldEvent.Detail,
        scope: String? = nil
    ) -> WorldEvent {
        lastSeq += 1
        return WorldEvent(seq: lastSeq, at: at, kind: kind, world: world, detail: detail, scope: scope)
    }

    /// Frames for a listener, and the number of the last event that they stand for.
    package struct Stretch: Sendable {
        package var frames: [[UInt8]] = []
        package var last: UInt64
        /// Tells that the last frame is that of the world's end.
        package var isLast = false
    }

    /// Returns the frames that follow for a listener that has those up to a number; those of one API and of none, if one
    /// is named.
    ///
    /// Events that are not kept any more are told by a frame `gap` (console contract, section 3). So is a number that
    /// this log has never given.
    package func frames(
        after seen: UInt64,
        of api: String?,
        atMost most: Int,
        world: String,
        at now: Instant
    ) -> Stretch {
        func gap(_ from: UInt64, _ to: UInt64) -> [UInt8] {
            let members: JSONObject = ["from": .integer(Int64(clamping: from)), "to": .integer(Int64(clamping: to))]
            return WorldEvent(seq: to, at: now, kind: .gap, world: world, detail: .members(members)).frame
        }
        guard seen <= lastSeq else { return Stretch(frames: [gap(1, lastSeq)], last: lastSeq) }
        var stretch = Stretch(last: seen)
        let oldest = lastSeq > UInt64(Self.capacity) ? lastSeq - UInt64(Self.capacity) + 1 : 1
        if seen + 1 < oldest {
            stretch.frames.append(gap(seen + 1, oldest - 1))
            stretch.last = oldest - 1
        }
        for event in since(stretch.last) {
            guard stretch.frames.count < most else { break }
            stretch.last = event.seq
            if api.map({ event.concerns($0) }) ?? true { stretch.frames.append(event.frame) }
            if event.isLast { stretch.isLast = true }
        }
        return stretch
    }

    /// Adds an event.
    package mutating func keep(_ event: consuming WorldEvent) {
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
    package mutating func rest() {
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
