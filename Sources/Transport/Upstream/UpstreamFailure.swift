/// Why a real backend gave no answer, or not all of it.
package struct UpstreamFailure: Error, Sendable, Equatable {
    package enum Reason: String, Sendable {
        case lookup, address, connect, tls, time, answer, busy, cancelled
    }

    package var reason: Reason
    /// For a person; names host and cause, never content.
    package var detail: String

    package init(_ reason: Reason, _ detail: String) {
        self.reason = reason
        self.detail = detail
    }
}
