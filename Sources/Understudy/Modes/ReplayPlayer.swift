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
    /// Most recordings have none, and then nothing has to be looked for before an answer.
    private var hasLongEntries: Bool

    init(_ book: ReplayBook, files: [DataFile], order: ModeOrder) {
        self.book = book
        self.files = files
        self.order = order
        hasLongEntries = book.lines.contains { $0.length > Self.longestInPlace }
    }

    var entries: Int { book.lines.count }

    var fingerprinter: Fingerprinter { book.fingerprinter }

    /// The entry that a request would be answered with; nil if none fits.
    private func candidate(_ live: Fingerprint) -> Int? {
        guard case .line(let place) = book.candidate(for: live, failsWhenExhausted: order.failsWhenExhausted) else {
            return nil
        }
        return place
    }

    /// Whether a request would be answered from the recording.
    func holds(_ live: Fingerprint) -> Bool { candidate(live) != nil }

    /// The recorded answer to a call.
    ///
    /// A call that is asked for again is given the same entry. A trial chooses as if it were served, and leaves the
    /// recording where it is.
    func answer(_ call: Call, _ turn: ReplayTurn, isTrial: Bool = false) -> Answer {
        let place: Int
        if let served = turn.served {
            place = served
        } else if isTrial {
            guard let found = candidate(turn.live) else { return .miss }
            place = found
        } else {
            guard case .line(let found) = book.choose(turn.live, failsWhenExhausted: order.failsWhenExhausted) else {
                return .miss
            }
            turn.served = found
            place = found
        }
        guard let entry = entry(place) else {
            return .response(
                ControlFault(.internalError, "Entry \(place) of the recording can't be read any more.").response
            )
        }
        let at = book.lines[place].at
        let answer = ReplayAnswer(speed: order.speed, shift: order.refresh ? DateShift(by: call.now - at) : nil)
        let sent = call.fields.bytes(.requestID).flatMap(RequestID.sane)
        return .response(answer.response(entry, requestID: sent, isHead: call.method == .head))
    }

    /// What a request gets that no recording has, with the nearest entries and what differs.
    func miss(_ call: Call, _ live: Fingerprint) -> Response {
        let nearest = book.nearest(to: live).compactMap { place -> JSON? in
            let line = book.lines[place]
            let differs: String
            if line.length > Self.longestInPlace, cache[place] == nil {
                differs = "not compared: the entry has \(line.length) bytes"
            } else {
                guard let entry = entry(place), let address = HARAddress(entry.request.url) else { return nil }
                let differences = MatchReport.differences(live: live, recorded: book.fingerprint(of: entry, address))
                differs =
                    differences.isEmpty
                    ? "nothing: each such entry has been served" : differences.joined(separator: "; ")
            }
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
        if length > Self.longestInPlace { hasLongEntries = true }
    }

    // MARK: Reading

    /// Longer entries are read on a worker.
    static let longestInPlace = 64 * 1_024

    /// A long entry that the next answer needs and that is not at hand: where it is.
    func unread(_ live: Fingerprint) -> ReplayReading.Entry? {
        guard hasLongEntries, let place = candidate(live), cache[place] == nil else { return nil }
        let line = book.lines[place]
        guard line.length > Self.longestInPlace, files.indices.contains(line.file) else { return nil }
        return ReplayReading.Entry(place: place, file: files[line.file], offset: line.offset, length: line.length)
    }

    private func entry(_ place: Int) -> HAREntry? {
        if let known = cache[place] { return known }
        let line = book.lines[place]
        guard files.indices.contains(line.file),
            let entry = ReplayReading.Entry(
                place: place,
                file: files[line.file],
                offset: line.offset,
                length: line.length
            ).read()
        else { return nil }
        keep(entry, place)
        return entry
    }

    /// Keeps an entry at hand.
    func keep(_ entry: HAREntry, _ place: Int) {
        guard book.lines.indices.contains(place), cache[place] == nil else { return }
        let length = book.lines[place].length
        if cached + length > Self.cacheCapacity {
            cache.removeAll()
            cached = 0
        }
        cached += length
        cache[place] = entry
    }
}
