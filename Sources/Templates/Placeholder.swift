package import CivilTime
package import JSON

/// A name within `{{…}}` (own-API contract, section 9).
package enum Placeholder: Hashable, Sendable {
    /// `path.NAME`: a parameter of the template that matched.
    case path(String)
    /// `query.NAME`: the first value of that name.
    case query(String)
    /// `header.NAME`
    case header(String)
    /// `body`, or a part of it.
    case body([JSONPathElement])
    /// `user.NAME`: a member of the signed-in user's row.
    case user([JSONPathElement])
    /// `now`, `T0` or `D0`, moved by a duration.
    case time(Anchor, CalendarDuration?)
    /// `uuid`
    case uuid
    /// `random 1 6`: a whole number within the bounds.
    case chance(ClosedRange<Int64>)
    /// `pick red green`: one of the words.
    case pick([String])
    /// `counter.NAME`
    case counter(String)
    /// `state.NAME`
    case state(String)
    /// `request.id`
    case requestID
    /// `request.method`
    case requestMethod
    /// `request.path`
    case requestPath
    /// `base`: the address under which the client reached the API.
    case base
    /// A name that the owner of the template adds, or a part of its value.
    case local(String, [JSONPathElement])

    /// A time that all the times of a world are told from.
    package enum Anchor: String, Hashable, Sendable, CaseIterable {
        /// The world's present.
        case now
        /// The instant at which the world began.
        case start = "T0"
        /// The start of that day.
        case day = "D0"
    }
}
