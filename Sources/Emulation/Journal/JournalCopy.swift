/// The journal of a world as it stands, to be read elsewhere while the world goes on.
///
/// Taking one costs nothing, however long the journal is.
package struct JournalCopy: Sendable {
    private let journal: Journal
    /// Content of it whose digest nobody has made yet.
    private let unhashed: [Unhashed]

    fileprivate init(_ journal: Journal, _ unhashed: [Unhashed]) {
        self.journal = journal
        self.unhashed = unhashed
    }

    /// Whether it is read in well under a millisecond, so that handing it over would take longer.
    package var isShort: Bool { unhashed.isEmpty && journal.bytes <= Self.shortBytes }

    private static let shortBytes = 128 * 1_024

    /// The entries, where digests don't matter.
    package var entries: Journal { journal }

    /// The entries with every digest that was missing, which may take long to make.
    package var hashed: Journal {
        guard !unhashed.isEmpty else { return journal }
        var journal = journal
        for item in unhashed { journal.note(item.digest, of: item) }
        return journal
    }
}

extension Journal {
    /// Puts a digest where it belongs, unless less of the content was sent in the end.
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
    /// The journal of a world as it stands.
    package func journal(of hosted: HostedWorld) -> JournalCopy {
        JournalCopy(hosted.world.journal, unhashed.filter { isDue($0, in: hosted) })
    }

    /// Whether that content stands in the journal of a world as it is now.
    func isDue(_ item: Unhashed, in hosted: HostedWorld) -> Bool {
        item.world == hosted.key && hosted.world.parts[item.api].generation == item.generation
    }
}
