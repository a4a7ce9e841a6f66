import ConductKit
import HTTPMessage
import JSON

/// `sawaed/no-bearer-after-dead-refresh`.
struct SawaedNoBearerAfterDeadRefresh: APIRule {
    static let declaration = RuleDeclaration(
        apiRule: "sawaed/no-bearer-after-dead-refresh",
        "Token used after a refused refresh",
        .error,
        situation: "a refused refresh",
        breach: "a token of a session after its refresh was refused",
        exercisedBy: ["sawaed/expired-refresh-token"],
        what: "A session's token was used as the bearer token after its refresh had been refused.",
        why: "The session is over. The user sees errors instead of the sign-in screen.",
        expected: "After a refused refresh, discard both tokens.",
        swift: "if status == 401 { keychain.clear() }",
        script: "if (response.status === 401) clearTokens()"
    )

    private var reported: Set<SessionRoute> = []
    private var refused: [Int32: Int32] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.exchange.api == "sawaed" else { return }
        if x.role == .refresh {
            if x.row.isDelivered, x.row.status >= 400, x.row.status < 500, x.row.status != 429, x.session >= 0 {
                context.situation(x)
                if refused[x.session] == nil { refused[x.session] = x.index }
            }
            return
        }
        guard x.bearer >= 0, x.role != .signOut else { return }
        let session = context.credentials[Int(x.bearer)].session
        guard let row = refused[session], context.knows(context[row], x.row),
            reported.insert(SessionRoute(session, x)).inserted
        else { return }
        context.breach(
            [row, x.index],
            "\(context.id(row)) refused the refresh; \(x.row.id) used a token of that session (\(context.token(x.bearer)))."
        )
    }
}

/// `sawaed/continues-conversation`.
struct SawaedContinuesConversation: APIRule {
    static let declaration = RuleDeclaration(
        apiRule: "sawaed/continues-conversation",
        "Conversation restarted",
        .warning,
        situation: "a delivered chat send with a `conversationId`",
        breach: """
            a chat send without the `conversationId` that a delivered send of this session for this skill had answered
            """,
        exercisedBy: ["sawaed/chat-happy"],
        what: "A chat message omitted the `conversationId` that an earlier response for the same skill had returned.",
        why: "The assistant forgets what the user has told it.",
        expected: "Send the `conversationId` of the response with the next message.",
        swift: "body.conversationId = last?.conversationId",
        script: "body.conversationId = last?.conversationId"
    )

    private struct Key: Hashable {
        var client: Int32
        var skill: String
    }

    private var begun: [Key: (row: Int32, isReported: Bool)] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.isOf("sawaed", SawaedRoutes.send), let skill = x.requestJSON?["skillId"]?.stringValue else { return }
        let key = Key(client: x.row.client, skill: skill)
        if let first = begun[key], context.knows(context[first.row], x.row), !first.isReported,
            x.requestJSON?["conversationId"]?.stringValue ?? "" == ""
        {
            begun[key] = (first.row, true)
            context.breach(
                [first.row, x.index],
                "\(context.id(first.row)) returned a `conversationId`; \(x.row.id) had none."
            )
        }
        guard x.row.isSuccess, x.responseJSON?["conversationId"]?.stringValue != nil else { return }
        context.situation(x)
        if begun[key] == nil { begun[key] = (x.index, false) }
    }
}

/// `sawaed/caches-reference-data`.
struct SawaedCachesReferenceData: APIRule {
    static let declaration = RuleDeclaration(
        apiRule: "sawaed/caches-reference-data",
        "Reference data read again and again",
        .warning,
        situation: "a delivered 200 to regions, cities or skills",
        breach:
            "regions, cities or skills again in the same language, pause below `withinSeconds`, after a delivered 200",
        settings: [(.withinSeconds, 60)],
        exercisedBy: ["the lists of regions, cities and skills"],
        what: "A list of regions, cities or skills was read again within a minute, in the same language.",
        why: "The lists change a few times a year; the user waits for them on each screen.",
        expected: "Keep the lists of regions, cities and skills while the app runs.",
        swift: "static let regions = Task { try await api.regions() }",
        script: "const regions = (cache.regions ??= fetchRegions())"
    )

    private struct Key: Hashable {
        var client: Int32
        var target: String
        var language: String
    }

    private var read: [Key: Int32] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.isOf("sawaed", SawaedRoutes.reference), x.isGet else { return }
        let language = x.field(.acceptLanguage)?.lowercased() ?? ""
        let target = "\(x.exchange.path)?\(x.exchange.query ?? "")"
        let key = Key(client: x.row.client, target: target, language: String(language.prefix(2)))
        if let row = read[key], context.knows(context[row], x.row) {
            let pause = Fairness.pause(context[row], x.row)
            if pause < context.limits(x).seconds(.withinSeconds) {
                context.breach(
                    [row, x.index],
                    "\(x.row.id) read again what \(context.id(row)) had returned \(Words.duration(pause)) before."
                )
            }
        }
        guard x.row.isDelivered, x.row.status == 200 else { return }
        context.situation(x)
        read[key] = x.index
    }
}

/// `sawaed/resend-pause`.
struct SawaedResendPause: APIRule {
    static let declaration = RuleDeclaration(
        apiRule: "sawaed/resend-pause",
        "New code requested too soon",
        .warning,
        situation: "a delivered 200 to request-otp",
        breach: "request-otp for an e-mail again, pause below `minPauseSeconds` after a delivered 200",
        settings: [(.minPauseSeconds, 120)],
        exercisedBy: ["any sign-in with a code"],
        what: "Another code was requested less than two minutes after the last one had been sent.",
        why: "The newer code invalidates the first one while its e-mail is still on the way.",
        expected: "Offer another code only two minutes after the last one.",
        swift: "Button(\"Send again\") { resend() }.disabled(now < sentAt + 120)",
        script: "button.disabled = Date.now() < sentAt + 120_000"
    )

    private var sent: [String: Int32] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.isOf("sawaed", SawaedRoutes.requestCode), let mail = x.mail?.lowercased() else { return }
        let key = "\(x.row.place) \(mail)"
        if let row = sent[key], context.knows(context[row], x.row) {
            let pause = Fairness.pause(context[row], x.row)
            if pause < context.limits(x).seconds(.minPauseSeconds) {
                context.breach(
                    [row, x.index],
                    "\(x.row.id) requested another code \(Words.duration(pause)) after \(context.id(row)) had sent one."
                )
            }
        }
        guard x.row.isDelivered, x.row.status == 200 else { return }
        context.situation(x)
        sent[key] = x.index
    }
}

/// `sawaed/upload-in-order`.
struct SawaedUploadInOrder: APIRule {
    static let declaration = RuleDeclaration(
        apiRule: "sawaed/upload-in-order",
        "Picture completed before its upload",
        .warning,
        situation: "a picture/complete",
        breach: "picture/complete with no delivered 2xx upload since the last upload-url",
        exercisedBy: ["a change of the picture"],
        what: "A picture was completed although nothing had been uploaded since the last upload URL was issued.",
        why: "The profile points to a picture that does not exist.",
        expected: "Wait for the upload to finish before picture/complete.",
        swift: "let stored = try await upload(data, to: url); try await complete(stored.storageId)",
        script: "const { storageId } = await upload(url, data); await complete(storageId)"
    )

    private struct State {
        var addressed: Int32?
        var uploaded: Int32?
    }

    private var clients: [Int32: State] = [:]
    private var uploads: [Int32] = []

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.exchange.api == "sawaed", let name = x.operation?.name else { return }
        let base = SawaedRoutes.base
        if name == "GET \(base)/profile/picture/upload-url" {
            if x.row.isSuccess { clients[x.row.client, default: State()].addressed = x.index }
        } else if name == "POST /api/storage/upload" {
            if x.row.isSuccess { uploads.append(x.index) }
        } else if name == "POST \(base)/profile/picture/complete" {
            context.situation(x)
            let since = clients[x.row.client]?.addressed ?? -1
            // The upload carries no bearer, so that any delivered one counts.
            guard !uploads.contains(where: { $0 > since && context[$0].end <= x.row.begin }) else { return }
            context.breach([x.index], "\(x.row.id) completed a picture that had not been uploaded.")
        }
    }
}

/// `sawaed/normalised-email`.
struct SawaedNormalisedMail: APIRule {
    static let declaration = RuleDeclaration(
        apiRule: "sawaed/normalised-email",
        "One e-mail address in two spellings",
        .warning,
        situation: "an auth request with an e-mail address",
        breach: "two auth requests of one client whose e-mail addresses differ only in case or surrounding spaces",
        exercisedBy: ["any sign-in"],
        what: "One e-mail address was sent in two spellings that differ only in case or in surrounding spaces.",
        why: "If the backend distinguishes the spellings, the user has two accounts.",
        expected: "Trim and lowercase the address before sending it.",
        swift: "let email = text.trimmingCharacters(in: .whitespaces).lowercased()",
        script: "const email = text.trim().toLowerCase()"
    )

    private var spellings: [String: (text: String, row: Int32, isReported: Bool)] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.isOf("sawaed", SawaedRoutes.auth), let mail = x.mail else { return }
        context.situation(x)
        var folded = Substring(mail.lowercased())
        while folded.first?.isWhitespace == true { folded.removeFirst() }
        while folded.last?.isWhitespace == true { folded.removeLast() }
        let key = "\(x.row.place) \(folded)"
        guard let first = spellings[key] else {
            spellings[key] = (mail, x.index, false)
            return
        }
        guard first.text != mail, !first.isReported else { return }
        spellings[key] = (first.text, first.row, true)
        context.breach(
            [first.row, x.index],
            "\(context.id(first.row)) and \(x.row.id) had the same e-mail address in two spellings."
        )
    }
}
