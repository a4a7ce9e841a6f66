import CivilTime
import JSON

extension Emulator {
    /// The most snapshots that a world keeps.
    package static let mostSnapshots = 1_000

    /// Takes a snapshot of a world, at the same cost however much it holds.
    package func takeSnapshot(named name: String, of slot: Slot, at real: RealTime) throws(ControlFault) -> Snapshot {
        guard !slot.snapshots.contains(where: { $0.name == name }) else {
            throw ControlFault(
                .nameTaken,
                "The world \(slot.world.name) has a snapshot named \(name). Delete it, or choose another name."
            )
        }
        guard slot.snapshots.count < Self.mostSnapshots else {
            throw ControlFault(
                .tooManySnapshots,
                "The world \(slot.world.name) has \(Self.mostSnapshots) snapshots, which is the limit."
            )
        }
        hashPending()
        let key = newKey()
        noteBranch(of: slot, as: key)
        var snapshot = Snapshot(
            key: key,
            name: name,
            world: stillCopy(of: slot),
            takenAt: real,
            createdAt: slot.world.now(real)
        )
        note(&snapshot, of: slot)
        slot.snapshots.append(snapshot)
        return snapshot
    }

    /// A world as it is, with nothing under way in it.
    ///
    /// The exchanges that are under way go on in the world itself; in a copy nothing will ever end them, so they count as
    /// cut there, as in a world that was exported or stored meanwhile.
    func stillCopy(of slot: Slot) -> World {
        var copy = slot.world
        for exchange in pending.values where exchange.slot === slot && !exchange.isOutdated {
            guard copy.journal[exchange.seq]?.outcome == nil else { continue }
            copy.journal.mark(exchange.seq, .cut)
        }
        return copy
    }

    package func deleteSnapshot(named name: String, of slot: Slot) throws(ControlFault) {
        guard let place = slot.snapshots.firstIndex(where: { $0.name == name }) else {
            throw Self.unknownSnapshot(name, slot)
        }
        discard([slot.snapshots.remove(at: place)])
    }

    /// Makes a world what it was when the snapshot was taken; its clock goes on from there.
    ///
    /// The caller cuts the answers under way.
    package func restore(_ name: String, in slot: Slot, at real: RealTime) throws(ControlFault) {
        guard var snapshot = slot.snapshots.first(where: { $0.name == name }) else {
            throw Self.unknownSnapshot(name, slot)
        }
        noteBranch(of: &snapshot, as: slot.key)
        replace(snapshot.resumed(at: real), in: slot)
    }

    /// Puts another world in the place of one.
    func replace(_ world: World, in slot: Slot) {
        var world = world
        world.supersede(slot.world)
        discard(slot.world)
        slot.world = world
        weigh(slot)
    }

    private static func unknownSnapshot(_ name: String, _ slot: Slot) -> ControlFault {
        let known = slot.snapshots.map(\.name)
        let list = known.isEmpty ? "It has none." : "It has \(known.joined(separator: ", "))."
        return ControlFault(
            .unknownSnapshot,
            "The world \(slot.world.name) has no snapshot named \"\(name.cut)\". \(list)"
        )
    }
}
