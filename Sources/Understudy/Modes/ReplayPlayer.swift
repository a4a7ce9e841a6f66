import CivilTime
import Control
import Emulation
import HTTPMessage
import JSON
import Recording
import Transport

/// Answers requests from recordings (control contract, section 13).
///
/// Belongs to the loop's thread. Keeps the entries that were served last; the others stay in their files.
final class ReplayPlayer {
    /// What a request gets here.
    enum Answer {
        case response(Response)
        case miss
    }

    /// Bytes of entries that are kept read.
    private static let cacheCapacity = 64 * 1_024 * 1_024

    private var book: ReplayBook
    private var files: [DataFile]
    private let order: ModeOrder
    private var cache: [Int: HAREntry] = [:]
    private var cached = 0

    init(_ book: ReplayBook, files: [DataFile], order: ModeOrder) {
        self.book = book
        self.files = files
        self.order = order
    }

    var entries: Int { book.lines.count }

    func fingerprint(_ request: Request, path: Path) -> Fingerprint {
        book.fingerprinter.fingerprint(
            method: request.head.method.rawValue,
            path: path.text,
            query: request.head.target.rawQuery,
            contentType: request.head.fields[.contentType] ?? "",
            body: request.body.bytes
        )
    }

    /// Whether a request would be answered from the recording.
    func holds(_ request: Request, path: Path) -> Bool {
        let live = fingerprint(request, path: path)
        guard case .line = book.candidate(for: live, failsWhenExhausted: order.failsWhenExhausted) else { return false }
        return true
    }

    /// The recorded answer to a call.
    func answer(_ call: Call) -> Answer {
        let live = fingerprint(call.request, path: call.path)
        switch book.choose(live, failsWhenExhausted: order.failsWhenExhausted) {
        case .line(let place):
            guard let entry = entry(place) else {
                return .response(
                    ControlFault(.internalError, "Entry \(place) of the recording can't be read any more.").response
                )
            }
            let at = book.lines[place].at
            let answer = ReplayAnswer(speed: order.speed, shift: order.refresh ? DateShift(by: call.now - at) : nil)
            let sent = call.fields.bytes(.requestID).flatMap(RequestID.sane)
            return .response(answer.response(entry, requestID: sent, isHead: call.method == .head))
        case .exhausted, .none: return .miss
        }
    }

    /// What a request gets that no recording has, with the nearest entries and what differs.
    func miss(_ call: Call) -> Response {
        let live = fingerprint(call.request, path: call.path)
        let nearest = book.nearest(to: live).compactMap { place -> JSON? in
            let line = book.lines[place]
            guard let entry = entry(place), let address = HARAddress(entry.request.url) else { return nil }
            let differences = MatchReport.differences(live: live, recorded: book.fingerprint(of: entry, address))
            let differs =
                differences.isEmpty ? "nothing: each such entry has been served" : differences.joined(separator: "; ")
            return [
                "method": .string(line.method), "path": .string(line.path + (line.query.map { "?" + $0 } ?? "")),
                "differs": .string(differs), "entry": .integer(Int64(place)),
            ]
        }
        let fault = ControlFault(
            .noRecording,
            "No entry of the recording fits \(call.method.rawValue) \(live.path), or each has been served."
                + (nearest.isEmpty ? " The recording is empty." : " The nearest are listed.")
        )
        var response = fault.response
        if case .bytes(let bytes) = response.body, case .object(var document)? = try? JSONReader.read(bytes) {
            document.append("nearest", .array(nearest))
            response.body = .bytes(JSON.object(document).serialized())
        }
        return response
    }

    /// Adds an entry that was written just now.
    func add(_ entry: HAREntry, in file: DataFile, offset: Int, length: Int) {
        if files.last !== file { files.append(file) }
        book.add(entry, file: files.count - 1, offset: offset, length: length)
    }

    private func entry(_ place: Int) -> HAREntry? {
        if let known = cache[place] { return known }
        let line = book.lines[place]
        guard files.indices.contains(line.file),
            let bytes = try? files[line.file].read(at: line.offset, count: line.length),
            let entry = try? HARStreamReader.entry(bytes)
        else { return nil }
        if cached + line.length > Self.cacheCapacity {
            cache.removeAll()
            cached = 0
        }
        cached += line.length
        cache[place] = entry
        return entry
    }
}
