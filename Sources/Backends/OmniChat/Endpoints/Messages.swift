import Backend
import CivilTime
import HTTPMessage
import JSON

extension OmniChatAPI {
    static let messageEndpoints: [OmniChatEndpoint] = [
        Endpoint(
            .get,
            "/api/v1/conversations/{id}/messages",
            "A page of a conversation's messages",
            provenance: .planned,
            parameters: [
                conversationID,
                Parameter("limit", in: .query, .integer(minimum: 1), "How many; 50 if absent"),
                Parameter("offset", in: .query, .integer(minimum: 0), "How many to pass over; 0 if absent"),
                Parameter("order", in: .query, .string(enumeration: ["asc", "desc"]), "By time; asc if absent"),
            ],
            answers: [
                .json(MessagePage.self, "The page"),
                APIError.declared(.badRequest, "Invalid pagination parameters", "limit or offset out of range"),
                conversationMissing,
            ] + protectedErrors,
            metadata: EndpointMetadata(bucket: .general, isFuture: true),
            handle: list
        ),
        Endpoint(
            .post,
            "/api/v1/conversations/{id}/messages",
            "Sends a message and answers with the reply, streamed or in one piece",
            provenance: .planned,
            parameters: [conversationID],
            body: .json(NewMessage.self, example: ["content": "Hello", "stream": true]),
            answers: [
                AnswerDeclaration(
                    .ok,
                    "The reply as server-sent events: message_start, content_chunk…, message_complete, [DONE]",
                    .eventStream(description: "data: lines with JSON payloads; see the contract's section 6.2")
                ),
                .json(ReplyResponse.self, "The reply in one piece, when stream is false"),
                APIError.contentRequired.declared("content absent or blank"),
                conversationMissing,
                APIError.declared(.internalServerError, "Failed to generate response", "The model can't generate"),
            ] + bodyErrors + protectedErrors,
            metadata: EndpointMetadata(bucket: .general, isFuture: true),
            handle: send
        ),
    ]

    private static func list(
        _ state: inout OmniChatState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let query = call.query
        let limit = try number(query.first("limit"), default: 50, minimum: 1)
        let offset = try number(query.first("offset"), default: 0, minimum: 0)
        let row = try conversation(call.parameters[0], state, call)
        var messages = state.sortedMessages(of: row.id, epoch: call.epoch)
        if query.first("order") == "desc" { messages.reverse() }
        let total = messages.count
        let page = messages.dropFirst(offset).prefix(limit)
        let prefix = call.linkPrefix
        let views = page.map { message in
            MessageResponse(
                message: message,
                attachments: state.attachments.rows(in: message.id).map {
                    AttachmentResponse(attachment: $0, url: fileURL($0.key, prefix: prefix))
                }
            )
        }
        let (end, overflow) = offset.addingReportingOverflow(limit)
        return json(MessagePage(messages: views, total: total, hasMore: !overflow && total > end), state, call)
    }

    /// An integer of the query; an empty value counts as absent, and too large ones are refused (section 6.1).
    private static func number(_ text: String?, default value: Int, minimum: Int) throws(APIError) -> Int {
        guard let text, !text.isEmpty else { return value }
        let invalid = APIError.badRequest("Invalid pagination parameters")
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text), number >= minimum else {
            throw invalid
        }
        return number
    }

    private static func send(
        _ state: inout OmniChatState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let request = try read(NewMessage.self, call, ["content": .contentRequired])
        guard !request.content.trimmed.isEmpty else { throw .contentRequired }
        let row = try conversation(call.parameters[0], state, call)

        let messages = store(request, in: row, &state, &core, call)
        let number = state.messages.rows(in: row.id).count { $0.role == .user }
        let text: String? =
            state.settings.generation == .on && Reply.canGenerate(row.model, listed: state.models.contains(row.model))
            ? state.settings.replyText ?? state.settings.pieceCount.map(Reply.text(pieces:))
                ?? Reply.text(to: request.content, number: number, model: row.model)
            : nil
        let stream = ReplyStream(messageID: messages.reply.id, settings: state.settings)
        let completion = call.effect(
            Completion(
                userID: row.userId,
                message: messages.reply.id,
                input: request.content,
                text: text ?? "",
                sentAt: call.now,
                epoch: call.epoch
            ).apply
        )
        guard !request.isStreamed else {
            return Response(
                status: .ok,
                fields: streamFields,
                body: .steps(stream.steps(text: text, completion: completion))
            )
        }
        return try whole(text, messages.reply, stream, completion, state, call)
    }

    private static let streamFields: Fields = [
        .contentType: "text/event-stream", .cacheControl: "no-cache", .connection: "keep-alive",
    ]

    /// The reply in one piece, after the duration of the stream.
    private static func whole(
        _ text: String?,
        _ reply: Message,
        _ stream: ReplyStream,
        _ completion: Step,
        _ state: OmniChatState,
        _ call: Call
    ) throws(APIError) -> Response {
        let failure = APIError(.internalServerError, "Failed to generate response")
        guard let text else { throw failure }
        let pieces = Reply.pieces(of: text).count
        let (sent, ending) = ReplyStream.plan(pieces: pieces, settings: state.settings)
        var response: Response
        switch ending {
        case .complete:
            var finished = reply
            finished.content = text
            response = json(ReplyResponse(message: finished), state, call)
            response.prelude = [.wait(stream.duration(pieces: pieces), .either), completion]
        case .failed:
            response = render(failure, state: state, call: call)
            response.prelude = [.wait(stream.duration(pieces: sent), .either)]
        case .cut:
            response = Response(status: .ok, body: .steps([]))
            response.prelude = [.wait(stream.duration(pieces: sent), .either), .close]
        case .stalled:
            response = Response(status: .ok, body: .steps([]))
            response.prelude = [.hold]
        }
        return response
    }

    /// Stores the user's message with its attachments, and the empty reply (section 6.2).
    private static func store(
        _ request: NewMessage,
        in row: Conversation,
        _ state: inout OmniChatState,
        _ core: inout WorldCore,
        _ call: Call
    ) -> (sent: Message, reply: Message) {
        let now = Timestamp.at(call.now)
        let sent = Message(
            id: OmniChatState.newID(.message, &core) { state.messages.contains($0) },
            conversationId: row.id,
            role: .user,
            content: request.content,
            model: nil,
            isComplete: true,
            tokensGenerated: 0,
            createdAt: now
        )
        state.messages.insert(sent)
        for id in request.attachmentIds {
            guard var attachment = state.attachments[id], attachment.userId == row.userId else { continue }
            attachment.messageId = sent.id
            state.attachments.insert(attachment)
        }
        let reply = Message(
            id: OmniChatState.newID(.message, &core) { state.messages.contains($0) },
            conversationId: row.id,
            role: .assistant,
            content: "",
            model: row.model,
            isComplete: false,
            tokensGenerated: 0,
            createdAt: now
        )
        state.messages.insert(reply)
        state.conversations.update(row.id) { $0.updatedAt = now }
        return (sent, reply)
    }
}
