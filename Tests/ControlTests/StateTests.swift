import Backend
import CivilTime
import Engine
import HTTPMessage
import JSON
import Journal
import TestSupport
import Testing
import Worlds

@testable import Control

/// Control contract, section 4: `GET` and `PUT /__admin/state`.
@Suite struct StateTests {
    /// A world with rows and settings of all kinds.
    private func used(_ seed: UInt64) throws -> (Harness, [String]) {
        var chance = SeededStream(seed: seed)
        let harness = try Harness()
        var tokens = [try harness.token()]
        _ = try harness.call(.put, "/clock", #"{"mode":"frozen","now":"2025-02-03T04:05:06.789012Z"}"#)
        for body in [
            #"{"name":"never","match":{"api":"omnichat","path":"/nowhere/*"},"effect":{"status":500}}"#,
            #"{"match":{"path":"/nowhere"},"when":{"probability":0.5,"skip":1},"effect":{"status":429,"retryAfter":3}}"#,
            #"{"match":{"path":"/nowhere"},"effect":{"delay":{"uniform":[1,5]}},"on":"world"}"#,
        ] {
            let answer = try harness.call(.post, "/faults", body)
            expectEqual(answer.status, 201, "\(answer.text)")
        }
        let latency = #"{"delay":{"exponential":{"mean":2}},"match":{"path":"/nowhere"}}"#
        try expectEqual(harness.call(.put, "/latency", latency).status, 200)
        let gate = #"{"name":"g1","match":{"path":"/held"},"phase":"after"}"#
        try expectEqual(harness.call(.post, "/gates", gate).status, 201)
        for number in 0..<40 {
            let token = tokens[chance.below(tokens.count)]
            switch chance.below(9) {
            case 0: tokens.append(try harness.token())
            case 1, 2:
                _ = try harness.chat(.post, "/api/v1/conversations", ["title": .string("ü \(number)")], token: token)
            case 3:
                let list = try harness.chat(.get, "/api/v1/conversations", token: token)
                guard let first = list.json["conversations"]?[0]?["id"]?.stringValue else { continue }
                _ = try harness.chat(
                    .post,
                    "/api/v1/conversations/\(first)/messages",
                    ["content": "hello"],
                    token: token,
                    leaveAfter: chance.below(2) == 0 ? 100 : nil
                )
            case 4: _ = try harness.chat(.get, "/nowhere", token: token, headers: [(.requestID, "again")])
            case 5: try harness.advance(chance.below(100_000))
            case 6:
                let names = ["unicode", "rate-limit-nearly-spent", "fractional-dates", "server-error"]
                _ = try harness.call(.put, "/scenarios/omnichat/\(names[chance.below(names.count)])")
            case 7: _ = try harness.chat(.post, "/api/v1/auth/apple", ["idToken": .string("opaque-\(number)")])
            default:
                _ = try harness.call(.post, "/users/\(Harness.user)/revoke?api=omnichat", #"{"tokens":"access"}"#)
            }
        }
        return (harness, tokens)
    }

    private static let seeds = (0..<4).map { _ in UInt64.random(in: 0...UInt64.max) }

    @Test(arguments: seeds)
    func `4 export, import, export is the same document, and the world behaves the same`(seed: UInt64) throws {
        let (harness, tokens) = try used(seed)
        let document = try harness.call(.get, "/state")
        expectEqual(document.status, 200)
        #expect(document.text.hasPrefix(#"{"format":"understudy-world","version":1,"name":"main","seed":42,"#))
        let other = try Harness()
        let imported = try other.call(.put, "/state", document.text)
        expectEqual(imported.status, 200, "\(imported.text.prefix(300))")
        expectEqual(Self.withoutNotes(try other.call(.get, "/state")), Self.withoutNotes(document), "seed \(seed)")
        for path in [
            "/clock", "/settings", "/scenarios", "/requests", "/outbox", "/worlds", "/faults", "/latency", "/gates",
        ] {
            try expectEqual(other.call(.get, path).text, try harness.call(.get, path).text, "\(path), seed \(seed)")
        }
        for token in tokens {
            for (method, path, body) in [
                (HTTPMethod.get, "/api/v1/conversations", nil), (.get, "/api/v1/user/profile", nil),
                (.get, "/api/v1/user/usage", nil), (.post, "/api/v1/conversations", ["title": "new"] as JSON),
                (.get, "/nowhere", nil),
            ] {
                let one = try harness.chat(method, path, body, token: token, headers: [(.requestID, "again")])
                let two = try other.chat(method, path, body, token: token, headers: [(.requestID, "again")])
                expectEqual(one.text, two.text)
                expectEqual(one.fields, two.fields)
            }
        }
        try expectEqual(other.call(.post, "/reset").text, try harness.call(.post, "/reset").text)
        let ends = [try other.call(.get, "/state"), try harness.call(.get, "/state")].map(Self.withoutNotes)
        expectEqual(ends[0], ends[1], "seed \(seed)")
    }

    /// The text of a document without its notes: each import writes one.
    private static func withoutNotes(_ document: Played) -> String {
        guard case .object(var object) = document.json else { return document.text }
        object["notes"] = nil
        return JSON.object(object).text
    }

    @Test func `4 an imported world keeps the name it is put under`() throws {
        let harness = try Harness()
        let token = try harness.token()
        _ = try harness.chat(.post, "/api/v1/conversations", ["title": "kept"], token: token)
        let document = try harness.call(.get, "/state").text
        _ = try harness.call(.post, "/worlds", #"{"name":"w"}"#)
        let answer = try harness.call(.put, "/state", document, world: "w")
        expectEqual(answer.json["name"], "w")
        let list = try harness.chat(.get, "/api/v1/conversations", token: try harness.token(world: "w"), world: "w")
        #expect(list.text.contains("kept"))
        try expectEqual(harness.chat(.get, "/api/v1/conversations", token: token, world: "w").status, 401)
    }

    @Test func `4 an import cuts what is under way and tells the player the clock`() throws {
        let harness = try Harness()
        let document = try harness.call(.get, "/state").text
        harness.host.calls = []
        let before = try harness.hosted().world.parts[0].generation
        try expectEqual(harness.call(.put, "/state", document).status, 200)
        expectEqual(harness.host.calls, [.cut(world: 0, api: nil), .moved(world: 0, now: Harness.noon, speed: 0)])
        #expect(try harness.hosted().world.parts[0].generation > before)
    }

    @Test func `4 a running clock goes on from the time of the export`() throws {
        let harness = try Harness()
        _ = try harness.call(.put, "/clock", #"{"mode":"offset","now":"2030-06-01T00:00:00Z","rate":3}"#)
        harness.passRealTime(.seconds(10))
        let document = try harness.call(.get, "/state").text
        harness.passRealTime(.seconds(1_000))
        _ = try harness.call(.put, "/state", document)
        try expectEqual(
            harness.call(.get, "/clock").text,
            #"{"mode":"offset","now":"2030-06-01T00:00:30.000Z","rate":3}"#
        )
    }

    @Test func `4 an import is refused as a whole, with the path of each fault`() throws {
        let harness = try Harness()
        let token = try harness.token()
        _ = try harness.chat(.get, "/nowhere")
        let before = try harness.call(.get, "/state")
        let cases: [(path: [JSONPathElement], value: JSON?, fault: String)] = [
            (["format"], "understudy", "$.format"),
            (["version"], 2, "$.version"),
            (["versio"], 2, "$.versio"),
            (["name"], "No World", "$.name"),
            (["seed"], -1, "$.seed"),
            (["clock", "mode"], "fast", "$.clock.mode"),
            (["clock", "rate"], 5, "$.clock.rate"),
            (["requests"], -1, "$.requests"),
            (["counters", 0, "value"], JSON.integer(1 << 60), "$.counters[0].value"),
            (["scenarios"], [["name": "omnichat/nowhere", "former": [:], "changed": []]], "$.scenarios[0].name"),
            (["faults", "lastNumber"], -1, "$.faults.lastNumber"),
            (["latency", "draws"], -1, "$.latency.draws"),
            (
                ["gates", "gates"],
                [["name": "g", "match": ["pat": "/"], "phase": "before", "passed": 0, "ordinal": 1]], "$.gates.gates[0]"
            ),
            (["apis", "omnichat"], nil, "$.apis.omnichat"),
            (["apis", "other"], [:], "$.apis.other"),
            (["apis", "omnichat", "user"], [], "$.apis.omnichat.user"),
            (["apis", "omnichat", "users"], nil, "$.apis.omnichat.users"),
            (["apis", "omnichat", "users"], [:], "$.apis.omnichat.users"),
            (["apis", "omnichat", "users", 0, "email"], 5, "$.apis.omnichat.users[0].email"),
            (["apis", "omnichat", "users", 0, "emial"], "x", "$.apis.omnichat.users[0].emial"),
            (["apis", "omnichat", "users", 1, "id"], before.json.user(0), "$.apis.omnichat.users[1].id"),
            (["apis", "omnichat", "files", 0, "bytes"], "not base 64!", "$.apis.omnichat.files[0].bytes"),
            (["apis", "omnichat", "epoch"], "yesterday", "$.apis.omnichat.epoch"),
            (["apis", "omnichat", "settings", "dates"], "odd", "$.apis.omnichat.settings.dates"),
            (["apis", "omnichat", "settings", "apple", "mod"], "strict", "$.apis.omnichat.settings.apple.mod"),
            (
                ["apis", "omnichat", "windows"], [["used": -1, "end": "2025-01-01T00:00:00Z"]],
                "$.apis.omnichat.windows[0].used"
            ),
            (["outbox"], [["id": "5"]], "$.outbox[0].to"),
            (["journal"], [["id": "x"]], "$.journal[0].isOwnID"),
        ]
        for (path, value, expected) in cases {
            let changed = before.json.setting(path[...], to: value)
            let answer = try harness.call(.put, "/state", changed.text)
            expectEqual(answer.status, 422, "\(path) \(answer.text.prefix(200))")
            let paths = (answer.json["errors"]?.arrayValue ?? []).compactMap { $0["path"]?.stringValue }
            expectEqual(paths.first, expected, "\(path): \(answer.text.prefix(300))")
            try expectEqual(harness.call(.get, "/state").text, before.text, "\(path)")
        }
        try expectEqual(harness.call(.put, "/state", "[]").status, 422)
        try expectEqual(harness.call(.put, "/state", "{").status, 400)
        try expectEqual(harness.chat(.get, "/api/v1/conversations", token: token).status, 200)
    }

    @Test func `4 every fault of a document is listed`() throws {
        let harness = try Harness()
        let document = try harness.call(.get, "/state").json
            .setting(["apis", "omnichat", "users", 0, "email"], to: 5)
            .setting(["apis", "omnichat", "messages", 1, "role"], to: "nobody")
            .setting(["apis", "omnichat", "settings", "dates"], to: "odd")
        let answer = try harness.call(.put, "/state", document.text)
        let paths = (answer.json["errors"]?.arrayValue ?? []).compactMap { $0["path"]?.stringValue }
        expectEqual(
            paths,
            [
                "$.apis.omnichat.settings.dates", "$.apis.omnichat.users[0].email",
                "$.apis.omnichat.messages[1].role",
            ]
        )
        expectEqual(answer.json["detail"]?.stringValue?.hasSuffix("(and 2 more). Nothing was changed."), true)
    }

    @Test func `4 what is wrong with one part hides nothing of another`() throws {
        let harness = try Harness()
        _ = try harness.chat(.get, "/nowhere")
        let before = try harness.call(.get, "/state")
        let document = before.json
            .setting(["seed"], to: -1)
            .setting(["clock", "mode"], to: "fast")
            .setting(["requests"], to: "many")
            .setting(["lastSeq"], to: nil)
            .setting(["scenarios"], to: [["name": "omnichat/nowhere", "former": [:], "changed": []]])
            .setting(["faults", "lastNumber"], to: -1)
            .setting(["outbox"], to: 5)
            .setting(["apis", "other"], to: [:])
            .setting(["apis", "omnichat", "users", 0, "email"], to: 5)
            .setting(["journal", 0, "status"], to: "odd")
            .setting(["zz"], to: 1)
        let answer = try harness.call(.put, "/state", document.text)
        expectEqual(answer.status, 422)
        let paths = (answer.json["errors"]?.arrayValue ?? []).compactMap { $0["path"]?.stringValue }
        let expected = [
            "$.seed", "$.clock.mode", "$.requests", "$.lastSeq", "$.scenarios[0].name", "$.faults.lastNumber",
            "$.outbox",
            "$.apis.other", "$.apis.omnichat.users[0].email", "$.journal[0].status", "$.zz",
        ]
        expectEqual(paths.sorted(), expected.sorted(), "\(paths)")
        try expectEqual(harness.call(.get, "/state").text, before.text)
    }

    @Test func `4 requests under way when the document was written count as cut in it`() throws {
        let harness = try Harness()
        let hosted = try harness.hosted()
        _ = try harness.chat(.get, "/nowhere")
        hosted.world.journal.update(1) { $0.outcome = nil }
        let document = try harness.call(.get, "/state").text
        _ = try harness.call(.put, "/state", document)
        expectEqual(hosted.world.journal[1]?.outcome, .cut)
    }
}

extension JSON {
    /// The id of a user.
    fileprivate func user(_ place: Int) -> JSON { self["apis"]?["omnichat"]?["users"]?[place]?["id"] ?? .null }

    /// A copy with another value at a path; nil takes it out.
    func setting(_ path: ArraySlice<JSONPathElement>, to value: JSON?) -> JSON {
        guard let first = path.first else { return value ?? .null }
        switch (first, self) {
        case (.key(let name), .object(var object)):
            object[name] =
                path.count == 1 ? value : (object[name] ?? .object(JSONObject())).setting(path.dropFirst(), to: value)
            return .object(object)
        case (.index(let index), .array(var elements)):
            if elements.indices.contains(index) {
                elements[index] = elements[index].setting(path.dropFirst(), to: value)
            }
            return .array(elements)
        default: return self
        }
    }

    func setting(_ path: [JSONPathElement], to value: JSON?) -> JSON { setting(path[...], to: value) }
}
