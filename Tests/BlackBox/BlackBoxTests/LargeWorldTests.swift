import Foundation
import JSON
import TestSupport
import Testing

/// Control 17: a large world is searched on a worker, with the same responses as on the loop.
@Suite struct LargeWorldTests {
    private static let rows = 12_000
    private static let mail = "pro@carbscan.test"
    private static let base = "/api/mobile/v1"

    /// The exported world with so many meals more of one account.
    private func document(_ served: Served) throws -> [UInt8] {
        var world = try #require(try served.control("GET", "/state").json.objectValue)
        var apis = try #require(world["apis"]?.objectValue)
        var carbscan = try #require(apis["carbscan"]?.objectValue)
        var meals = try #require(carbscan["meals"]?.arrayValue)
        let users = carbscan["users"]?.arrayValue ?? []
        let user = try #require(users.first { $0["email"]?.stringValue == Self.mail }?["id"])
        var meal = try #require(meals.last?.objectValue)
        let first = try #require(meal["number"]?.intValue) + 1
        for place in 0..<Int64(Self.rows) {
            let time: JSON = .string("2024-12-\(10 + place % 20)T\(10 + place % 14):\(10 + place % 50):00.000Z")
            meal["id"] = .string("\(first + place)")
            meal["number"] = .integer(first + place)
            meal["userId"] = user
            meal["createdAt"] = time
            meal["stamp"] = time
            meal["localId"] = .string("l\(place)")
            meals.append(.object(meal))
        }
        carbscan["meals"] = .array(meals)
        carbscan["lastMeal"] = .integer(first + Int64(Self.rows))
        apis["carbscan"] = .object(carbscan)
        world["apis"] = .object(apis)
        return JSON.object(world).serialized()
    }

    private func load(_ document: [UInt8], into served: Served) throws {
        let answer = try Wire(port: served.hub).ask("PUT", "/__admin/state", body: document)
        expectEqual(answer.status, 200, "\(answer.text)")
    }

    private func token(_ served: Served) throws -> String {
        let order = #"{"api":"carbscan","user":"\#(Self.mail)","kind":"access"}"#
        return try #require(try served.control("POST", "/tokens", order).json["token"]?.stringValue)
    }

    private func upload(_ name: String) -> [UInt8] {
        let meal = #"{"localId":"\#(name)","name":"Soup","carbEstimate":4,"createdAt":"2025-01-01T11:00:00Z"}"#
        return Array(#"{"lastSyncTimestamp":"2025-01-01T12:00:00.000Z","localMeals":[\#(meal)]}"#.utf8)
    }

    private func total(_ served: Served, _ token: String) throws -> Int64 {
        let port = try served.port(of: "carbscan")
        let page = try Wire(port: port).ask("GET", Self.base + "/meals?limit=1", token: token)
        return try #require(page.json["data"]?["pagination"]?["total"]?.intValue, "\(page.text)")
    }

    @Test func `17 the same document and requests give the same bytes, and a reset the seed`() throws {
        let served = try Served()
        let seed = try served.control("GET", "/state").text
        let document = try document(served)
        func play() throws -> [String] {
            try load(document, into: served)
            let token = try token(served)
            let wire = try Wire(port: served.port(of: "carbscan"))
            let requests: [(String, String, [UInt8], String?)] = [
                ("GET", "/insights", [], token), ("GET", "/meals?limit=3", [], token),
                ("POST", "/meals/sync", upload("n1"), token), ("GET", "/meals?limit=3", [], token),
                ("GET", "/meals?limit=0", [], token), ("GET", "/insights", [], nil), ("GET", "/nothing", [], token),
                ("POST", "/auth/apple", Array(#"{"identityToken":"mock_apple:x","authorizationCode":"x"}"#.utf8), nil),
                ("POST", "/meals/sync", Array("{".utf8), token), ("HEAD", "/insights", [], token),
            ]
            var seen: [String] = []
            for (method, path, body, token) in requests {
                let answer = try wire.ask(method, Self.base + path, body: body, token: token)
                seen.append("\(answer.status) " + String(decoding: answer.raw, as: UTF8.self))
            }
            expectEqual(
                seen.map { $0.prefix(3) },
                ["200", "200", "200", "200", "400", "401", "404", "200", "400", "200"]
            )
            #expect(seen[3].contains("Soup"))
            #expect(seen[9].contains("X-Request-Id: req_10"))
            let entries = try served.control("GET", "/requests").json["items"]?.arrayValue ?? []
            seen += entries.map { "\($0["id"]?.text ?? "") \($0["status"]?.text ?? "") \($0["user"]?.text ?? "")" }
            return seen
        }
        let first = try play()
        let again = try play()
        for (was, now) in zip(first, again) { expectEqual(was, now) }
        #expect(first.count == 20 && again.count == 20)
        _ = try served.control("POST", "/reset")
        try expectEqual(unnoted(served.control("GET", "/state").text), unnoted(seed))
    }

    @Test func `17 as many control calls wait for a large world as may, and one more is a problem`() throws {
        let served = try Served(["--limit", "jobs=3"])
        try load(try document(served), into: served)
        let order = Array(#"{"api":"carbscan","user":"\#(Self.mail)","kind":"access"}"#.utf8)
        let wires = try (0..<16).map { _ in
            let wire = try Wire(port: served.hub)
            try wire.send(Wire.request("POST", "/__admin/tokens", body: order))
            return wire
        }
        let answers = try wires.map { try $0.answer() }
        let refused = answers.filter { $0.status == 503 }
        for answer in refused {
            expectEqual(answer["Retry-After"], "1")
            expectEqual(answer.json["type"], "/__admin/problems/busy")
        }
        #expect((1...12).contains(refused.count), "\(refused.count)")
        let tokens = Set(answers.filter { $0.status == 201 }.compactMap { $0.json["token"]?.stringValue })
        expectEqual(tokens.count, 16 - refused.count)
    }

    @Test func `17 nothing is lost between requests and control calls that change one large world at once`() throws {
        let served = try Served()
        try load(try document(served), into: served)
        var tokens = [try token(served)]
        let before = try total(served, tokens[0])
        let port = try served.port(of: "carbscan")
        var wires: [Wire] = []
        for round in 0..<12 {
            for number in 0..<3 {
                let wire = try Wire(port: port)
                let body = upload("r\(round)-\(number)")
                try wire.send(Wire.request("POST", Self.base + "/meals/sync", body: body, token: tokens[0]))
                wires.append(wire)
            }
            // Each changes the state that a worker is looking at.
            tokens.append(try token(served))
            let limits = #"{"carbscan":{"rateLimits":"\#(round.isMultiple(of: 2) ? "off" : "on")"}}"#
            try expectEqual(served.control("PUT", "/settings", limits).status, 200)
        }
        var ids: Set<String> = []
        var meals: Set<Int64> = []
        for wire in wires {
            let answer = try wire.answer()
            expectEqual(answer.status, 200, "\(answer.text)")
            ids.insert(answer["X-Request-Id"] ?? "")
            if let meal = answer.json["data"]?["syncedLocalMeals"]?[0]?["serverId"]?.intValue { meals.insert(meal) }
        }
        expectEqual(ids.count, 36)
        expectEqual(meals.count, 36)
        try expectEqual(total(served, tokens[0]), before + 36)
        expectEqual(Set(tokens).count, tokens.count)
        for token in tokens {
            try expectEqual(Wire(port: port).ask("GET", Self.base + "/auth/me", token: token).status, 200)
        }
        let settings = try served.control("GET", "/settings").json
        expectEqual(settings["carbscan"]?["rateLimits"], "on")
    }

    @Test func `17 faults, gates, forks, resets and moved clocks find a large world as any other`() throws {
        let served = try Served()
        let document = try document(served)
        try load(document, into: served)
        let token = try token(served)
        let port = try served.port(of: "carbscan")
        let before = try total(served, token)
        // An answer that is lost: the write has happened once.
        let fault = #"{"match":{"api":"carbscan"},"phase":"after","when":{"times":1},"effect":{"status":503}}"#
        _ = try served.control("POST", "/faults", fault)
        let lost = try Wire(port: port).ask("POST", Self.base + "/meals/sync", body: upload("f"), token: token)
        expectEqual(lost.status, 503)
        try expectEqual(total(served, token), before + 1)
        // What a gate has held is answered by the world as it is at its release.
        _ = try served.control("POST", "/gates", #"{"name":"g","match":{"api":"carbscan","method":"POST"}}"#)
        let held = try Wire(port: port)
        try held.send(Wire.request("POST", Self.base + "/meals/sync", body: upload("g"), token: token))
        try expectEqual(served.control("GET", "/gates/g?wait=60").json["held"]?.arrayValue?.count, 1)
        try expectEqual(total(served, token), before + 1)
        _ = try served.control("POST", "/clock/advance", #"{"seconds":1}"#)
        _ = try served.control("DELETE", "/gates/g")
        try expectEqual(held.answer().status, 200)
        try expectEqual(total(served, token), before + 2)
        // A fork shares the rows and none of the writes.
        _ = try served.control("POST", "/worlds", #"{"name":"w","from":"main"}"#)
        let order = #"{"api":"carbscan","user":"\#(Self.mail)","kind":"access"}"#
        let made = try served.control("POST", "/tokens", order, world: "w").json["token"]?.stringValue
        let other = try #require(made)
        for name in ["a", "b"] {
            let target = "/@w" + Self.base + "/meals/sync"
            try expectEqual(Wire(port: port).ask("POST", target, body: upload(name), token: other).status, 200)
        }
        try expectEqual(total(served, token), before + 2)
        try expectEqual(total(served, other), before + 4)
        try expectEqual(served.control("DELETE", "/worlds/w").status, 204)
        // Requests that wait in line meanwhile are answered by the seed.
        let late = try (0..<4).map { _ in try Wire(port: port) }
        for wire in late { try wire.send(Wire.request("GET", Self.base + "/insights", token: token)) }
        _ = try served.control("POST", "/reset?api=carbscan")
        for wire in late { #expect([200, 401].contains(try wire.answer().status)) }
        #expect(try total(served, try self.token(served)) < 1_000)
    }

    @Test func `17 what gates let go, ends of tokens and scenarios find a large world as any other`() throws {
        let served = try Served()
        try load(try document(served), into: served)
        let token = try token(served)
        let port = try served.port(of: "carbscan")
        let before = try total(served, token)
        _ = try served.control("POST", "/gates", #"{"name":"g","match":{"api":"carbscan","method":"POST"}}"#)
        let held = try (0..<3).map { _ in try Wire(port: port) }
        for (number, wire) in held.enumerated() {
            let body = upload("h\(number)")
            try wire.send(Wire.request("POST", Self.base + "/meals/sync", body: body, token: token))
            let wanted = number + 1
            try Deadline().wait(for: "the gate to hold it") {
                try served.control("GET", "/gates/g").json["held"]?.arrayValue?.count == wanted
            }
        }
        let released = try served.control("POST", "/gates/g/release").json["released"]?.arrayValue
        expectEqual(released?.count, 3)
        let meals = try held.map { try $0.answer().json["data"]?["syncedLocalMeals"]?[0]?["serverId"]?.intValue ?? 0 }
        expectEqual(meals, [meals[0], meals[0] + 1, meals[0] + 2], "in the order in which they were let go")
        try expectEqual(total(served, token), before + 3)
        // One that a reset cuts on its way is not answered by the seed.
        let cut = try Wire(port: port)
        try cut.send(Wire.request("POST", Self.base + "/meals/sync", body: upload("c"), token: token))
        try expectEqual(served.control("GET", "/gates/g?wait=60").json["held"]?.arrayValue?.count, 1)
        _ = try served.control("POST", "/snapshots", #"{"name":"s"}"#)
        _ = try served.control("POST", "/gates/g/release")
        _ = try served.control("POST", "/snapshots/s/restore")
        _ = try served.control("DELETE", "/gates/g")
        try expectEqual(total(served, token), before + 3)
        try expectEqual(served.control("POST", "/users/\(Self.mail)/expire", #"{"tokens":"access"}"#).status, 200)
        try expectEqual(Wire(port: port).ask("GET", Self.base + "/auth/me", token: token).status, 401)
        try expectEqual(served.control("POST", "/users/nobody/expire", #"{"tokens":"access"}"#).status, 422)
        let scenario = "/scenarios/carbscan/empty-history"
        let wires = try (0..<2).map { _ in try Wire(port: served.hub) }
        for wire in wires { try wire.send(Wire.request("PUT", "/__admin" + scenario)) }
        for wire in wires { try expectEqual(wire.answer().json["active"], true) }
        #expect(try total(served, try self.token(served)) < before)
        try expectEqual(served.control("DELETE", scenario).json["changed"]?.arrayValue?.isEmpty, false)
    }

    /// The exported world with so many conversations more of one account.
    private func conversations(_ served: Served, of user: JSON) throws -> [UInt8] {
        var world = try #require(try served.control("GET", "/state").json.objectValue)
        var apis = try #require(world["apis"]?.objectValue)
        var omnichat = try #require(apis["omnichat"]?.objectValue)
        var rows = try #require(omnichat["conversations"]?.arrayValue)
        var row = try #require(rows.last?.objectValue)
        row["userId"] = user
        for place in 0..<Self.rows {
            row["id"] = .string("c\(place)")
            rows.append(.object(row))
        }
        omnichat["conversations"] = .array(rows)
        apis["omnichat"] = .object(omnichat)
        world["apis"] = .object(apis)
        return JSON.object(world).serialized()
    }

    @Test func `17 endpoints that work on few rows lose nothing beside those that look through all`() throws {
        let served = try Served()
        _ = try served.control("PUT", "/settings", #"{"omnichat":{"rateLimits":"off"}}"#)
        let order = #"{"api":"omnichat","user":"test@icloud.com","kind":"access"}"#
        let user = try #require(
            try served.control("GET", "/state").json["apis"]?["omnichat"]?["users"]?.arrayValue?
                .first { $0["email"]?.stringValue == "test@icloud.com" }?["id"]
        )
        try load(try conversations(served, of: user), into: served)
        let token = try #require(try served.control("POST", "/tokens", order).json["token"]?.stringValue)
        let port = try served.port(of: "omnichat")
        let path = "/api/v1/conversations"
        func count() throws -> Int {
            let answer = try Wire(port: port).ask("GET", path, token: token)
            return try #require(answer.json["conversations"]?.arrayValue?.count, "\(answer.text.prefix(200))")
        }
        let before = try count()
        #expect(before >= Self.rows)
        var writes: [Wire] = []
        var reads: [Wire] = []
        for round in 0..<8 {
            let read = try Wire(port: port)
            try read.send(Wire.request("GET", path, token: token))
            reads.append(read)
            for number in 0..<3 {
                let wire = try Wire(port: port)
                let body = Array(#"{"title":"\#(round)-\#(number)"}"#.utf8)
                try wire.send(Wire.request("POST", path, body: body, token: token))
                writes.append(wire)
            }
            let patch = Array(#"{"isArchived":true}"#.utf8)
            let change = try Wire(port: port).ask("PATCH", "\(path)/c\(round)", body: patch, token: token)
            expectEqual(change.status, 200, "\(change.text)")
        }
        var ids: Set<String> = []
        var requests: Set<String> = []
        for wire in writes {
            let answer = try wire.answer()
            #expect(answer.status < 300, "\(answer.text)")
            ids.insert(answer.json["id"]?.stringValue ?? "")
            requests.insert(answer["X-Request-Id"] ?? "")
        }
        for wire in reads { try expectEqual(wire.answer().status, 200) }
        expectEqual(ids.count, writes.count)
        expectEqual(requests.count, writes.count)
        try expectEqual(count(), before + writes.count)
    }

    @Test func `17 a clock that runs is as it was when the work on a large world began`() throws {
        let served = try Served(["--seed", "42", "--clock", "real"])
        try load(try document(served), into: served)
        let token = try token(served)
        let before = try total(served, token)
        let port = try served.port(of: "carbscan")
        let wires = try (0..<6).map { _ in try Wire(port: port) }
        for (number, wire) in wires.enumerated() {
            let body = upload("k\(number)")
            try wire.send(Wire.request("POST", Self.base + "/meals/sync", body: body, token: token))
        }
        for wire in wires { try expectEqual(wire.answer().status, 200) }
        try expectEqual(total(served, token), before + 6)
        let entries = try served.control("GET", "/requests?limit=6&offset=1").json["items"]?.arrayValue ?? []
        let times = entries.compactMap { $0["at"]?.stringValue }
        expectEqual(times.count, 6)
        expectEqual(times, times.sorted(by: >), "newest first")
    }
}
