import Backend
import CivilTime
package import Engine
import HTTPMessage
import JSON
import Recording
import Secrets
import Transport
import Worlds

/// Answers requests from recordings (control contract, section 13).
///
/// Belongs to the loop's thread. Recently served entries are cached; the others stay in their files.
package final class ReplayPlayer {
    /// The result of searching the recording for a request.
    enum Answer {
        case response(Response)
        case miss
    }

    /// The number of bytes of entries that are cached.
    private static let cacheCapacity = 64 * 1_024 * 1_024

    private var book: ReplayIndex
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
    /// The fingerprints of requests without content, and whether an entry has that fingerprint, which it keeps.
    private var fingerprints: [RequestKey: (print: RequestFingerprint, isHeld: Bool)] = [:]
    private static let mostFingerprints = 1_024
    /// The number of bytes of a request up to which its fingerprint is remembered.
    private static let longestKey = 2_048
    /// The responses of short entries that are the same for each request.
    private var responses: [ResponseKey: Response] = [:]
    private var responseBytes = 0
    private static let responseCapacity = 8 * 1_024 * 1_024
    private var lastLinks: (key: (String, Int), value: LinkRewriter)?
    /// Tells whether any entry is long; without one nothing has to be read before an answer.
    private var hasLongEntries: Bool

    init(_ book: ReplayIndex, files: [DataFile], order: ModeOrder) {
        self.book = book
        self.files = files
        self.order = order
        hasLongEntries = book.lines.contains { $0.size > Self.longestInPlace }
    }

    var entries: Int { book.lines.count }

    /// An entry in words, for the journal: its place among all, from 0, and its file.
    func words(ofEntry index: Int) -> String {
        let file = book.lines[index].file
        return "entry \(index)" + (files.indices.contains(file) ? " of \(files[file].name)" : "")
    }

    /// Makes the fingerprints of requests that came in by an address.
    func fingerprinter(_ head: RequestHead, _ address: Address) -> Fingerprinter {
        let key = (head.authority ?? "localhost", address.linkPrefix, book.homes.count)
        if let last = lastFingerprinter, last.key == key { return last.value }
        let made = book.fingerprinter.at(book.homes + [key.0], prefix: key.1).sent(to: key.0)
        lastFingerprinter = (key, made)
        return made
    }

    /// All that the fingerprint of a request without content is made of.
    private struct RequestKey: Hashable {
        let homes: Int
        let method: HTTPMethod
        let linkPrefix: String
        let authority: String
        let path: Path
        let query: String?
        let contentType: String?
        let coding: String?

        init(_ head: RequestHead, _ address: Address, homes: Int) {
            self.homes = homes
            method = head.method
            linkPrefix = address.linkPrefix
            authority = head.authority ?? "localhost"
            path = address.path
            query = head.rawQuery
            contentType = head.value(of: .contentType)
            coding = head.value(of: .contentEncoding)
        }

        /// The bytes of its texts.
        var length: Int {
            let texts = method.rawValue.utf8.count + linkPrefix.utf8.count + authority.utf8.count
            let segments = path.segments.reduce(0) { $0 + $1.utf8.count + 1 }
            return texts + segments + [query, contentType, coding].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
        }

        // Path and query tell almost all requests of a client apart.
        func hash(into hasher: inout Hasher) {
            hasher.combine(path.segments)
            hasher.combine(query)
        }
    }

    /// Returns the fingerprint to search for; clients repeat requests that have no content.
    func fingerprint(_ request: HTTPRequest, _ address: Address) -> RequestFingerprint {
        guard request.body.length == 0 else { return made(request, address) }
        let key = RequestKey(request.head, address, homes: book.homes.count)
        if let known = fingerprints[key] {
            return known.isHeld ? known.print : self.known(known.print, request, address)
        }
        let live = fingerprinter(request.head, address).of(request, path: address.path)
        guard key.length <= Self.longestKey else { return known(live, request, address) }
        if fingerprints.count >= Self.mostFingerprints { fingerprints.removeAll() }
        fingerprints[key] = (live, book.holds(live))
        return known(live, request, address)
    }

    private func made(_ request: HTTPRequest, _ address: Address) -> RequestFingerprint {
        known(fingerprinter(request.head, address).of(request, path: address.path), request, address)
    }

    /// The parameters of a response beside those of the mode.
    private struct ResponseKey: Hashable {
        var index: Int
        var isWhole: Bool
        /// The client's view of the API, where links are rewritten.
        var origin: ForwardedOrigin?
        var linkPrefix: String
        var homes: Int
        var isHead: Bool

        // Most clients know one address.
        func hash(into hasher: inout Hasher) { hasher.combine(index) }
    }

    /// Returns the key of the response of an entry; nil where something in it depends on the request or the time.
    private func responseKey(_ index: Int, _ form: ReplayForm, _ call: Call) -> ResponseKey? {
        guard !order.refresh, call.request.head.bytes(of: .requestID).flatMap(RequestID.sane) == nil else { return nil }
        return ResponseKey(
            index: index,
            isWhole: form == .whole,
            origin: order.keepsLinks ? nil : ForwardedOrigin(of: call.request.head),
            linkPrefix: order.keepsLinks ? "" : call.linkPrefix,
            homes: book.homes.count,
            isHead: call.request.head.isMethod(.head)
        )
    }

    /// Returns the response of an entry, and keeps it where it has a key.
    private func response(
        _ form: ReplayForm,
        _ entry: HAREntry,
        _ call: Call,
        at index: Int,
        under key: ResponseKey?
    ) -> Response {
        let made = making(index, form, entry, call.request.head, call.linkPrefix, now: call.now).response(entry)
        guard let key else { return made }
        // The recorded line can be short where the response is long, as for HEAD.
        let cost = max(book.lines[index].size, made.body.content.count + made.fields.wire.count)
        guard cost <= Self.longestInPlace else { return made }
        if responseBytes + cost > Self.responseCapacity {
            responses.removeAll()
            responseBytes = 0
        }
        responses[key] = made
        responseBytes += cost
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
    private func position(_ state: (any Sendable)?) -> ReplayPlace {
        guard let position = state as? ReplayPlace, position.recording === recording else {
            return ReplayPlace(in: recording)
        }
        return position
    }

    /// The entry that a request would be answered with; nil if none fits.
    private func candidate(_ turn: ReplayTurn, _ state: () -> (any Sendable)?) -> (index: Int, form: ReplayForm)? {
        guard book.holds(turn.live) else { return nil }
        let pick = book.foreseen(
            turn.live,
            for: turn.head,
            at: position(state()),
            failsWhenExhausted: order.failsWhenExhausted
        )
        guard case .line(let line) = pick.choice else { return nil }
        return (line, pick.form)
    }

    /// Returns the state of a request with the fingerprint that was made of it.
    ///
    /// Where the recording has its path with the other form of the slash at its end alone, that is taken, or the client is
    /// led there (wire contract, section 6).
    func turn(_ live: RequestFingerprint, of head: RequestHead) -> ReplayTurn {
        guard order.slashes != .strict, !book.holds(live) else { return ReplayTurn(live, of: head, self) }
        let methods = live.method == "HEAD" ? ["HEAD", "GET"] : [live.method]
        let other = methods.lazy.compactMap { live.withOtherSlash(as: $0) }.compactMap(book.found).first
        guard let other else { return ReplayTurn(live, of: head, self) }
        let turn = ReplayTurn(order.slashes == .either ? other : live, of: head, self)
        turn.isRedirected = order.slashes == .redirect
        return turn
    }

    /// Tells whether a request would be answered from the recording; `state` is that of the world.
    func holds(_ turn: ReplayTurn, _ state: () -> (any Sendable)?) -> Bool {
        let mayMiss = order.failsWhenExhausted || book.isParticular(turn.live)
        return mayMiss ? candidate(turn, state) != nil : book.holds(turn.live)
    }

    /// Returns the form of a fingerprint to search for.
    ///
    /// If the request repeats a value that the client has sent under an identifying name, the value is replaced as
    /// redaction has replaced it in the recording. A HEAD that was not recorded is searched for as a GET.
    private func known(_ live: RequestFingerprint, _ request: HTTPRequest, _ address: Address) -> RequestFingerprint {
        guard !book.holds(live) else { return live }
        let other = replaced(live, request, address)
        if let found = book.found(other) { return found }
        guard request.head.method == .head else { return live }
        let fingerprinter = fingerprinter(request.head, address)
        let read = replaced(fingerprinter.of(request, as: .get, path: address.path), request, address, as: .get)
        return book.found(read) ?? live
    }

    /// Makes the fingerprints with the values that redaction has replaced; nil if it has replaced none.
    func knowingFingerprinter(_ head: RequestHead, _ address: Address) -> Fingerprinter? {
        learned.hasKnown ? fingerprinter(head, address).knowing(learned) : nil
    }

    /// Returns the form of a request by which an entry is found, of two fingerprints that were made before; its own if
    /// there is none.
    func chosen(_ live: RequestFingerprint, or replaced: RequestFingerprint?) -> RequestFingerprint {
        guard !book.holds(live), let replaced, book.holds(replaced) else { return book.found(live) ?? live }
        return replaced
    }

    private func replaced(
        _ live: RequestFingerprint,
        _ request: HTTPRequest,
        _ address: Address,
        as method: HTTPMethod? = nil
    ) -> RequestFingerprint {
        guard !book.holds(live), let knowing = knowingFingerprinter(request.head, address) else { return live }
        let other = knowing.of(request, as: method, path: address.path)
        return book.holds(other) ? other : live
    }

    /// Returns the recorded answer to a call, and updates the position of its world.
    ///
    /// A repeated call gets the same entry. A trial chooses in the same way, but leaves the position as it is.
    func answer(_ call: Call, _ turn: ReplayTurn, _ state: inout (any Sendable)?, isTrial: Bool = false) -> Answer {
        let index: Int
        var form = turn.form
        if let served = turn.served {
            index = served
        } else if isTrial {
            guard let found = candidate(turn, { state }) else { return .miss }
            (index, form) = found
        } else {
            var own = position(state)
            state = nil
            let pick = book.pick(turn.live, for: turn.head, at: &own, failsWhenExhausted: order.failsWhenExhausted)
            state = own
            turn.unfit = pick.unfit
            guard case .line(let found) = pick.choice else { return .miss }
            for secret in turn.live.secrets { learned.learn(secret) }
            (turn.served, turn.form) = (found, pick.form)
            (index, form) = (found, pick.form)
        }
        let answer = answer(form, call, turn, at: index)
        guard case .part(let places, let total) = form else { return .response(answer) }
        return .response(answer.part(places, of: total))
    }

    /// Returns the response of an entry, whole.
    private func answer(_ form: ReplayForm, _ call: Call, _ turn: ReplayTurn, at index: Int) -> Response {
        // The answer may have been made on a worker a moment ago; it counts unless its dates have to move.
        if let ready = turn.ready, ready.index == index, ready.isWhole == (form == .whole),
            !order.refresh || call.now - ready.now < .seconds(1),
            call.now >= ready.now
        {
            return ready.response
        }
        let key = responseKey(index, form, call)
        if let key, let known = responses[key] { return known }
        guard let entry = entry(index), !entry.lacksContent else {
            return Problem(.internalError, "Entry \(index) of the recording can no longer be read.").response
        }
        return response(form, entry, call, at: index, under: key)
    }

    private func making(
        _ index: Int,
        _ form: ReplayForm,
        _ entry: HAREntry?,
        _ head: RequestHead,
        _ linkPrefix: String,
        now: Instant
    ) -> ReplayReading.Making {
        let links = order.keepsLinks ? nil : links(head, linkPrefix)
        let shift = order.refresh ? DateShift(by: now - book.lines[index].at) : nil
        return ReplayReading.Making(
            known: entry,
            answer: ReplayAnswer(speed: order.speed, shift: shift, links: links),
            requestID: head.fields.bytes(.requestID).flatMap(RequestID.sane),
            isHead: head.method == .head,
            isWhole: form == .whole,
            now: now
        )
    }

    /// An entry that is similar to a request, with the differences; nil if it is too long to be compared here.
    private struct Near {
        var index: Int
        var score: Int
        var differences: [MatchReport.Difference]?

        /// The flags of `replay` with which the entry answers; nil if there are none.
        var flags: String? { differences.flatMap(MatchReport.flags) }
    }

    private static let mostNamed = 3
    private static let mostRanges = 10
    /// The number of entries, and of bytes, that are compared with a request on the loop.
    private static let mostCompared = 32
    private static let mostComparedBytes = 192 * 1_024

    /// The entries that differ least: first by method and path, then by the number of other differences.
    private func nearEntries(to live: RequestFingerprint) -> [Near] {
        var found: [Near] = []
        var bytes = 0
        for (rank, ranked) in book.ranked(to: live, count: Self.mostCompared).enumerated() {
            let line = book.lines[ranked.place]
            bytes += line.size
            guard rank < Self.mostNamed || bytes <= Self.mostComparedBytes else { break }
            var near = Near(index: ranked.place, score: ranked.score)
            if line.size <= Self.longestInPlace || cache[ranked.place] != nil {
                guard let entry = entry(ranked.place), let address = HARAddress(entry.request.url) else { continue }
                let recorded = book.fingerprint(of: entry, address)
                near.differences = MatchReport.all(live: live, recorded: recorded)
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

    /// The score from which on an entry is no nearer than any other.
    private static let near = 4

    /// Returns the entry that a request may have been meant for; nil if none is near.
    func nearestEntry(to live: RequestFingerprint) -> NearRoute? {
        guard let near = nearEntries(to: live).first, near.score < Self.near else { return nil }
        let line = book.lines[near.index]
        return NearRoute(
            method: HTTPMethod(rawValue: line.method),
            template: line.path + (line.query.map { "?" + $0 } ?? ""),
            differs: Self.words(near, line),
            distance: line.distance(to: live, near.differences?.count)
        )
    }

    private static func words(_ near: Near, _ line: ReplayIndex.Line) -> String {
        guard let differences = near.differences else { return "not compared: the entry has \(line.size) bytes" }
        guard differences.isEmpty else { return differences.map(\.text).joined(separator: "; ") }
        return line.reason
    }

    /// Returns the response to a request without a recording, with the nearest entries and their differences.
    func miss(_ call: Call, _ turn: ReplayTurn) -> Response {
        let live = turn.live
        let found = nearEntries(to: live)
        let nearest = found.map { near -> JSON in
            let line = book.lines[near.index]
            var entry: JSONObject = [
                "method": .string(line.method), "path": .string(line.path + (line.query.map { "?" + $0 } ?? "")),
                "differs": .string(Self.words(near, line)), "entry": .integer(Int64(near.index)),
            ]
            if let flags = near.flags { entry.append("flags", .string(flags)) }
            return .object(entry)
        }
        let problem = Problem(
            .noRecording,
            why(call, turn)
                + (nearest.isEmpty ? " The recording is empty." : " The nearest entries are listed.")
                + (found.first?.flags.map { " The first one answers with \($0)." } ?? "")
        )
        var response = problem.response
        if case .bytes(let bytes) = response.body, case .object(var document)? = try? JSONReader.read(bytes) {
            document.append("nearest", .array(nearest))
            response.body = .bytes(JSON.object(document).serialized())
        }
        return response
    }

    /// The reason of a miss.
    private func why(_ call: Call, _ turn: ReplayTurn) -> String {
        let live = turn.live
        let request = "\(call.method.rawValue.cut) \(live.path.cut)"
        if let unfit = turn.unfit {
            return
                "Entry \(unfit) matches \(request), but it is a 304, which answers a request with its condition alone, and the"
                + " recording does not have the 200 with its entity tag."
        }
        let ranges = book.ranges(live)
        if !ranges.isEmpty {
            return
                "The recording has only parts of \(request): the bytes \(ranges.prefix(Self.mostRanges).joined(separator: ", "))"
                + (ranges.count > Self.mostRanges ? " and \(ranges.count - Self.mostRanges) more." : ".")
        }
        guard !book.holds(live), let index = book.incomplete(live) else {
            return "No entry of the recording matches \(request), or each has been served."
        }
        let file = book.lines[index].size <= Self.longestInPlace ? entry(index)?.response.content.file : nil
        return "Entry \(index) matches \(request), but the archive does not have the content of its response"
            + (file.map { ", which is in the file \(JSON.string($0.cut).text)." } ?? ".")
    }

    /// Adds an entry that has just been written.
    func add(_ written: Recorder.Written) {
        if files.last !== written.file { files.append(written.file) }
        guard let print = written.print, let address = HARAddress(written.entry.request.url) else { return }
        book.add(
            print,
            written.entry,
            address,
            file: files.count - 1,
            offset: written.offset,
            length: written.length
        )
        if written.length > Self.longestInPlace { hasLongEntries = true }
    }

    /// Finds the entries nearest to a request of the journal, on any thread.
    package var nearestRecorded: NearestRecorded {
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
        guard hasLongEntries, let (index, form) = candidate(turn, state),
            turn.ready?.index != index || turn.ready?.isWhole != (form == .whole), turn.unreadable != index
        else { return nil }
        let line = book.lines[index]
        guard line.size > Self.longestInPlace, files.indices.contains(line.file) else { return nil }
        return .answer(
            ReplayReading.Entry(index, line, in: files[line.file]),
            making(index, form, cache[index], request.head, address.linkPrefix, now: now())
        )
    }

    private func entry(_ index: Int) -> HAREntry? {
        if let known = cache[index] { return known }
        let line = book.lines[index]
        guard files.indices.contains(line.file),
            let entry = ReplayReading.Entry(index, line, in: files[line.file]).read()
        else { return nil }
        keep(entry, index)
        return entry
    }

    /// Caches an entry.
    func keep(_ entry: HAREntry, _ index: Int) {
        guard book.lines.indices.contains(index), cache[index] == nil else { return }
        let length = book.lines[index].size
        if cached + length > Self.cacheCapacity {
            cache.removeAll()
            cached = 0
        }
        cached += length
        cache[index] = entry
    }
}
