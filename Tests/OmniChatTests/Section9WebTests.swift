import Backend
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import OmniChat

/// Section 9: models and the SDK's web routes.
struct Section9WebTests {
    private let harness: Harness
    private let token: String

    init() throws {
        harness = try Harness()
        token = try harness.mint(Harness.test)
    }

    private static let models = """
        openai gpt-4.1 GPT-4.1|128000 16384 VT
        openai gpt-4.1-mini GPT-4.1 Mini|128000 16384 VT
        openai gpt-4.1-nano GPT-4.1 Nano|128000 8192 VT
        openai o3 O3|128000 65536 VT
        openai o3-mini O3 Mini|128000 65536 VT
        openai gpt-4o GPT-4o|128000 16384 VT
        openai gpt-4o-mini GPT-4o Mini|128000 16384 VT
        anthropic claude-opus-4-20250514 Claude Opus 4|200000 8192 VTW
        anthropic claude-sonnet-4-20250514 Claude Sonnet 4|200000 8192 VTW
        anthropic claude-3-7-sonnet-20250219 Claude 3.7 Sonnet|200000 8192 VTW
        anthropic claude-3-5-sonnet-20241022 Claude 3.5 Sonnet (New)|200000 8192 VTW
        anthropic claude-3-5-haiku-20241022 Claude 3.5 Haiku|200000 8192 VTW
        google gemini-2.0-flash Gemini 2.0 Flash|1048576 8192 VT
        google gemini-1.5-pro Gemini 1.5 Pro|2097152 8192 VTW
        google gemini-1.5-flash Gemini 1.5 Flash|1048576 8192 VTW
        xai grok-3 grok-3|128000 4096 -
        xai grok-3-mini grok-3-mini|128000 4096 -
        deepseek deepseek-chat DeepSeek Chat|64000 4096 T
        deepseek deepseek-reasoner DeepSeek Reasoner|64000 8192 T
        """

    @Test func `9.1 the default list is this one, by provider in its order`() throws {
        let reply = try harness.get("/api/models", token: token)
        expectEqual(reply.keys, ["providers"])
        let providers = try #require(reply.json["providers"]?.objectValue)
        expectEqual(providers.members.map(\.name), ["openai", "anthropic", "google", "xai", "deepseek"])
        var lines: [String] = []
        for provider in providers.members {
            for model in provider.value.arrayValue ?? [] {
                let flags = [("supportsVision", "V"), ("supportsTools", "T"), ("supportsWebSearch", "W")]
                    .filter { model[$0.0] == true }.map(\.1).joined()
                expectEqual(model.string("provider"), provider.name)
                expectEqual(
                    model.keys,
                    [
                        "id", "name", "provider", "contextWindow", "maxOutput", "supportsVision", "supportsTools",
                        "supportsWebSearch",
                    ]
                )
                let numbers = "\(model["contextWindow"]?.intValue ?? 0) \(model["maxOutput"]?.intValue ?? 0)"
                lines.append(
                    "\(provider.name) \(model.string("id")) \(model.string("name"))|\(numbers) \(flags.isEmpty ? "-" : flags)"
                )
            }
        }
        expectEqual(lines.joined(separator: "\n"), Self.models)
    }

    @Test func `9.1 image generation and a description are absent unless there`() throws {
        try harness.state { state, _ in
            for (id, flag) in [("o3", true), ("o3-mini", false)] {
                state.models.update(id) {
                    $0.supportsImageGeneration = flag
                    $0.description = flag ? "Thinks." : nil
                }
            }
        }
        let openai = try #require(try harness.get("/api/models", token: token).json["providers"]?["openai"]?.arrayValue)
        expectEqual(openai[3].keys.suffix(2), ["supportsImageGeneration", "description"])
        expectEqual(openai[4].keys.last, "supportsWebSearch")
    }

    @Test(arguments: [
        ("gpt-anything", true), ("claude-x", true), ("gemini-2.0-flash-exp", true), ("my-llama-3", true),
        ("sonar-pro", true),
        ("o3", true), ("grok-3", true), ("deepseek-reasoner", true), ("no-such-model", false), ("o4", false),
        ("GPT-4", false),
        ("xgpt-4", false), ("Llama", false), ("o3 ", false),
    ])
    func `9.1 a model generates by its prefix, its name or the list`(model: String, generates: Bool) throws {
        let id = try harness.create(token, model: model)
        let reply = try harness.ask("Hi", in: id, token)
        expectEqual(reply.status, generates ? 200 : 500)
    }

    @Test(arguments: ["GET /api/models", "GET /api/conversations", "POST /api/conversations"])
    func `9 their 401 is the text Unauthorized`(call: String) throws {
        let parts = call.split(separator: " ").map(String.init)
        try harness.state { state, _ in _ = state.users.remove("user_lapsed_account_1") }
        for token in [
            nil, "x", try harness.mint(Harness.test, .access, .expired), try harness.mint(Harness.test, .refresh),
        ] {
            let reply = try harness.send(HTTPMethod(rawValue: parts[0]), parts[1], token: token)
            expectEqual(reply.status, 401)
            expectEqual(reply.text, "Unauthorized")
            expectEqual(reply.fields.values(.contentType), ["text/plain;charset=UTF-8"])
        }
    }

    @Test func `9 a token whose user is gone is unauthorized too`() throws {
        try harness.state { state, _ in _ = state.users.remove("user_test_icloud_0001") }
        try expectEqual(harness.get("/api/models", token: token).text, "Unauthorized")
    }

    @Test func `9.2 the list leaves archived ones out and has these bytes`() throws {
        let reply = try harness.get("/api/conversations", token: token)
        let ids = reply.json["conversations"]?.arrayValue?.map { $0.string("id") }
        expectEqual(ids, ["conv_empty_0000000001", "conv_welcome_00000001", "conv_longer_000000001"])
        let first = [
            #"{"conversations":[{"id":"conv_empty_0000000001","userId":"user_test_icloud_0001","title":"New Conversation","#,
            #""model":"gpt-4o-mini","isArchived":false,"createdAt":"2025-01-01T11:50:00Z","updatedAt":"2025-01-01T11:50:00Z"},"#,
        ].joined()
        #expect(reply.text.hasPrefix(first))
    }

    @Test func `9.2 a conversation made here is in the same store`() throws {
        let reply = try harness.post("/api/conversations", token: token, json: ["title": "Web", "model": "gpt-4o"])
        expectEqual(reply.keys, ["conversation"])
        expectEqual(
            reply.json["conversation"]?.keys,
            [
                "id", "userId", "title", "model", "isArchived", "createdAt", "updatedAt",
            ]
        )
        let id = reply.text(at: "conversation.id")
        try expectEqual(harness.get("/api/v1/conversations/\(id)", token: token).text(at: "title"), "Web")
        let other = try harness.create(token, title: "v1")
        let list = try harness.get("/api/conversations", token: token)
        expectEqual(list.json["conversations"]?[0]?.string("id"), other)
        expectEqual(list.json["conversations"]?[1]?.string("id"), id)
    }

    @Test(arguments: [
        #"{}"#, #"{"title":"x"}"#, #"{"model":"x"}"#, #"{"title":"","model":"x"}"#, #"{"title":"x","model":""}"#,
        #"{"title":1,"model":"x"}"#, #"{"title":"x","model":null}"#,
    ])
    func `9.2 missing fields are 400 in plain text`(body: String) throws {
        let reply = try harness.post("/api/conversations", token: token, text: body)
        expectEqual(reply.status, 400)
        expectEqual(reply.text, "Missing required fields")
        expectEqual(reply.fields.values(.contentType), ["text/plain;charset=UTF-8"])
    }

    @Test func `9.2 broken JSON is 400 with the envelope`() throws {
        try expectEqual(harness.post("/api/conversations", token: token, text: "{").error, "400 Invalid JSON body")
    }
}
