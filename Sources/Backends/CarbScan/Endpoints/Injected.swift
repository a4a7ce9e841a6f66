import Backend
import HTTPMessage

extension CarbScanAPI {
    /// The errors that only faults cause, and that every path can have (section 3).
    private static let injected: [AnswerDeclaration] = [
        (Status.internalServerError, Code.server, "Injected, or anything unexpected"),
        (.tooManyRequests, Code.rateLimited, "Injected only; Retry-After in seconds"),
        (.serviceUnavailable, Code.unavailable, "Injected only"),
    ].map { APIError($0.0, code: $0.1, message(of: $0.1)).declared($0.2) }

    static func withInjected(_ endpoints: [CarbScanEndpoint]) -> [CarbScanEndpoint] {
        endpoints.map { $0.answering(also: injected) }
    }
}
