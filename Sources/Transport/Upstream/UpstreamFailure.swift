/// The reason why a real backend gave no response, or not all of it.
package struct UpstreamFailure: Error, Sendable, Equatable {
    package enum Reason: String, Sendable {
        case lookup, address, connect, tls, time, answer, busy, cancelled
    }

    package var reason: Reason
    /// The text for people, which names host and cause, never content.
    package var detail: String

    package init(_ reason: Reason, _ detail: String) {
        self.reason = reason
        self.detail = detail
    }
}
