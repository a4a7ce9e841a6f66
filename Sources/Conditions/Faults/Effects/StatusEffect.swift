import Backend
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
                optional: [("retryAfter", EffectNumbers.countSchema), ("code", .string()), ("message", .string())]
            )
        ],
        examples: [["status": 500], ["status": 429, "retryAfter": 30, "code": "SLOW_DOWN", "message": "Later"]],
        rows: [
            EffectDeclaration.Row(
                #"`{"status":429,"retryAfter":30,"code":"…","message":"…"}`"#,
                "this status (200 to 599) in the API's own error format; `code` and `message` replace the API's"
                    + " where it has them"
            )
        ],
        builders: [
            EffectBuilder(
                "status",
                "Responds with a status in the API's own error format.",
                [
                    .integer("_ status", "status"), .integer("retryAfter", "retryAfter", isOptional: true),
                    .string("code", "code", isOptional: true), .string("message", "message", isOptional: true),
                ]
            )
        ]
    )

    static func read(_ check: inout BodyCheck) -> StatusEffect? {
        let status = check.integer("status", in: 200...599)
        let retry = check.count("retryAfter", in: 0...1_000_000_000)
        let code = check.string("code")
        let message = check.string("message")
        return status.map {
            StatusEffect(order: InjectedStatus(Status(Int($0)), retryAfter: retry, code: code, message: message))
        }
    }
}
