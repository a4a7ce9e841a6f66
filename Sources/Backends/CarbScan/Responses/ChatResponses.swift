import Backend

/// The response to a question (section 7.14).
struct ChatReply: ResponseModel {
    struct Usage: ResponseModel {
        var quotas: Quotas
        var form: CarbScanSettings.Unlimited

        static let shape = ResponseSchema<Self>(
            "ChatUsage",
            [
                .unlimited("remainingChats") { ($0.quotas.chatsLeft, $0.form) },
                .integer("totalUsedToday") { $0.quotas.chatsToday },
                .choice("subscriptionTier") { $0.quotas.tier },
            ]
        )
    }

    var answer: ChatAnswer
    var usage: Usage

    static let shape = ResponseSchema<Self>(
        "ChatReply",
        [
            .string("response") { $0.answer.text },
            .choice("messageType") { $0.answer.kind },
            .strings("followUpQuestions") { $0.answer.followUps },
            .object("usage") { $0.usage },
        ]
    )
}

struct ChatHistory: ResponseModel {
    struct Message: ResponseModel {
        var row: ChatMessage

        static let shape = ResponseSchema<Self>(
            "ChatMessage",
            [
                .integer("id") { $0.row.number },
                .string("message") { $0.row.message },
                .string("response") { $0.row.response },
                .choice("messageType") { $0.row.messageType },
                .time("createdAt") { $0.row.createdAt },
            ]
        )
    }

    var messages: [Message]

    static let shape = ResponseSchema<Self>(
        "ChatHistory",
        [.array("messages") { $0.messages }, .integer("count") { $0.messages.count }]
    )
}
