package import CivilTime
import HTTPMessage

/// The entries of one or more recordings, found by their fingerprints, with what has been served of them.
///
/// Holds no content: an entry is a place in a file. So the memory it takes depends on how many entries there are, not
/// on how large they are.
package struct ReplayBook: Sendable {
    /// Where an entry is, and what is needed to choose it.
    package struct Line: Sendable {
        package var file: Int
        package var offset: Int
        package var length: Int
        package var method: String
        /// The path's normal form.
        package var path: String
        package var query: String?
        /// When the exchange was, on the world's clock if the recording has one.
        package var at: Instant
        var key: [UInt8]
        var exactKey: [UInt8]
        var identity: [String]
        package fileprivate(set) var isServed = false
    }

    /// What a request gets.
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
    private var places: [[UInt8]: [Int]] = [:]
    /// The live value that each recorded one stands for, as far as they have met.
    private var bindings: [String: String] = [:]
    private var taken: [String: String] = [:]

    package init(rules: MatchRules = MatchRules()) { fingerprinter = Fingerprinter(rules) }

    /// Adds an entry; one without an answer is only counted.
    package mutating func add(_ entry: HAREntry, file: Int, offset: Int, length: Int) {
        guard entry.response.status >= 200, let address = HARAddress(entry.request.url) else {
            unusable += 1
            return
        }
        let print = fingerprint(of: entry, address)
        let line = Line(
            file: file,
            offset: offset,
            length: length,
            method: print.method,
            path: print.path,
            query: address.query,
            at: entry.virtualTime ?? entry.started,
            key: print.key,
            exactKey: print.exactKey,
            identity: print.identity
        )
        places[line.key, default: []].append(lines.count)
        lines.append(line)
    }

    package func fingerprint(of entry: HAREntry, _ address: HARAddress) -> Fingerprint {
        fingerprinter.fingerprint(
            method: entry.request.method,
            path: address.path,
            query: address.query,
            contentType: entry.request.headers.value("content-type") ?? entry.request.postData?.mimeType ?? "",
            body: entry.request.postData?.bytes ?? []
        )
    }

    /// Chooses the entry for a request and notes that it is served.
    ///
    /// Among those that fit, in the recorded order: one not served yet whose values are exactly these, then any not
    /// served yet, then the last, unless `failsWhenExhausted`. Of entries that differ in whose they are (an e-mail
    /// address, a number) only those count that the live value has met before, or that nobody has met.
    package mutating func choose(_ live: Fingerprint, failsWhenExhausted: Bool) -> Choice {
        let choice = candidate(for: live, failsWhenExhausted: failsWhenExhausted)
        guard case .line(let place) = choice else { return choice }
        lines[place].isServed = true
        bind(lines[place].identity, live.identity)
        return choice
    }

    /// What `choose` would choose.
    package func candidate(for live: Fingerprint, failsWhenExhausted: Bool) -> Choice {
        guard let all = places[live.key], !all.isEmpty else { return .none }
        let identity = live.identity
        let own = all.filter { agrees(lines[$0].identity, identity) }
        let fitting = own.isEmpty ? all : own
        let exactKey = live.exactKey
        if let fresh = fitting.first(where: { !lines[$0].isServed && lines[$0].exactKey == exactKey })
            ?? fitting.first(where: { !lines[$0].isServed })
        {
            return .line(fresh)
        }
        let last = fitting.last { lines[$0].exactKey == exactKey } ?? fitting[fitting.count - 1]
        return failsWhenExhausted ? .exhausted(last) : .line(last)
    }

    /// Everything is served anew.
    package mutating func rewind() {
        for place in lines.indices { lines[place].isServed = false }
        bindings = [:]
        taken = [:]
    }

    private func agrees(_ recorded: [String], _ live: [String]) -> Bool {
        guard recorded.count == live.count else { return false }
        return zip(recorded, live).allSatisfy { recorded, live in
            if let bound = bindings[recorded] { return bound == live }
            if let other = taken[live] { return other == recorded }
            return true
        }
    }

    private mutating func bind(_ recorded: [String], _ live: [String]) {
        guard recorded.count == live.count, bindings.count < 10_000 else { return }
        for (recorded, live) in zip(recorded, live) where bindings[recorded] == nil && taken[live] == nil {
            bindings[recorded] = live
            taken[live] = recorded
        }
    }

    // MARK: Misses

    /// The entries that are most like a request, best first, none like another.
    package func nearest(to live: Fingerprint, count: Int = 3) -> [Int] {
        var seen = Set<[UInt8]>()
        var best: [(score: Int, place: Int)] = []
        let wanted = live.path.split(separator: "/")
        for (place, line) in lines.prefix(50_000).enumerated() where seen.insert(line.key).inserted {
            let found = line.path.split(separator: "/")
            var score = abs(found.count - wanted.count) * 3 + (line.method == live.method ? 0 : 2)
            for (left, right) in zip(found, wanted) where left != right { score += 3 }
            if line.path == live.path, line.method == live.method { score -= 1 }
            if let worst = best.last, best.count == count, score >= worst.score { continue }
            let position = best.firstIndex { $0.score > score } ?? best.count
            best.insert((score, place), at: position)
            if best.count > count { best.removeLast() }
        }
        return best.map(\.place)
    }
}
