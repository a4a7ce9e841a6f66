import Foundation
import JSON
import TestSupport
import Testing

/// Clients contract, sections 1 and 2: what the command line proposes to somebody who guesses.
@Suite struct CommandProposalTests {
    private static let nowhere = ["UNDERSTUDY_URL": "http://127.0.0.1:1"]

    @Test(arguments: [
        (["start"], "unknown command \"start\"; did you mean serve?"), (["status"], "did you mean health?"),
        (["report"], "did you mean conduct?"), (["advance", "15m"], "did you mean clock advance?"),
        (["-v"], "did you mean --version?"), (["logs"], "did you mean log?"), (["scenrio"], "did you mean scenario?"),
        (["clock", "show"], "did you mean clock?"), (["clock", "resume"], "did you mean clock run?"),
        (["clock", "frezee"], "did you mean clock freeze?"), (["world", "create", "a"], "did you mean world new?"),
        (["world", "rm", "a"], "did you mean world delete?"),
        (["snapshot", "save", "a"], "did you mean snapshot take?"),
        (["snapshot", "load", "a"], "did you mean snapshot restore?"),
        (["fault", "rm", "a"], "did you mean fault delete?"),
        (["fault", "disable", "a"], "did you mean fault off?"),
        (["scenario", "activate", "a/b"], "did you mean scenario on?"),
        (["gate", "open", "a"], "did you mean gate release?"),
        (["requests", "list"], "did you mean log?"),
        (["settings", "carbscan.apple.mode"], "did you mean settings get carbscan.apple.mode?"),
        (["state", "save", "a"], "did you mean state export?"),
        (["scenario", "omnichat/file-gone"], "did you mean scenario on omnichat/file-gone?"),
        (["requests", "req_1"], "did you mean requests show req_1?"),
        (["--world", "a", "clock"], "flags follow the command, as in understudy log --world\n"),
        (["--json=1", "clock"], "flags follow the command, as in understudy log --json\n"),
        (["--port", "1"], "did you mean serve --port?"),
        (
            ["reset", "omnichat"],
            "unexpected argument \"omnichat\"; usage: understudy reset [--api NAME] [--keep-clock]"
        ),
    ])
    func `1 a word of another tool proposes ours`(words: [String], reason: String) throws {
        let found = try Program.run(words, environment: Self.nowhere)
        #expect(found.status == 2 && found.output.isEmpty)
        #expect(found.errors.contains(reason), "\(found.errors)")
    }

    @Test func `1 a word like none of the actions lists them and proposes none`() throws {
        let found = try Program.run(["clock", "banana"], environment: Self.nowhere)
        expectEqual(found.status, 2)
        expectEqual(
            found.errors,
            "understudy: clock has no \"banana\": it has advance, freeze, set, run, upcoming\n"
                + "understudy clock --help lists its flags\n"
        )
    }

    @Test func `1 what is wrong in a file does not send to the help of the flags`() throws {
        let folder = try Folder(["bad.json": "{", "apis/shop/api.json": "{}"])
        for words in [
            ["verify", "none.json"], ["verify", "bad.json"], ["fault", "add", "bad.json"], ["new", "shop"],
            ["state", "import", "bad.json"],
        ] {
            let found = try Program.run(words, environment: Self.nowhere, in: folder)
            expectEqual(found.status, 2, "\(words)")
            #expect(!found.errors.contains("lists its flags"), "\(found.errors)")
        }
        try folder.write("apis/UPPER/api.json", "{}")
        let upper = try Program.run(["serve", "--port", "0"], in: folder)
        #expect(upper.status == 2 && !upper.errors.contains("lists its flags"), "\(upper.errors)")
        #expect(try Program.run(["verify"], in: folder).errors.contains("understudy verify --help lists its flags"))
    }

    @Test func `1 a server that asks for its token says how a command gives it`() throws {
        let served = try Served(["--admin-token", "sesame", "--api", "omnichat"])
        let variables = ["UNDERSTUDY_URL": "http://127.0.0.1:\(served.hub)"]
        let none = try Program.run(["clock"], environment: variables)
        #expect(none.status == 1 && none.errors.contains("set it with --admin-token T or UNDERSTUDY_ADMIN_TOKEN"))
        let wrong = try Program.run(["clock", "--admin-token", "x"], environment: variables)
        #expect(wrong.status == 1 && wrong.errors.contains("is not this server's"), "\(wrong.errors)")
        try expectEqual(Program.run(["clock", "--admin-token", "sesame"], environment: variables).status, 0)
    }

    @Test func `1 world urls takes one API, and a list that is one too long is shown whole`() throws {
        let served = try Served()
        let variables = ["UNDERSTUDY_URL": "http://127.0.0.1:\(served.hub)"]
        let urls = try Program.run(["world", "urls", "main", "--api", "trendy"], environment: variables)
        let rows = urls.output.split(separator: "\n").map { $0.split(separator: " ")[0] }
        expectEqual(rows, ["API", "trendy"], "\(urls.output)")
        let profile = try Program.run(["latency", "modem"], environment: variables)
        #expect(profile.errors.hasSuffix("100-loss, none\n"), "\(profile.errors)")
    }

    @Test func `2 completion offers what an action can act on`() throws {
        let served = try Served()
        // A busy machine may take longer than completion waits for the server; then it is asked again.
        func offers(_ words: String..., expected: [String], url: Int? = nil) throws {
            let variables = ["UNDERSTUDY_URL": "http://127.0.0.1:\(url ?? served.hub)"]
            try Deadline().wait(for: "\(words) to offer \(expected)") {
                let result = try Program.run(["__complete"] + words, environment: variables)
                #expect(result.status == 0 && result.errors.isEmpty)
                return result.output.split(separator: "\n").map(String.init) == expected
            }
        }
        _ = try served.control("PUT", "/scenarios/omnichat/stream-cut-midway")
        try offers("scenario", "off", "", expected: ["omnichat/stream-cut-midway"])
        try offers("scenario", "on", "omnichat/stream-cut", expected: [])
        _ = try served.control("POST", "/faults", #"{"effect":{"status":500},"match":{"path":"/none"}}"#)
        try offers("fault", "off", "", expected: ["flt_1"])
        try offers("fault", "on", "", expected: [])
        _ = try served.control("PATCH", "/faults/flt_1", #"{"enabled":false}"#)
        try offers("fault", "off", "", expected: [])
        try offers("fault", "on", "", expected: ["flt_1"])
        try offers("world", "delete", "", expected: [])
        _ = try served.control("POST", "/worlds", #"{"name":"checkout"}"#)
        try offers("world", "delete", "", expected: ["checkout"])
        _ = try served.chat("GET", "/nowhere")
        try offers("requests", "show", "", expected: ["req_1"])
        try offers("token", "--api", "omnichat", "--user", "p", expected: ["power@omnichat.test"])
        try offers("token", "--api", "omnichat", "--user", "p", expected: ["power@omnichat.test"], url: 1)
        try offers("settings", "set", "carbscan.apple.configured", "", expected: ["true", "false"])
        try offers("settings", "set", "carbscan.apple.mode", "", expected: [])
        // Two requests wait at the gate; one that is typed already is not offered again.
        _ = try served.control("POST", "/gates", #"{"name":"g1","match":{"path":"/api/v1/held"}}"#)
        let waiting = try (0..<2).map { _ in try Wire(port: served.api) }
        for wire in waiting { try wire.send(Wire.request("GET", "/api/v1/held")) }
        var held: [String] = []
        try Deadline().wait(for: "two requests at the gate") {
            held = try served.control("GET", "/gates/g1").json["held"]?.arrayValue?.compactMap(\.stringValue) ?? []
            return held.count == 2
        }
        try offers("gate", "release", "g1", "", expected: held)
        try offers("gate", "release", "g1", held[0], "", expected: [held[1]])
    }
}
