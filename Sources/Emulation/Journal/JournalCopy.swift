/// A copy of a world's journal, to be read elsewhere while the world continues.
///
/// Making one costs nothing, however long the journal is.
package struct JournalCopy: Sendable {
    private let journal: Journal
    /// Content whose digest has not been computed yet.
    private let unhashed: [Unhashed]

    fileprivate init(_ journal: Journal, _ unhashed: [Unhashed]) {
        self.journal = journal
        self.unhashed = unhashed
    }

    /// Tells whether it is read in well under a millisecond, so that handing it to a worker would take longer.
    package var isShort: Bool { unhashed.isEmpty && journal.bytes <= Self.shortBytes }

    private static let shortBytes = 128 * 1_024

    /// The entries, where digests don't matter.
    package var entries: Journal { journal }

    /// The entries with every missing digest computed, which may take long.
    package var hashed: Journal {
        guard !unhashed.isEmpty else { return journal }
        var journal = journal
        for item in unhashed { journal.note(item.digest, of: item) }
        return journal
    }
}

extension Journal {
    /// Stores a digest in its entry, unless less of the content was sent in the end.
    mutating func note(_ digest: [UInt8], of item: Unhashed) {
        update(item.seq) { entry in
            if item.isRequest {
                if entry.body.length == item.bytes.count { entry.body.digest = digest }
            } else if entry.responseBody.length == item.bytes.count {
                entry.responseBody.digest = digest
            }
        }
    }
}

extension Emulator {
    /// Returns a copy of a world's journal.
    package func journal(of hosted: HostedWorld) -> JournalCopy {
        JournalCopy(hosted.world.journal, unhashed.filter { isDue($0, in: hosted) })
    }

    /// Tells whether that content is in the present journal of a world.
    func isDue(_ item: Unhashed, in hosted: HostedWorld) -> Bool {
        item.world == hosted.key && hosted.world.parts[item.api].generation == item.generation
    }
}
