import Backend
import CivilTime
import HTTPMessage
import JSON

extension OmniChatAPI {
    private static let unauthorizedText = AnswerDeclaration(
        .unauthorized,
        "No usable access token: the text Unauthorized",
        .text(contentType: "text/plain;charset=UTF-8")
    )

    /// The web app's routes that the SDK calls (section 9).
    static let webEndpoints: [OmniChatEndpoint] = [
        Endpoint(
            .get,
            "/api/models",
            "The models by provider",
            provenance: .beyondTheDocument,
            answers: [.json(ModelList.self, "The models"), unauthorizedText],
            metadata: EndpointMetadata(bucket: .none, isWeb: true)
        ) { state, _, call throws(APIError) in
            json(ModelList(models: state.models.rows), state, call)
        },
        Endpoint(
            .get,
            "/api/conversations",
            "The web app's conversation list, without archived ones",
            provenance: .beyondTheDocument,
            answers: [.json(WebConversationList.self, "The conversations"), unauthorizedText],
            metadata: EndpointMetadata(bucket: .none, isWeb: true)
        ) { state, _, call throws(APIError) in
            let rows = sorted(state, call).filter { !$0.isArchived }
            return json(
                WebConversationList(conversations: rows.map { WebConversation($0) }),
                state,
                call
            )
        },
        Endpoint(
            .post,
            "/api/conversations",
            "Creates a conversation as the web app does",
            provenance: .beyondTheDocument,
            body: .json(NewConversation.self, example: ["title": "From the web", "model": "gpt-4o"]),
            answers: [
                .json(WebCreatedConversation.self, "The new conversation"),
                AnswerDeclaration(
                    .badRequest,
                    "title or model missing: the text Missing required fields",
                    .text(contentType: "text/plain;charset=UTF-8")
                ),
                unauthorizedText,
            ] + bodyErrors,
            metadata: EndpointMetadata(bucket: .none, isWeb: true)
        ) { state, core, call throws(APIError) in
            let body = try object(call)
            guard let title = body["title"]?.stringValue, let model = body["model"]?.stringValue, !title.isEmpty,
                !model.isEmpty
            else { throw APIError(.badRequest, code: "text", "Missing required fields") }
            let row = store(NewConversation(title: title, model: model), &state, &core, call)
            return json(WebCreatedConversation(conversation: WebConversation(row)), state, call)
        },
    ]
}
