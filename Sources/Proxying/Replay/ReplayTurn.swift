package import CivilTime
package import HTTPMessage
package import Recording
import Transport

/// The state of one request that is answered from a recording.
///
/// Belongs to the loop's thread.
package final class ReplayTurn {
    /// The fingerprint that the recording is searched for.
    let live: RequestFingerprint
    /// The request that it was made of.
    let head: RequestHead
    /// The recording that it was made for.
    let player: ReplayPlayer
    /// Tells that the client is led to the path with the slash at its end, or without it.
    var isRedirected = false
    /// The entry that it was answered with.
    var served: Int?
    /// The form in which that was sent.
    var form = ReplayForm.recorded
    /// The answer of a long entry, made on a worker, with the time of the world's clock that it was made for.
    var ready: (index: Int, isWhole: Bool, now: Instant, response: Response)?
    /// The 304 whose turn it was, though it may not be sent to this request.
    var unfit: Int?
    /// A long entry that can't be read any more.
    var unreadable: Int?

    init(_ live: RequestFingerprint, of head: RequestHead, _ player: ReplayPlayer) {
        self.live = live
        self.head = head
        self.player = player
    }
}

/// Work that takes too long for the loop, before a request can be answered from a recording.
package indirect enum ReplayReading: Sendable {
    /// A long body has to be parsed for its fingerprint, and for the one with the values that redaction has replaced.
    case request(Fingerprinter, Fingerprinter?, HTTPRequest, Path)
    /// A long entry has to be read, and its answer made.
    case answer(Entry, Making)

    /// The location of an entry.
    package struct Entry: Sendable {
        var index: Int
        var file: DataFile
        var offset: Int
        var length: Int
        /// The bytes of its contents in other files.
        var attachedBytes: Int

        init(_ index: Int, _ line: ReplayIndex.Line, in file: DataFile) {
            self.index = index
            self.file = file
            (offset, length, attachedBytes) = (line.offset, line.length, line.size - line.length)
        }

        /// Reads the entry on any thread; returns nil if the file has changed.
        func read() -> HAREntry? {
            guard let bytes = try? file.read(at: offset, count: length) else { return nil }
            return try? HARStreamReader.entry(bytes, attachments: file.attachments(limit: attachedBytes))
        }
    }

    /// The parameters of an entry's answer.
    package struct Making: Sendable {
        /// The entry, if it is cached.
        var known: HAREntry?
        var answer: ReplayAnswer
        var requestID: String?
        var isHead: Bool
        /// Tells whether the entry is sent as a 200 with all of its content.
        var isWhole: Bool
        /// The world's clock.
        var now: Instant

        /// Returns the answer.
        func response(_ entry: HAREntry) -> Response {
            answer.response(entry, requestID: requestID, isHead: isHead, isWhole: isWhole)
        }
    }

    package enum Outcome: Sendable {
        case fingerprint(RequestFingerprint, replaced: RequestFingerprint?, of: RequestHead)
        /// Nil when the entry can't be read any more.
        case answer((entry: HAREntry, response: Response)?, index: Int, isWhole: Bool, now: Instant)
    }

    /// Does the work on any thread.
    package func run() -> Outcome {
        switch self {
        case .request(let fingerprinter, let knowing, let request, let path):
            return .fingerprint(
                fingerprinter.of(request, path: path),
                replaced: knowing?.of(request, path: path),
                of: request.head
            )
        case .answer(let entry, let making):
            guard let read = making.known ?? entry.read(), !read.lacksContent else {
                return .answer(nil, index: entry.index, isWhole: making.isWhole, now: making.now)
            }
            return .answer((read, making.response(read)), index: entry.index, isWhole: making.isWhole, now: making.now)
        }
    }
}

/// A worker's task before a request can be answered from a recording, with the request's state so far.
package struct ReplayPreparation {
    package let reading: ReplayReading
    let player: ReplayPlayer
    let turn: ReplayTurn?

    /// Returns the request's state with the worker's result in it.
    package func turn(after outcome: ReplayReading.Outcome) -> ReplayTurn? {
        switch outcome {
        case .fingerprint(let live, let replaced, let head):
            return player.turn(player.chosen(live, or: replaced), of: head)
        case .answer(let made?, let index, let isWhole, let now):
            player.keep(made.entry, index)
            turn?.ready = (index, isWhole, now, made.response)
        // The entry can't be read any more, which the response will say.
        case .answer(nil, let index, _, _): turn?.unreadable = index
        }
        return turn
    }
}

extension Fingerprinter {
    /// The fingerprint that a recording is searched for to answer a request, as if it had another method if one is given.
    func of(_ request: HTTPRequest, as method: HTTPMethod? = nil, path: Path) -> RequestFingerprint {
        fingerprint(
            method: (method ?? request.head.method).rawValue,
            path: path.text,
            query: request.head.target.rawQuery,
            contentType: request.head.fields[.contentType] ?? "",
            coding: request.coded?.outcome == .decoded ? nil : request.head.fields["Content-Encoding"],
            body: request.body.bytes
        )
    }
}
