import Backend
import CivilTime
import HTTPMessage
import JSON

/// The one form of all answers (contract, section 2).
enum Envelope {
    static let version = "v1"
    static let exampleTime = Instant(seconds: 1_735_732_800)

    static let metaSchema = JSONSchema.object(
        JSONSchema.Object([
            JSONSchema.Property("timestamp", .string(format: "date-time")),
            JSONSchema.Property("version", .string(enumeration: [version])),
        ])
    )

    /// The declaration of a success.
    static func declared<Value: ResponseModel>(
        _ type: Value.Type,
        _ description: String,
        example: JSON? = nil
    ) -> AnswerDeclaration {
        AnswerDeclaration(
            .ok,
            description,
            .json(
                name: Value.shape.name + "Answer",
                schema: .object(
                    JSONSchema.Object([
                        JSONSchema.Property("success", .boolean),
                        JSONSchema.Property("data", Value.shape.schema),
                        JSONSchema.Property("meta", metaSchema),
                    ])
                ),
                contentType: "application/json"
            ),
            example: example.map { ["success": true, "data": $0, "meta": meta(at: exampleTime)] }
        )
    }

    /// The failure form.
    static func failure(_ failure: APIError, at now: Instant?) -> JSON {
        var error: JSONObject = [
            "code": .string(failure.code.isEmpty ? Code.of(failure.status) : failure.code),
            "message": .string(failure.message.isEmpty ? failure.status.reasonPhrase : failure.message),
        ]
        if !failure.details.isEmpty {
            let holdsNumbers = Code.withNumbers.contains(failure.code)
            error.append(
                "details",
                .object(
                    JSONObject(
                        failure.details.map { field, reason in
                            // Only the quota errors have numbers; all other details are texts (D5).
                            let number = holdsNumbers ? Int64(reason).map { JSON.integer($0) } : nil
                            return JSONObject.Member(name: field, value: number ?? .string(reason))
                        }
                    )
                )
            )
        }
        var answer: JSONObject = ["success": false, "error": .object(error)]
        if let now { answer.append("meta", meta(at: now)) }
        return .object(answer)
    }

    static func meta(at now: Instant) -> JSON {
        ["timestamp": .string(now.iso8601(.milliseconds)), "version": .string(version)]
    }
}
