/// An error of a control call.
public enum ControlError: Error, CustomStringConvertible {
    /// The server refused the call, with the words of its problem document (RFC 9457).
    case refused(status: Int, title: String, detail: String)
    /// The server did not answer, or the response is not from Understudy.
    case unreachable(String)
    /// No server is named, and none can be started.
    case noServer
    /// A waiting call whose time is up; the text says what it waited for, and what came instead.
    case timedOut(String)
    /// The test has no world, since it has no `understudy` trait.
    case noWorld

    /// The message for the developer.
    public var description: String {
        switch self {
        case .refused(let status, let title, let detail): "Understudy refused the call: \(status) \(title). \(detail)"
        case .unreachable(let reason): "Understudy could not be reached: \(reason)"
        case .noServer:
            """
            No Understudy is named. Set UNDERSTUDY_URL to the address of a hub, run the tests under \
            `understudy exec -- …`, or let the tests depend on the product UnderstudyServer and import it, which starts \
            one in their process.
            """
        case .timedOut(let text): text
        case .noWorld: "No world here: give the test or its suite the trait .understudy()"
        }
    }
}
