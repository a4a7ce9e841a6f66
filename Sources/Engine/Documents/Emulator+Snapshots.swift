package import Backend
import CivilTime
import JSON
import Journal
package import Worlds

extension Emulator {
    /// The maximum number of snapshots of a world.
    package static let mostSnapshots = 1_000

    /// Takes a snapshot of a world, at the same cost whatever its size.
    package func takeSnapshot(named name: String, of hosted: HostedWorld, at hostTime: HostTime) throws(Problem)
        -> Snapshot
    {
        guard !hosted.snapshots.contains(where: { $0.name == name }) else {
            throw Problem(
                .nameTaken,
                "The world \(hosted.world.name) has a snapshot named \(name). Delete it, or choose another name."
            )
        }
        guard hosted.snapshots.count < Self.mostSnapshots else {
            throw Problem(
                .tooManySnapshots,
                "The world \(hosted.world.name) has \(Self.mostSnapshots) snapshots, which is the limit."
            )
        }
        hashPending()
        let key = newKey()
        noteBranch(of: hosted, as: key)
        var snapshot = Snapshot(
            key: key,
            name: name,
            world: stillCopy(of: hosted),
            takenAt: hostTime,
            createdAt: hosted.world.now(hostTime)
        )
        note(&snapshot, of: hosted)
        hosted.snapshots.append(snapshot)
        return snapshot
    }

    /// Returns a copy of a world with no exchange in progress.
    ///
    /// The exchanges in progress continue in the world itself. Nothing would ever end them in a copy, so they count as
    /// cut there, as in a world that was exported or stored meanwhile.
    func stillCopy(of hosted: HostedWorld) -> World {
        var copy = hosted.world
        for exchange in exchanges.values where exchange.hosted === hosted {
            guard let entry = exchange.journalEntry, !exchange.isOutdated, copy.journal[entry]?.outcome == nil else {
                continue
            }
            copy.journal.mark(entry, .cut)
        }
        return copy
    }

    package func deleteSnapshot(named name: String, of hosted: HostedWorld) throws(Problem) {
        guard let place = hosted.snapshots.firstIndex(where: { $0.name == name }) else {
            throw Self.unknownSnapshot(name, hosted)
        }
        discard([hosted.snapshots.remove(at: place)])
    }

    /// Restores a world to a snapshot; its clock continues from there.
    ///
    /// The caller cuts the exchanges in progress.
    package func restore(_ name: String, in hosted: HostedWorld, at hostTime: HostTime) throws(Problem) {
        guard var snapshot = hosted.snapshots.first(where: { $0.name == name }) else {
            throw Self.unknownSnapshot(name, hosted)
        }
        noteBranch(of: &snapshot, as: hosted.key)
        replace(snapshot.resumed(at: hostTime), in: hosted)
    }

    /// Replaces one world by another.
    func replace(_ world: World, in hosted: HostedWorld) {
        onJournalEnd?(hosted, nil)
        // Its parts have told what it began with; the others may be of another time.
        if hosted.origin == nil { hosted.origin = seedOrigin(of: hosted) }
        var world = world
        if world.foreign != hosted.world.foreign { world.isForeignTaken = false }
        world.supersede(hosted.world)
        world.beginEpoch()
        discard(hosted.world)
        hosted.world = world
        weigh(hosted)
    }

    private static func unknownSnapshot(_ name: String, _ hosted: HostedWorld) -> Problem {
        let known = hosted.snapshots.map(\.name)
        let list = known.isEmpty ? "It has none." : "It has \(known.joined(separator: ", "))."
        return Problem(
            .unknownSnapshot,
            "The world \(hosted.world.name) has no snapshot named \"\(name.cut)\". \(list)"
        )
    }
}
