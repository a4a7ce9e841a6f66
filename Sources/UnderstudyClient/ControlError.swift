public import Foundation

/// An error of a control call.
///
///     do {
///         try await world.activate("omnichat/unicod")
///     } catch ControlError.refused(let status, _, let detail) {
///         print(status, detail)
///     }
public enum ControlError: Error, CustomStringConvertible {
    /// The server refused the call, with the words of its problem document (RFC 9457).
    case refused(status: Int, title: String, detail: String)
    /// The server did not answer, or the response is not from Understudy.
    case unreachable(String)
    /// No server is named, and none can be started.
    case noServer
    /// A waiting call whose time is up; the text says what it waited for, and what came instead.
    case timedOut(String)
    /// The journal has dropped entries that the answer depends on.
    case incomplete(String)
    /// The test has no world, since it has no `understudy` trait.
    case noWorld

    /// The message for the developer.
    public var description: String {
        switch self {
        case .refused(let status, let title, let detail):
            "Understudy refused the call: \(status) \(title)\(detail.isEmpty ? "." : ". \(detail)")"
        case .unreachable(let reason): "Understudy could not be reached: \(reason)"
        case .noServer:
            """
            No Understudy is named. Set UNDERSTUDY_URL to the address of a hub, run the tests under \
            `understudy exec -- …`, or let the tests depend on the product UnderstudyServer and import it, which starts \
            one in their process.
            """
        case .timedOut(let text), .incomplete(let text): text
        case .noWorld: "No world here: give the test or its suite the trait .understudy()"
        }
    }

    /// An error from a refusal: what its problem document says, each fault once.
    init(status: Int, content: Data) {
        guard let problem = try? JSONValue(data: content), let title = problem["title"]?.string else {
            self = .refused(status: status, title: "", detail: String(decoding: content.prefix(500), as: UTF8.self))
            return
        }
        // The detail of a problem with faults repeats the first of them.
        let faults = (problem["errors"]?.array ?? []).map {
            "\($0["path"]?.string ?? "") \($0["reason"]?.string ?? "")."
        }
        let detail = faults.isEmpty ? problem["detail"]?.string ?? "" : faults.joined(separator: " ")
        self = .refused(status: status, title: title, detail: detail)
    }
}

extension ControlError: LocalizedError {
    /// The message for the developer, which XCTest shows.
    public var errorDescription: String? { description }
}
