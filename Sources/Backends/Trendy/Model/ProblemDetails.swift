import Backend
import HTTPMessage
import JSON

/// The problem form (RFC 9457) of the backend (contract, section 7.2).
enum ProblemDetails {
    enum Kind: String, CaseIterable, Sendable {
        case validation
        case badRequest = "bad_request"
        case invalidUUID = "invalid_uuid"
        case futureTimestamp = "future_timestamp"
        case unauthorized, forbidden
        case notFound = "not_found"
        case conflict
        case rateLimit = "rate_limit"
        case `internal`
        /// A kind that is also written as `internal`.
        case unavailable

        var status: Status {
            switch self {
            case .validation, .badRequest, .invalidUUID, .futureTimestamp: .badRequest
            case .unauthorized: .unauthorized
            case .forbidden: .forbidden
            case .notFound: .notFound
            case .conflict: .conflict
            case .rateLimit: .tooManyRequests
            case .internal: .internalServerError
            case .unavailable: .serviceUnavailable
            }
        }

        var title: String {
            switch self {
            case .validation: "Validation Error"
            case .badRequest: "Bad Request"
            case .invalidUUID: "Invalid UUID Format"
            case .futureTimestamp: "Future Timestamp Not Allowed"
            case .unauthorized: "Authentication Required"
            case .forbidden: "Permission Denied"
            case .notFound: "Resource Not Found"
            case .conflict: "Resource Conflict"
            case .rateLimit: "Rate Limit Exceeded"
            case .internal: "Internal Server Error"
            case .unavailable: "Service Unavailable"
            }
        }

        /// The last part of the type.
        var typeName: String { self == .unavailable ? Kind.internal.rawValue : rawValue }

        var userMessage: String {
            switch self {
            case .validation: "Some fields need another look"
            case .badRequest: "The request could not be read"
            case .invalidUUID, .futureTimestamp: "The entry could not be saved; try to create it again"
            case .unauthorized: "Sign in to go on"
            case .forbidden: "You may not do that"
            case .notFound: "It is not there any more"
            case .conflict: "There is such an entry already"
            case .rateLimit: "Too many requests; wait a moment"
            case .internal: "Something went wrong; try again later"
            case .unavailable: "The service is away for a moment; try again later"
            }
        }
    }

    static let typePrefix = "urn:trendy:error:"
    static let contentType = "application/problem+json"
    /// The number of seconds after which to retry (section 7.5).
    static let unavailableRetryAfter = 30

    static func body(_ failure: APIError, _ kind: Kind, requestID: String) -> [UInt8] {
        var document: JSONObject = [
            "type": .string(typePrefix + kind.typeName),
            "title": .string(kind.title),
            "status": .integer(Int64(failure.status.code)),
            "detail": .string(failure.message),
            "request_id": .string(requestID),
            "user_message": .string(kind.userMessage),
        ]
        if let text = failure.fields[.retryAfter], let seconds = Int64(text) {
            document.append("retry_after", .integer(seconds))
        }
        if kind == .unauthorized { document.append("action", "authenticate") }
        if !failure.details.isEmpty {
            document.append(
                "errors",
                .array(
                    failure.details.map { detail in
                        [
                            "field": .string(detail.field),
                            "message": .string(message(detail.field, code: detail.reason)),
                            "code": .string(detail.reason),
                        ]
                    }
                )
            )
        }
        return JSON.object(document).serialized(options: TrendyAPI.writing)
    }

    /// The message about a field; the `reason` of a mistake is its code.
    static func message(_ field: String, code: String) -> String {
        switch code {
        case "required": "\(field) is required"
        case "invalid_format": "\(field) must be an RFC 3339 date with time and zone"
        case "invalid_type": "\(field) must be true or false"
        case Kind.invalidUUID.rawValue: "\(field) must be a UUID of version 7"
        case Kind.futureTimestamp.rawValue: "\(field) lies more than a minute in the future"
        default: "\(field) is not valid"
        }
    }

    static let schema = JSONSchema.object(
        JSONSchema.Object([
            JSONSchema.Property("type", .string()),
            JSONSchema.Property("title", .string(enumeration: Kind.allCases.map(\.title))),
            JSONSchema.Property("status", .integer(minimum: 400, maximum: 599)),
            JSONSchema.Property("detail", .string(), isRequired: false),
            JSONSchema.Property("request_id", .string()),
            JSONSchema.Property("user_message", .string(), isRequired: false),
            JSONSchema.Property("retry_after", .integer(minimum: 0), isRequired: false),
            JSONSchema.Property("action", .string(), isRequired: false),
            JSONSchema.Property(
                "errors",
                .array(
                    .object(
                        JSONSchema.Object([
                            JSONSchema.Property("field", .string()),
                            JSONSchema.Property("message", .string()),
                            JSONSchema.Property("code", .string()),
                        ])
                    )
                ),
                isRequired: false
            ),
        ])
    )
}

/// The error form of the auth server (contract, section 9.2).
enum AuthError {
    static let contentType = "application/json"
    static let versionField: FieldName = "X-Supabase-Api-Version"
    static let codeField: FieldName = "x-sb-error-code"
    /// The first version with texts as codes, which is echoed.
    static let version = "2024-01-01"

    static func response(_ failure: APIError, call: Call) -> Response {
        var fields = failure.fields
        fields.append(.contentType, contentType)
        fields.append(codeField, failure.code)
        var body: JSONObject
        if let asked = call.fields[versionField], isModern(asked) {
            fields.append(versionField, version)
            body = ["code": .string(failure.code), "message": .string(failure.message)]
        } else {
            body = [
                "code": .integer(Int64(failure.status.code)), "error_code": .string(failure.code),
                "msg": .string(failure.message),
            ]
        }
        if failure.code == AuthCode.weakPassword.rawValue { body.append("weak_password", ["reasons": ["length"]]) }
        return Response(
            status: failure.status,
            fields: fields,
            body: .bytes(JSON.object(body).serialized(options: TrendyAPI.writing))
        )
    }

    /// Tells whether a value is a date not before the version's.
    private static func isModern(_ text: String) -> Bool {
        text.utf8.count == 10 && TimeText.isDay(text) && text >= version
    }

    static let schema = JSONSchema.object(
        JSONSchema.Object([
            JSONSchema.Property("code", .oneOf([.string(), .integer()])),
            JSONSchema.Property("message", .string(), isRequired: false),
            JSONSchema.Property("error_code", .string(), isRequired: false),
            JSONSchema.Property("msg", .string(), isRequired: false),
            JSONSchema.Property(
                "weak_password",
                .object(JSONSchema.Object([JSONSchema.Property("reasons", .array(.string()))])),
                isRequired: false
            ),
        ])
    )
}
