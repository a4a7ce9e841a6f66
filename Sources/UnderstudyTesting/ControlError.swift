/// What went wrong with a control call.
public enum ControlError: Error, CustomStringConvertible {
    /// Understudy refused it; the problem document's own words (RFC 9457).
    case refused(status: Int, title: String, detail: String)
    /// No answer, or one that is none of Understudy's.
    case unreachable(String)
    /// There is no world here: the test has no `understudy` trait.
    case noWorld

    /// What to tell the developer.
    public var description: String {
        switch self {
        case .refused(let status, let title, let detail): "Understudy refused the call: \(status) \(title). \(detail)"
        case .unreachable(let reason): "Understudy could not be reached: \(reason)"
        case .noWorld: "No world here: give the test or its suite the trait .understudy()"
        }
    }
}
