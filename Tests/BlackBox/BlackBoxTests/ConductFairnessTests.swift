import Compression
import Foundation
import JSON
import TestSupport
import Testing

/// Conduct contract, section 1, over sockets: clients that could have sent the same are innocent.
@Suite struct ConductFairnessTests {
    /// The rules found in the world `main`, with the names of instances where there are some.
    private func found(_ served: Served) throws -> [String] {
        try served.control("GET", "/conduct").json["findings"]?.arrayValue?.compactMap {
            $0["rule"]?.stringValue
        } ?? []
    }

    /// A request to an API below its mount on the hub.
    private func ask(
        _ served: Served,
        _ method: String,
        _ target: String,
        _ body: String = "",
        token: String? = nil,
        fields: [String] = []
    ) throws -> WireAnswer {
        let wire = try Wire(port: served.hub)
        try wire.send(Wire.request(method, target, body: Array(body.utf8), token: token, fields: fields))
        return try wire.answer()
    }

    private static let mobile = "/sawaed/api/mobile"

    /// Signs Layla in by a code.
    private func layla(_ served: Served) throws -> (token: String, refresh: String) {
        _ = try ask(served, "POST", "\(Self.mobile)/auth/request-otp", #"{"email":"layla@sawaed.test"}"#)
        let pair = try ask(
            served,
            "POST",
            "\(Self.mobile)/auth/verify-otp",
            #"{"email":"layla@sawaed.test","code":"123456"}"#
        ).json
        return (try #require(pair["token"]?.stringValue), try #require(pair["refreshToken"]?.stringValue))
    }

    @Test func `2 a refresh within one second of the world gives an equal token, which is a new credential`() throws {
        let served = try Served()
        let first = try layla(served)
        let fault = #"{"match":{"path":"/api/mobile/v1/profile/me"},"effect":{"status":401},"when":{"times":1}}"#
        _ = try served.control("POST", "/faults?api=sawaed", fault)
        func me(_ token: String) throws -> Int {
            try ask(
                served,
                "GET",
                "\(Self.mobile)/v1/profile/me",
                token: token,
                fields: ["Accept-Language: en"]
            ).status
        }
        try expectEqual(me(first.token), 401)
        let body = #"{"refreshToken":"\#(first.refresh)"}"#
        let second = try ask(served, "POST", "\(Self.mobile)/auth/refresh", body).json
        expectEqual(second["token"]?.stringValue, first.token, "the clock stands still")
        try expectEqual(me(first.token), 200)
        try expectEqual(found(served), [])
        try expectEqual(served.control("GET", "/conduct").json["verdict"], "pass")
    }

    @Test func `4 a bearer on Sawaed's sign-out and chat is what they take`() throws {
        let served = try Served()
        let token = try layla(served).token
        _ = try ask(served, "GET", "/sawaed/api/chat/status?conversationId=c", token: token)
        try expectEqual(ask(served, "POST", "\(Self.mobile)/auth/signout", token: token).status, 200)
        #expect(try !found(served).contains("auth/credential-where-none-asked"))
        let document = try Program.run(["openapi", "sawaed"]).json
        for path in ["/api/mobile/auth/signout", "/api/mobile/v1/auth/signout"] {
            expectEqual(document["paths"]?[path]?["post"]?["security"], [[:], ["bearer": []]], path)
        }
    }

    @Test func `4 the session that Supabase's clients send to auth is no finding`() throws {
        let served = try Served()
        let minted = try served.control(
            "POST",
            "/tokens",
            #"{"api":"trendy","user":"tracker@trendy.example","kind":"access"}"#
        ).json
        let token = try #require(minted["token"]?.stringValue)
        _ = try ask(
            served,
            "POST",
            "/trendy/auth/v1/token?grant_type=password",
            #"{"email":"tracker@trendy.example","password":"trendy-pass-1"}"#,
            token: token
        )
        try expectEqual(found(served), [])
    }

    private func login(_ served: Served, _ mail: String, _ device: String) throws -> String {
        let answer = try ask(
            served,
            "POST",
            "/trafikskola/api/mobile/auth/login",
            #"{"email":"\#(mail)","password":"understudy-tfx","deviceInfo":{"deviceId":"\#(device)","platform":"ios"}}"#
        )
        return try #require(answer.json["data"]?["accessToken"]?.stringValue, "\(answer.text)")
    }

    @Test func `7 trafikskola stable-device: two users on two phones, two phones at once, a clock that is moved`()
        throws
    {
        func isFound(_ act: (Served) throws -> Void) throws -> Bool {
            let served = try Served()
            try act(served)
            return try found(served).contains("trafikskola/stable-device")
        }
        let users = try isFound {
            _ = try login($0, "anna@example.com", "phone-1")
            _ = try login($0, "erik@example.com", "phone-2")
        }
        #expect(!users)
        let renamed = try isFound {
            _ = try login($0, "anna@example.com", "phone-1")
            _ = try login($0, "anna@example.com", "phone-2")
        }
        #expect(renamed)
        let both = try isFound {
            let first = try login($0, "anna@example.com", "phone-1")
            _ = try login($0, "anna@example.com", "phone-2")
            _ = try ask($0, "GET", "/trafikskola/api/mobile/student/profile", token: first)
        }
        #expect(!both, "the first phone goes on")
        let moved = try isFound {
            let token = try login($0, "anna@example.com", "phone-1")
            _ = try $0.control("POST", "/clock/advance", #"{"by":"PT1M"}"#)
            _ = try ask($0, "GET", "/trafikskola/api/mobile/student/profile", token: token)
        }
        #expect(!moved, "no half minute has passed")
    }

    @Test func `1 a date that the clock of the device has passed binds nobody, whatever the clock of the world says`()
        throws
    {
        // The world is in 2025; every instant that it tells is over on the machine.
        func minted(_ served: Served, _ api: String, _ user: String) throws -> String {
            let order = #"{"api":"\#(api)","user":"\#(user)","kind":"access"}"#
            return try #require(served.control("POST", "/tokens", order).json["token"]?.stringValue)
        }
        let limited = try Served()
        _ = try limited.control("PUT", "/scenarios/omnichat/rate-limit-nearly-spent")
        var token = try minted(limited, "omnichat", "test@icloud.com")
        var wire = try Wire(port: limited.hub)
        var statuses: [Int] = []
        for _ in 0..<4 {
            try statuses.append(wire.ask("GET", "/omnichat/api/v1/conversations", token: token).status)
        }
        #expect(statuses.contains(429), "\(statuses)")
        try expectEqual(found(limited).filter { $0.hasPrefix("retry/") }, [])

        let spent = try Served()
        _ = try spent.control("PUT", "/scenarios/carbscan/no-scans-remaining")
        token = try minted(spent, "carbscan", "free@carbscan.test")
        wire = try Wire(port: spent.hub)
        for turn in 0..<2 {
            let body = #"{"imageBase64":"iVBORw0KGgo=","hint":"\#(turn)"}"#
            let answer = try wire.ask("POST", "/carbscan/api/mobile/v1/analyze", body: Array(body.utf8), token: token)
            expectEqual(answer.status, 403)
        }
        #expect(try !found(spent).contains("carbscan/respects-quota"))
    }

    // MARK: Custom APIs

    private func shop() throws -> Folder {
        try Folder([
            "apis/shop/api.json": #"""
            {"tables":{"orders":{"newKey":"client"},"carts":{"unique":["number"]},"notes":{}},
             "resources":[{"path":"/v1/orders","table":"orders"},{"path":"/v1/carts","table":"carts"},
                          {"path":"/v1/notes","table":"notes"}]}
            """#
        ])
    }

    @Test func `4 retry unsafe-repeated: a create with a key of the client, or a unique member, is made once`() throws {
        for (path, body, isUnsafe) in [
            ("orders", #"{"id":"loc-1"}"#, false), ("carts", #"{"number":7}"#, false),
            ("carts", #"{"number":""}"#, false), ("notes", #"{"id":"n1"}"#, false),
            ("carts", #"{"total":7}"#, true), ("notes", #"{"text":"a"}"#, true),
        ] {
            let served = try Served(["--api", "shop"], in: shop())
            let fault = #"{"effect":{"connection":"reset"},"phase":"after","when":{"times":1}}"#
            _ = try served.control("POST", "/faults?api=shop", fault)
            let lost = try Wire(port: served.hub)
            try lost.send(Wire.request("POST", "/shop/v1/\(path)", body: Array(body.utf8)))
            try lost.waitForEnd()
            let again = try ask(served, "POST", "/shop/v1/\(path)", body)
            expectEqual(again.status, isUnsafe ? 201 : 409, "\(path) \(body): \(again.text)")
            try expectEqual(found(served), isUnsafe ? ["retry/unsafe-repeated"] : [], "\(path) \(body)")
        }
    }

    /// Requests with content in a coding, one for each API.
    private static let coded: [(target: String, token: String?)] = [
        ("/shop/v1/notes", nil), ("/omnichat/api/v1/auth/apple", nil), ("/sawaed/api/mobile/auth/request-otp", nil),
        ("/carbscan/api/mobile/v1/auth/apple", nil), ("/trafikskola/api/mobile/auth/login", nil),
        ("/trendy/auth/v1/token?grant_type=password", nil), ("/trendy/api/v1/auth/login", nil),
    ]

    @Test func `3 content in a coding is refused by built-in endpoints, and judged as what it says`() throws {
        let served = try Served(
            ["--api", "shop", "omnichat", "sawaed", "carbscan", "trafikskola", "trendy"],
            in: shop()
        )
        let plain = Array(#"{"title":"Zoë","email":"a@example.com"}"#.utf8)
        let codings: [(name: String, bytes: [UInt8])] = [
            ("gzip", Deflate.compress(plain, .gzip) ?? []), ("deflate", Deflate.compress(plain, .deflate) ?? []),
            ("br", [0x1B, 0x0A, 0xFF, 0xFE]), ("zstd", [0x28, 0xB5, 0x2F, 0xFD, 0xFF]), ("x-none", [0xFF]),
        ]
        for (target, _) in Self.coded {
            for (coding, bytes) in codings {
                let wire = try Wire(port: served.hub)
                try wire.send(Wire.request("POST", target, body: bytes, fields: ["Content-Encoding: \(coding)"]))
                let answer = try wire.answer()
                // Own APIs take what can be decoded (wire contract, section 3).
                let isOwn = target.hasPrefix("/shop/")
                let isTaken = isOwn && ["gzip", "deflate"].contains(coding)
                expectEqual(answer.status, isTaken ? 201 : 415, "\(target) \(coding): \(answer.text)")
                guard !isTaken else { continue }
                expectEqual(answer["Accept-Encoding"], isOwn ? "gzip, deflate" : "identity", "\(target) \(coding)")
                #expect(
                    answer.text.contains(coding) || answer.text.contains("Unsupported"),
                    "\(target): \(answer.text)"
                )
            }
        }
        #expect(try !found(served).contains { $0.hasPrefix("body/") })
        // `identity` is no coding, and what is not well said is found in a coding too.
        for (coding, bytes, isFound) in [
            ("identity", plain, false), ("gzip", Deflate.compress(Array(#"{"a":1,"a":2}"#.utf8), .gzip) ?? [], true),
        ] {
            let wire = try Wire(port: served.hub)
            try wire.send(Wire.request("POST", "/shop/v1/notes", body: bytes, fields: ["Content-Encoding: \(coding)"]))
            try expectEqual(wire.answer().status, 201)
            try expectEqual(found(served).contains("body/json-unsafe"), isFound, coding)
        }
    }

    @Test func `9 the rules are paged as every list is`() throws {
        let served = try Served()
        let all = try served.control("GET", "/conduct/rules")
        let ids = all.json["items"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
        #expect(ids.count > 80)
        expectEqual(all["X-Total-Count"], "\(ids.count)")
        let page = try served.control("GET", "/conduct/rules?limit=2&offset=3")
        expectEqual(page.json["items"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? [], Array(ids[3..<5]))
        expectEqual(page["X-Total-Count"], "\(ids.count)")
        try expectEqual(served.control("GET", "/conduct/rules?offset=\(ids.count)").json, ["items": []])
        try expectEqual(served.control("GET", "/conduct/rules?limit=x").status, 400)
    }

    @Test func `4 privacy personal-in-url: what the operation declares for an address`() throws {
        let served = try Served()
        _ = try ask(
            served,
            "GET",
            "/carbscan/api/mobile/v1/auth/mobile/authorize?login_hint=free%40carbscan.test&state=s"
        )
        try expectEqual(found(served).filter { $0.hasPrefix("privacy") }, [])
    }
}

/// Conduct contract, section 13: the recorder's own files.
@Suite struct ConductRecordingTests {
    @Test func `13 the recorder's file is judged as its journal is`() throws {
        let backend = try Served()
        let folder = try Folder()
        let origin = "http://127.0.0.1:\(backend.api)"
        let recorder = try Proxy(["record", "--upstream", origin, "--out", "r.har"], in: folder)
        let wire = try Wire(port: recorder.api)
        for _ in 0..<3 { _ = try wire.ask("GET", "/api/v1/conversations", token: "refused-token-0001") }
        let live = try recorder.control("GET", "/conduct").json
        let rules = live["findings"]?.arrayValue?.compactMap { $0["rule"]?.stringValue } ?? []
        #expect(rules.contains("auth/repeat-after-401"), "\(live.text)")
        try recorder.stop()
        let text = try String(contentsOf: folder.url.appendingPathComponent("r.har"), encoding: .utf8)
        let entry = try JSONReader.read(text: text)["log"]?["entries"]?[0]
        expectEqual(entry?["connection"]?.stringValue?.isEmpty, false, "\(text.prefix(2_000))")
        expectEqual(entry?["_peer"]?.stringValue?.hasPrefix("127.0.0.1:"), true)
        let judged = try Program.run(["conduct", "--api", "omnichat", "--format", "json", "r.har"], in: folder)
        expectEqual(judged.json["findings"]?.arrayValue?.compactMap { $0["rule"]?.stringValue } ?? [], rules)
    }
}
