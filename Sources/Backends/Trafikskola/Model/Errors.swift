import Backend
import HTTPMessage
import JSON

/// The errors of contract, section 2.2.
extension APIError {
    static let invalidToken = APIError(
        .unauthorized,
        code: "INVALID_TOKEN",
        "Invalid or expired access token",
        fields: ["WWW-Authenticate": "Bearer"]
    )
    static let invalidAppSecret = APIError(.unauthorized, code: "INVALID_APP_SECRET", "Invalid app secret")
    static let invalidRefreshToken = APIError(
        .unauthorized,
        code: "INVALID_REFRESH_TOKEN",
        "Invalid or expired refresh token"
    )
    static let refreshTokenReused = APIError(
        .unauthorized,
        code: "REFRESH_TOKEN_REUSED",
        "The refresh token was used before; every session has been ended"
    )
    static let invalidQuickLogin = APIError(
        .unauthorized,
        code: "INVALID_QUICK_LOGIN_TOKEN",
        "The QR code is invalid, used or expired"
    )
    static let invalidCredentials = APIError(.unauthorized, code: "INVALID_CREDENTIALS", "Wrong email or password")
    static let otpAttemptsExceeded = APIError(
        .unauthorized,
        code: "OTP_ATTEMPTS_EXCEEDED",
        "Too many wrong codes; request a new one"
    )
    static let emailNotFound = APIError(.badRequest, code: "EMAIL_NOT_FOUND", "No account has this email address")
    static let invalidOTP = APIError(.badRequest, code: "INVALID_OTP", "The code is wrong or has expired")
    static let invalidJSON = APIError(.badRequest, code: "INVALID_JSON", "The body is not a JSON object")
    static let invalidMultipart = APIError(.badRequest, code: "INVALID_MULTIPART", "The multipart body can't be read")
    static let noFile = APIError(.badRequest, code: "NO_FILE", "No file provided")
    static let fileTooLarge = APIError(.badRequest, code: "FILE_TOO_LARGE", "The file is too large")
    static let invalidFileType = APIError(
        .badRequest,
        code: "INVALID_FILE_TYPE",
        "The picture must be declared as JPEG or PNG"
    )
    static let invalidImage = APIError(.badRequest, code: "INVALID_IMAGE", "The file is not a readable JPEG or PNG")
    static let forbidden = APIError(.forbidden, code: "FORBIDDEN", "This account may not do that")
    static let notFound = APIError(.notFound, code: "NOT_FOUND", "Not found")
    static let schoolNotFound = APIError(.notFound, code: "SCHOOL_NOT_FOUND", "No school has this domain")
    static let translationsNotFound = APIError(
        .notFound,
        code: "TRANSLATIONS_NOT_FOUND",
        "There are no translations for this locale"
    )
    static let bookingUnavailable = APIError(
        .conflict,
        code: "BOOKING_UNAVAILABLE",
        "This time is no longer available"
    )
    static let cancellationNotAllowed = APIError(
        .conflict,
        code: "CANCELLATION_NOT_ALLOWED",
        "The booking has already started"
    )
    static let invoiceNotPayable = APIError(.conflict, code: "INVOICE_NOT_PAYABLE", "The invoice can't be paid")
    static let tooLarge = APIError(.contentTooLarge, code: "PAYLOAD_TOO_LARGE", "The body is too large")
    static let internalError = APIError(.internalServerError, code: "INTERNAL_ERROR", "Internal server error")
    static let maintenance = APIError(
        .serviceUnavailable,
        code: "MAINTENANCE",
        "The service is down for maintenance"
    )

    static func rateLimited(seconds: Int64) -> APIError {
        APIError(
            .tooManyRequests,
            code: "RATE_LIMITED",
            "Too many requests; wait \(seconds) s",
            fields: [.retryAfter: "\(seconds)"]
        )
    }

    static func validation(_ details: [(field: String, reason: String)]) -> APIError {
        APIError(.badRequest, code: "VALIDATION_ERROR", "The request does not fit", details: details)
    }

    static func validation(_ field: String, _ reason: String) -> APIError {
        validation([(field, reason)])
    }

    /// An HTML page instead of a JSON response, with any status.
    static func page(_ status: Status, _ title: String) -> APIError {
        APIError(
            status,
            code: pageCode,
            "<!DOCTYPE html><html><head><title>\(title)</title></head>"
                + "<body><h1>\(title)</h1></body></html>\n"
        )
    }

    static let pageCode = "page"

    /// The code of a failure that has none, because it comes from a fault or from the HTTP layer.
    static func code(of status: Status) -> String {
        switch status.code {
        case 401: "INVALID_TOKEN"
        case 403: "FORBIDDEN"
        case 404: "NOT_FOUND"
        case 405: "METHOD_NOT_ALLOWED"
        case 409: "CONFLICT"
        case 413: "PAYLOAD_TOO_LARGE"
        case 429: "RATE_LIMITED"
        case 503: "MAINTENANCE"
        case 500...: "INTERNAL_ERROR"
        default: "BAD_REQUEST"
        }
    }

    /// The schema of the envelope.
    static let schema = JSONSchema.object(
        JSONSchema.Object([
            JSONSchema.Property("success", .boolean),
            JSONSchema.Property("error", .string(minLength: 1)),
            JSONSchema.Property("errorCode", .string(minLength: 1)),
            JSONSchema.Property(
                "details",
                .object(JSONSchema.Object([], additionalProperties: .schema(.string()))),
                isRequired: false
            ),
        ])
    )

    /// The envelope of this failure.
    var envelope: JSON {
        var object: JSONObject = [
            "success": false, "error": .string(message),
            "errorCode": .string(code.isEmpty ? Self.code(of: status) : code),
        ]
        if !details.isEmpty {
            object.append(
                "details",
                .object(JSONObject(details.map { JSONObject.Member(name: $0.field, value: .string($0.reason)) }))
            )
        }
        return .object(object)
    }

    /// The declaration of this error as an answer.
    func declared(_ when: String) -> AnswerDeclaration {
        AnswerDeclaration(
            status,
            when,
            .json(name: "Error", schema: Self.schema, contentType: "application/json"),
            example: envelope
        )
    }
}
