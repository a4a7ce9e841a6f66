import CivilTime
import Control
import Emulation
import HTTPMessage
import JSON
import Recording
import Transport

/// Answers requests from recordings (control contract, section 13).
///
/// Belongs to the loop's thread. Recently served entries are cached; the others stay in their files.
final class ReplayPlayer {
    /// The result of searching the recording for a request.
    enum Answer {
        case response(Response)
        case miss
    }

    /// The number of bytes of entries that are cached.
    private static let cacheCapacity = 64 * 1_024 * 1_024

    private var book: ReplayBook
    /// The identity of this recording in the positions of worlds.
    private let recording = ReplayPlace.Recording()
    /// Secrets that clients have sent under names that identify them.
    private let learned = Pseudonyms()
    private var files: [DataFile]
    private let order: ModeOrder
    private var cache: [Int: HAREntry] = [:]
    private var cached = 0
    /// The fingerprinter of the last request, since most clients use one address.
    private var lastFingerprinter: (key: (String, String, Int), value: Fingerprinter)?
    private var lastLinks: (key: (String, Int), value: LinkRewriter)?
    /// Tells whether any entry is long; without one nothing has to be read before an answer.
    private var hasLongEntries: Bool

    init(_ book: ReplayBook, files: [DataFile], order: ModeOrder) {
        self.book = book
        self.files = files
        self.order = order
        hasLongEntries = book.lines.contains { $0.length > Self.longestInPlace }
    }

    var entries: Int { book.lines.count }

    /// Makes the fingerprints of requests that came in by an address.
    func fingerprinter(_ head: RequestHead, _ address: Address) -> Fingerprinter {
        let key = (head.authority ?? "localhost", address.linkPrefix, book.homes.count)
        if let last = lastFingerprinter, last.key == key { return last.value }
        let made = book.fingerprinter.at(book.homes + [key.0], prefix: key.1)
        lastFingerprinter = (key, made)
        return made
    }

    private func links(_ head: RequestHead, _ linkPrefix: String) -> LinkRewriter {
        let key = (Call.origin(of: head, linkPrefix), book.homes.count)
        if let last = lastLinks, last.key == key { return last.value }
        let made = LinkRewriter(book.homes, to: key.0)
        lastLinks = (key, made)
        return made
    }

    /// A world's position in this recording; the beginning if the world has not used it yet.
    private func place(_ state: (any Sendable)?) -> ReplayPlace {
        guard let place = state as? ReplayPlace, place.recording === recording else {
            return ReplayPlace(in: recording)
        }
        return place
    }

    /// The entry that a request would be answered with; nil if none fits.
    private func candidate(_ live: Fingerprint, _ state: () -> (any Sendable)?) -> Int? {
        guard book.holds(live),
            case .line(let line) = book.candidate(
                for: live,
                at: place(state()),
                failsWhenExhausted: order.failsWhenExhausted
            )
        else { return nil }
        return line
    }

    /// Tells whether a request would be answered from the recording; `state` is that of the world.
    func holds(_ live: Fingerprint, _ state: () -> (any Sendable)?) -> Bool {
        order.failsWhenExhausted ? candidate(live, state) != nil : book.holds(live)
    }

    /// Returns the fingerprint to search for.
    ///
    /// If the request repeats a value that the client has sent under an identifying name, the value is replaced as
    /// redaction has replaced it in the recording.
    func known(_ live: Fingerprint, _ request: HTTPRequest, _ address: Address) -> Fingerprint {
        guard !book.holds(live), learned.hasKnown, request.body.bytes.count <= Self.longestInPlace else { return live }
        let other = fingerprinter(request.head, address).knowing(learned).of(request, path: address.path)
        return book.holds(other) ? other : live
    }

    /// Returns the recorded answer to a call, and updates the position of its world.
    ///
    /// A repeated call gets the same entry. A trial chooses in the same way, but leaves the position as it is.
    func answer(_ call: Call, _ turn: ReplayTurn, _ state: inout (any Sendable)?, isTrial: Bool = false) -> Answer {
        let place: Int
        if let served = turn.served {
            place = served
        } else if isTrial {
            guard let found = candidate(turn.live, { state }) else { return .miss }
            place = found
        } else {
            var own = self.place(state)
            state = nil
            let choice = book.choose(turn.live, at: &own, failsWhenExhausted: order.failsWhenExhausted)
            state = own
            guard case .line(let found) = choice else { return .miss }
            for secret in turn.live.secrets { learned.learn(secret) }
            turn.served = found
            place = found
        }
        // The answer may have been made on a worker a moment ago; it counts unless its dates have to move.
        if let ready = turn.ready, ready.place == place, !order.refresh || call.now - ready.now < .seconds(1),
            call.now >= ready.now
        {
            return .response(ready.response)
        }
        guard let entry = entry(place) else {
            return .response(
                Problem(.internalError, "Entry \(place) of the recording can't be read any more.").response
            )
        }
        let making = making(place, entry, call.request.head, call.linkPrefix, call.now)
        return .response(making.answer.response(entry, requestID: making.requestID, isHead: making.isHead))
    }

    private func making(
        _ place: Int,
        _ entry: HAREntry?,
        _ head: RequestHead,
        _ linkPrefix: String,
        _ now: Instant
    ) -> ReplayReading.Making {
        let links = order.keepsLinks ? nil : links(head, linkPrefix)
        let shift = order.refresh ? DateShift(by: now - book.lines[place].at) : nil
        return ReplayReading.Making(
            known: entry,
            answer: ReplayAnswer(speed: order.speed, shift: shift, links: links),
            requestID: head.fields.bytes(.requestID).flatMap(RequestID.sane),
            isHead: head.method == .head,
            now: now
        )
    }

    /// An entry that is similar to a request, with the differences; nil if it is too long to be compared here.
    private struct Near {
        var place: Int
        var score: Int
        var differences: [String]?
    }

    private static let mostNamed = 3
    /// The number of entries, and of bytes, that are compared with a request on the loop.
    private static let mostCompared = 32
    private static let mostComparedBytes = 192 * 1_024

    /// The entries that differ least: first by method and path, then by the number of other differences.
    private func nearEntries(to live: Fingerprint) -> [Near] {
        var found: [Near] = []
        var bytes = 0
        for (place, ranked) in book.ranked(to: live, count: Self.mostCompared).enumerated() {
            let line = book.lines[ranked.place]
            bytes += line.length
            guard place < Self.mostNamed || bytes <= Self.mostComparedBytes else { break }
            var near = Near(place: ranked.place, score: ranked.score)
            if line.length <= Self.longestInPlace || cache[ranked.place] != nil {
                guard let entry = entry(ranked.place), let address = HARAddress(entry.request.url) else { continue }
                let recorded = book.fingerprint(of: entry, address)
                near.differences = MatchReport.differences(live: live, recorded: recorded)
            }
            found.append(near)
        }
        let order = found.indices.sorted { left, right in
            let (one, other) = (found[left], found[right])
            let (few, many) = (one.differences?.count ?? Int.max, other.differences?.count ?? Int.max)
            return (one.score, few, left) < (other.score, many, right)
        }
        return order.prefix(Self.mostNamed).map { found[$0] }
    }

    /// Returns the response to a request without a recording, with the nearest entries and their differences.
    func miss(_ call: Call, _ live: Fingerprint) -> Response {
        let nearest = nearEntries(to: live).map { near -> JSON in
            let line = book.lines[near.place]
            let differs: String
            if let differences = near.differences {
                differs =
                    differences.isEmpty
                    ? "nothing: each such entry has been served" : differences.joined(separator: "; ")
            } else {
                differs = "not compared: the entry has \(line.length) bytes"
            }
            return [
                "method": .string(line.method), "path": .string(line.path + (line.query.map { "?" + $0 } ?? "")),
                "differs": .string(differs), "entry": .integer(Int64(near.place)),
            ]
        }
        let fault = Problem(
            .noRecording,
            "No entry of the recording fits \(call.method.rawValue.cut) \(live.path.cut), or each has been served."
                + (nearest.isEmpty ? " The recording is empty." : " The nearest are listed.")
        )
        var response = fault.response
        if case .bytes(let bytes) = response.body, case .object(var document)? = try? JSONReader.read(bytes) {
            document.append("nearest", .array(nearest))
            response.body = .bytes(JSON.object(document).serialized())
        }
        return response
    }

    /// Adds an entry that has just been written.
    func add(_ written: Recorder.Written) {
        if files.last !== written.file { files.append(written.file) }
        guard let print = written.print, let address = HARAddress(written.entry.request.url) else { return }
        book.noteHome(address.authority)
        book.add(
            print,
            written.entry,
            address.query,
            file: files.count - 1,
            offset: written.offset,
            length: written.length
        )
        if written.length > Self.longestInPlace { hasLongEntries = true }
    }

    /// Finds the entries nearest to a request of the journal, on any thread.
    var nearestRecorded: NearestRecorded {
        let entries = NearEntries(book: book, files: files)
        return { entries.nearest(to: $0, count: $1) }
    }

    // MARK: Reading

    /// Longer entries are read on a worker.
    static let longestInPlace = 64 * 1_024

    /// The work for a worker before the next answer, if its entry is long; nil if there is none.
    func pending(
        _ turn: ReplayTurn,
        _ request: HTTPRequest,
        _ address: Address,
        _ state: () -> (any Sendable)?,
        now: () -> Instant
    ) -> ReplayReading? {
        guard hasLongEntries, let place = candidate(turn.live, state), turn.ready?.place != place,
            turn.unreadable != place
        else { return nil }
        let line = book.lines[place]
        guard line.length > Self.longestInPlace, files.indices.contains(line.file) else { return nil }
        return .answer(
            ReplayReading.Entry(place: place, file: files[line.file], offset: line.offset, length: line.length),
            making(place, cache[place], request.head, address.linkPrefix, now())
        )
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

    /// Caches an entry.
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
