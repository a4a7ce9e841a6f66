import Crypto

/// Content in a journal whose digest is still to be made.
///
/// Hashing megabytes takes milliseconds, which the one thread does not have: its owner hands this to a worker and brings
/// the digest back.
package struct Unhashed: Sendable, Identifiable {
    package let id: UInt64
    package let bytes: [UInt8]
    let world: Int
    let api: Int
    let generation: Int
    let seq: UInt64
    let isRequest: Bool

    package var digest: [UInt8] { SHA256.digest(bytes) }
}

extension Emulator {
    /// Notes that an entry's content is too long to be kept whole, so that its digest has to be made now.
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

    /// What came since the last call; `note` ends each.
    package func takeUnhashed() -> ArraySlice<Unhashed> {
        defer { untaken = 0 }
        return unhashed.suffix(untaken)
    }

    /// Puts a digest where it belongs, unless the world has moved on or less was sent in the end.
    package func note(_ digest: [UInt8], of item: Unhashed) {
        guard let place = unhashed.firstIndex(where: { $0.id == item.id }) else { return }
        unhashed.remove(at: place)
        untaken = min(untaken, unhashed.count)
        guard let hosted = hosted(key: item.world), isDue(item, in: hosted) else { return }
        hosted.world.journal.note(digest, of: item)
    }

    /// Makes every digest that is still missing, for whoever is about to read a journal.
    package func hashPending() {
        for item in unhashed { note(item.digest, of: item) }
    }
}
