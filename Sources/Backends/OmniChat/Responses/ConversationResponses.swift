import Backend
import CivilTime
import JSON

/// The newest message in a conversation's row (section 5).
struct LastMessageResponse: ResponseModel {
    var message: Message
    /// Present only in the shapes of the OpenAPI file (D12).
    var conversationId: String?

    static let shape = ResponseSchema<Self>(
        "LastMessage",
        [
            .string("id") { $0.message.id },
            .optionalString("conversationId") { $0.conversationId },
            .choice("role") { $0.message.role },
            .string("content") { $0.message.content },
            .time("createdAt") { $0.message.createdAt },
        ]
    )
}

/// The members at the beginning of every form of a conversation (sections 5 and 9.2).
struct ConversationFields: ResponseModel {
    var conversation: Conversation
    /// Present on the web routes, and in the shapes of the OpenAPI file (D12).
    var userId: String?

    static let shape = ResponseSchema<Self>(
        "CreatedConversation",
        [
            .string("id") { $0.conversation.id },
            .optionalString("userId") { $0.userId },
            .string("title") { $0.conversation.title },
            .string("model") { $0.conversation.model },
            .boolean("isArchived") { $0.conversation.isArchived },
            .time("createdAt") { $0.conversation.createdAt },
            .time("updatedAt") { $0.conversation.updatedAt },
        ]
    )
}

/// A row of the conversation list (section 5).
struct ConversationResponse: ResponseModel {
    var fields: ConversationFields
    var lastMessage: LastMessageResponse?

    static let shape = ResponseSchema<Self>(
        "Conversation",
        ConversationFields.shape.members { $0.fields } + [.nullableObject("lastMessage") { $0.lastMessage }]
    )
}

struct ConversationList: ResponseModel {
    var conversations: [ConversationResponse]

    static let shape = ResponseSchema<Self>("ConversationList", [.array("conversations") { $0.conversations }])
}

/// One conversation (section 5.3).
struct ConversationDetail: ResponseModel {
    var view: ConversationResponse
    var messageCount: Int

    static let shape = ResponseSchema<Self>(
        "ConversationDetail",
        ConversationFields.shape.members { $0.view.fields } + [
            .integer("messageCount") { $0.messageCount },
            .nullableObject("lastMessage") { $0.view.lastMessage },
        ]
    )
}

/// The response to a change of a conversation: only the members that were sent (section 5.4).
struct ConversationChange: ResponseModel {
    var id: String
    var updatedAt: Timestamp
    var title: String?
    var isArchived: Bool?

    static let shape = ResponseSchema<Self>(
        "ConversationChange",
        [
            .string("id") { $0.id },
            .time("updatedAt") { $0.updatedAt },
            .optionalString("title") { $0.title },
            .optionalBoolean("isArchived") { $0.isArchived },
        ]
    )
}

struct Success: ResponseModel {
    static let shape = ResponseSchema<Self>("Success", [.boolean("success") { _ in true }])
}

/// An attachment of a message (section 6).
struct AttachmentResponse: ResponseModel {
    var attachment: Attachment
    var url: String

    static let shape = ResponseSchema<Self>(
        "Attachment",
        [
            .string("id") { $0.attachment.id },
            .string("messageId") { $0.attachment.messageId ?? "" },
            .string("fileName") { $0.attachment.fileName },
            .string("fileType") { $0.attachment.fileType },
            .integer("fileSize") { $0.attachment.fileSize },
            .string("r2Key") { $0.attachment.key },
            .string("url") { $0.url },
            .time("createdAt") { $0.attachment.createdAt },
        ]
    )
}

struct MessageResponse: ResponseModel {
    var message: Message
    var attachments: [AttachmentResponse]

    static let shape = ResponseSchema<Self>(
        "Message",
        [
            .string("id") { $0.message.id },
            .string("conversationId") { $0.message.conversationId },
            .choice("role") { $0.message.role },
            .string("content") { $0.message.content },
            .nullableString("model") { $0.message.model },
            .custom("parentId", .nullable(.string())) { $1.json.null() },
            .boolean("isComplete") { $0.message.isComplete },
            .integer("tokensGenerated") { $0.message.tokensGenerated },
            .time("createdAt") { $0.message.createdAt },
            .array("attachments") { $0.attachments },
        ]
    )
}

/// A page of messages (section 6.1).
struct MessagePage: ResponseModel {
    var messages: [MessageResponse]
    var total: Int
    var hasMore: Bool

    static let shape = ResponseSchema<Self>(
        "MessagePage",
        [
            .array("messages") { $0.messages },
            .integer("total") { $0.total },
            .boolean("hasMore") { $0.hasMore },
        ]
    )
}

/// A reply in one piece (section 6.2).
struct ReplyResponse: ResponseModel {
    var message: Message

    static let shape = ResponseSchema<Self>(
        "Reply",
        [
            .string("id") { $0.message.id },
            .string("conversationId") { $0.message.conversationId },
            .string("role", oneOf: ["assistant"]) { $0.message.role.rawValue },
            .string("content") { $0.message.content },
            .string("model") { $0.message.model ?? "" },
            .time("createdAt") { $0.message.createdAt },
        ]
    )
}

struct SignedInUser: ResponseModel {
    var id: String
    var email: String

    static let shape = ResponseSchema<Self>("SignedInUser", [.string("id") { $0.id }, .string("email") { $0.email }])
}

/// The response to a sign-in (section 3.3).
struct SignIn: ResponseModel {
    var accessToken: String
    var refreshToken: String
    var user: SignedInUser

    static let shape = ResponseSchema<Self>(
        "SignIn",
        [
            .string("accessToken") { $0.accessToken },
            .string("refreshToken") { $0.refreshToken },
            .integer("expiresIn") { _ in 900 },
            .string("tokenType", oneOf: ["Bearer"]) { _ in "Bearer" },
            .object("user") { $0.user },
        ]
    )
}

/// The response to a refresh (section 3.4); it has a refresh token only with rotation (D8).
struct Refreshed: ResponseModel {
    var accessToken: String
    var refreshToken: String?
    var user: SignedInUser

    static let shape = ResponseSchema<Self>(
        "Refreshed",
        [
            .string("accessToken") { $0.accessToken },
            .optionalString("refreshToken") { $0.refreshToken },
            .integer("expiresIn") { _ in 900 },
            .string("tokenType", oneOf: ["Bearer"]) { _ in "Bearer" },
            .object("user") { $0.user },
        ]
    )
}

/// The response to an upload (section 7.1).
struct UploadResponse: ResponseModel {
    var attachment: Attachment
    var url: String

    static let shape = ResponseSchema<Self>(
        "Upload",
        [
            .string("id") { $0.attachment.id },
            .string("url") { $0.url },
            .string("fileName") { $0.attachment.fileName },
            .string("fileType") { $0.attachment.fileType },
            .integer("fileSize") { $0.attachment.fileSize },
            .string("key") { $0.attachment.key },
        ]
    )
}

/// The OpenAPI file's form of the same (D12).
struct WrappedUpload: ResponseModel {
    var upload: UploadResponse

    static let shape = ResponseSchema<Self>(
        "WrappedUpload",
        [.boolean("success") { _ in true }, .object("attachment") { $0.upload }]
    )
}

/// The form for an upload (section 7.2).
struct UploadForm: ResponseModel {
    struct Fields: ResponseModel {
        var key: String
        var conversationId: String

        static let shape = ResponseSchema<Self>(
            "UploadFields",
            [.string("key") { $0.key }, .string("conversationId") { $0.conversationId }]
        )
    }

    var uploadUrl: String
    var fields: Fields
    var expires: Instant

    static let shape = ResponseSchema<Self>(
        "UploadForm",
        [
            .string("uploadUrl") { $0.uploadUrl },
            .string("method", oneOf: ["POST"]) { _ in "POST" },
            .object("fields") { $0.fields },
            .time("expires") { .at($0.expires) },
        ]
    )
}

/// A conversation as the web routes show it (section 9.2): with its user.
struct WebConversation: ResponseModel {
    var fields: ConversationFields

    init(_ conversation: Conversation) {
        fields = ConversationFields(conversation: conversation, userId: conversation.userId)
    }

    static let shape = ResponseSchema<Self>("WebConversation", ConversationFields.shape.members { $0.fields })
}

struct WebConversationList: ResponseModel {
    var conversations: [WebConversation]

    static let shape = ResponseSchema<Self>("WebConversationList", [.array("conversations") { $0.conversations }])
}

struct WebCreatedConversation: ResponseModel {
    var conversation: WebConversation

    static let shape = ResponseSchema<Self>("WebCreatedConversation", [.object("conversation") { $0.conversation }])
}
