import Backend
import CivilTime
import HTTPMessage
import JSON

/// Contract, sections 8.1 to 8.4, and for row 52 section 8.6.
extension SawaedAPI {
    static let chatEndpoints = chatEndpoints(below: "/api/chat", provenance: .documented)

    /// Rows 41 and 42, and as aliases row 50.
    static func chatEndpoints(below base: String, provenance: Provenance) -> [SawaedEndpoint] {
        [
            Endpoint(
                .post,
                base + "/send",
                "Sends a message; the reply is polled for",
                provenance: provenance,
                authentication: .optional,
                credential: .bearerOrCookie(cookieName),
                parameters: [
                    Parameter("X-Locale", in: .header, .string(enumeration: ["ar", "en"]), "After the body's locale"),
                    .acceptLanguage,
                    Parameter("locale", in: .query, .string(enumeration: ["ar", "en"]), "After the headers"),
                ],
                body: .json(
                    ChatSend.self,
                    example: ["skillId": "aiskill_data", "message": "__start__", "locale": "ar"]
                ),
                bodyLimit: bodyLimit,
                answers: [
                    .json(
                        ChatSendResponse.self,
                        "A new session; the conversation only with a bearer and a known skill"
                    ),
                    ChatResponses.refusedSendDeclaration(.badRequest, "skillId or message is missing, or no JSON"),
                    APIError.unauthorized.declared("By scenario only"),
                    ChatResponses.refusedSendDeclaration(.tooManyRequests, "10 in 10 s per client"),
                    ChatResponses.refusedSendDeclaration(.contentTooLarge, "Over the server's general limit"),
                    ChatResponses.refusedSendDeclaration(.internalServerError, "Injected"),
                ],
                metadata: EndpointMetadata(area: .chatSend, failure: "chat_send_failed"),
                handle: sendChat
            ),
            Endpoint(
                .get,
                base + "/status",
                "How far a reply has come",
                provenance: provenance,
                authentication: .none,
                handleParameter: "sessionId",
                parameters: [
                    Parameter("sessionId", in: .query, .string(minLength: 1), required: true, "Of the send"),
                    Parameter("If-None-Match", in: .header, .string(), "The last ETag"),
                ],
                bodyLimit: bodyLimit,
                answers: [
                    .json(ChatStatusResponse.self, "The state and the text so far"),
                    AnswerDeclaration(.notModified, "Unchanged, and not finished", .none),
                    ChatResponses.refusedStatusDeclaration(.badRequest, "missing_sessionId", "sessionId is missing"),
                    ChatResponses.refusedStatusDeclaration(.notFound, "session_not_found", "Unknown or forgotten"),
                    ChatResponses.refusedStatusDeclaration(
                        .tooManyRequests,
                        "rate_limited",
                        "180 in 60 s per client; without retry-after"
                    ),
                    ChatResponses.refusedStatusDeclaration(.internalServerError, "status_unexpected_error", "Injected"),
                ],
                metadata: EndpointMetadata(area: .chatStatus, failure: "status_unexpected_error"),
                handle: chatStatus
            ),
        ]
    }

    /// Row 52.
    static let chatHistory = SawaedEndpoint(
        .get,
        "/api/mobile/v1/chat/history",
        "The messages of one of the caller's conversations",
        provenance: .planned,
        credential: .bearerOrCookie(cookieName),
        parameters: [Parameter("conversationId", in: .query, .string(), required: true, "Of a send")],
        bodyLimit: bodyLimit,
        answers: [
            .json(ChatHistory.self, "Oldest first"),
            APIError.invalid("conversationId is required.").declared("conversationId is missing"),
            APIError.notFound.declared("Not the caller's"),
        ] + CommonErrors.protected("chat_history_failed"),
        metadata: EndpointMetadata(area: .v1, failure: "chat_history_failed")
    ) { state, _, call throws(APIError) in
        guard let id = call.query.last("conversationId"), !id.isEmpty else {
            throw invalidQuery("conversationId is required.")
        }
        let user = try caller(state, call)
        guard let conversation = state.conversations[id], conversation.userId == user.id else { throw .notFound }
        let rows = state.messages.rows(in: id)
        let times = rows.map { state.instant($0.createdAt) }
        let items = rows.indices.sorted { (times[$0], $0) < (times[$1], $1) }.map { ChatHistory.Item(row: rows[$0]) }
        return json(ChatHistory(items: items), call)
    }

    private static let noStoreFields: Fields = [
        .contentType: "application/json",
        .cacheControl: "no-store, no-cache, must-revalidate",
        "Pragma": "no-cache",
        "Expires": "0",
    ]

    private static func sendChat(
        _ state: inout SawaedState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let isFull = state.settings.chatSendBucket == .full
        let key = clientKey(call)
        let length = Interval.seconds(10)
        if wait("chat send", key, limit: 10, length: length, isFull: isFull, &state, now: call.now) != nil {
            return ChatResponses.refusedSend(.tooManyRequests)
        }
        state.collectSessions(now: call.now)
        var user: User?
        if state.settings.chatBearer == .used, let token = bearer(call) {
            user = state.authenticate(token, now: call.now)?.user
            call.user = user.map { CallUser(id: $0.id, email: $0.email) }
        }
        if state.settings.chatAuth == .strict, user == nil { throw .unauthorized }
        guard !call.request.body.exceedsLimit else { return ChatResponses.refusedSend(.contentTooLarge) }
        guard case .object(let object)? = try? call.request.mendedJSON(allowsBOM: true) else {
            return ChatResponses.refusedSend(.badRequest)
        }
        let (body, issues) = ChatSend.read(object, telling: .first)
        guard issues.isEmpty else { return ChatResponses.refusedSend(.badRequest) }
        let sent = SawaedState.Sent(
            message: body.message,
            skillID: body.skillId,
            conversationID: body.conversationId,
            language: chatLanguage(body.locale, user, call)
        )
        let (session, conversation) = state.send(sent, from: user, now: call.now, core: core)
        var response = json(ChatSendResponse(sessionID: session, conversationID: conversation), call)
        response.fields = noStoreFields
        return response
    }

    /// The language of a chat, in order of precedence: body, `x-locale`, `Accept-Language`, query, the user's own,
    /// English (section 8.2).
    private static func chatLanguage(_ sent: String?, _ user: User?, _ call: Call) -> Language {
        sent.flatMap { Language(rawValue: $0) }
            ?? call.fields["X-Locale"].flatMap { Language(rawValue: $0.lowercased()) }
            ?? accepted(call)
            ?? call.query.last("locale").flatMap { Language(rawValue: $0.lowercased()) }
            ?? user?.languagePreference
            ?? .en
    }

    private static func chatStatus(
        _ state: inout SawaedState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let isFull = state.settings.chatStatusBucket == .full
        let key = clientKey(call)
        let length = Interval.seconds(60)
        if wait("chat status", key, limit: 180, length: length, isFull: isFull, &state, now: call.now) != nil {
            return ChatResponses.refusedStatus(.tooManyRequests, call)
        }
        state.collectSessions(now: call.now)
        guard let id = call.query.last("sessionId"), !id.isEmpty else {
            return ChatResponses.refusedStatus(.badRequest, call)
        }
        guard let progress = state.readSession(id, now: call.now) else {
            return ChatResponses.refusedStatus(.notFound, call, session: id)
        }
        var fields = Fields()
        fields.append("ETag", progress.etag)
        fields.append(.cacheControl, "no-cache")
        let known = call.fields["If-None-Match"]
        // Coded content has had the weak form.
        let isWeak = state.settings.compress == .on && known == "W/" + progress.etag
        if !progress.isFinal, isWeak || known == progress.etag {
            return Response(status: .notModified, fields: fields)
        }
        var response = json(ChatStatusResponse(sessionID: id, progress: progress), call)
        response.fields.append(contentsOf: fields)
        return response
    }
}
