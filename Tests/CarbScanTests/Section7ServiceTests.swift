import Backend
import CivilTime
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import CarbScan

/// Sections 7.1 to 7.10: health, configuration, links, devices.
struct Section7ServiceTests {
    @Test func `7.2 the configuration, exactly, and its flags`() throws {
        let harness = try Harness()
        try expectEqual(
            harness.get("/config").data.text,
            #"{"features":{"aiChat":true,"mealScanning":true,"insights":true,"offlineMode":true},"limits":{"maxImageSize":10485760,"maxChatMessageLength":1000},"endpoints":{"analyze":"/api/mobile/v1/analyze","chat":"/api/mobile/v1/chat","meals":"/api/mobile/v1/meals","sync":"/api/mobile/v1/meals/sync"}}"#
        )
        for flag in ["aiChat", "mealScanning", "insights", "offlineMode"] {
            try harness.set(["features": .object([flag: false] as JSONObject)])
            try expectEqual(harness.get("/config").at("features.\(flag)"), false)
        }
        // The endpoints go on working.
        try expectEqual(harness.ask("Hello", try harness.mint(Harness.free)).status, 200)
    }

    @Test func `7.4 a known mail gets a link, an unknown one nothing, with the same answer`() throws {
        let harness = try Harness()
        let known = try harness.post("/auth/magic-link/request", json: ["email": "FREE@carbscan.test"])
        let unknown = try harness.post("/auth/magic-link/request", json: ["email": "nobody@carbscan.test"])
        expectEqual(known.bytes, unknown.bytes)
        expectEqual(known.data.keys, ["sent", "message"])
        expectEqual(known.at("sent"), true)
        let sent = try harness.state { _, core in core.outbox.messages }
        expectEqual(sent.count, 1)
        #expect(sent[0].to == "free@carbscan.test" && sent[0].kind == .magicLink && sent[0].api == "carbscan")
        expectEqual(sent[0].expiresAt, Harness.evening + .minutes(15))
        expectEqual(sent[0].token?.isEmpty, false)
    }

    @Test(arguments: [
        "x", "@y.z", "x@y", "x@.z", "x@y.", "x y@z.a", "x@y .z", "a@b@c.d", "x@y..z",
    ])
    func `7.4 the form of a mail`(mail: String) throws {
        let reply = try Harness().post("/auth/magic-link/request", json: ["email": .string(mail)])
        expectEqual(reply.error, #"400 VALIDATION_ERROR {"email":"invalid_format"}"#)
    }

    @Test func `7.4 a mail of 254 characters passes, of 255 is too long`() throws {
        let harness = try Harness()
        let mail = String(repeating: "x", count: 248) + "@y.zab"
        try expectEqual(harness.post("/auth/magic-link/request", json: ["email": .string(mail)]).status, 200)
        let reply = try harness.post("/auth/magic-link/request", json: ["email": .string("x" + mail)])
        expectEqual(reply.error, #"400 VALIDATION_ERROR {"email":"too_long"}"#)
        for (value, reason) in [(JSON.null, "required"), (5, "wrong_type"), (" ", "empty")] {
            let reply = try harness.post("/auth/magic-link/request", json: ["email": value])
            expectEqual(reply.error, #"400 VALIDATION_ERROR {"email":"\#(reason)"}"#)
        }
    }

    @Test func `7.5 verify is 501 for any body, unless switched on`() throws {
        let harness = try Harness()
        for text in ["", "{", "[]", #"{"token":"x"}"#] {
            try expectEqual(harness.post("/auth/magic-link/verify", text: text).error, "501 NOT_IMPLEMENTED")
        }
        try harness.set(["magicLink": ["verify": "on"]])
        try expectEqual(
            harness.post("/auth/magic-link/verify", json: [:]).error,
            #"400 VALIDATION_ERROR {"token":"required"}"#
        )
        try expectEqual(harness.post("/auth/magic-link/verify", json: ["token": "x"]).error, "401 INVALID_TOKEN")
        func link() throws -> JSON {
            _ = try harness.post("/auth/magic-link/request", json: ["email": .string(Harness.pro)])
            return .object(["token": .string(try harness.state { _, core in core.outbox.messages.last?.token ?? "" })])
        }
        let first = try link()
        try harness.advance(.minutes(15) - .microseconds(1))
        let reply = try harness.post("/auth/magic-link/verify", json: first)
        #expect(
            reply.data.keys == ["accessToken", "refreshToken", "user"] && reply.at("user.email") == "pro@carbscan.test"
        )
        try expectEqual(harness.me(reply.at("accessToken").stringValue ?? "").status, 200)
        try expectEqual(harness.post("/auth/magic-link/verify", json: first).error, "401 INVALID_TOKEN")
        let second = try link()
        try harness.advance(.minutes(15))
        try expectEqual(harness.post("/auth/magic-link/verify", json: second).error, "401 INVALID_TOKEN")
    }

    @Test func `7.6 and 7.7 bodies`() throws {
        let harness = try Harness()
        try expectEqual(
            harness.post("/auth/refresh", json: [:]).error,
            #"400 VALIDATION_ERROR {"refreshToken":"required"}"#
        )
        try expectEqual(
            harness.post("/auth/refresh", json: ["refreshToken": ""]).error,
            #"400 VALIDATION_ERROR {"refreshToken":"empty"}"#
        )
        try expectEqual(
            harness.post("/auth/refresh", json: ["refreshToken": 1]).error,
            #"400 VALIDATION_ERROR {"refreshToken":"wrong_type"}"#
        )
        try expectEqual(harness.refresh("x").error, "401 UNAUTHORIZED")
        try expectEqual(
            harness.post("/auth/revoke", json: ["refreshToken": 1]).error,
            #"400 VALIDATION_ERROR {"refreshToken":"wrong_type"}"#
        )
    }

    @Test func `7.9 both body forms register, and the same token again updates`() throws {
        let harness = try Harness()
        let body: JSON = [
            "deviceToken": "t1", "platform": "ios", "deviceModel": "iPhone", "osVersion": "18", "appVersion": "1",
        ]
        try expectEqual(
            harness.post("/devices/register", json: body).data.text,
            #"{"registered":true,"deviceId":"placeholder-device-id"}"#
        )
        let token = try harness.mint(Harness.free)
        let other: JSON = [
            "expoPushToken": "t1", "platform": "android", "userId": "000101.00000000000000000000000000f4ee01.0101",
        ]
        try expectEqual(harness.post("/devices/register", token: token, json: other).status, 200)
        try harness.state { state, _ in
            expectEqual(state.devices.count, 1)
            expectEqual(state.devices["t1"]?.platform, "android")
            expectEqual(state.devices["t1"]?.userId, "000101.00000000000000000000000000f4ee01.0101")
        }
        let both: JSON = ["deviceToken": "t2", "expoPushToken": 5, "platform": "ios", "userId": "anyone"]
        try expectEqual(harness.post("/devices/register", json: both).status, 200)
        try harness.state { state, _ in #expect(state.devices.contains("t2")) }
        try expectEqual(harness.post("/devices/register", token: "bad", json: body).status, 200)
    }

    @Test func `7.9 what is missing or unusable`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.free)
        func error(_ body: JSON) throws -> String {
            try harness.post("/devices/register", token: token, json: body).error
        }
        try expectEqual(error([:]), #"400 VALIDATION_ERROR {"deviceToken":"required","platform":"required"}"#)
        try expectEqual(
            error(["expoPushToken": " ", "platform": "iOS"]),
            #"400 VALIDATION_ERROR {"expoPushToken":"empty","platform":"unsupported_value"}"#
        )
        try expectEqual(
            error(["deviceToken": 5, "expoPushToken": "x", "platform": 5]),
            #"400 VALIDATION_ERROR {"deviceToken":"wrong_type","platform":"wrong_type"}"#
        )
        try expectEqual(
            error(["deviceToken": "x", "platform": "ios", "userId": "else"]),
            #"400 VALIDATION_ERROR {"userId":"unsupported_value"}"#
        )
        let long: JSON = .string(String(repeating: "x", count: 4_097))
        try expectEqual(
            error([
                "deviceToken": long, "platform": "ios", "osVersion": .string(String(repeating: "x", count: 101)),
            ]),
            #"400 VALIDATION_ERROR {"deviceToken":"too_long","osVersion":"too_long"}"#
        )
        let edge: JSON = [
            "deviceToken": .string(String(repeating: "x", count: 4_096)), "platform": "ios",
            "osVersion": .string(String(repeating: "x", count: 100)), "deviceModel": .null,
        ]
        try expectEqual(harness.post("/devices/register", json: edge).status, 200)
    }

    @Test func `7.10 unregister forgets, also what was never seen`() throws {
        let harness = try Harness()
        _ = try harness.post("/devices/register", json: ["deviceToken": "t", "platform": "ios"])
        for body: JSON in [["deviceToken": "t"], ["expoPushToken": "never"]] {
            try expectEqual(harness.post("/devices/unregister", json: body).data.text, #"{"unregistered":true}"#)
        }
        try harness.state { state, _ in #expect(state.devices.isEmpty) }
        try expectEqual(
            harness.post("/devices/unregister", json: [:]).error,
            #"400 VALIDATION_ERROR {"deviceToken":"required"}"#
        )
    }

    // MARK: Chat

    @Test(arguments: [
        ("How many carbs are in a Banana?", "carb_lookup", "27"), ("RICE", "carb_lookup", "45"),
        ("pineapple", "carb_lookup", "25"), ("chocolate or milk", "carb_lookup", "17"),
        ("baked beans", "carb_lookup", "20"), ("what about a tuna wrap", "carb_lookup", "34"),
        ("Burrito bowl for dinner", "carb_lookup", "57"), ("carbs?", "carb_lookup", "grains"),
        ("plan my week", "meal_planning", "plate"), ("a quick snack", "meal_planning", "plate"),
        ("a RECIPE please", "meal_planning", "plate"), ("hello", "general", "care team"),
        ("pasta with bread", "carb_lookup", "15"), ("sweet potato", "carb_lookup", "37"),
    ])
    func `9 the first case that fits answers`(message: String, kind: String, part: String) throws {
        let harness = try Harness()
        let reply = try harness.ask(message, try harness.mint(Harness.free))
        expectEqual(reply.data.keys, ["response", "messageType", "followUpQuestions", "usage"])
        expectEqual(reply.at("messageType"), .string(kind))
        expectEqual(reply.at("response").stringValue?.contains(part), true, "\(reply.text)")
        expectEqual(reply.at("followUpQuestions").count, 3)
        expectEqual(Set(reply.at("followUpQuestions").arrayValue?.compactMap(\.stringValue) ?? []).count, 3)
        try expectEqual(Harness().ask(message, try harness.mint(Harness.free)).at("response"), reply.at("response"))
    }

    @Test func `7.14 a question of 1000 UTF-16 units passes, of 1001 does not, and counts for nothing`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.free)
        let face = "\u{1F600}"
        try expectEqual(
            harness.ask(String(repeating: face, count: 500) + "x", token).error,
            #"400 VALIDATION_ERROR {"message":"too_long"}"#
        )
        try expectEqual(harness.ask(" \n\t", token).error, #"400 VALIDATION_ERROR {"message":"empty"}"#)
        try expectEqual(
            harness.post("/chat", token: token, json: ["message": []]).error,
            #"400 VALIDATION_ERROR {"message":"wrong_type"}"#
        )
        try expectEqual(harness.status(token).at("chat.usedToday"), 0)
        try expectEqual(harness.ask(String(repeating: face, count: 500), token).status, 200)
        let history = try harness.get("/chat/history", token: token)
        expectEqual(history.at("messages.0").keys, ["id", "message", "response", "messageType", "createdAt"])
        expectEqual(history.at("messages.0.id"), 11)
    }

    @Test func `7.15 the history is newest first, and count is what is returned`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.pro)
        for number in 1...205 { _ = try harness.ask("Question \(number)", token) }
        try expectEqual(harness.get("/chat/history", token: token).at("count"), 50)
        try expectEqual(harness.get("/chat/history?limit=200", token: token).at("count"), 200)
        try expectEqual(harness.get("/chat/history?limit=201", token: token).at("count"), 200)
        let one = try harness.get("/chat/history?limit=1&offset=x", token: token)
        expectEqual(one.at("messages.0.message"), "Question 205")
        expectEqual(one.at("count"), 1)
    }
}
