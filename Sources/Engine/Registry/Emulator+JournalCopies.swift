package import Journal
import Worlds

extension Emulator {
    /// Returns a copy of a world's journal.
    package func journal(of hosted: HostedWorld) -> JournalCopy {
        JournalCopy(hosted.world.journal, unhashed.filter { isDue($0, in: hosted) })
    }

    /// Tells whether that content is in the present journal of a world.
    package func isDue(_ item: Unhashed, in hosted: HostedWorld) -> Bool {
        item.world == hosted.key && hosted.world.parts[item.api].generation == item.generation
    }
}
