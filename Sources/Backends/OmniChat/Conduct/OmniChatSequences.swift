import ConductKit
import JSON

/// `omnichat/keeps-old-refresh-token`.
struct OmniChatKeepsOldRefreshToken: APIRule {
    static let declaration = RuleDeclaration(
        apiRule: "omnichat/keeps-old-refresh-token",
        "Refresh token lost",
        .error,
        situation: "a refresh by a client that was given a refresh token",
        breach: "a refresh without a refresh token (400 `Missing refresh token`) by a client that was given one",
        exercisedBy: ["a refresh"],
        what: "A refresh without a refresh token was sent by a client that had received one.",
        why:
            "A response without a refresh token means that the old one stays valid. An app that discards it signs its user out.",
        expected: "Keep the old refresh token when a response has none.",
        swift: "tokens.refresh = answer.refreshToken ?? tokens.refresh",
        script: "tokens.refresh = body.refreshToken ?? tokens.refresh"
    )

    private var given: [Int32: Int32] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.exchange.api == "omnichat" else { return }
        if x.issuedRefresh >= 0, x.row.isDelivered, given[x.row.place] == nil { given[x.row.place] = x.index }
        guard x.role == .refresh, let row = given[x.row.place], context.knows(context[row], x.row) else { return }
        context.situation(x)
        guard x.isAnswered(.refreshTokenRequired) else { return }
        context.breach([row, x.index], "\(context.id(row)) gave a refresh token; \(x.row.id) sent none.")
    }
}

/// `omnichat/no-needless-sign-in`.
struct OmniChatNoNeedlessSignIn: APIRule {
    static let declaration = RuleDeclaration(
        apiRule: "omnichat/no-needless-sign-in",
        "Sign-in instead of a refresh",
        .warning,
        situation: "a further sign-in with Apple as the same user while a refresh token was usable",
        breach: """
            `times` further sign-ins with Apple as the same user by one address and `User-Agent` within `withinSeconds`, \
            while a refresh token of it was usable
            """,
        settings: [(.times, 3), (.withinSeconds, 600)],
        exercisedBy: ["a second sign-in"],
        what: "The same user signed in with Apple again and again although a refresh token was valid.",
        why: "The user has to confirm with Apple where no interaction was needed.",
        expected: "Refresh while the refresh token is valid; sign in only when it is refused.",
        swift: "if let refresh = tokens.refresh { try await self.refresh(refresh) } else { signIn() }",
        script: "tokens.refresh ? await refresh() : signIn()"
    )

    private struct Key: Hashable {
        var place: Int32
        var user: Int32
    }

    private var sessions: [Key: [Int32]] = [:]
    private var rows: [Key: [Int32]] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.isOf("omnichat", "POST /api/v1/auth/apple"), x.row.isSuccess, x.session >= 0, x.row.user >= 0 else {
            return
        }
        let key = Key(place: x.row.place, user: x.row.user)
        let isNeedless = (sessions[key] ?? []).contains { context.hasUsableRefresh($0, at: x.row) }
        sessions[key, default: []].append(x.session)
        guard isNeedless else { return }
        context.situation(x)
        let limits = context.limits(x)
        var list = (rows[key] ?? []).filter { Fairness.interval(context[$0], x.row) <= limits.seconds(.withinSeconds) }
        list.append(x.index)
        if list.count == limits[.times] {
            context.breach(
                list,
                "\(list.count) further sign-ins up to \(x.row.id), although a refresh token of that user was valid."
            )
        }
        rows[key] = list
    }
}

/// `omnichat/complete-conversation`.
struct OmniChatCompleteConversation: APIRule {
    static let declaration = RuleDeclaration(
        apiRule: "omnichat/complete-conversation",
        "Conversation without a title or with an unknown model",
        .warning,
        situation: "a new conversation",
        breach: "a conversation answered 400 `Title is required`, or with a model that `/api/models` does not have",
        exercisedBy: ["a new conversation"],
        what: "A conversation was created without a title, or with a model that is not in the list of models.",
        why: "The user gets an error, or replies from a model that was never chosen.",
        expected: "Send a title, and a model from the list.",
        swift: "Picker(\"Model\", selection: $model) { ForEach(models) { Text($0.name) } }",
        script: "const model = models[0].id"
    )

    private struct Models {
        var row: Int32
        var mark: UInt64
        var ids: Set<String>
    }

    private var models: [Int32: Models] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        if x.isOf("omnichat", "GET /api/models"), x.row.isSuccess {
            guard let mark = x.responseMark else {
                // What it lists, nobody knows.
                models[x.row.place] = nil
                return
            }
            // The same list is not read again.
            if models[x.row.place]?.mark == mark {
                models[x.row.place]?.row = x.index
                return
            }
            guard let json = x.responseJSON else { return }
            let lists = json["providers"]?.objectValue?.members.compactMap(\.value.arrayValue) ?? []
            let ids = Set(lists.joined().compactMap { $0["id"]?.stringValue })
            if !ids.isEmpty { models[x.row.place] = Models(row: x.index, mark: mark, ids: ids) }
            return
        }
        guard x.isOf("omnichat", ["POST /api/v1/conversations", "POST /api/conversations"]) else { return }
        context.situation(x)
        if x.isAnswered(.titleRequired) {
            context.breach([x.index], "\(x.row.id) had no title.")
        } else if let model = x.requestJSON?["model"]?.stringValue, !model.isEmpty, let known = models[x.row.place],
            context.knows(context[known.row], x.row), !known.ids.contains(model)
        {
            context.breach(
                [known.row, x.index],
                "\(x.row.id) named a model that \(context.id(known.row)) did not list."
            )
        }
    }
}

/// `omnichat/refreshes-ahead`.
struct OmniChatRefreshesAhead: RefreshesAhead {
    static let declaration = declared("omnichat")
    var sent: [Int32: [Int32]] = [:]
    var reported: Set<Int32> = []
}
