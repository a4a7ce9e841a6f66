import ConductKit
import HTTPMessage

/// Rules of Sawaed that one answer tells.
enum SawaedRoutes {
    static let base = "/api/mobile/v1"
    static let send: Set<String> = ["POST /api/chat/send", "POST /api/mobile/v1/chat/send"]
    static let requestCode: Set<String> = ["POST /api/mobile/auth/request-otp", "POST /api/mobile/v1/auth/request-otp"]
    static let verifyCode: Set<String> = ["POST /api/mobile/auth/verify-otp", "POST /api/mobile/v1/auth/verify-otp"]
    static let auth: Set<String> = requestCode.union(verifyCode).union([
        "POST /api/mobile/auth/refresh", "POST /api/mobile/v1/auth/refresh", "POST /api/mobile/auth/signout",
        "POST /api/mobile/v1/auth/signout", "POST /api/mobile/auth/signup", "POST /api/mobile/auth/signin",
        "POST /api/mobile/auth/apple",
    ])
    static let reference: Set<String> = [
        "GET \(base)/locations/regions", "GET \(base)/locations/cities", "GET \(base)/ai/skills",
        "GET \(base)/taxonomies/skills",
    ]
    /// The routes whose texts are in one of two languages.
    static let localised: Set<String> = reference.union([
        "GET \(base)/taxonomies/interests", "GET \(base)/profile/me", "GET \(base)/events", "GET \(base)/events/{id}",
        "POST \(base)/onboarding/save-draft-details", "POST \(base)/onboarding/complete",
    ])
}

/// `sawaed/complete-chat-body`.
struct SawaedCompleteChatBody: AnsweredRule {
    static let declaration = RuleDeclaration(
        apiRule: "sawaed/complete-chat-body",
        "Incomplete chat message",
        .error,
        situation: "a chat send",
        breach: "a chat send answered 400",
        exercisedBy: ["any chat"],
        what: "A chat message lacked a required value, and was answered 400.",
        why: "The message is lost, and the user sees no reply.",
        expected: "Send non-empty `skillId` and `message`.",
        swift: "struct ChatSend: Encodable { let skillId: String; let message: String }",
        script: "JSON.stringify({ skillId, message })"
    )
    static let routes = SawaedRoutes.send

    static func fault(_ x: JudgedExchange) -> String? { x.row.status == 400 ? "was a chat send answered 400" : nil }
}

/// `sawaed/clean-code`.
struct SawaedCleanCode: AnsweredRule {
    static let declaration = RuleDeclaration(
        apiRule: "sawaed/clean-code",
        "Code is not six digits",
        .warning,
        situation: "a verify-otp",
        breach: "verify-otp answered 400 `verify_otp_failed`",
        exercisedBy: ["any sign-in with a code"],
        what: "A code that is not six digits was sent, and was answered 400 `verify_otp_failed`.",
        why: "A space from the clipboard costs the user one of a few attempts.",
        expected: "Remove everything but digits, and send exactly six of them.",
        swift: "let code = text.filter(\\.isNumber)",
        script: "const code = text.replace(/\\D/g, \"\")"
    )
    static let routes = SawaedRoutes.verifyCode

    static func fault(_ x: JudgedExchange) -> String? {
        x.isAnswered(.invalidCodeBody) ? "was answered 400 `verify_otp_failed`" : nil
    }
}

/// `sawaed/no-origin-header`.
struct SawaedNoOriginHeader: AnsweredRule {
    static let declaration = RuleDeclaration(
        apiRule: "sawaed/no-origin-header",
        "Unaccepted `Origin`",
        .warning,
        situation: "a request to an auth route",
        breach: "an auth route answered 403 `invalid_origin`",
        exercisedBy: ["sawaed/origin-mismatch", "any sign-in"],
        what:
            "A request to an auth route had an `Origin` that the server does not accept, and was answered 403 `invalid_origin`.",
        why: "The sign-in is refused although address and code are right.",
        expected: "Send no `Origin` from an app.",
        swift: "request.setValue(nil, forHTTPHeaderField: \"Origin\")",
        script: "// Let the browser set Origin, and call the API of your own origin."
    )
    static let routes = SawaedRoutes.auth

    static func fault(_ x: JudgedExchange) -> String? {
        x.isAnswered(.invalidOrigin) ? "was answered 403 `invalid_origin`" : nil
    }
}

/// `sawaed/sends-language`.
struct SawaedSendsLanguage: AnsweredRule {
    static let declaration = RuleDeclaration(
        apiRule: "sawaed/sends-language",
        "No language requested",
        .warning,
        situation: "a request to a localised route",
        breach: "a localised route with neither `Accept-Language` beginning with ar or en nor `locale` ar or en",
        exercisedBy: ["any localised route"],
        what: "A localised route was called without asking for Arabic or English.",
        why: "The user sees text in a language that nobody chose.",
        expected: "Send `Accept-Language` with the language of the app.",
        swift: "request.setValue(locale, forHTTPHeaderField: \"Accept-Language\")",
        script: "headers.set(\"Accept-Language\", locale)"
    )
    static let routes = SawaedRoutes.localised

    static func fault(_ x: JudgedExchange) -> String? {
        let language = x.field(.acceptLanguage)?.lowercased() ?? ""
        if language.hasPrefix("ar") || language.hasPrefix("en") { return nil }
        if let locale = x.query.last("locale")?.lowercased(), locale == "ar" || locale == "en" { return nil }
        return "requested no language"
    }
}

/// `sawaed/backend-gaps`.
struct SawaedBackendGaps: AnsweredRule {
    static let declaration = RuleDeclaration(
        apiRule: "sawaed/backend-gaps",
        "Unsupported filter",
        .warning,
        situation: "a request for the events list",
        breach: "`page`, `q`, or a boolean filter `false` or `0` on the events list",
        exercisedBy: ["the events list"],
        what: "The list of events was requested with a parameter that the backend ignores or misreads.",
        why: "The backend ignores it or inverts its meaning, and the user sees the wrong events.",
        expected: "Page by `cursor`, and omit a filter instead of sending `false`.",
        swift: "if allowWaitlist { items.append(URLQueryItem(name: \"allowWaitlist\", value: \"true\")) }",
        script: "if (allowWaitlist) params.set(\"allowWaitlist\", \"true\")"
    )
    static let routes: Set<String> = ["GET \(SawaedRoutes.base)/events"]
    private static let filters: Set<String> = ["isRegistrationRequired", "allowWaitlist"]

    static func fault(_ x: JudgedExchange) -> String? {
        for item in x.query.items {
            if item.name == "page" || item.name == "q" { return "sent `\(item.name)`, which the backend ignores" }
            if filters.contains(item.name), item.value == "false" || item.value == "0" {
                return "tried to disable the filter `\(item.name)` with a value that the backend reads as true"
            }
        }
        return nil
    }
}
