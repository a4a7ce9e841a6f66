import Backend

struct NewConversation: RequestModel {
    var title = ""
    var model = "gpt-4o-mini"

    static let shape = RequestSchema<Self>(
        "NewConversation",
        [
            .required("title", .string(.notEmpty)) { $0.title = $1 },
            .optional("model", .string(.notEmpty)) { $0.model = $1 },
        ]
    )
}

struct ConversationPatch: RequestModel {
    var title: String?
    var isArchived: Bool?

    static let shape = RequestSchema<Self>(
        "ConversationPatch",
        [
            // An empty title counts as absent (section 5.4).
            .optional("title", .string()) { $0.title = $1.isEmpty ? nil : $1 },
            .optional("isArchived", .boolean) { $0.isArchived = $1 },
        ]
    )
}
