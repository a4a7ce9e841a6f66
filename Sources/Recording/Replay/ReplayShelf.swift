import CivilTime

/// The form in which an entry is sent.
package enum ReplayForm: Sendable, Equatable {
    case recorded
    /// As a 200 with all of the content: what a 304 stands for, or a 206 that has all of it.
    case whole
    /// Some bytes of a 206, of content of a length.
    case part(Range<Int>, of: Int?)
}

/// The entries of one key, in the recorded order.
struct ReplayShelf {
    /// The entries that have their turns.
    private(set) var places: [Int] = []
    /// The parts of the content, which have none.
    private(set) var parts: [Int] = []
    /// Those among `places` that have all of the content.
    private(set) var contents: [Int] = []
    /// The traits of the entries that have turns, and for each of these its entries.
    private(set) var kinds: [Int] = []
    private var placesOfKinds: [[Int]] = []
    /// Tells whether some entries are sent to some requests only.
    private(set) var isParticular = false
    /// The last file, and the start of its last entry with a time.
    private var file = 0
    private var latest = Instant.epoch
    /// True if an entry follows one in the file that began later.
    private(set) var isUnordered = false

    mutating func add(_ line: ReplayIndex.Line, _ place: Int) {
        if line.role.isParticular { isParticular = true }
        if case .part = line.role {
            parts.append(place)
        } else {
            places.append(place)
            note(line, place)
        }
        if line.file != file { latest = .epoch }
        file = line.file
        guard line.started != .epoch else { return }
        if line.started < latest { isUnordered = true }
        latest = line.started
    }

    private mutating func note(_ line: ReplayIndex.Line, _ place: Int) {
        switch line.role {
        case .content, .whole: contents.append(place)
        case .plain, .notModified, .part: break
        }
        if let known = kinds.firstIndex(of: line.traits) {
            placesOfKinds[known].append(place)
        } else {
            kinds.append(line.traits)
            placesOfKinds.append([place])
        }
    }

    /// Returns the entries with some of the traits.
    func places(of group: [Int]) -> [Int] {
        if group == kinds { return places }
        let chosen = kinds.indices.filter { group.contains(kinds[$0]) }
        if chosen.count == kinds.count { return places }
        if chosen.count == 1 { return placesOfKinds[chosen[0]] }
        let wanted = Set(chosen.flatMap { placesOfKinds[$0] })
        return places.filter(wanted.contains)
    }

    /// Sorts the entries by the times at which they began, file by file.
    mutating func sort(_ lines: [ReplayIndex.Line]) {
        places = Self.sorted(places, lines)
        parts = Self.sorted(parts, lines)
        (contents, kinds, placesOfKinds) = ([], [], [])
        for place in places { note(lines[place], place) }
        isUnordered = false
    }

    private static func sorted(_ places: [Int], _ lines: [ReplayIndex.Line]) -> [Int] {
        var last = Instant.epoch
        let timed = places.enumerated().map { rank, place -> (file: Int, at: Instant, rank: Int, place: Int) in
            if lines[place].started != .epoch { last = lines[place].started }
            return (lines[place].file, last, rank, place)
        }
        return timed.sorted { ($0.file, $0.at, $0.rank) < ($1.file, $1.at, $1.rank) }.map(\.place)
    }
}
