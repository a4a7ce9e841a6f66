package import Backend
package import HTTPMessage

/// The refusal of a request by a custom API, before it has the API's error form (own-API contract, section 5).
package struct CustomAPIFailure: Error, Sendable {
    /// A part of the request that does not fit.
    package struct Detail: Sendable, Equatable {
        /// The place: `$.name` in the body, `?limit`, `X-Tenant` or `{petId}`.
        package var path: String
        package var reason: String

        package init(path: String, reason: String) {
            self.path = path
            self.reason = reason
        }
    }

    /// The reason for a refusal.
    package enum Reason: Sendable, Equatable {
        case cause(Cause)
        /// A status that the client asked for and the operation does not declare.
        case wished(InjectedStatus)
        /// An error of Understudy's own, which has no form of the API's.
        case problem(Problem)
    }

    package var reason: Reason
    /// The message; that of the cause if nil.
    package var message: String?
    package var details: [Detail]
    /// Fields that go with this refusal.
    package var fields: Fields
    /// The status in place of the cause's, where an operation declares another one.
    package var status: Status?

    package init(
        _ cause: Cause,
        _ message: String? = nil,
        details: [Detail] = [],
        fields: Fields = Fields(),
        status: Status? = nil
    ) {
        reason = .cause(cause)
        self.message = message
        self.details = details
        self.fields = fields
        self.status = status
    }

    /// Creates the refusal with a status that the client asked for and the operation does not declare; `applied` is
    /// what `Preference-Applied` echoes.
    package static func wished(_ status: Status, applied: String) -> CustomAPIFailure {
        var failure = CustomAPIFailure(.badRequest, fields: ["Preference-Applied": applied])
        failure.reason = .wished(InjectedStatus(status))
        return failure
    }

    package init(_ problem: Problem) {
        self.init(.badRequest)
        reason = .problem(problem)
    }

    /// Tells whether it is a refusal for that cause.
    func stands(for cause: Cause) -> Bool { reason == .cause(cause) }

    /// Tells whether it is an error of Understudy's own, which has no form of the API's.
    var isProblem: Bool { if case .problem = reason { true } else { false } }

    /// The text of its cause, whatever the message.
    var generalMessage: String {
        switch reason {
        case .cause(let cause): cause.message
        case .wished(let order): order.status.reasonPhrase
        case .problem(let problem): problem.detail
        }
    }
}
