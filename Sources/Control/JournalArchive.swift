import Backend
import Basics
import CivilTime
import Conditions
import HTTPMessage
import Handshakes
import JSON
import Journal
import Recording

/// The journal as an HTTP archive: HAR 1.2, with the further members that the importers of Chrome and Firefox need
/// (control contract, section 11).
enum JournalArchive {
    /// Returns the archive of these entries, which come oldest first; `urls` are the origins of the APIs by name.
    static func response(
        _ entries: some Sequence<JournalEntry>,
        urls: [String: String],
        hubPort: Int? = nil,
        version: String,
        total: Int,
        notes: [WorldNotes.Note] = []
    ) -> Response {
        var writer = PieceWriter()
        writer.append(text: "{\"log\":{\"version\":\"1.2\",\"creator\":")
        writer.append(["name": .string(HARText.creator), "version": .string(version)])
        // Firefox reads the list without checking that it exists.
        writer.append(text: ",\"pages\":[],\"entries\":")
        writer.append(
            rows: entries.lazy.map { line in
                let own = urls[line.api] ?? "http://\(line.api).invalid"
                return entry(line, origin: origin(of: line, own, hubPort)).json
            }
        )
        if !notes.isEmpty {
            writer.append(text: ",\"_notes\":")
            writer.append(rows: notes.lazy.map(\.json))
        }
        writer.append(text: "}}")
        return writer.response(total: total)
    }

    /// Returns the origin of an exchange: that of the API, or where more is known of its way the scheme and the
    /// authority that the client used.
    ///
    /// The journal has the API's own paths, so that the API's port takes the place of the hub's.
    private static func origin(of entry: JournalEntry, _ own: String, _ hubPort: Int?) -> String {
        if let origin = entry.way?.origin { return origin }
        guard let transport = entry.transport, let start = own.firstRange(of: "://")?.upperBound else { return own }
        let scheme = "\(transport.scheme.rawValue)://"
        guard let authority = entry.headers[.host], let host = ControlSafety.host(of: authority) else {
            return scheme + own[start...]
        }
        guard let hubPort, authority.hasSuffix(":\(hubPort)"), let port = own[start...].split(separator: ":").last
        else {
            return scheme + authority
        }
        return scheme + (host.contains(":") ? "[\(host)]" : host) + ":\(port)"
    }

    /// Returns one exchange in the form of HAR.
    static func entry(_ entry: JournalEntry, origin: String) -> HAREntry {
        var captured = CapturedExchange(
            started: entry.startedAt,
            method: entry.method.rawValue,
            url: origin + (entry.way?.path ?? entry.path) + (entry.query.map { "?" + $0 } ?? ""),
            fields: entry.headers,
            body: entry.body.kept
        )
        captured.requestBodyLength = entry.body.length
        captured.codedRequestLength = entry.body.coded?.bytes
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
            captured.codedResponseLength = entry.responseBody.coded?.bytes
        }
        var archived = captured.entry(keepsUndecoded: true)
        archived.source = entry.source?.rawValue
        archived.stub = entry.stub
        if let transport = entry.transport {
            archived.request.httpVersion = transport.version.rawValue
            archived.response.httpVersion = transport.version.rawValue
            archived.tls = transport.tls?.json
        }
        archived.isPrecise = true
        if entry.connection > 0 { archived.connection = "\(entry.connection)" }
        archived.peer = entry.peer
        archived.gate = entry.gate
        archived.replayOf = entry.replayOf
        if entry.body.isTruncated { archived.request.postData?.comment = note(entry.body, entry.declaredLength) }
        if entry.responseBody.isTruncated, archived.response.content.comment == nil {
            archived.response.content.comment = note(entry.responseBody)
        }
        return archived
    }

    private static func note(_ body: JournalEntry.Body, _ declared: Int? = nil) -> String {
        guard !body.isPartial else {
            let whole = declared.map { " of \($0)" } ?? ""
            let kept = body.kept.count < body.length ? "; the journal keeps the first \(body.kept.count)" : ""
            return "\(body.length)\(whole) bytes came\(kept)"
        }
        return "the first \(body.kept.count) of \(body.length) bytes; the journal keeps no more"
    }

    /// Sending is the time until the request was complete; waiting is the time until its response, gates included.
    private static func marks(_ timings: JournalEntry.Timings) -> CapturedExchange.Marks {
        func interval(_ milliseconds: Double) -> Interval {
            // The limits of HAR, whatever an imported entry has.
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

    /// Returns the reason why the response is incomplete; nil if it is complete.
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
