import CivilTime
package import Emulation
import HTTPMessage
package import JSON
import Recording

/// The journal as an HTTP archive: HAR 1.2, with what the importers of Chrome and Firefox ask for beside it
/// (control contract, section 11).
enum JournalArchive {
    /// The archive of these entries, which come oldest first; `urls` are the origins of the APIs by name.
    static func response(
        _ entries: some Sequence<JournalEntry>,
        urls: [String: String],
        version: String,
        total: Int
    ) -> Response {
        var writer = PieceWriter()
        writer.append(text: "{\"log\":{\"version\":\"1.2\",\"creator\":")
        writer.append(["name": .string(HARText.creator), "version": .string(version)])
        // Firefox reads the list without asking whether it is there.
        writer.append(text: ",\"pages\":[],\"entries\":")
        writer.append(rows: entries.lazy.map { entry($0, origin: urls[$0.api] ?? "http://\($0.api).invalid").json })
        writer.append(text: "}}")
        return writer.response(total: total)
    }

    /// One exchange as HAR has it.
    static func entry(_ entry: JournalEntry, origin: String) -> HAREntry {
        var captured = CapturedExchange(
            started: entry.wallAt,
            method: entry.method.rawValue,
            url: origin + entry.path + (entry.query.map { "?" + $0 } ?? ""),
            fields: entry.headers,
            body: entry.body.kept
        )
        captured.requestBodyLength = entry.body.length
        captured.marks = marks(entry.timings)
        captured.error = problem(of: entry)
        captured.world = entry.world
        captured.virtualTime = entry.at
        captured.fault = entry.fault?.json
        if entry.status != .unanswered {
            captured.status = entry.status.code
            captured.reason = entry.status.reasonPhrase
            captured.responseFields = entry.sentFields
            // The status line with its line end, the fields, the empty line.
            captured.responseHeadLength =
                "HTTP/1.1 \(entry.status.code) ".utf8.count + captured.reason.utf8.count + 2
                + captured.responseFields.wire.count + 2
            captured.responseBody = entry.responseBody.kept
            captured.responseBodyLength = entry.responseBody.length
        }
        var archived = captured.entry(keepsUndecoded: true)
        if entry.body.isTruncated { archived.request.postData?.comment = note(entry.body) }
        if entry.responseBody.isTruncated, archived.response.content.comment == nil {
            archived.response.content.comment = note(entry.responseBody)
        }
        return archived
    }

    private static func note(_ body: JournalEntry.Body) -> String {
        "the first \(body.kept.count) of \(body.length) bytes; the journal keeps no more"
    }

    /// Sending is the time until the request was whole; waiting is what it took to be answered, and what held the answer.
    private static func marks(_ timings: JournalEntry.Timings) -> CapturedExchange.Marks {
        func interval(_ milliseconds: Double) -> Interval {
            // Within what a HAR can say, whatever an imported entry has.
            .microseconds(Int64(min(max(milliseconds, 0), 1e15) * 1_000))
        }
        var marks = CapturedExchange.Marks()
        let sent = interval(timings.receive - timings.handle)
        marks.sent = sent
        let firstByte = sent + interval(timings.handle) + interval(timings.wait)
        marks.firstByte = firstByte
        marks.ended = firstByte + interval(timings.send)
        return marks
    }

    /// Why the answer is not whole; nil if it is.
    private static func problem(of entry: JournalEntry) -> String? {
        let sent = "after \(entry.responseBody.length) bytes of content"
        return switch entry.outcome {
        case .delivered: entry.status == .unanswered ? "nothing was answered" : nil
        case .interrupted: "the client went away \(sent)"
        case .cut:
            entry.status == .unanswered ? "the connection was cut before an answer" : "the answer was cut \(sent)"
        case .held, nil: "the answer is being held"
        }
    }
}

extension FaultDecision {
    /// The fault as an entry of the journal and a recording show it.
    package var json: JSON { JournalOperations.json(self) }
}
