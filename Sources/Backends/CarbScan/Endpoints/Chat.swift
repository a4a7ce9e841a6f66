import Backend
import CivilTime
import HTTPMessage
import JSON

extension CarbScanAPI {
    /// The number that stands for no limit (D12).
    static let unlimited = 9_999
    /// The longest question, in UTF-16 units (D27).
    static let messageLimit = 1_000

    private static let limitReached = APIError(
        .forbidden,
        code: Code.chatLimit,
        "You have asked all questions of today",
        details: [("remainingChats", "0"), ("dailyLimit", "3"), ("subscriptionTier", "free")]
    )

    static let chatEndpoints: [CarbScanEndpoint] = [
        Endpoint(
            .post,
            base + "/chat",
            "Answers a question",
            provenance: .documented,
            body: .json(ChatRequest.self, example: ["message": "How many carbs are in a banana?"]),
            bodyLimit: bodyLimit,
            answers: [
                Envelope.declared(ChatReply.self, "The answer and what is left"),
                APIError.declaredFields(("message", "too_long")), APIError.declaredUnauthorized,
                limitReached.declared("The day's questions are used up (quota.status sets another status)"),
            ] + APIError.bodyErrors,
            metadata: EndpointMetadata(),
            handle: chat
        ),
        Endpoint(
            .get,
            base + "/chat/history",
            "Questions and answers, newest first",
            provenance: .documented,
            parameters: [limitParameter(usual: 50, atMost: 200)],
            bodyLimit: bodyLimit,
            answers: [
                Envelope.declared(ChatHistory.self, "The newest ones"),
                APIError.declaredFields(("limit", "out_of_range")), APIError.declaredUnauthorized,
                APIError.declaredTooLarge,
            ],
            metadata: EndpointMetadata()
        ) { state, _, call throws(APIError) in
            let user = try user(state, call)
            let (limit, _) = try page(call, usual: 50, atMost: 200, hasOffset: false)
            let rows = state.chatMessages.rows(in: user.id)
                .map { (row: $0, time: $0.createdAt.resolved(in: call.epoch)) }
                .sorted { ($0.time, $0.row.number) > ($1.time, $1.row.number) }
            return json(
                ChatHistory(messages: rows.prefix(limit).map { ChatHistory.Message(row: $0.row) }),
                state,
                call
            )
        },
    ]

    private static func chat(
        _ state: inout CarbScanState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let user = try user(state, call)
        let body = try read(ChatRequest.self, call)
        let before = state.quotas(of: user, now: call.now, epoch: call.epoch)
        if let limit = before.chatLimit, before.chatsToday >= limit {
            var failure = limitReached
            failure.status = quotaStatus(state)
            failure.details = [
                ("remainingChats", "0"), ("dailyLimit", "\(limit)"), ("subscriptionTier", before.tier.rawValue),
            ]
            throw failure
        }
        let answer = ChatAnswer(to: body.message)
        state.editQuota(of: user.id) { $0.chats.append(.at(call.now)) }
        state.lastChatMessage += 1
        state.chatMessages.insert(
            ChatMessage(
                id: "\(state.lastChatMessage)",
                number: state.lastChatMessage,
                userId: user.id,
                message: body.message,
                response: answer.text,
                messageType: answer.kind,
                createdAt: .at(call.now.flooredToMillisecond)
            )
        )
        let after = state.quotas(of: user, now: call.now, epoch: call.epoch)
        let usage = ChatReply.Usage(quotas: after, form: state.settings.unlimited)
        return json(ChatReply(answer: answer, usage: usage), state, call)
    }
}
