package import HTTPMessage

/// The reason why a custom API refuses a request (own-API contract, section 5).
package enum Cause: String, CaseIterable, Sendable {
    case unmatched
    case noRow = "no_row"
    case methodNotAllowed = "method_not_allowed"
    case badRequest = "bad_request"
    case validationFailed = "validation_failed"
    case unsupportedMediaType = "unsupported_media_type"
    case notAcceptable = "not_acceptable"
    case tooLarge = "too_large"
    case unauthorized
    case tokenInvalid = "token_invalid"
    case tokenExpired = "token_expired"
    case tokenRevoked = "token_revoked"
    case invalidCredentials = "invalid_credentials"
    case refreshInvalid = "refresh_invalid"
    case refreshExpired = "refresh_expired"
    case refreshRevoked = "refresh_revoked"
    case refreshReused = "refresh_reused"
    case conflict
    case preconditionFailed = "precondition_failed"
    case preconditionRequired = "precondition_required"
    case tableFull = "table_full"
    case noSample = "no_sample"
    case answerTooLarge = "answer_too_large"
    case idempotencyMismatch = "idempotency_mismatch"
    case idempotencyInProgress = "idempotency_in_progress"

    /// The status unless `errors.causes` changes it.
    package var status: Status {
        switch self {
        case .unmatched, .noRow: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .badRequest: .badRequest
        case .validationFailed: .unprocessableContent
        case .unsupportedMediaType: .unsupportedMediaType
        case .notAcceptable: Status(406)
        case .tooLarge: .contentTooLarge
        case .unauthorized, .tokenInvalid, .tokenExpired, .tokenRevoked, .invalidCredentials, .refreshInvalid,
            .refreshExpired, .refreshRevoked, .refreshReused:
            .unauthorized
        case .conflict: .conflict
        case .preconditionFailed: Status(412)
        case .preconditionRequired: Status(428)
        case .tableFull: Status(507)
        case .noSample: .notImplemented
        case .answerTooLarge: .internalServerError
        case .idempotencyMismatch: .unprocessableContent
        case .idempotencyInProgress: .conflict
        }
    }

    /// The code unless `errors.causes` changes it.
    package var code: String {
        switch self {
        case .unmatched, .noRow: "not_found"
        default: rawValue
        }
    }

    /// The message unless the refusal or `errors.causes` has one.
    package var message: String {
        switch self {
        case .unmatched: "No route matches this request."
        case .noRow: "There is no such row."
        case .methodNotAllowed: "The path does not allow this method."
        case .badRequest: "The request is malformed."
        case .validationFailed: "The request is invalid."
        case .unsupportedMediaType: "The media type of the body is not supported."
        case .notAcceptable: "No response of an accepted media type."
        case .tooLarge: "The body is too large."
        case .unauthorized: "A token is required."
        case .tokenInvalid: "The token is not valid."
        case .tokenExpired: "The token has expired."
        case .tokenRevoked: "The token has been revoked."
        case .invalidCredentials: "The credentials are not valid."
        case .refreshInvalid: "The refresh token is not valid."
        case .refreshExpired: "The refresh token has expired."
        case .refreshRevoked: "The refresh token has been revoked."
        case .refreshReused: "The refresh token has been used before."
        case .conflict: "The row conflicts with another."
        case .preconditionFailed: "The row is not in the expected state."
        case .preconditionRequired: "The request needs If-Match."
        case .tableFull: "The table is full."
        case .noSample: "No example and no sample for this response."
        case .answerTooLarge: "The response template produces more than 8 MiB besides the rows that it shows."
        case .idempotencyMismatch: "The idempotency key was used with other content."
        case .idempotencyInProgress: "The first request with this idempotency key is still in progress."
        }
    }
}
