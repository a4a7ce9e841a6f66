package import Emulation
package import HTTPMessage

/// The refusal of a request by an own API, before it has the API's error form (own-API contract, section 5).
package struct OwnFailure: Error, Sendable {
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

    package var cause: Cause
    /// The message; that of the cause if nil.
    package var message: String?
    package var details: [Detail]
    /// Fields that go with this refusal.
    package var fields: Fields
    /// The status in place of the cause's, where an operation declares another one.
    package var status: Status?
    /// The status that the client asked for; it then takes the place of the cause.
    package private(set) var order: InjectedStatus?

    package init(
        _ cause: Cause,
        _ message: String? = nil,
        details: [Detail] = [],
        fields: Fields = Fields(),
        status: Status? = nil
    ) {
        self.cause = cause
        self.message = message
        self.details = details
        self.fields = fields
        self.status = status
    }

    /// Creates the refusal with a status that the client asked for and the operation does not declare.
    package static func wished(_ status: Status) -> OwnFailure {
        var failure = OwnFailure(.badRequest)
        failure.order = InjectedStatus(status)
        return failure
    }
}
