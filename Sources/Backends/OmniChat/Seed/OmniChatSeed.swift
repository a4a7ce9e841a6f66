package import Backend
import Crypto
import JSON

extension OmniChatAPI {
    /// A file of the seed with its content as text or base64.
    struct SeedFile: Codable {
        var key: String
        var fileName: String
        var fileType: String
        var text: String?
        var base64: String?
    }

    /// Reads the seed world (contract, section 12): one file per table.
    package static func readSeed(_ files: SeedFiles) throws(SeedError) -> OmniChatState {
        let users = try files.table("users.json", of: User.self)
        let plans = try files.table("plans.json", of: Plan.self)
        let remembered = try files.table("apple-tokens.json", of: RememberedToken.self, isOptional: true)
        let conversations = try files.table("conversations.json", of: Conversation.self)
        let messages = try files.table("messages.json", of: Message.self)
        let attachments = try files.table("attachments.json", of: Attachment.self, isOptional: true)
        let contents = try files.table("files.json", of: SeedFile.self, isOptional: true)
        let usage = try files.table("usage.json", of: UsageDay.self, isOptional: true)
        let transactions = try files.table("transactions.json", of: Transaction.self, isOptional: true)
        let models = try files.table("models.json", of: Model.self)

        var check = SeedCheck(files: files)
        check.unique("users.json", "id", users.map(\.id))
        check.unique("users.json", "email", users.map(\.email))
        check.unique("plans.json", "id", plans.map(\.id))
        check.unique("models.json", "id", models.map(\.id))
        check.unique("conversations.json", "id", conversations.map(\.id))
        check.unique("messages.json", "id", messages.map(\.id))
        check.unique("attachments.json", "id", attachments.map(\.id))
        check.unique("files.json", "key", contents.map(\.key))
        check.unique("usage.json", "id", usage.map(\.id))
        check.unique("transactions.json", "id", transactions.map(\.id))
        let userIDs = Set(users.map(\.id))
        check.known("conversations.json", "userId", conversations.map(\.userId), among: userIDs, "user")
        check.known("attachments.json", "userId", attachments.map(\.userId), among: userIDs, "user")
        check.known("usage.json", "userId", usage.map(\.userId), among: userIDs, "user")
        check.known("transactions.json", "userId", transactions.map(\.userId), among: userIDs, "user")
        check.known(
            "messages.json",
            "conversationId",
            messages.map(\.conversationId),
            among: Set(conversations.map(\.id)),
            "conversation"
        )
        check.known(
            "attachments.json",
            "messageId",
            attachments.map(\.messageId),
            among: Set(messages.map(\.id)),
            "message"
        )
        check.known(
            "users.json",
            "subscription",
            users.map { $0.subscription?.planId },
            among: Set(plans.map(\.id)),
            "plan"
        )
        for (row, file) in contents.enumerated() where file.bytes == nil {
            check.fault("files.json", row, "base64", "give either text or base64, and base64 that is valid")
        }
        for (row, file) in contents.enumerated() where !fileTypes.contains(file.fileType) {
            check.fault("files.json", row, "fileType", "must be a type that can be uploaded")
        }
        try check.finish()

        var state = OmniChatState()
        for user in users { state.insert(user) }
        state.plans = Table(plans)
        state.rememberedTokens = Table(remembered)
        state.conversations = Table(conversations)
        state.messages = Table(messages)
        state.attachments = Table(attachments)
        state.files = Table(
            contents.map { StoredFile(id: $0.key, fileName: $0.fileName, fileType: $0.fileType, bytes: $0.bytes ?? []) }
        )
        state.usage = Table(usage)
        state.transactions = Table(transactions)
        state.models = Table(models)
        return state
    }
}

extension OmniChatAPI.SeedFile {
    fileprivate var bytes: [UInt8]? {
        switch (text, base64) {
        case (let text?, nil): Array(text.utf8)
        case (nil, let base64?): Base64.decode(base64)
        default: nil
        }
    }
}
