import ConductKit
import HTTPMessage
import JSON

/// Routes of Trafikskola.
enum TrafikskolaRoutes {
    static let base = "/api/mobile"
    static let config = "GET \(base)/config"
    static let logins: Set<String> = [
        "POST \(base)/auth/login", "POST \(base)/auth/verify-otp", "POST \(base)/auth/quick-login",
    ]
    static let register = "POST \(base)/device/register"
    static let images: Set<String> = ["GET /logo.png", "GET /icon.png", "GET /splash.png", "GET /avatars/{file}"]
}

/// `trafikskola/checks-the-domain`.
struct TrafikskolaChecksTheDomain: AnsweredRule {
    static let declaration = RuleDeclaration(
        apiRule: "trafikskola/checks-the-domain",
        "Unknown school",
        .warning,
        situation: "a request for the config",
        breach: "config answered 404 `SCHOOL_NOT_FOUND`",
        exercisedBy: ["trafikskola/qr-domain-typo"],
        what: "The config of a school that does not exist was requested.",
        why: "A misspelt code leads the app to a school that is not there.",
        expected: "Compare the domain of a QR code with the configured school before you request its config.",
        swift: "guard payload.domain == school.domain else { throw WrongSchool() }",
        script: "if (payload.domain !== school.domain) throw new Error(\"wrong school\")"
    )
    static let routes: Set<String> = [TrafikskolaRoutes.config]

    static func fault(_ x: JudgedExchange) -> String? {
        x.isAnswered(.schoolNotFound) ? "requested a school that does not exist" : nil
    }
}

/// `trafikskola/avatar-form`.
struct TrafikskolaAvatarForm: AnsweredRule {
    static let declaration = RuleDeclaration(
        apiRule: "trafikskola/avatar-form",
        "Rejected avatar",
        .warning,
        situation: "an avatar upload",
        breach: "an avatar upload answered 400",
        exercisedBy: ["an avatar upload"],
        what: "An avatar was uploaded in a format that the server does not accept, and was answered 400.",
        why: "The user's picture is not saved.",
        expected: "Send the field `avatar`, a JPEG or PNG of at most 5 MB, and let the library set the boundary.",
        swift: "form.append(data, withName: \"avatar\", fileName: \"a.jpg\", mimeType: \"image/jpeg\")",
        script: "form.append(\"avatar\", file)"
    )
    static let routes: Set<String> = ["POST \(TrafikskolaRoutes.base)/student/avatar"]

    static func fault(_ x: JudgedExchange) -> String? {
        x.row.status == 400 ? "was an avatar upload answered 400" : nil
    }
}

/// `trafikskola/app-secret`.
struct TrafikskolaAppSecret: APIRule {
    static let declaration = RuleDeclaration(
        apiRule: "trafikskola/app-secret",
        "App secret missing, or sent where it does not belong",
        .warning,
        situation: "a call by a client that sends `X-App-Secret` at least once",
        breach: "`/api/mobile` (translations excepted) without `X-App-Secret`, or app-config or an image with it",
        exercisedBy: ["any call"],
        what: "A request omitted `X-App-Secret`, or sent it where it does not belong.",
        why: "Servers in strict mode refuse the request, and other hosts learn the secret.",
        expected: "Send `X-App-Secret` on every request below `/api/mobile`, and nowhere else.",
        swift: "if path.hasPrefix(\"/api/mobile\") { request.setValue(secret, forHTTPHeaderField: \"X-App-Secret\") }",
        script: "if (path.startsWith(\"/api/mobile\")) headers.set(\"X-App-Secret\", secret)"
    )

    /// The places that send it, and the faults of those that have not sent it yet.
    private var senders: Set<Int32> = []
    private var waiting: [Int32: [Int32]] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.exchange.api == "trafikskola", let operation = x.operation else { return }
        let isSent = x.field("X-App-Secret") != nil
        let isImage =
            TrafikskolaRoutes.images.contains(operation.name) || operation.name == "GET /api/app-config"
        let isMobile =
            operation.template.hasPrefix("/api/mobile/") && operation.template != "/api/mobile/translations/{locale}"
        if isSent, senders.insert(x.row.place).inserted {
            for row in waiting.removeValue(forKey: x.row.place) ?? [] {
                context.situation(row)
                context.breach([row], "\(context.id(row)) was sent without `X-App-Secret`.")
            }
        }
        guard isMobile || isImage else { return }
        guard senders.contains(x.row.place) else {
            if isMobile { waiting[x.row.place, default: []].append(x.index) }
            return
        }
        context.situation(x)
        if isMobile, !isSent { context.breach([x.index], "\(x.row.id) was sent without `X-App-Secret`.") }
        if isImage, isSent { context.breach([x.index], "\(x.row.id) had `X-App-Secret`, where it does not belong.") }
    }
}
