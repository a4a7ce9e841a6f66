import Backend

struct ChatSend: RequestModel {
    var skillId = ""
    var message = ""
    var locale: String?
    var conversationId: String?

    static let shape = RequestSchema<Self>(
        "ChatSend",
        nulls: .value,
        [
            .required("skillId", .string(.notEmpty)) { $0.skillId = $1 },
            .required("message", .string(.notEmpty)) { $0.message = $1 },
            .optional("locale", RequestValue<String>.string().orIgnored("ar or en; anything else counts as absent")) {
                $0.locale = $1
            },
            .optional(
                "conversationId",
                RequestValue<String>.string().orIgnored("A text; anything else counts as absent")
            ) {
                $0.conversationId = $1
            },
        ]
    )
}
