import Foundation
import JSON
import TestSupport
import Testing

/// Console contract, section 5: what a fork began with, which its rows are compared with and whose tokens it does not
/// take.
@Suite struct WorldOriginTests {
    private static let users = [
        "sawaed": "layla@sawaed.test", "carbscan": "free@carbscan.test", "omnichat": "test@icloud.com",
        "trafikskola": "student@example.com", "trendy": "welcome@trendy.example",
    ]

    private func changes(_ served: Served, _ table: String, world: String? = nil) throws -> [String] {
        let answer = try served.control("GET", "/state/\(table)?changed=true", world: world)
        let items = try #require(answer.json["items"]?.arrayValue, "\(answer.text)")
        return items.map { "\($0["id"]?.stringValue ?? "?") \($0["change"]?.stringValue ?? "?")" }
    }

    private func rename(_ served: Served, _ name: String, world: String) throws {
        let rows = try served.control("GET", "/state/omnichat/users?limit=1", world: world).json["items"]
        let (id, row) = (rows?[0]?["id"]?.stringValue ?? "", rows?[0]?["row"]?.objectValue)
        var changed = try #require(row)
        changed["name"] = .string(name)
        let text = JSON.object(changed).text
        let answer = try served.control("PUT", "/state/omnichat/users/\(id)", text, world: world)
        expectEqual(answer.status, 200, "\(answer.text)")
    }

    private func restarted(_ served: Served, _ flags: [String], by signal: Int32 = SIGTERM) throws -> Served {
        served.child.signal(signal)
        _ = try served.child.waitForExit()
        return try Served(flags)
    }

    @Test(arguments: [SIGTERM, SIGKILL])
    func `5 rows of a fork are compared with its beginning, also after a restart`(signal: Int32) throws {
        let folder = try Folder()
        let flags = Served.frozen + ["--state", folder.url.path]
        var served = try Served(flags)
        _ = try served.control("POST", "/worlds", #"{"name":"source"}"#)
        try rename(served, "Before", world: "source")
        _ = try served.control("POST", "/worlds", #"{"name":"fork","from":"source"}"#)
        _ = try served.control("POST", "/snapshots", #"{"name":"kept"}"#, world: "source")
        // The source goes on, and is gone in the end: the fork remembers by itself.
        try rename(served, "Later", world: "source")
        try expectEqual(changes(served, "omnichat/users", world: "fork"), [])
        served = try restarted(served, flags, by: signal)
        try expectEqual(changes(served, "omnichat/users", world: "fork"), [])
        try expectEqual(changes(served, "omnichat/users", world: "source").count, 1)
        try expectEqual(served.control("GET", "/snapshots", world: "fork").json["items"], [])
        try rename(served, "After", world: "fork")
        let former = try served.control("GET", "/state/omnichat/users?changed=true", world: "fork").json["items"]
        expectEqual(former?[0]?["old"]?["name"], "Before")
        try expectEqual(served.control("DELETE", "/worlds/source").status, 204)
        served = try restarted(served, flags, by: signal)
        let again = try served.control("GET", "/state/omnichat/users?changed=true", world: "fork").json["items"]
        #expect(again?.arrayValue?.count == 1 && again?[0]?["old"]?["name"] == "Before")
        expectEqual(again?[0]?["row"]?["name"], "After")
    }

    @Test func `5 a reset of a fork makes the seed its beginning, of one API for that API alone`() throws {
        let folder = try Folder()
        let flags = Served.frozen + ["--state", folder.url.path]
        var served = try Served(flags)
        try rename(served, "Before", world: "main")
        let meals = try served.control("GET", "/state/carbscan/meals?limit=1").json["items"]
        let meal = try #require(meals?[0]?["id"]?.stringValue)
        try expectEqual(served.control("DELETE", "/state/carbscan/meals/\(meal)").status, 204)
        for name in ["one", "all"] { _ = try served.control("POST", "/worlds", #"{"name":"\#(name)","from":"main"}"#) }
        for round in 0..<2 {
            if round == 0 {
                try expectEqual(served.control("POST", "/reset?api=omnichat", world: "one").status, 200)
                try expectEqual(served.control("POST", "/reset", world: "all").status, 200)
            } else {
                served = try restarted(served, flags)
            }
            try expectEqual(changes(served, "omnichat/users", world: "one"), [], "\(round)")
            // The other API of that world is still compared with the fork's beginning, which lacks the meal.
            try expectEqual(changes(served, "carbscan/meals", world: "one"), [], "\(round)")
            try expectEqual(changes(served, "carbscan/meals", world: "all"), [], "\(round)")
            let rows = try served.control("GET", "/state/carbscan/meals?limit=1000", world: "one").json["items"]
            expectEqual(rows?.arrayValue?.contains { $0["id"]?.stringValue == meal }, false, "\(round)")
            try expectEqual(changes(served, "omnichat/users", world: "main").count, 1, "\(round)")
        }
        try rename(served, "New", world: "all")
        try expectEqual(changes(served, "omnichat/users", world: "all").count, 1)
    }

    @Test func `5 a world that is made from a snapshot is compared with the snapshot`() throws {
        let folder = try Folder()
        let flags = Served.frozen + ["--state", folder.url.path]
        var served = try Served(flags)
        try rename(served, "Before", world: "main")
        _ = try served.control("POST", "/snapshots", #"{"name":"kept"}"#)
        try rename(served, "Later", world: "main")
        _ = try served.control("POST", "/worlds", #"{"name":"branch","from":"kept"}"#)
        _ = try served.control("DELETE", "/snapshots/kept")
        for _ in 0..<2 {
            try expectEqual(changes(served, "omnichat/users", world: "branch"), [])
            served = try restarted(served, flags)
        }
    }

    @Test func `4 the QR code of the seed, which is good in every world, is listed in a fork`() throws {
        let served = try Served()
        func codes(_ world: String) throws -> Int {
            let answer = try served.control("GET", "/clock/upcoming?kind=qr&api=trafikskola", world: world)
            return try #require(answer.json["items"]?.arrayValue, "\(answer.text)").count
        }
        // The first use of the API gives its part of the world a state of its own.
        _ = try Wire(port: served.hub).ask("GET", "/trafikskola/api/mobile/config")
        _ = try served.control("PUT", "/settings", #"{"trafikskola":{"otpLimits":"off"}}"#)
        let listed = try codes("main")
        #expect(listed > 0)
        _ = try served.control("POST", "/worlds", #"{"name":"fork","from":"main"}"#)
        try expectEqual(codes("fork"), listed)
    }

    @Test(arguments: users.keys.sorted())
    func `5 a fork counts no session and no token of its source, which it does not take`(api: String) throws {
        let folder = try Folder()
        let flags = Served.frozen + ["--state", folder.url.path]
        var served = try Served(flags)
        let user = try #require(Self.users[api])
        func mint(_ world: String) throws {
            let order = #"{"api":"\#(api)","user":"\#(user)","kind":"access"}"#
            try expectEqual(served.control("POST", "/tokens", order, world: world).status, 201)
        }
        func counts(_ world: String) throws -> [JSON?] {
            let found = try served.control("GET", "/users?api=\(api)&q=\(user)", world: world).json["items"]?[0]
            let listed = try served.control("GET", "/clock/upcoming?kind=access&api=\(api)", world: world)
            return [found?["access"], .integer(Int64(listed.json["items"]?.arrayValue?.count ?? -1))]
        }
        try mint("main")
        let own = try served.control("GET", "/users?api=\(api)&q=\(user)").text
        _ = try served.control("POST", "/worlds", #"{"name":"fork","from":"main"}"#)
        try expectEqual(counts("main"), [1, 1])
        try expectEqual(counts("fork"), [0, 0])
        let foreign = try served.control("GET", "/users?api=\(api)&q=\(user)", world: "fork").json["items"]?[0]
        expectEqual(foreign?["sessions"], 0)
        expectEqual(foreign?["refresh"], 0)
        try mint("fork")
        served = try restarted(served, flags)
        try expectEqual(counts("fork"), [1, 1])
        try expectEqual(served.control("GET", "/users?api=\(api)&q=\(user)").text, own)
    }

    @Test(arguments: users.keys.sorted())
    func `5 a world counts no token of the document of another world, which it does not take`(api: String) throws {
        let folder = try Folder()
        let flags = Served.frozen + ["--state", folder.url.path]
        var served = try Served(flags)
        let user = try #require(Self.users[api])
        func mint(_ world: String) throws {
            let order = #"{"api":"\#(api)","user":"\#(user)","kind":"access"}"#
            try expectEqual(served.control("POST", "/tokens", order, world: world).status, 201)
        }
        func count(_ world: String) throws -> [JSON?] {
            let found = try served.control("GET", "/users?api=\(api)&q=\(user)", world: world).json["items"]?[0]
            let listed = try served.control("GET", "/clock/upcoming?kind=access&api=\(api)", world: world)
            return [found?["access"], .integer(Int64(listed.json["items"]?.arrayValue?.count ?? -1))]
        }
        for name in ["other", "reset"] { _ = try served.control("POST", "/worlds", #"{"name":"\#(name)"}"#) }
        try mint("main")
        let document = try served.control("GET", "/state").text
        for name in ["other", "reset", "main"] {
            try expectEqual(served.control("PUT", "/state", document, world: name).status, 200)
        }
        try mint("other")
        try expectEqual(served.control("POST", "/reset", world: "reset").status, 200)
        try mint("reset")
        for _ in 0..<2 {
            for name in ["main", "other", "reset"] { try expectEqual(count(name), [1, 1], "\(name)") }
            served = try restarted(served, flags)
        }
        // The own document of that world has only its own again.
        _ = try served.control("PUT", "/state", document, world: "main")
        try expectEqual(count("main"), [1, 1])
    }

    @Test func `5 the seed of Trendy depends on the day on which the world began, not on the present one`() throws {
        let used = try Served()
        _ = try Wire(port: used.hub).ask("GET", "/trendy/health")
        let fresh = try Served()
        let before = try fresh.control("GET", "/state/trendy/events?limit=1000").text
        try expectEqual(used.control("GET", "/state/trendy/events?limit=1000").text, before)
        for served in [used, fresh] {
            // From a Wednesday to a Saturday.
            _ = try served.control("POST", "/clock/advance", #"{"by":"P3D"}"#)
            try expectEqual(served.control("GET", "/state/trendy/events?limit=1000").text, before)
            try expectEqual(changes(served, "trendy/events"), [])
            try expectEqual(changes(served, "trendy/changes"), [])
        }
        // A world that begins on that day has the rows of that day.
        _ = try fresh.control("POST", "/reset?keep=clock")
        #expect(try fresh.control("GET", "/state/trendy/events?limit=1000").text != before)
        try expectEqual(changes(fresh, "trendy/events"), [])
    }

    @Test func `5 worlds are compared with the seeds that they began with, also by a process with others`() throws {
        let folder = try Folder([
            "apis/shop/api.json": #"{"tables":{"pets":{}},"resources":[{"path":"/pets","table":"pets"}]}"#,
            "apis/shop/tables/pets.json": #"[{"id":"a","name":"Old"},{"id":"b","name":"Old"}]"#,
        ])
        let flags = Served.frozen + ["--api", "shop", "--state", folder.url.appendingPathComponent("state").path]
        var served = try Served(flags, in: folder)
        _ = try served.control("POST", "/worlds", #"{"name":"made"}"#)
        for name in ["reset", "part", "whole"] { _ = try served.control("POST", "/worlds", #"{"name":"\#(name)"}"#) }
        for name in ["reset", "part"] {
            _ = try served.control("PUT", "/state/shop/pets/a", #"{"id":"a","name":"Mine"}"#, world: name)
        }
        try expectEqual(served.control("POST", "/reset", world: "reset").status, 200)
        try expectEqual(served.control("POST", "/reset?api=shop", world: "part").status, 200)
        _ = try served.control("DELETE", "/state/shop/pets/b", world: "made")
        let seeds = folder.url.appendingPathComponent("apis/shop/tables/pets.json")
        try Data(#"[{"id":"a","name":"New"},{"id":"c","name":"New"}]"#.utf8).write(to: seeds)
        for signal in [SIGTERM, SIGKILL] {
            served.child.signal(signal)
            _ = try served.child.waitForExit()
            served = try Served(flags, in: folder)
            try expectEqual(changes(served, "shop/pets"), [])
            for name in ["reset", "part", "whole"] {
                try expectEqual(changes(served, "shop/pets", world: name), [], "\(name)")
            }
            try expectEqual(changes(served, "shop/pets", world: "made"), ["b deleted"])
        }
        // With the next reset a world begins with the seeds that there are then.
        try expectEqual(served.control("POST", "/reset", world: "whole").status, 200)
        try expectEqual(served.control("POST", "/reset?api=shop", world: "part").status, 200)
        for round in 0..<2 {
            for name in ["whole", "part"] {
                try expectEqual(changes(served, "shop/pets", world: name), [], "\(name) \(round)")
                let rows = try served.control("GET", "/state/shop/pets", world: name).json["items"]?.arrayValue ?? []
                expectEqual(rows.compactMap { $0["id"]?.stringValue }, ["a", "c"], "\(name) \(round)")
            }
            served.child.signal(SIGTERM)
            _ = try served.child.waitForExit()
            served = try Served(flags, in: folder)
        }
    }

    private static let pets = "apis/shop/tables/pets.json"

    private func shop() throws -> Folder {
        try Folder([
            "apis/shop/api.json": #"{"tables":{"pets":{}},"resources":[{"path":"/pets","table":"pets"}]}"#,
            Self.pets: #"[{"id":"a","name":"Old"},{"id":"b","name":"Old"}]"#,
        ])
    }

    private func names(_ served: Served, _ world: String) throws -> [String] {
        let rows = try served.control("GET", "/state/shop/pets", world: world).json["items"]?.arrayValue ?? []
        return rows.map { "\($0["id"]?.stringValue ?? "?") \($0["row"]?["name"]?.stringValue ?? "?")" }
    }

    @Test(arguments: ["main", "made"])
    func `4 the reset of one API changes no fork, no snapshot and no beginning of another world`(world: String) throws {
        let folder = try shop()
        let flags = Served.frozen + ["--api", "shop", "--state", folder.url.appendingPathComponent("state").path]
        var served = try Served(flags, in: folder)
        _ = try served.control("POST", "/worlds", #"{"name":"made"}"#)
        _ = try served.control("POST", "/snapshots", #"{"name":"s"}"#, world: world)
        _ = try served.control("POST", "/worlds", #"{"name":"fork","from":"\#(world)"}"#)
        try folder.write(Self.pets, #"[{"id":"a","name":"New"}]"#)
        func restart() throws {
            served.child.signal(SIGKILL)
            _ = try served.child.waitForExit()
            served = try Served(flags, in: folder)
        }
        try restart()
        try expectEqual(served.control("POST", "/reset?api=shop", world: world).status, 200)
        try restart()
        #expect(try names(served, world) == ["a New"] && changes(served, "shop/pets", world: world) == [])
        try expectEqual(names(served, "fork"), ["a Old", "b Old"])
        try expectEqual(changes(served, "shop/pets", world: "fork"), [])
        try expectEqual(served.control("POST", "/snapshots/s/restore", world: world).status, 200)
        for _ in 0..<2 {
            try expectEqual(names(served, world), ["a Old", "b Old"])
            try expectEqual(changes(served, "shop/pets", world: world).sorted(), ["a changed", "b added"])
            try restart()
        }
    }

    @Test(arguments: [SIGTERM, SIGKILL])
    func `5 an API that is new to a store has the seeds of its first process as its beginning`(signal: Int32) throws {
        let folder = try shop()
        let state = ["--state", folder.url.appendingPathComponent("state").path]
        var served = try Served(Served.frozen + ["--api", "trendy"] + state, in: folder)
        _ = try served.control("POST", "/worlds", #"{"name":"made"}"#)
        _ = try served.control("POST", "/worlds", #"{"name":"fork","from":"made"}"#)
        for round in 0..<3 {
            served.child.signal(signal)
            _ = try served.child.waitForExit()
            if round == 1 { try folder.write(Self.pets, #"[{"id":"a","name":"New"}]"#) }
            served = try Served(Served.frozen + ["--api", "trendy", "shop"] + state, in: folder)
            for world in ["main", "made", "fork"] {
                try expectEqual(names(served, world), ["a Old", "b Old"], "\(world) \(round)")
                try expectEqual(changes(served, "shop/pets", world: world), [], "\(world) \(round)")
            }
        }
    }

    @Test func `5 a scenario of the start is a change of main, with a store and without`() throws {
        let folder = try Folder()
        let flags = Served.frozen + ["--scenario", "omnichat/file-gone"]
        let plain = try Served(flags)
        let expected = try plain.control("GET", "/state/omnichat/files?changed=true").text
        var kept = try Served(flags + ["--state", folder.url.path])
        try expectEqual(kept.control("GET", "/state/omnichat/files?changed=true").text, expected)
        kept = try restarted(kept, flags + ["--state", folder.url.path])
        try expectEqual(kept.control("GET", "/state/omnichat/files?changed=true").text, expected)
    }
}
