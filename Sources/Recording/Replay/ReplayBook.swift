package import CivilTime
import HTTPMessage

/// The entries of one or more recordings, found by their fingerprints.
///
/// What has been served of them is in a `ReplayPlace`. Holds no content: an entry is a place in a file. So the memory it takes depends on how many entries there are, not
/// on how large they are.
package struct ReplayBook: Sendable {
    /// The place of an entry, and the facts that choosing it needs.
    package struct Line: Sendable {
        package var file: Int
        package var offset: Int
        package var length: Int
        package var method: String
        /// The path's normal form.
        package var path: String
        package var query: String?
        /// The time of the exchange, on the clock that its dates go by.
        package var at: Instant
        /// The time of the exchange, on the wall clock; the epoch if unknown.
        var started: Instant
        var key: [UInt8]
        var exactKey: [UInt8]
        var identity: [String]
    }

    /// The entries of one key, in the recorded order.
    private struct Shelf {
        var places: [Int] = []
        /// The last file, and when the last of its entries began that has a time.
        var file = 0
        var latest = Instant.epoch
        /// True if an entry stands in the file behind one that began later.
        var isUnordered = false

        mutating func add(_ line: Line, _ place: Int) {
            places.append(place)
            if line.file != file { latest = .epoch }
            file = line.file
            guard line.started != .epoch else { return }
            if line.started < latest { isUnordered = true }
            latest = line.started
        }
    }

    /// A path as the numbers of its segments, to be compared quickly.
    private struct Route {
        var place: Int
        var method: String
        var segments: [Int]
    }

    /// The maximum number of entries of one key that are searched for the best.
    private static let window = 1_000
    /// The maximum number of different requests that a miss is compared with.
    private static let mostRoutes = 20_000
    /// Hosts that are known as places of the recorded backend.
    private static let mostHomes = 64

    /// The result of choosing an entry for a request.
    package enum Choice: Sendable, Equatable {
        case line(Int)
        /// Entries fit, but each has been served once.
        case exhausted(Int)
        case none
    }

    package let fingerprinter: Fingerprinter
    package private(set) var lines: [Line] = []
    /// Entries that have no answer or no address to match, such as failed connections.
    package private(set) var unusable = 0
    private var shelves: [[UInt8]: Shelf] = [:]
    private var routes: [Route] = []
    private var numbers: [String: Int] = [:]
    /// The destinations of the recorded requests: hosts with their ports.
    package private(set) var homes: [String] = []

    package init(rules: MatchRules = MatchRules()) { fingerprinter = Fingerprinter(rules) }

    /// Adds an entry; one without an answer is only counted.
    package mutating func add(_ entry: HAREntry, file: Int, offset: Int, length: Int) {
        guard entry.response.status >= 200, let address = HARAddress(entry.request.url) else {
            unusable += 1
            return
        }
        noteHome(address.authority)
        let print = fingerprint(of: entry, address)
        add(print, entry, address.query, file: file, offset: offset, length: length)
    }

    /// The moment that the dates of an answer are seen from: the world's, or that of the backend where the answer's own
    /// `Date` says that it went by the wall clock.
    static func moment(of entry: HAREntry) -> Instant {
        guard let virtual = entry.virtualTime else { return entry.started }
        guard let date = entry.response.headers.value("date").flatMap({ Instant(httpDate: $0) }) else { return virtual }
        func distance(_ other: Instant) -> Interval { max(date - other, other - date) }
        return distance(entry.started) < distance(virtual) ? entry.started : virtual
    }

    /// Adds an entry with its fingerprint.
    package mutating func add(
        _ print: Fingerprint,
        _ entry: HAREntry,
        _ query: String?,
        file: Int,
        offset: Int,
        length: Int
    ) {
        let line = Line(
            file: file,
            offset: offset,
            length: length,
            method: print.method,
            path: print.path,
            query: query,
            at: Self.moment(of: entry),
            started: entry.started,
            key: print.key,
            exactKey: print.exactKey,
            identity: print.identity
        )
        if shelves[line.key] == nil, routes.count < Self.mostRoutes {
            let segments = line.path.split(separator: "/").map { segment -> Int in
                let text = String(segment)
                if let known = numbers[text] { return known }
                numbers[text] = numbers.count
                return numbers.count - 1
            }
            routes.append(Route(place: lines.count, method: line.method, segments: segments))
        }
        shelves[line.key, default: Shelf()].add(line, lines.count)
        lines.append(line)
    }

    /// Puts the entries of each key in the order in which they began, file by file.
    ///
    /// Whoever reads an archive has to do so where its writer did not (HAR 1.2, `entries`). An entry without a time
    /// stays behind the one before it.
    package mutating func settle() {
        for key in shelves.keys where shelves[key]?.isUnordered == true {
            guard let places = shelves[key]?.places else { continue }
            var last = Instant.epoch
            let timed = places.enumerated().map { rank, place -> (file: Int, at: Instant, rank: Int, place: Int) in
                if lines[place].started != .epoch { last = lines[place].started }
                return (lines[place].file, last, rank, place)
            }
            let sorted = timed.sorted { ($0.file, $0.at, $0.rank) < ($1.file, $1.at, $1.rank) }
            shelves[key]?.places = sorted.map(\.place)
            shelves[key]?.isUnordered = false
        }
    }

    /// Remembers where recorded requests went.
    package mutating func noteHome(_ authority: String) {
        let home = LinkRewriter.normal(authority)
        if homes.count < Self.mostHomes, !homes.contains(home) { homes.append(home) }
    }

    /// The fingerprint of a recorded request, which any thread may make.
    package func fingerprint(of entry: HAREntry, _ address: HARAddress) -> Fingerprint {
        let home = LinkRewriter.normal(address.authority)
        return Self.fingerprint(of: entry, address, fingerprinter.at(homes.contains(home) ? homes : homes + [home]))
    }

    package static func fingerprint(
        of entry: HAREntry,
        _ address: HARAddress,
        _ fingerprinter: Fingerprinter
    ) -> Fingerprint {
        fingerprinter.fingerprint(
            method: entry.request.method,
            path: address.path,
            query: address.query,
            contentType: entry.request.headers.value("content-type") ?? entry.request.postData?.mimeType ?? "",
            coding: entry.request.headers.value("content-encoding"),
            body: entry.request.postData?.bytes ?? []
        )
    }

    /// Returns true if any entry fits, served or not.
    package func holds(_ live: Fingerprint) -> Bool { shelves[live.key]?.places.isEmpty == false }

    /// Chooses the entry for a request and notes that it is served.
    ///
    /// Among those that fit, in the recorded order: one not served yet whose values are exactly these, then any not
    /// served yet, then the last, unless `failsWhenExhausted`. Of entries that differ in whose they are (an e-mail
    /// address, a number) only those count that the live value has met before, or that nobody has met.
    package func choose(_ live: Fingerprint, at place: inout ReplayPlace, failsWhenExhausted: Bool) -> Choice {
        let found = find(live, place, failsWhenExhausted)
        guard case .line(let line) = found.choice else { return found.choice }
        if let rank = found.rank { place.serve(rank, of: live.key) }
        place.bind(lines[line].identity, live.identity)
        return found.choice
    }

    /// Returns the choice that `choose` would make.
    package func candidate(for live: Fingerprint, at place: ReplayPlace, failsWhenExhausted: Bool) -> Choice {
        find(live, place, failsWhenExhausted).choice
    }

    /// The choice, and which of its key's entries it is where that was not served before.
    private func find(
        _ live: Fingerprint,
        _ place: ReplayPlace,
        _ failsWhenExhausted: Bool
    ) -> (choice: Choice, rank: Int?) {
        guard let places = shelves[live.key]?.places, !places.isEmpty else { return (.none, nil) }
        let identity = live.identity
        func agrees(_ line: Int) -> Bool { place.agrees(lines[line].identity, identity) }
        func isExact(_ line: Int) -> Bool { lines[line].exactKey == live.exactKey }
        // Those not served yet, and behind them the last ones: as many as can be looked through without keeping others
        // waiting.
        let fresh = place.fresh(of: live.key, among: places.count, most: Self.window)
        let own = fresh.filter { agrees(places[$0]) }
        let last = places.suffix(Self.window)
        let isOwnKnown = !own.isEmpty || last.contains { agrees($0) }
        let fitting = isOwnKnown ? own : fresh
        if let rank = fitting.first(where: { isExact(places[$0]) }) ?? fitting.first {
            return (.line(places[rank]), rank)
        }
        let candidates = isOwnKnown ? last.filter { agrees($0) } : Array(last)
        let line = candidates.last { isExact($0) } ?? candidates.last ?? places[0]
        return (failsWhenExhausted ? .exhausted(line) : .line(line), nil)
    }

    // MARK: Misses

    /// The entries that are most like a request, best first, none like another.
    package func nearest(to live: Fingerprint, count: Int = 3) -> [Int] { ranked(to: live, count: count).map(\.place) }

    /// The same with how far off their method and path are: among equals it is for the caller to compare the rest.
    package func ranked(to live: Fingerprint, count: Int) -> [(score: Int, place: Int)] {
        var best: [(score: Int, place: Int)] = []
        let wanted = live.path.split(separator: "/").map { numbers[String($0)] ?? -1 }
        for route in routes {
            let isMethod = route.method == live.method
            var score = abs(route.segments.count - wanted.count) * 3 + (isMethod ? 0 : 2)
            for (left, right) in zip(route.segments, wanted) where left != right { score += 3 }
            if isMethod, route.segments == wanted { score -= 1 }
            if let worst = best.last, best.count == count, score >= worst.score { continue }
            let position = best.firstIndex { $0.score > score } ?? best.count
            best.insert((score, route.place), at: position)
            if best.count > count { best.removeLast() }
        }
        return best
    }
}
