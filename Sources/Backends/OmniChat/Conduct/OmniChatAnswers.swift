import ConductKit
import JSON

/// `omnichat/first-sign-in-details`.
struct OmniChatFirstSignInDetails: AnsweredRule {
    static let declaration = RuleDeclaration(
        apiRule: "omnichat/first-sign-in-details",
        "First sign-in without an e-mail address",
        .warning,
        situation: "a sign-in with Apple",
        breach: "a sign-in answered 400 `Email required for new users`",
        exercisedBy: ["omnichat/no-email-first-sign-in", "a sign-in with Apple"],
        what: "The first sign-in of a user had no e-mail address, and was answered 400.",
        why: "Apple provides the address only once. Without it the user can't get an account.",
        expected: "Send the address and the name from Apple's first credential.",
        swift: "body.email = credential.email; body.fullName = credential.fullName",
        script: "body.user = appleResponse.user"
    )
    static let routes: Set<String> = ["POST /api/v1/auth/apple"]

    static func fault(_ x: JudgedExchange) -> String? {
        x.isAnswered(.emailRequired) ? "was refused without an e-mail address" : nil
    }
}

/// `omnichat/no-blank-content`.
struct OmniChatNoBlankContent: AnsweredRule {
    static let declaration = RuleDeclaration(
        apiRule: "omnichat/no-blank-content",
        "Message without content",
        .warning,
        situation: "a message",
        breach: "a message answered 400 `Message content is required`",
        exercisedBy: ["any message"],
        what: "A message without content was sent, and was answered 400.",
        why: "The user sees an error for a tap that should have done nothing.",
        expected: "Disable the send button while the text is blank.",
        swift: "sendButton.isEnabled = !text.allSatisfy(\\.isWhitespace)",
        script: "sendButton.disabled = text.trim() === \"\""
    )
    static let routes: Set<String> = ["POST /api/v1/conversations/{id}/messages"]

    static func fault(_ x: JudgedExchange) -> String? {
        x.isAnswered(.contentRequired) ? "was a message without content" : nil
    }
}

/// `omnichat/checks-uploads`.
struct OmniChatChecksUploads: AnsweredRule {
    static let declaration = RuleDeclaration(
        apiRule: "omnichat/checks-uploads",
        "Rejected upload",
        .warning,
        situation: "an upload",
        breach: "an upload answered 400 or 413",
        exercisedBy: ["any upload"],
        what: "A file that the API does not accept was uploaded, and was answered 400 or 413.",
        why: "The user waits for a long upload that is refused.",
        expected: "Check size and type before the upload, and send `file` and `conversationId`.",
        swift: "guard data.count <= 10 << 20, types.contains(type) else { return }",
        script: "if (file.size > 10 << 20 || !types.includes(file.type)) return"
    )
    static let routes: Set<String> = ["POST /api/v1/upload"]

    static func fault(_ x: JudgedExchange) -> String? {
        x.row.status == 400 || x.row.status == 413 ? "was an upload answered \(x.row.status)" : nil
    }
}

/// `omnichat/own-files-only`.
struct OmniChatOwnFilesOnly: AnsweredRule {
    static let declaration = RuleDeclaration(
        apiRule: "omnichat/own-files-only",
        "File of another user",
        .error,
        situation: "a request for a file",
        breach: "a file answered 403",
        exercisedBy: ["any file"],
        what: "A file of another user was requested, and was answered 403.",
        why: "The app mixes up users: somebody sees a broken picture where their own should be.",
        expected: "Request a file with the token of the user who owns its key.",
        swift: "cache.removeAll() // at each sign-out",
        script: "cache.clear() // at each sign-out"
    )
    static let routes: Set<String> = ["GET /api/v1/files/{key…}", "DELETE /api/v1/files/{key…}"]

    static func fault(_ x: JudgedExchange) -> String? { x.row.status == 403 ? "requested a file of another user" : nil }
}
