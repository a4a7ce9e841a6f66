import Backend
import CivilTime
import HTTPMessage
import JSON

/// The response to a send (contract, section 8.1).
struct ChatSendResponse: ResponseModel {
    var sessionID: String
    var conversationID: String?

    static let shape = ResponseSchema<Self>(
        "ChatSendResponse",
        [.string("sessionId") { $0.sessionID }, .nullableString("conversationId") { $0.conversationID }]
    )
}

/// The response to a status request (contract, section 8.4).
struct ChatStatusResponse: ResponseModel {
    var sessionID: String
    var progress: ChatProgress

    static let shape = ResponseSchema<Self>(
        "ChatStatus",
        [
            .string("sessionId") { $0.sessionID },
            .choice("status") { $0.progress.status },
            .string("text") { $0.progress.text },
            .integer64("updatedAt") { $0.progress.updatedAt },
            .optionalString("error") { $0.progress.error },
        ]
    )
}

/// Chat's own bodies, which are not the envelope (D22).
enum ChatResponses {
    /// The body of every refused send.
    static func refusedSend(_ status: Status) -> Response {
        Response(status: status, fields: SawaedAPI.jsonFields, body: .bytes(Array(#"{"sessionId":""}"#.utf8)))
    }

    static let refusedSendSchema = JSONSchema.object(
        JSONSchema.Object([JSONSchema.Property("sessionId", .string(enumeration: [""]))])
    )

    static func refusedSendDeclaration(_ status: Status, _ when: String) -> AnswerDeclaration {
        AnswerDeclaration(
            status,
            when,
            .json(name: "ChatSendRefused", schema: refusedSendSchema, contentType: "application/json"),
            example: ["sessionId": ""]
        )
    }

    /// A refused status request by its status, unless an injected failure has an error of its own.
    static func refusedStatus(
        _ status: Status,
        _ call: Call,
        session: String = "",
        error: String? = nil
    ) -> Response {
        let own =
            switch status {
            case .tooManyRequests: "rate_limited"
            case .notFound: "session_not_found"
            case .badRequest: "missing_sessionId"
            default: "status_unexpected_error"
            }
        let body: JSON = [
            "sessionId": .string(session), "status": "error", "text": "",
            "updatedAt": .integer(call.now.milliseconds), "error": .string(error ?? own),
        ]
        return Response(status: status, fields: SawaedAPI.jsonFields, body: .bytes(body.serialized()))
    }

    /// The declaration of a refused status request.
    ///
    /// A missing session is named as in the request (section 8.4).
    static func refusedStatusDeclaration(_ status: Status, _ error: String, _ when: String) -> AnswerDeclaration {
        let session = status == .notFound ? "sess_0a1b2c3d4e5_1735732800000" : ""
        return AnswerDeclaration(
            status,
            when,
            .json(
                name: ChatStatusResponse.shape.name,
                schema: ChatStatusResponse.shape.schema,
                contentType: "application/json"
            ),
            example: [
                "sessionId": .string(session), "status": "error", "text": "", "updatedAt": 1_735_732_800_000,
                "error": .string(error),
            ]
        )
    }
}

/// Contract, section 8.6, row 52.
struct ChatHistory: ResponseModel {
    struct Item: ResponseModel {
        var row: ChatMessage

        static let shape = ResponseSchema<Self>(
            "ChatMessage",
            [
                .string("id") { $0.row.id },
                .choice("role") { $0.row.role },
                .string("content") { $0.row.content },
                .nullableInteger("questionNumber") { $0.row.questionNumber },
                .milliseconds("createdAt") { $0.row.createdAt },
            ]
        )
    }

    var items: [Item]

    static let shape = ResponseSchema<Self>("ChatHistory", [.array("items") { $0.items }])
}
