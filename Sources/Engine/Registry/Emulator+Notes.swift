package import Backend
import CivilTime
import Conditions
package import JSON
package import Journal
import Worlds

extension Emulator {
    /// Writes a note into a world, and tells its watchers.
    @discardableResult
    package func write(
        _ kind: WorldNotes.Kind,
        _ text: String,
        data: JSON? = nil,
        in hosted: HostedWorld,
        at hostTime: HostTime
    ) -> WorldNotes.Note {
        let after = hosted.world.journal.lastSeq
        let now = hosted.world.core.now
        let note = hosted.world.notes.add(kind, text, data: data, after: after, at: now, wallAt: hostTime.wall)
        if case .object(let members) = note.json { self.note(.note, in: hosted, members) }
        return note
    }
}
