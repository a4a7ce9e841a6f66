import Backend

struct NewMessage: RequestModel {
    var content = ""
    var attachmentIds: [String] = []
    /// Tells whether the reply is streamed; an absent value means true, and null means false (section 6.2).
    var isStreamed = true

    static let shape = RequestSchema<Self>(
        "NewMessage",
        [
            .required("content", .string(.notEmpty)) { $0.content = $1 },
            .optional("attachmentIds", .strings) { $0.attachmentIds = $1 },
            .nullable("stream", .boolean) { $0.isStreamed = $1 ?? false },
        ]
    )
}
