package import Backend
package import HTTPMessage

/// An entry in its place in the journal.
///
/// Reading one member is cheap. `entry` copies all of them, which takes longer than most searches have for each entry
/// (control contract, section 17: no call delays other connections).
package struct JournalPlace {
    let chunk: JournalChunk
    let index: Int
    /// An entry that is kept packed, read once, in an array of one; else none.
    private let unpacked: [JournalEntry]

    init(chunk: JournalChunk, index: Int) {
        self.chunk = chunk
        self.index = index
        unpacked = index < chunk.packed.count ? chunk[index].map { [$0] } ?? [] : []
    }

    /// Tells whether there is an entry; a removed one leaves its place behind.
    var isTaken: Bool { !unpacked.isEmpty || chunk.isOpen(index) }

    /// The whole entry; never nil for a place that a journal hands out.
    package var entry: JournalEntry? { unpacked.first ?? chunk[index] }

    /// The entry as it was before its end, if it is not packed; its members are read in place.
    private var kept: OpenEntry.Kept? { chunk.open[chunk.rank(index)]?.kept }

    package var id: String? { unpacked.isEmpty ? kept?.entry.id : unpacked[0].id }

    /// The id that the client was sent.
    var reportedID: String? {
        unpacked.isEmpty
            ? kept.map { $0.entry.givenID ?? $0.entry.id } : unpacked[0].givenID ?? unpacked[0].id
    }

    package var api: String? { unpacked.isEmpty ? kept?.entry.api : unpacked[0].api }

    package var method: HTTPMethod? { unpacked.isEmpty ? kept?.entry.method : unpacked[0].method }

    package var path: String? { unpacked.isEmpty ? kept?.entry.path : unpacked[0].path }

    package var status: Status? { unpacked.isEmpty ? kept?.entry.status : unpacked[0].status }

    package var user: CallUser? { unpacked.isEmpty ? kept?.entry.user : unpacked[0].user }

    /// Tells whether an endpoint took the request.
    package var hasRoute: Bool {
        unpacked.isEmpty ? kept?.entry.route != nil : unpacked[0].route != nil
    }

    /// Tells whether a recording, a fault or a real backend answered the request.
    package var isTakenElsewhere: Bool {
        unpacked.isEmpty ? kept?.entry.isTakenElsewhere == true : unpacked[0].isTakenElsewhere
    }

    /// The entry's number; 0 if there is none.
    package var seq: UInt64 { unpacked.isEmpty ? kept?.entry.seq ?? 0 : unpacked[0].seq }
}

extension Journal {
    /// Walks from the newest entry with a smaller number to the oldest until the body returns false.
    package func forEachPlaceNewestFirst(before seq: UInt64 = .max, _ body: (JournalPlace) -> Bool) {
        let (count, end) = bounds(before: seq)
        for (number, chunk) in chunks.prefix(count).enumerated().reversed() {
            for index in (number == count - 1 ? chunk.indices.prefix(end) : chunk.indices).reversed() {
                let place = JournalPlace(chunk: chunk, index: index)
                guard place.isTaken else { continue }
                guard body(place) else { return }
            }
        }
    }

    /// Walks from the oldest to the newest until the body returns false.
    package func forEachPlaceOldestFirst(_ body: (JournalPlace) -> Bool) {
        for chunk in chunks {
            for index in chunk.indices {
                let place = JournalPlace(chunk: chunk, index: index)
                guard place.isTaken else { continue }
                guard body(place) else { return }
            }
        }
    }

    /// Returns the entry of that key.
    ///
    /// APIs number their requests independently, so a client's id can be the key of another API's entry. With an API
    /// given, its newest entry of that id takes precedence.
    package func entry(of id: String, api: String? = nil) -> JournalEntry? {
        var found: JournalEntry?
        var reported: JournalEntry?
        forEachPlaceNewestFirst { place in
            if place.id == id { found = place.entry }
            if let api, reported == nil, place.reportedID == id, place.api == api { reported = place.entry }
            guard let found else { return true }
            return api != nil && found.api != api && reported == nil
        }
        return found?.api == api ? found : reported ?? found
    }
}
