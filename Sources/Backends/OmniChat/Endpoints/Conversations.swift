import Backend
import CivilTime
import HTTPMessage
import JSON

extension OmniChatAPI {
    static let conversationEndpoints: [OmniChatEndpoint] = [
        Endpoint(
            .get,
            "/api/v1/conversations",
            "All conversations of the caller, most recently updated first",
            provenance: .documented,
            answers: [.json(ConversationList.self, "The conversations, archived ones too")] + protectedErrors,
            metadata: EndpointMetadata(bucket: .general)
        ) { state, _, call throws(APIError) in
            let user = call.user?.id ?? ""
            let basis = ConversationLists.Basis(state)
            if let bytes = state.lists.bytes(of: user, basis: basis) { return json(bytes) }
            let list = ConversationList(conversations: sorted(state, call).map { view($0, state, call.epoch) })
            // The journal shares these bytes instead of copying them.
            let bytes = text(list, state, call).fitted
            state.lists.keep(bytes, of: user, basis: basis)
            return json(bytes)
        },
        Endpoint(
            .post,
            "/api/v1/conversations",
            "Creates a conversation",
            provenance: .documented,
            body: .json(NewConversation.self, example: ["title": "Planning notes", "model": "gpt-4o-mini"]),
            answers: [
                .json(ConversationFields.self, "The new conversation"),
                APIError.titleRequired.declared("title absent, null or empty"),
                APIError.declared(.badRequest, "model must be a non-empty string", "model empty"),
            ] + bodyErrors + protectedErrors,
            metadata: EndpointMetadata(bucket: .general),
            worksOnFewRows: true,
            handle: create
        ),
        Endpoint(
            .get,
            "/api/v1/conversations/{id}",
            "One conversation",
            provenance: .planned,
            parameters: [conversationID],
            answers: [.json(ConversationDetail.self, "The conversation"), conversationMissing] + protectedErrors,
            metadata: EndpointMetadata(bucket: .general, isFuture: true)
        ) { state, _, call throws(APIError) in
            let row = try conversation(call.parameters[0], state, call)
            return json(
                ConversationDetail(view: view(row, state, call.epoch), messageCount: state.messages.count(in: row.id)),
                state,
                call
            )
        },
        Endpoint(
            .delete,
            "/api/v1/conversations/{id}",
            "Removes a conversation with its messages",
            provenance: .planned,
            parameters: [conversationID],
            answers: [.json(Success.self, "Removed"), conversationMissing] + protectedErrors,
            metadata: EndpointMetadata(bucket: .general, isFuture: true),
            handle: delete
        ),
        Endpoint(
            .patch,
            "/api/v1/conversations/{id}",
            "Renames or archives a conversation",
            provenance: .beyondTheDocument,
            parameters: [conversationID],
            body: .json(ConversationPatch.self, example: ["isArchived": true]),
            answers: [
                .json(ConversationChange.self, "The id, the new time, and what was sent"),
                APIError.declared(.badRequest, APIError.noFields.message, "Neither title nor isArchived is usable"),
                conversationMissing,
            ] + bodyErrors + protectedErrors,
            metadata: EndpointMetadata(bucket: .general),
            worksOnFewRows: true,
            handle: change
        ),
    ]

    /// The caller's conversations, most recently updated first, then those created later (section 5.1).
    static func sorted(_ state: OmniChatState, _ call: Call) -> [Conversation] {
        let rows = state.conversations.rows(in: call.user?.id ?? "")
        let epoch = call.epoch
        let keys = rows.map { ($0.updatedAt.resolved(in: epoch), $0.createdAt.resolved(in: epoch)) }
        return rows.indices
            .sorted { left, right in
                if keys[left].0 != keys[right].0 { return keys[left].0 > keys[right].0 }
                if keys[left].1 != keys[right].1 { return keys[left].1 > keys[right].1 }
                return left > right
            }
            .map { rows[$0] }
    }

    static func view(_ row: Conversation, _ state: OmniChatState, _ epoch: Epoch) -> ConversationResponse {
        let isOpenAPI = state.settings.shapes == .openapi
        return ConversationResponse(
            fields: ConversationFields(conversation: row, userId: isOpenAPI ? row.userId : nil),
            lastMessage: state.lastMessage(of: row.id, epoch: epoch).map {
                LastMessageResponse(message: $0, conversationId: isOpenAPI ? row.id : nil)
            }
        )
    }

    private static func create(
        _ state: inout OmniChatState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let request = try read(NewConversation.self, call, ["title": .titleRequired])
        let row = store(request, &state, &core, call)
        let userId = state.settings.shapes == .openapi ? row.userId : nil
        return json(ConversationFields(conversation: row, userId: userId), state, call)
    }

    static func store(
        _ request: NewConversation,
        _ state: inout OmniChatState,
        _ core: inout WorldCore,
        _ call: Call
    ) -> Conversation {
        let row = Conversation(
            id: OmniChatState.newID(.conversation, &core) { state.conversations.contains($0) },
            userId: call.user?.id ?? "",
            title: request.title,
            model: request.model,
            isArchived: false,
            createdAt: .at(call.now),
            updatedAt: .at(call.now)
        )
        state.conversations.insert(row)
        return row
    }

    private static func change(
        _ state: inout OmniChatState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let patch = try read(ConversationPatch.self, call)
        guard patch.title != nil || patch.isArchived != nil else { throw .noFields }
        let row = try conversation(call.parameters[0], state, call)
        let now = Timestamp.at(call.now)
        state.conversations.update(row.id) { row in
            if let title = patch.title { row.title = title }
            if let isArchived = patch.isArchived { row.isArchived = isArchived }
            row.updatedAt = now
        }
        return json(
            ConversationChange(id: row.id, updatedAt: now, title: patch.title, isArchived: patch.isArchived),
            state,
            call
        )
    }

    private static func delete(
        _ state: inout OmniChatState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let row = try conversation(call.parameters[0], state, call)
        for message in state.messages.rows(in: row.id) {
            for attachment in state.attachments.rows(in: message.id) { state.attachments.remove(attachment.id) }
            state.messages.remove(message.id)
        }
        state.conversations.remove(row.id)
        return json(Success(), state, call)
    }
}
