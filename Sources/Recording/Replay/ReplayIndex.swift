package import CivilTime
package import HTTPMessage

/// The entries of one or more recordings, found by their fingerprints.
///
/// A `ReplayPlace` records which of them have been served. The index has no content: an entry is a position in a file.
/// Its memory depends on the number of entries, not on their size.
package struct ReplayIndex: Sendable {
    /// The position of an entry, and the facts for choosing it.
    package struct Line: Sendable {
        package var file: Int
        package var offset: Int
        package var length: Int
        /// The bytes of its text and of the files beside the archive that have its contents.
        package var size: Int
        package var method: String
        /// The path's normal form.
        package var path: String
        package var query: String?
        /// The time of the exchange, on the clock of its dates.
        package var at: Instant
        /// The time of the exchange, on the wall clock; the epoch if unknown.
        var started: Instant
        var key: [UInt8]
        var exactKey: [UInt8]
        var linkKey: [UInt8]
        var identity: [String]
        /// The place of its host in `homes`.
        var home: Int
        /// The number of hosts that were known when its request was read; nil if it can name none.
        fileprivate var homesThen: Int?
        /// Tells that the archive does not have the content of its response, so that it can't answer.
        package var lacksContent: Bool
        package var role: EntryRole
        /// The place of its traits among all.
        var traits: Int
    }

    /// A path as the numbers of its segments, to be compared quickly.
    private struct Route {
        var place: Int
        var method: String
        var segments: [Int]
    }

    /// The maximum number of entries of one key that are searched for the best.
    private static let window = 1_000
    /// The maximum number of traits among entries of one key that are told apart.
    private static let mostKinds = 1_000
    /// The maximum number of different requests that a miss is compared with.
    private static let mostRoutes = 20_000

    /// The result of choosing an entry for a request.
    package enum Choice: Sendable, Equatable {
        case line(Int)
        /// Entries match, but each has been served once.
        case exhausted(Int)
        /// Its turn is that of an entry that may not be sent to this request, and nothing stands in for it.
        case unfit(Int)
        case none
    }

    /// An entry with the form in which it is sent.
    package struct Pick: Sendable {
        package let choice: Choice
        package var form = ReplayForm.recorded
        /// The entry whose turn it is, if it may not be sent.
        package var unfit: Int? { if case .unfit(let line) = choice { line } else { nil } }
        /// The key of its turn, and its index among the entries of that key if it was not served before.
        fileprivate var turn: (key: [UInt8], rank: Int)?
        /// The entry whose turn it is, if another one stands in for it.
        fileprivate var line: Int?
    }

    /// The makers of fingerprints in one object: a book is copied for many looks at it.
    private final class Printers: Sendable {
        let ofRequests: Fingerprinter
        let ofEntries: Fingerprinter

        init(ofRequests: Fingerprinter, ofEntries: Fingerprinter) {
            self.ofRequests = ofRequests
            self.ofEntries = ofEntries
        }
    }

    private var printers: Printers
    package var fingerprinter: Fingerprinter { printers.ofRequests }
    package private(set) var lines: [Line] = []
    /// The number of entries without a response or an address, such as failed connections.
    package private(set) var unusable = 0
    private var shelves: [[UInt8]: ReplayShelf] = [:]
    /// The same by key and host, where there are several hosts.
    private var shelvesOfHosts: [[UInt8]: ReplayShelf] = [:]
    /// The traits that entries are chosen by, and the place of each among these.
    private var traits: [EntryTraits] = []
    private var traitPlaces: [EntryTraits: Int] = [:]
    /// The first entry of each key whose content is missing.
    private var incomplete: [[UInt8]: Int] = [:]
    /// Tells whether the content of any request is not in the archive.
    private var hasUnknownContent = false
    /// The files that forms lack, by their places among the files; those with the fewest first.
    private var lostFiles: [[Bool]] = []
    private var routes: [Route] = []
    private var numbers: [String: Int] = [:]
    /// The segments by their numbers.
    private var names: [String] = []
    /// The destinations of the recorded requests: hosts with their ports.
    package private(set) var homes: [String] = []
    private var homePlaces: [String: Int] = [:]
    /// Makes the fingerprints of entries, by the hosts that are known so far.
    private var printer: Fingerprinter {
        get { printers.ofEntries }
        set { printers = Printers(ofRequests: printers.ofRequests, ofEntries: newValue) }
    }

    package init(rules: MatchRules = MatchRules()) {
        let fingerprinter = Fingerprinter(rules)
        printers = Printers(ofRequests: fingerprinter, ofEntries: fingerprinter.at([]))
    }

    /// The number of entries that can answer.
    package var answering: Int { lines.count { !$0.lacksContent } }

    /// Adds an entry; one without a response is only counted.
    package mutating func add(_ entry: HAREntry, file: Int, offset: Int, length: Int) {
        guard entry.response.status >= 200, let address = HARAddress(entry.request.url) else {
            unusable += 1
            return
        }
        noteHome(address.authority)
        let print = fingerprint(of: entry, address)
        add(print, entry, address, file: file, offset: offset, length: length)
    }

    /// Returns the moment to which the dates of a response are relative: the world's, or that of the backend if the
    /// response's own `Date` shows that it used the wall clock.
    static func moment(of entry: HAREntry) -> Instant {
        guard let virtual = entry.virtualTime else { return entry.started }
        guard let date = entry.response.headers.value("date").flatMap({ Instant(httpDate: $0) }) else { return virtual }
        func distance(_ other: Instant) -> Interval { max(date - other, other - date) }
        return distance(entry.started) < distance(virtual) ? entry.started : virtual
    }

    /// Adds an entry with its fingerprint.
    package mutating func add(
        _ print: RequestFingerprint,
        _ entry: HAREntry,
        _ address: HARAddress,
        file: Int,
        offset: Int,
        length: Int
    ) {
        let namesHosts = address.query != nil || entry.request.postData?.bytes.isEmpty == false
        let line = Line(
            file: file,
            offset: offset,
            length: length,
            size: length + entry.attachedBytes,
            method: print.method,
            path: print.path,
            query: address.query,
            at: Self.moment(of: entry),
            started: entry.started,
            key: print.key,
            exactKey: print.exactKey,
            linkKey: print.linkKey,
            identity: print.identity,
            home: noteHome(address.authority),
            homesThen: namesHosts ? homes.count : nil,
            lacksContent: entry.lacksContent,
            role: EntryRole(entry),
            traits: note(EntryTraits(entry, ignoring: fingerprinter.rules.headers))
        )
        noteUnknownContent(entry, print)
        lines.append(line)
        shelve(lines.count - 1)
    }

    private mutating func note(_ traits: EntryTraits) -> Int {
        if let known = traitPlaces[traits] { return known }
        traitPlaces[traits] = self.traits.count
        self.traits.append(traits)
        return self.traits.count - 1
    }

    private mutating func noteUnknownContent(_ entry: HAREntry, _ print: RequestFingerprint) {
        guard entry.request.contentKnowledge != .whole else { return }
        guard case .parts = print.body else {
            hasUnknownContent = true
            return
        }
        let lost = print.lostFiles
        guard lost.contains(true), !lostFiles.contains(lost) else { return }
        let count = lost.count { $0 }
        lostFiles.insert(lost, at: lostFiles.firstIndex { $0.count { $0 } > count } ?? lostFiles.count)
    }

    /// Makes an entry one that can be found.
    private mutating func shelve(_ place: Int) {
        let line = lines[place]
        if shelves[line.key] == nil, incomplete[line.key] == nil, routes.count < Self.mostRoutes {
            let segments = line.path.split(separator: "/").map { segment -> Int in
                let text = String(segment)
                if let known = numbers[text] { return known }
                numbers[text] = names.count
                names.append(text)
                return names.count - 1
            }
            routes.append(Route(place: place, method: line.method, segments: segments))
        }
        guard !line.lacksContent else {
            if incomplete[line.key] == nil { incomplete[line.key] = place }
            return
        }
        shelves[line.key, default: ReplayShelf()].add(line, place)
        if homes.count > 1 {
            shelvesOfHosts[Self.key(line.key, homes[line.home]), default: ReplayShelf()].add(line, place)
        }
    }

    private static func key(_ key: [UInt8], _ host: String) -> [UInt8] { key + Array(host.utf8) }

    /// Ends the reading of the recordings.
    ///
    /// An address of any host in them is the backend's, also in a request that was read before that host was met, so
    /// that the order of entries and files does not matter: `read` reads such an entry again.
    ///
    /// The entries of each key are sorted by the times at which they began, file by file.
    package mutating func settle(_ read: (Line) -> HAREntry? = { _ in nil }) {
        for place in lines.indices where (lines[place].homesThen ?? homes.count) < homes.count {
            guard let entry = read(lines[place]), let address = HARAddress(entry.request.url) else { continue }
            let print = fingerprint(of: entry, address)
            lines[place].key = print.key
            lines[place].exactKey = print.exactKey
            lines[place].linkKey = print.linkKey
            lines[place].identity = print.identity
            lines[place].homesThen = homes.count
        }
        if homes.count > 1 {
            (shelves, shelvesOfHosts, incomplete) = ([:], [:], [:])
            (routes, numbers, names) = ([], [:], [])
            for place in lines.indices { shelve(place) }
        }
        sort(&shelves)
        sort(&shelvesOfHosts)
    }

    /// Sorts the entries of each key by the times at which they began, file by file.
    ///
    /// A reader of an archive must do so if its writer did not (HAR 1.2, `entries`). An entry without a time stays
    /// behind the one before it.
    private func sort(_ shelves: inout [[UInt8]: ReplayShelf]) {
        for key in shelves.keys where shelves[key]?.isUnordered == true { shelves[key]?.sort(lines) }
    }

    /// Notes a host of the recorded backend; returns its place in `homes`.
    @discardableResult
    package mutating func noteHome(_ authority: String) -> Int {
        let home = LinkRewriter.normal(authority)
        if let place = homePlaces[home] { return place }
        homePlaces[home] = homes.count
        homes.append(home)
        printer.add(home)
        return homes.count - 1
    }

    /// Returns the fingerprint of a recorded request; any thread may call it.
    package func fingerprint(of entry: HAREntry, _ address: HARAddress) -> RequestFingerprint {
        Self.fingerprint(of: entry, address, printer)
    }

    /// Makes the fingerprints of entries that are recorded while the recording is replayed.
    package var recordedFingerprinter: Fingerprinter { printer }

    package static func fingerprint(
        of entry: HAREntry,
        _ address: HARAddress,
        _ fingerprinter: Fingerprinter
    ) -> RequestFingerprint {
        let print = fingerprinter.sent(to: address.authority).fingerprint(
            method: entry.request.method,
            path: address.path,
            query: address.query,
            contentType: entry.request.headers.value("content-type") ?? entry.request.postData?.mimeType ?? "",
            coding: entry.request.headers.value("content-encoding"),
            body: entry.request.postData?.bytes ?? []
        )
        switch entry.request.contentKnowledge {
        case .whole: return print
        case .withoutFiles:
            guard case .parts = print.body else { return print.with(.unknown) }
            return print.without(print.lostFiles) ?? print
        case .none: return print.with(.unknown)
        }
    }

    /// Returns true if any entry matches, served or not.
    package func holds(_ live: RequestFingerprint) -> Bool { shelves[live.key] != nil }

    /// Returns true if some of the matching entries may be sent to some of the requests only.
    package func isParticular(_ live: RequestFingerprint) -> Bool { shelves[live.key]?.isParticular == true }

    /// Returns the form of a request by which entries are found: its own, or that of a request with content that the
    /// archive does not have; nil if no entry matches.
    package func found(_ live: RequestFingerprint) -> RequestFingerprint? { forms(of: live).first(where: holds) }

    /// Returns an entry that would match if the archive had its content.
    package func incomplete(_ live: RequestFingerprint) -> Int? {
        forms(of: live).lazy.compactMap { incomplete[$0.key] }.first
    }

    private func forms(of live: RequestFingerprint) -> [RequestFingerprint] {
        let forms = [live] + lostFiles.compactMap(live.without)
        return hasUnknownContent ? forms + [live.with(.unknown)] : forms
    }

    /// Chooses the entry for a request and notes that it is served.
    ///
    /// The order among the matches is: an unserved one with exactly these values, then any unserved one in the recorded
    /// order, then the last one, unless `failsWhenExhausted`. Of entries that differ in a person (an e-mail address, a
    /// number), only those count that the live value has been matched with before, or that have not been matched at
    /// all, and of entries that differ in a link to a recorded host those with the link that was sent. A request that names one of several recorded hosts is answered by the entries of that host, if there are
    /// any.
    package func choose(
        _ live: RequestFingerprint,
        for request: RequestHead? = nil,
        at place: inout ReplayPlace,
        failsWhenExhausted: Bool
    ) -> Choice { pick(live, for: request, at: &place, failsWhenExhausted: failsWhenExhausted).choice }

    /// Does the same, and returns the form in which the entry is sent, too.
    package func pick(
        _ live: RequestFingerprint,
        for request: RequestHead?,
        at place: inout ReplayPlace,
        failsWhenExhausted: Bool
    ) -> Pick {
        let found = foreseen(live, for: request, at: place, failsWhenExhausted: failsWhenExhausted)
        if let turn = found.turn { place.serve(turn.rank, of: turn.key) }
        if case .line(let line) = found.choice { place.bind(lines[found.line ?? line].identity, live.identity) }
        return found
    }

    /// Returns the choice that `choose` would make.
    package func candidate(
        for live: RequestFingerprint,
        of request: RequestHead? = nil,
        at place: ReplayPlace,
        failsWhenExhausted: Bool
    ) -> Choice { foreseen(live, for: request, at: place, failsWhenExhausted: failsWhenExhausted).choice }

    /// Returns the entry that `pick` would return.
    package func foreseen(
        _ live: RequestFingerprint,
        for request: RequestHead?,
        at place: ReplayPlace,
        failsWhenExhausted: Bool
    ) -> Pick {
        var key = live.key
        if homes.count > 1, homePlaces[live.host] != nil {
            let own = Self.key(key, live.host)
            if shelvesOfHosts[own] != nil { key = own }
        }
        guard let shelf = shelvesOfHosts[key] ?? shelves[key] else { return Pick(choice: .none) }
        let parts = request.map { self.parts(shelf, for: $0) } ?? []
        var kinds = shelf.kinds
        for part in parts where !kinds.contains(lines[part.line].traits) { kinds.append(lines[part.line].traits) }
        let group = group(kinds, of: request)
        if let request, let part = part(of: parts.filter { group.contains(lines[$0.line].traits) }, request, key, place)
        {
            return part
        }
        let places = shelf.places(of: group)
        if places.count < shelf.places.count {
            for kind in group { key += [16, 8, 0].map { UInt8(truncatingIfNeeded: kind >> $0) } }
        }
        let turn = turn(of: places, live, place, key, failsWhenExhausted: failsWhenExhausted)
        guard case .line(let line) = turn.choice, let request else { return turn }
        return standIn(for: line, request, shelf, turn)
    }

    /// Returns the traits of the entries that are meant for a request, among those of its key: those that it is the same
    /// in, else those whose media type it takes, else all.
    private func group(_ kinds: [Int], of request: RequestHead?) -> [Int] {
        guard (2...Self.mostKinds).contains(kinds.count), let request else { return kinds }
        let same = kinds.filter { traits[$0].isSame(as: request) }
        guard same.isEmpty else { return same }
        let accepted = AcceptedTypes(request)
        let taken = kinds.map { traits[$0].isAccepted(by: accepted) }
        guard taken.contains(true) else { return kinds }
        return zip(kinds, taken).filter { $1 != false }.map(\.0)
    }

    /// The parts that a request for a range may get, each with its form; `isVery` tells that it is for the very range.
    private func parts(
        _ shelf: ReplayShelf,
        for request: RequestHead
    ) -> [(line: Int, form: ReplayForm, isVery: Bool)] {
        guard !shelf.parts.isEmpty, request.isMethod(.get), request.fields.contains(.range) else { return [] }
        let range = ByteRange(request.fields)
        let asked = request.fields.values(.range).joined(separator: ", ")
        return shelf.parts.compactMap { line in
            guard case .part(let part) = lines[line].role, part.validators.admitPart(request) else { return nil }
            let places = range.flatMap(part.places)
            if part.asked == asked || places != nil && places == part.places { return (line, .recorded, true) }
            return places.map { (line, .part($0, of: part.total), false) }
        }
    }

    /// Returns the part that a request gets; nil if there is none.
    ///
    /// One for the very range comes first; equal ones have their turns.
    private func part(
        of parts: [(line: Int, form: ReplayForm, isVery: Bool)],
        _ request: RequestHead,
        _ key: [UInt8],
        _ place: ReplayPlace
    ) -> Pick? {
        let found = parts.contains(where: \.isVery) ? parts.filter(\.isVery) : parts
        guard let last = found.last else { return nil }
        let key = key + found.flatMap { [UInt8(0)] + Array("\($0.line)".utf8) }.prefix(256)
        let rank = place.fresh(of: key, among: found.count, most: 1).first
        let chosen = rank.map { found[$0] } ?? last
        return Pick(choice: .line(chosen.line), form: chosen.form, turn: rank.map { (key, $0) })
    }

    /// Returns what a request gets at the turn of an entry.
    private func standIn(for line: Int, _ request: RequestHead, _ shelf: ReplayShelf, _ turn: Pick) -> Pick {
        var pick = turn
        switch lines[line].role {
        case .plain, .content, .part: return turn
        case .whole: pick.form = .whole
        case .notModified(let validators, let hasText):
            if validators.fit(request) { return turn }
            let others = shelf.contents.filter { place in
                switch lines[place].role {
                case .content(let own): own.names(validators)
                case .whole(let part): part.validators.names(validators)
                case .plain, .notModified, .part: false
                }
            }
            let other = others.first { lines[$0].traits == lines[line].traits } ?? others.first
            pick.line = line
            if let other {
                if case .whole = lines[other].role { pick.form = .whole }
                return Pick(choice: .line(other), form: pick.form, turn: turn.turn, line: line)
            }
            guard hasText else { return Pick(choice: .unfit(line), turn: turn.turn) }
            pick.form = .whole
        }
        return pick
    }

    /// Returns the entry whose turn it is among those of a group.
    private func turn(
        of places: [Int],
        _ live: RequestFingerprint,
        _ place: ReplayPlace,
        _ key: [UInt8],
        failsWhenExhausted: Bool
    ) -> Pick {
        let identity = live.identity
        func agrees(_ line: Int) -> Bool { place.agrees(lines[line].identity, identity) }
        func isExact(_ line: Int) -> Bool { lines[line].exactKey == live.exactKey }
        func isLinked(_ line: Int) -> Bool { lines[line].linkKey == live.linkKey }
        guard !places.isEmpty else { return Pick(choice: .none) }
        // The unserved entries and the last ones behind them, as many as can be compared without delaying other
        // requests.
        var fresh = place.fresh(of: key, among: places.count, most: Self.window)
        var last = Array(places.suffix(Self.window))
        if !live.linkKey.isEmpty, last.contains(where: isLinked) || fresh.contains(where: { isLinked(places[$0]) }) {
            fresh = fresh.filter { isLinked(places[$0]) }
            last = last.filter(isLinked)
        }
        let own = fresh.filter { agrees(places[$0]) }
        let isOwnKnown = !own.isEmpty || last.contains { agrees($0) }
        let fitting = isOwnKnown ? own : fresh
        if let rank = fitting.first(where: { isExact(places[$0]) }) ?? fitting.first {
            return Pick(choice: .line(places[rank]), turn: (key, rank))
        }
        let candidates = isOwnKnown ? last.filter { agrees($0) } : last
        let line = candidates.last { isExact($0) } ?? candidates.last ?? places[0]
        return Pick(choice: failsWhenExhausted ? .exhausted(line) : .line(line))
    }

    /// Returns the ranges that are there of what a request asks for, in words.
    package func ranges(_ live: RequestFingerprint) -> [String] {
        var words: [String] = []
        for line in shelves[live.key].map({ $0.places.isEmpty ? $0.parts : [] }) ?? [] {
            guard case .part(let part) = lines[line].role, let text = part.words, !words.contains(text) else {
                continue
            }
            words.append(text)
        }
        return words
    }

    // MARK: Misses

    /// Returns the entries most similar to a request, best first, without duplicates.
    package func nearest(to live: RequestFingerprint, count: Int = 3) -> [Int] {
        ranked(to: live, count: count).map(\.place)
    }

    /// The bytes of a segment that are compared with another.
    private static let mostCompared = 64

    /// Tells whether two different segments are alike in two thirds of their bytes, from both ends.
    private static func isTypo(_ sent: Substring, of known: String) -> Bool {
        let (left, right) = (sent.utf8, known.utf8)
        let most = max(left.count, right.count)
        guard most <= mostCompared else { return false }
        let same = zip(left, right).prefix { $0 == $1 }.count
        let rest = min(left.count, right.count) - same
        let end = zip(left.reversed(), right.reversed()).prefix(rest).prefix { $0 == $1 }.count
        return (same + end) * 3 >= most * 2
    }

    /// Returns the same with the distance of their methods and paths; the caller compares the rest among equals.
    package func ranked(to live: RequestFingerprint, count: Int) -> [(score: Int, place: Int)] {
        var best: [(score: Int, place: Int)] = []
        let sent = live.path.split(separator: "/")
        let wanted = sent.map { numbers[String($0)] ?? -1 }
        for route in routes {
            let isMethod = route.method == live.method
            var score = abs(route.segments.count - wanted.count) * 3 + (isMethod ? 0 : 2)
            for (place, (left, right)) in zip(route.segments, wanted).enumerated() where left != right {
                score += Self.isTypo(sent[place], of: names[left]) ? 1 : 3
                // Nothing that follows makes it nearer than the worst that is kept.
                if let worst = best.last, best.count == count, score > worst.score { break }
            }
            if isMethod, route.segments == wanted { score -= 1 }
            if let worst = best.last, best.count == count, score >= worst.score { continue }
            let position = best.firstIndex { $0.score > score } ?? best.count
            best.insert((score, route.place), at: position)
            if best.count > count { best.removeLast() }
        }
        return best
    }
}
