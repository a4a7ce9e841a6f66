/// The search for the name that was probably meant.
public enum Suggestion {
    /// The candidate nearest to a misspelt name, or nil when none is close; the first of several equally near ones.
    ///
    /// Near means a third of the name's characters, at least one and at most three, counted as insertions, deletions,
    /// replacements and swaps of neighbours (optimal string alignment) without regard to ASCII case. Names of more than
    /// 64 characters get no suggestion, so that hostile input costs little.
    public static func nearest(to name: String, among candidates: [String]) -> String? {
        guard name.utf8.count <= longestName else { return nil }
        let wanted = folded(name)
        guard !wanted.isEmpty, wanted.count <= 64 else { return nil }
        let limit = min(3, max(1, wanted.count / 3))
        var best: (candidate: String, distance: Int)?
        for candidate in candidates.prefix(mostCandidates) {
            // Each character has at least a byte, and at most four.
            let bytes = candidate.utf8.count
            guard bytes <= longestName, bytes >= wanted.count - limit, bytes <= 4 * (wanted.count + limit) else {
                continue
            }
            let other = folded(candidate)
            guard abs(other.count - wanted.count) <= limit, other.count <= 128 else { continue }
            let distance = distance(wanted, other, atMost: limit)
            // A change of every character is no likeness: "a" does not mean "b".
            guard distance <= limit, distance < max(wanted.count, other.count) else { continue }
            if let best, best.distance <= distance { continue }
            best = (candidate, distance)
        }
        return best?.candidate
    }

    /// The candidate that takes the fewest changes, however many; nil without candidates and for an overlong name.
    public static func closest(to name: String, among candidates: [String]) -> String? {
        guard name.utf8.count <= longestName else { return nil }
        let wanted = folded(name)
        guard wanted.count <= 64 else { return nil }
        var best: (candidate: String, distance: Int)?
        for candidate in candidates.prefix(mostCandidates) where candidate.utf8.count <= longestName {
            let distance = distance(wanted, folded(candidate), atMost: .max)
            if best.map({ distance < $0.distance }) ?? true { best = (candidate, distance) }
        }
        return best?.candidate
    }

    /// The end of a refusal that names the nearest candidate, `; did you mean one?`; empty when none is close.
    package static func hint(to name: String, among candidates: [String]) -> String {
        hint(nearest(to: name, among: candidates))
    }

    /// The end of a refusal that names what was found to be near.
    package static func hint(_ near: String?) -> String { near.map { "; did you mean \($0)?" } ?? "" }

    /// A sentence behind a refusal that names the nearest candidate, ` Did you mean one?`; empty when none is close.
    package static func question(to name: String, among candidates: [String]) -> String {
        question(nearest(to: name, among: candidates))
    }

    /// A sentence behind a refusal that names what was found to be near.
    package static func question(_ near: String?) -> String { near.map { " Did you mean \($0)?" } ?? "" }

    /// Bytes of a name that is looked for or at: 64 characters have at most so many.
    private static let longestName = 512
    /// The maximum number of names to compare.
    private static let mostCandidates = 1_000

    /// ASCII letters in lower case, everything else as it is.
    private static func folded(_ text: String) -> [UInt32] {
        text.unicodeScalars.map { (0x41...0x5A).contains($0.value) ? $0.value + 32 : $0.value }
    }

    /// The edit distance between two names; any larger number once it exceeds the limit.
    private static func distance(_ left: [UInt32], _ right: [UInt32], atMost limit: Int) -> Int {
        var beforePrevious = [Int](repeating: 0, count: right.count + 1)
        var previous = Array(0...right.count)
        var current = previous
        for row in left.indices {
            current[0] = row + 1
            for column in right.indices {
                let replaced = previous[column] + (left[row] == right[column] ? 0 : 1)
                var best = min(previous[column + 1] + 1, current[column] + 1, replaced)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    best = min(best, beforePrevious[column - 1] + 1)
                }
                current[column + 1] = best
            }
            (beforePrevious, previous, current) = (previous, current, beforePrevious)
            // A swap reaches back two rows.
            if limit < .max, previous.allSatisfy({ $0 > limit }), beforePrevious.allSatisfy({ $0 > limit }) {
                return limit + 1
            }
        }
        return previous[right.count]
    }
}
