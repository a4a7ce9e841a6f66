/// The progress of one world in a recording.
///
/// It is a part of the world: a fork continues from it, and a reset starts again (control contract, sections 3 and 4).
package struct ReplayPlace: Sendable {
    /// The identity of a recording as it was read for one setting of the mode.
    package final class Recording: Sendable {
        package init() {}
    }

    /// The entries of one key that have been served.
    private struct Served {
        /// The index before which all entries are served.
        var fresh = 0
        /// The served entries from `fresh` on, by their indexes among the entries of the key.
        var later: Set<Int> = []
    }

    /// The maximum number of remembered values.
    private static let mostBindings = 10_000

    package let recording: Recording
    private var served: [[UInt8]: Served] = [:]
    /// The live value for each recorded one, for the pairs met so far.
    private var bindings: [String: String] = [:]
    private var taken: [String: String] = [:]

    /// Creates the place at the beginning.
    package init(in recording: Recording = Recording()) { self.recording = recording }

    /// Returns the first of a key's entries that are not served yet.
    func fresh(of key: [UInt8], among count: Int, most: Int) -> [Int] {
        guard let served = served[key] else { return Array(0..<min(count, most)) }
        let end = min(count, served.fresh + most)
        guard served.fresh < end else { return [] }
        let range = served.fresh..<end
        return served.later.isEmpty ? Array(range) : range.filter { !served.later.contains($0) }
    }

    mutating func serve(_ rank: Int, of key: [UInt8]) {
        var own = served.removeValue(forKey: key) ?? Served()
        if rank == own.fresh {
            own.fresh += 1
            while own.later.remove(own.fresh) != nil { own.fresh += 1 }
        } else if rank > own.fresh {
            own.later.insert(rank)
        }
        served[key] = own
    }

    /// Returns true if the people of a recorded request may be those of a live one.
    func agrees(_ recorded: [String], _ live: [String]) -> Bool {
        guard recorded.count == live.count else { return false }
        return zip(recorded, live).allSatisfy { recorded, live in
            if let bound = bindings[recorded] { return bound == live }
            if let other = taken[live] { return other == recorded }
            return true
        }
    }

    mutating func bind(_ recorded: [String], _ live: [String]) {
        guard recorded.count == live.count, bindings.count < Self.mostBindings else { return }
        for (recorded, live) in zip(recorded, live) where bindings[recorded] == nil && taken[live] == nil {
            bindings[recorded] = live
            taken[live] = recorded
        }
    }
}
