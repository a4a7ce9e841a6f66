import Backend
import CivilTime
import HTTPMessage
import JSON

/// A status in the API's own error form, which replaces the endpoint's response.
struct StatusEffect: FaultEffect {
    let order: InjectedStatus

    var behavior: FaultBehavior { .replacesEndpoint(.apiError(order)) }

    static let declaration = EffectDeclaration(
        "status",
        forms: [
            .closed(
                [("status", .integer(minimum: 200, maximum: 599))],
                optional: [
                    ("retryAfter", .oneOf([EffectNumbers.countSchema, EffectNumbers.durationSchema])),
                    ("code", .string()),
                    ("message", .string()),
                ]
            )
        ],
        examples: [
            ["status": 500], ["status": 429, "retryAfter": 30, "code": "SLOW_DOWN", "message": "Later"],
            ["status": 503, "retryAfter": "PT30S"],
        ],
        rows: [
            EffectDeclaration.Row(
                #"`{"status":429,"retryAfter":30,"code":"…","message":"…"}`"#,
                "this status (200 to 599) in the API's own error format; `code` and `message` replace the API's"
                    + " where it has them"
            ),
            EffectDeclaration.Row(
                #"`{"status":503,"retryAfter":"PT30S"}`"#,
                "`Retry-After` as an HTTP date, that far ahead of the world's clock"
            ),
        ],
        builders: [
            EffectBuilder(
                "status",
                "Responds with a status in the API's own error format.",
                [
                    .integer("_ status", "status"), .integer("retryAfter", "retryAfter", isOptional: true),
                    .string("code", "code", isOptional: true), .string("message", "message", isOptional: true),
                ]
            ),
            EffectBuilder(
                "status",
                "Responds with a status and a `Retry-After` date that far ahead, given as an ISO 8601 duration.",
                [
                    .integer("_ status", "status"), .string("retryAfter duration", "retryAfter"),
                    .string("code", "code", isOptional: true), .string("message", "message", isOptional: true),
                ]
            ),
        ]
    )

    static func read(_ check: inout BodyCheck) -> StatusEffect? {
        let status = check.integer("status", in: 200...599)
        let retry = retryAfter(&check)
        let code = check.string("code")
        let message = check.string("message")
        return status.map {
            StatusEffect(order: InjectedStatus(Status(Int($0)), retryAfter: retry, code: code, message: message))
        }
    }

    /// The longest wait in seconds.
    private static let longestWait: Int64 = 1_000_000_000

    private static func retryAfter(_ check: inout BodyCheck) -> RetryAfter? {
        guard let text = check.value("retryAfter")?.stringValue else {
            return check.count("retryAfter", in: 0...longestWait).map { .seconds($0) }
        }
        do throws(DurationError) {
            let wait = try Interval(iso8601Duration: text)
            guard wait >= .zero, wait <= .seconds(longestWait) else {
                check.fault("retryAfter", "must be PT0S to PT\(longestWait)S")
                return nil
            }
            return .date(wait)
        } catch {
            check.fault("retryAfter", "must be a whole number of seconds, or a duration: \(error)")
            return nil
        }
    }
}
