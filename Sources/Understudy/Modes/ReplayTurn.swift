import HTTPMessage
import Recording
import Transport

/// One request's way through a recording.
///
/// Belongs to the loop's thread.
final class ReplayTurn {
    /// What the recording is searched for.
    let live: Fingerprint
    /// The recording that it was made for.
    let player: ReplayPlayer
    /// The entry that it was answered with.
    var served: Int?

    init(_ live: Fingerprint, _ player: ReplayPlayer) {
        self.live = live
        self.player = player
    }
}

/// What takes too long for the loop before a request can be answered from a recording.
enum ReplayReading: Sendable {
    /// A long body has to be taken apart to be compared.
    case request(Fingerprinter, Request, Path)
    /// A long entry has to be read.
    case entry(Entry)

    /// Where an entry is.
    struct Entry: Sendable {
        var place: Int
        var file: DataFile
        var offset: Int
        var length: Int

        /// Reads it on any thread; nil if the file has changed.
        func read() -> HAREntry? {
            guard let bytes = try? file.read(at: offset, count: length) else { return nil }
            return try? HARStreamReader.entry(bytes)
        }
    }

    enum Outcome: Sendable {
        case fingerprint(Fingerprint)
        case entry(HAREntry?, place: Int)
    }

    /// Does it on any thread.
    func run() -> Outcome {
        switch self {
        case .request(let fingerprinter, let request, let path): .fingerprint(fingerprinter.of(request, path: path))
        case .entry(let entry): .entry(entry.read(), place: entry.place)
        }
    }
}

extension Fingerprinter {
    /// What a recording is searched for to answer a request.
    func of(_ request: Request, path: Path) -> Fingerprint {
        fingerprint(
            method: request.head.method.rawValue,
            path: path.text,
            query: request.head.target.rawQuery,
            contentType: request.head.fields[.contentType] ?? "",
            body: request.body.bytes
        )
    }
}
