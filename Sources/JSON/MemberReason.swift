/// The sentences about members of an object that a person wrote, in a file or in a call.
package enum MemberReason {
    /// Reason against a value that is none of those allowed.
    ///
    /// `meant` knows words of other tools.
    package static func choice(
        _ value: JSON,
        among allowed: [String],
        meant: (String) -> String? = { _ in nil }
    ) -> String {
        let near = value.stringValue.flatMap { Suggestion.nearest(to: $0, among: allowed) ?? meant($0) }
        return "must be one of \(allowed.joined(separator: ", "))" + Suggestion.hint(near)
    }

    /// Reason against a member that no reader knows.
    package static func unknown(_ name: String, among known: [String]) -> String {
        let allowed = known.isEmpty ? "none" : known.joined(separator: ", ")
        return "unknown member; allowed: \(allowed)" + Suggestion.hint(to: name, among: known)
    }

    /// Reason against a number outside of a range.
    package static func range(_ range: ClosedRange<Int64>) -> String {
        "must be a whole number from \(range.lowerBound) to \(range.upperBound)"
    }
}
