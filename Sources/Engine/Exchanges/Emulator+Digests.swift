import Crypto
package import Journal
import Worlds

extension Emulator {
    /// Notes that an entry's content is too long to be kept whole, so that its digest must be computed while it is
    /// there.
    func postpone(_ bytes: [UInt8], isRequest: Bool, of seq: UInt64, in hosted: HostedWorld, api: Int) {
        lastUnhashed += 1
        unhashed.append(
            Unhashed(
                id: lastUnhashed,
                bytes: bytes,
                world: hosted.key,
                api: api,
                generation: hosted.world.parts[api].generation,
                seq: seq,
                isRequest: isRequest
            )
        )
        untaken += 1
    }

    /// Returns the content that came since the last call; `note` settles each.
    package func takeUnhashed() -> ArraySlice<Unhashed> {
        defer { untaken = 0 }
        return unhashed.suffix(untaken)
    }

    /// Stores a digest in its entry, unless the world was reset since or less of the content was sent in the end.
    package func note(_ digest: [UInt8], of item: Unhashed) {
        guard let place = unhashed.firstIndex(where: { $0.id == item.id }) else { return }
        unhashed.remove(at: place)
        untaken = min(untaken, unhashed.count)
        guard let hosted = hosted(key: item.world), isDue(item, in: hosted) else { return }
        hosted.world.journal.note(digest, of: item)
    }

    /// Computes every missing digest, before a journal is read.
    package func hashPending() {
        for item in unhashed { note(item.digest, of: item) }
    }
}
