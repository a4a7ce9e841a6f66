import ConductKit
import JSON

/// Routes of CarbScan.
enum CarbScanRoutes {
    static let base = "/api/mobile/v1"
    static let analyze = "POST \(base)/analyze"
    static let chat = "POST \(base)/chat"
    static let sync = "POST \(base)/meals/sync"
}

/// `carbscan/known-platform`.
struct CarbScanKnownPlatform: AnsweredRule {
    static let declaration = RuleDeclaration(
        apiRule: "carbscan/known-platform",
        "Unknown platform",
        .warning,
        situation: "a devices/register",
        breach: "devices/register answered 400 with `platform` among its details",
        exercisedBy: ["a registration for push"],
        what: "A device registration had a `platform` that the API does not know, and was answered 400.",
        why: "The device is not registered, and the user gets no reminders.",
        expected: "Send `ios` or `android` as `platform`.",
        swift: "let platform = \"ios\"",
        script: "const platform = \"android\""
    )
    static let routes: Set<String> = ["POST \(CarbScanRoutes.base)/devices/register"]

    static func fault(_ x: JudgedExchange) -> String? {
        x.row.status == 400 && x.errorDetails.contains { $0.path == "platform" }
            ? "was refused because of its `platform`" : nil
    }
}

/// `carbscan/respects-limits`.
struct CarbScanRespectsLimits: AnsweredRule {
    static let declaration = RuleDeclaration(
        apiRule: "carbscan/respects-limits",
        "Image or question too large",
        .warning,
        situation: "an analysis or a question",
        breach: "analyze or chat answered 400 with `too_large` or `too_long`",
        exercisedBy: ["a photo of more than 10 MiB"],
        what: "An image or a question was larger than the API allows, and was answered 400.",
        why: "The user waits for a long upload that is refused.",
        expected: "Check against `maxImageSize` and `maxChatMessageLength` of the config before sending.",
        swift: "guard data.count <= config.maxImageSize else { return compress(data) }",
        script: "if (blob.size > config.maxImageSize) blob = await compress(blob)"
    )
    static let routes: Set<String> = [CarbScanRoutes.analyze, CarbScanRoutes.chat]

    static func fault(_ x: JudgedExchange) -> String? {
        guard x.row.status == 400 else { return nil }
        let reasons = x.errorDetails.map(\.reason)
        if reasons.contains("too_large") { return "was refused as `too_large`" }
        return reasons.contains("too_long") ? "was refused as `too_long`" : nil
    }
}

/// `carbscan/string-credentials`.
struct CarbScanStringCredentials: AnsweredRule {
    static let declaration = RuleDeclaration(
        apiRule: "carbscan/string-credentials",
        "Apple credentials not sent as strings",
        .error,
        situation: "a sign-in with Apple",
        breach: "auth/apple with `identityToken` or `authorizationCode` of another type than string",
        exercisedBy: ["a sign-in with Apple"],
        what: "A sign-in with Apple sent `identityToken` or `authorizationCode` as something other than a string.",
        why: "The sign-in is refused for every user.",
        expected: "Decode the credential's data as UTF-8 before sending it.",
        swift: "let token = String(decoding: credential.identityToken!, as: UTF8.self)",
        script: "const identityToken = new TextDecoder().decode(data)"
    )
    static let routes: Set<String> = ["POST \(CarbScanRoutes.base)/auth/apple"]

    static func fault(_ x: JudgedExchange) -> String? {
        for name in ["identityToken", "authorizationCode"] {
            guard let value = x.requestJSON?[name], !value.isNull, value.stringValue == nil else { continue }
            return "had `\(name)` as \(value.typeName)"
        }
        return nil
    }
}
