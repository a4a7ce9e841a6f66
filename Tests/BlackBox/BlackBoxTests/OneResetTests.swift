import Foundation
import JSON
import TestSupport
import Testing

/// Control 3: after the reset of one API the same requests get the same bytes as after a reset of the world.
@Suite struct OneResetTests {
    /// Requests of one API whose answers hold ids, tokens and codes of all kinds.
    struct Script: Sendable {
        var api: String
        var user: String
        /// Method, target and body; `TOKEN` in a target means: with the access token of the user.
        var requests: [(String, String, String)]

        static let all = [
            Script(
                api: "omnichat",
                user: "test@icloud.com",
                requests: [
                    ("POST", "/api/v1/auth/apple", #"{"idToken":"mock_apple_token"}"#),
                    (
                        "POST", "/api/v1/auth/apple",
                        #"{"idToken":"opaque_somebody","user":{"email":"somebody@icloud.com"}}"#
                    ),
                    ("POST", "/api/v1/conversations TOKEN", #"{"title":"made"}"#),
                    ("POST", "/api/v1/conversations/conv_welcome_00000001/messages TOKEN", #"{"content":"Hi"}"#),
                    ("GET", "/api/v1/conversations TOKEN", ""),
                ]
            ),
            Script(
                api: "trendy",
                user: "tracker@trendy.example",
                requests: [
                    (
                        "POST", "/auth/v1/token?grant_type=password",
                        #"{"email":"tracker@trendy.example","password":"trendy-pass-1"}"#
                    ),
                    ("POST", "/auth/v1/signup", #"{"email":"fresh@trendy.example","password":"trendy-pass-1"}"#),
                    ("POST", "/api/v1/event-types TOKEN", #"{"name":"Swim","color":"red","icon":"wave"}"#),
                    ("GET", "/api/v1/events TOKEN", ""),
                    ("GET", "/rest/v1/profiles TOKEN", ""),
                ]
            ),
            Script(
                api: "trafikskola",
                user: "anna@example.com",
                requests: [
                    (
                        "POST", "/api/mobile/auth/login",
                        #"{"email":"anna@example.com","password":"understudy-tfx","deviceInfo":{"deviceId":"d","platform":"ios"}}"#
                    ),
                    ("POST", "/api/mobile/auth/request-otp", #"{"email":"anna@example.com"}"#),
                    (
                        "POST", "/api/mobile/auth/quick-login",
                        #"{"token":"sqr_9cc68b962854d67303c804aad5389506"}"#
                    ),
                    ("GET", "/api/mobile/bookings TOKEN", ""),
                ]
            ),
            Script(
                api: "carbscan",
                user: "pro@carbscan.test",
                requests: [
                    (
                        "POST", "/api/mobile/v1/auth/apple",
                        #"{"identityToken":"mock_apple:somebody","authorizationCode":"x"}"#
                    ),
                    (
                        "POST", "/api/mobile/v1/meals/sync TOKEN",
                        #"{"lastSyncTimestamp":"2025-01-01T12:00:00.000Z","localMeals":[{"localId":"a","name":"Soup","carbEstimate":4,"createdAt":"2025-01-01T11:00:00Z"}]}"#
                    ),
                    ("POST", "/api/mobile/v1/chat TOKEN", #"{"message":"How much?"}"#),
                    ("GET", "/api/mobile/v1/insights TOKEN", ""),
                ]
            ),
            Script(
                api: "sawaed",
                user: "layla@sawaed.test",
                requests: [
                    ("POST", "/api/mobile/auth/request-otp", #"{"email":"layla@sawaed.test"}"#),
                    ("POST", "/api/mobile/auth/verify-otp", #"{"email":"layla@sawaed.test","code":"123456"}"#),
                    ("POST", "/api/mobile/auth/request-otp", #"{"email":"new@sawaed.test"}"#),
                    ("POST", "/api/mobile/auth/verify-otp", #"{"email":"new@sawaed.test","code":"123456"}"#),
                    ("GET", "/api/mobile/v1/profile/me TOKEN", ""),
                ]
            ),
        ]

        /// Plays it and answers every byte that came.
        func play(_ served: Served) throws -> [String] {
            let wire = try Wire(port: served.port(of: api))
            var seen: [String] = []
            func ask(_ method: String, _ target: String, _ body: String, token: String? = nil) throws -> WireAnswer {
                let answer = try wire.ask(method, target, body: Array(body.utf8), token: token)
                return answer
            }
            /// The id of a control call belongs to the process.
            func call(_ method: String, _ path: String, _ body: String = "") throws -> WireAnswer {
                let answer = try ask(method, "/__admin" + path, body)
                seen.append("\(path) \(answer.status) \(answer.text)")
                return answer
            }
            _ = try call("PUT", "/settings", #"{"\#(api)":{"rateLimits":"off"}}"#)
            var token = ""
            for kind in ["refresh", "access"] {
                token =
                    try call("POST", "/tokens", #"{"user":"\#(user)","kind":"\#(kind)"}"#).json["token"]?.stringValue
                    ?? ""
            }
            #expect(!token.isEmpty)
            for (method, target, body) in requests {
                let path = target.split(separator: " ")[0]
                let answer = try ask(method, String(path), body, token: target.hasSuffix("TOKEN") ? token : nil)
                #expect(answer.status < 400, "\(api) \(target): \(answer.text)")
                seen.append(String(decoding: answer.raw, as: UTF8.self))
            }
            // A fault that acts by chance, an effect that is ordered, and a gate.
            _ = try call("POST", "/faults", #"{"when":{"probability":0.5},"effect":{"status":503}}"#)
            let routed = String(requests[requests.count - 1].1.split(separator: " ")[0])
            let decisions = try (0..<24).map { _ in try ask("GET", routed, "").status == 503 ? "5" : "4" }
            seen.append(decisions.joined())
            expectEqual(Set(decisions).count, 2)
            _ = try call("POST", "/gates", #"{"match":{"path":"/nothing"}}"#)
            let last = try ask("GET", "/nothing-here", "")
            seen.append(String(decoding: last.raw, as: UTF8.self))
            return seen
        }
    }

    @Test(arguments: Script.all.indices)
    func `3 every way back to the seed gives the bytes of a fresh process`(place: Int) throws {
        let script = Script.all[place]
        let served = try Served()
        let fresh = try script.play(served)
        let resets = ["/reset", "/reset?api=\(script.api)", "/reset"]
        for (number, path) in resets.enumerated() {
            // The last one is on the API's own port.
            let port = number == 2 ? try served.port(of: script.api) : served.hub
            let answer = try Wire(port: port).ask("POST", "/__admin" + path)
            expectEqual(answer.status, 200)
            let again = try script.play(served)
            expectEqual(again.count, fresh.count)
            for (was, now) in zip(fresh, again) { expectEqual(now, was, "\(script.api) after \(path) \(number)") }
        }
    }

    @Test func `3 the other APIs of the world go on, whichever was used before`() throws {
        let served = try Served()
        var fresh: [[String]] = []
        for script in Script.all { fresh.append(try script.play(served)) }
        for (place, script) in Script.all.enumerated().reversed() {
            let other = Script.all[(place + 1) % Script.all.count].api
            let kept = try Wire(port: served.hub).ask("GET", "/__admin/requests?api=\(other)").text
            _ = try served.control("POST", "/reset?api=\(script.api)")
            let again = try script.play(served)
            for (was, now) in zip(fresh[place], again) {
                expectEqual(now, was, "\(script.api)")
            }
            try expectEqual(Wire(port: served.hub).ask("GET", "/__admin/requests?api=\(other)").text, kept)
        }
    }

    @Test(arguments: Script.all.map(\.api))
    func `3 a latency of the hub draws for each API as in a fresh process`(api: String) throws {
        let served = try Served()
        let other = api == "sawaed" ? "omnichat" : "sawaed"
        /// Which of the answers wait longer than the clock is moved.
        func pattern(_ api: String) throws -> String {
            let latency = #"{"delay":{"uniform":[0,4000000]},"on":"world"}"#
            try expectEqual(served.control("PUT", "/latency", latency).status, 200)
            let wires = try (0..<20).map { _ in try Wire(port: served.port(of: api)) }
            for (number, wire) in wires.enumerated() {
                try wire.send(Wire.request("GET", "/nothing"))
                try Deadline().wait(for: "the exchange") {
                    let list = try served.control("GET", "/requests?api=\(api)&limit=1")
                    return list["X-Total-Count"] == "\(number + 1)"
                }
            }
            _ = try served.control("POST", "/clock/advance", #"{"seconds":2000}"#)
            let list = try served.control("GET", "/requests?api=\(api)").json["items"]?.arrayValue ?? []
            return list.map { $0["outcome"] == "held" ? "h" : "d" }.joined()
        }
        let first = try pattern(api)
        #expect(first.contains("h") && first.contains("d"))
        let beside = try pattern(other)
        for reset in ["/reset?api=\(api)", "/reset", "/reset?api=\(api)"] {
            _ = try served.control("POST", reset)
            try expectEqual(pattern(api), first, "after \(reset)")
        }
        // The draws of the other have gone on, or began anew with the world alone.
        _ = try served.control("POST", "/reset?api=\(other)")
        try expectEqual(pattern(other), beside)
    }

    @Test func `3 keys of the journal stay unique, and each API finds its own by what it told`() throws {
        let served = try Served()
        for api in ["omnichat", "sawaed", "omnichat", "carbscan"] {
            let wire = try Wire(port: served.port(of: api))
            for _ in 0..<3 { _ = try wire.ask("GET", "/nothing") }
        }
        func ids() throws -> [String] {
            try served.control("GET", "/requests").json["items"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
        }
        try expectEqual(ids().count, 12)
        _ = try served.control("POST", "/reset?api=omnichat")
        for api in ["carbscan", "omnichat"] {
            let wire = try Wire(port: served.port(of: api))
            for _ in 0..<4 { _ = try wire.ask("GET", "/nothing") }
        }
        let found = try ids()
        expectEqual(found.count, 14)
        expectEqual(Set(found).count, 14, "\(found)")
        for api in ["omnichat", "sawaed", "carbscan"] {
            let entry = try served.control("GET", "/requests/req_2?api=\(api)").json
            expectEqual(entry["api"]?.stringValue, api)
            expectEqual(entry["responseHeaders"]?.arrayValue?.contains(["X-Request-Id", "req_2"]), true)
        }
        // The numbers of the journal go on.
        let newest = try served.control("GET", "/requests?limit=1").json["items"]?[0]?["seq"]
        expectEqual(newest, 20)
    }

    @Test func `3 a fault of the hub stays, and faults of the start stand where they stood`() throws {
        let folder = try Folder()
        try folder.write(
            "faults.json",
            """
            [{"match":{"api":"omnichat"},"effect":{"status":500}},
             {"match":{"api":"sawaed"},"effect":{"status":501}},
             {"match":{"path":"/nothing"},"effect":{"status":502}}]
            """
        )
        let served = try Served(Served.frozen + ["--faults", "faults.json"], in: folder)
        let before = try served.control("GET", "/faults").text
        _ = try served.control("POST", "/faults", #"{"match":{"path":"/hub"},"effect":{"status":503}}"#)
        _ = try served.control("POST", "/faults", #"{"match":{"api":"omnichat"},"effect":{"status":504}}"#)
        _ = try served.control("POST", "/reset?api=omnichat")
        let faults = try served.control("GET", "/faults").json["items"]?.arrayValue ?? []
        expectEqual(faults.map { $0["id"]?.stringValue ?? "" }, ["flt_1", "flt_2", "flt_3", "flt_4"])
        expectEqual(faults.map { $0["effect"]?["status"] ?? .null }, [500, 501, 502, 503])
        let made = try served.control("POST", "/faults", #"{"match":{"api":"omnichat"},"effect":{"status":504}}"#)
        expectEqual(made.json["id"], "flt_5")
        _ = try served.control("POST", "/reset")
        try expectEqual(served.control("GET", "/faults").text, before)
    }

    @Test func `4 numbers go on after a restart with a folder, and in a fork`() throws {
        let folder = try Folder()
        let flags = Served.frozen + ["--state", "state"]
        func number(_ served: Served, _ api: String, _ world: String = "main") throws -> String? {
            try Wire(port: served.port(of: api)).ask("GET", "/@\(world)/nothing")["X-Request-Id"]
        }
        do {
            let served = try Served(flags, in: folder)
            for _ in 0..<3 { _ = try number(served, "omnichat") }
            try expectEqual(number(served, "sawaed"), "req_1")
            _ = try served.control("POST", "/reset?api=sawaed")
            try expectEqual(number(served, "sawaed"), "req_1")
            _ = try served.control("POST", "/worlds", #"{"name":"w","from":"main"}"#)
            try expectEqual(number(served, "omnichat", "w"), "req_4")
            served.child.signal(SIGTERM)
            _ = try served.child.waitForExit()
        }
        let served = try Served(flags, in: folder)
        try expectEqual(number(served, "omnichat"), "req_4")
        try expectEqual(number(served, "sawaed"), "req_2")
        let entry = try served.control("GET", "/requests/req_2?api=sawaed").json
        expectEqual(entry["api"], "sawaed")
    }
}
