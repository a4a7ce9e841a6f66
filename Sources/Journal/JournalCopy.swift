import Crypto

/// A copy of a world's journal, to be read elsewhere while the world continues.
///
/// Making one costs nothing, however long the journal is.
package struct JournalCopy: Sendable {
    private let journal: Journal
    /// Content whose digest has not been computed yet.
    private let unhashed: [Unhashed]

    package init(_ journal: Journal, _ unhashed: [Unhashed]) {
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
    package mutating func note(_ digest: [UInt8], of item: Unhashed) {
        update(item.seq) { entry in
            if item.isRequest {
                if entry.body.length == item.bytes.count { entry.body.digest = digest }
            } else if entry.responseBody.length == item.bytes.count {
                entry.responseBody.digest = digest
            }
        }
    }
}

/// Content in a journal whose digest is still to be computed.
///
/// Hashing megabytes takes milliseconds, which the event loop does not have. Its owner hands this to a worker and
/// brings the digest back.
package struct Unhashed: Sendable, Identifiable {
    package let id: UInt64
    package let bytes: [UInt8]
    package let world: Int
    package let api: Int
    package let generation: Int
    package let seq: UInt64
    package let isRequest: Bool

    package init(id: UInt64, bytes: [UInt8], world: Int, api: Int, generation: Int, seq: UInt64, isRequest: Bool) {
        self.id = id
        self.bytes = bytes
        self.world = world
        self.api = api
        self.generation = generation
        self.seq = seq
        self.isRequest = isRequest
    }

    package var digest: [UInt8] { SHA256.digest(bytes) }
}
