import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 2: the commands that run to their end.
@Suite(.serialized) struct CommandTests {
    @Test func `without a command the help is printed and the code is 2`() throws {
        let bare = try Program.run([])
        expectEqual(bare.status, 2)
        #expect(bare.output.isEmpty)
        #expect(bare.errors.contains("usage: understudy <command> [flags]"))
        for flag in ["-h", "--help"] {
            let help = try Program.run([flag])
            expectEqual(help.status, 0)
            #expect(help.output.contains("serve"))
        }
        #expect(try Program.run(["--version"]).output.hasPrefix("understudy "))
        #expect(try Program.run(["serve", "--help"]).output.contains("--world-required"))
        try expectEqual(Program.run(["token", "-h"]).status, 0)
    }

    @Test(arguments: [
        (["serve", "--prot", "1"], "unknown flag --prot; did you mean --port?"),
        (["serv"], "unknown command \"serv\"; did you mean serve?"),
        (["serve", "--port", "banana"], "--port: \"banana\" is not a whole number from 0 to 65535"),
        (["serve", "--port"], "--port needs a value"), (["serve", "--quiet=yes"], "--quiet takes no value"),
        (["serve", "extra"], "unexpected argument \"extra\""),
        (["serve", "--api", "omnichatt"], "there is no API \"omnichatt\""),
        (["serve", "--clock", "noon"], "--clock: \"noon\" is not real"),
        (["serve", "--seed", "-1"], "--seed: \"-1\" is not a whole number"),
        (["serve", "--seeds", "no-such-folder"], "--seeds: there is no folder \"no-such-folder\""),
        (["serve", "--config", "no-such.json"], "no-such.json: there is no such file"),
        (["serve", "--quiet", "--verbose"], "--quiet and --verbose can't be combined"),
        (
            ["serve", "--port", "0", "--scenario", "omnichat/unicorn"],
            "there is no scenario \"omnichat/unicorn\"; did you mean omnichat/unicode?"
        ),
        (
            ["serve", "--port", "0", "--scenario", "omnichat/nothing-like-it"],
            "there is no scenario \"omnichat/nothing-like-it\"; understudy scenarios lists all"
        ),
        (["token", "--user", "x"], "token needs --api NAME"),
        (["token", "--api", "omnichat"], "token needs --user WHO"),
        (
            ["token", "--api", "omnichatt", "--user", "x"],
            "there is no API \"omnichatt\" (known: \(Checkout.apis.joined(separator: ", "))); did you mean omnichat?"
        ),
        (["token", "--api", "omnichat", "--user", "x", "--kind", "acces"], "did you mean access?"),
        (["serve", "--limit", "conections=5"], "did you mean connections?"),
        (["serve", "--host", "nope"], "--host: \"nope\" is not a numeric address"),
        (["serve", "--latency", "3gg"], "--latency: there is no profile \"3gg\""),
        (["serve", "--latency", "3gg"], "did you mean 3g?"),
        (["serve", "--faults", "no-such.json"], "--faults: no-such.json: there is no such file"),
        (["serve", "--limit", "fault=5"], "did you mean faults?"),
        (["serve", "--allow-prefer=yes"], "--allow-prefer takes no value"),
        (["serve", "--limit", "body=0"], "\"body=0\" is not NAME=N"),
        (["serve", "--prot", "1"], "understudy serve --help lists its flags"),
        (["serv"], "understudy --help lists the commands\n"),
        (["exec", "echo", "hi"], "unexpected argument \"echo\"; the program comes after --"),
        (["diff", "none.har", "--api", "omnichat", "--clock", "real"], "unknown flag --clock"),
        (
            ["record", "--api", "Ca ts", "--upstream", "http://127.0.0.1:9"],
            "--api: \"Ca ts\": "
        ),
        (["openapi"], "openapi needs a name"), (["routes", "--jsn"], "unknown flag --jsn; did you mean --json?"),
    ])
    func `a command line that can't be taken is 2 and says why`(words: [String], reason: String) throws {
        let result = try Program.run(words)
        expectEqual(result.status, 2)
        #expect(result.errors.contains(reason), "\(result.errors)")
        #expect(result.output.isEmpty)
    }

    @Test func `7 scenarios that users add are listed with the others`() throws {
        let folder = try Folder([
            "mine/omnichat/scenarios/mine.json": #"{"title":"Mine","expect":"Yes"}"#,
            "understudy.json": #"{"port":5000}"#,
        ])
        let listed = try Program.run(["scenarios", "--seeds", "mine", "--json"], in: folder).json.arrayValue ?? []
        let mine: JSON = ["name": "omnichat/mine", "title": "Mine", "expect": "Yes"]
        #expect(listed.contains(mine))
        #expect(listed.contains { $0["name"] == "omnichat/file-gone" })
        let text = try Program.run(["scenarios", "--api", "omnichat", "--seeds", "mine"], in: folder).output
        #expect(text.contains("omnichat/mine "))
        try expectEqual(Program.run(["scenarios", "--seeds", "nope"], in: folder).status, 2)
    }

    @Test func `routes, scenarios and documents are printed`() throws {
        let routes = try Program.run(["routes", "--api", "omnichat", "--json"])
        expectEqual(routes.status, 0)
        expectEqual(routes.json.arrayValue?.count, 19)
        expectEqual(
            routes.json[0]?.text,
            #"{"api":"omnichat","method":"POST","path":"/api/v1/auth/apple","status":"documented","summary":"Signs in with an Apple identity token"}"#
        )
        let text = try Program.run(["routes", "--api", "omnichat"]).output
        #expect(text.hasPrefix("omnichat (19 endpoints)\n"))
        #expect(text.contains("beyond the document"))
        let scenarios = try Program.run(["scenarios", "--api", "omnichat", "--json"])
        expectEqual(scenarios.json.arrayValue?.count, 43)
        try expectEqual(Program.run(["scenarios", "--api", "omnichat"]).output.split(separator: "\n").count, 43)
        for name in ["omnichat", "control"] {
            let document = try Program.run(["openapi", name])
            expectEqual(document.status, 0)
            expectEqual(document.json["openapi"]?.stringValue, "3.1.0")
        }
    }

    @Test func `8 a fault file that does not fit is 2, with file, line and path`() throws {
        let folder = try Folder(["faults.json": "[\n{\"effect\":{\"stat\":500}},\n{\"effect\":{\"status\":5}}]"])
        let result = try Program.run(["serve", "--port", "0", "--faults", "faults.json"], in: folder)
        expectEqual(result.status, 2)
        #expect(result.errors.contains("faults.json:2: $[0].effect: must have exactly one of status, respond, delay"))
        #expect(result.errors.contains("faults.json:3: $[1].effect.status: must be a whole number from 200 to 599"))
    }

    @Test func `9 config prints the numbers of the profiles`() throws {
        let text = try Program.run(["config"]).output
        #expect(text.contains("\n3g                200 ms, 97500 bytes/s, 41250 bytes/s up\n"))
        #expect(text.contains("100-loss          nothing arrives"))
        let secrets = try Program.run(["config", "--admin-token", "hush-a", "--proxy-token", "hush-p"]).output
        #expect(!secrets.contains("hush"), "\(secrets)")
        let json = try Program.run(["config", "--latency", "edge", "--json"]).json
        expectEqual(json.arrayValue?.contains(["name": "latency", "value": "edge", "origin": "flag"]), true)
        expectEqual(json.arrayValue?.contains { $0["name"] == "latencyProfiles.edge" }, true)
    }

    @Test(arguments: [
        ["serve", "--prot", "--help"], ["serve", "--port", "-h"], ["routes", "--api", "--help"],
        ["openapi", "nothing", "more", "-h"], ["token", "--help", "--state", "odd"],
        ["exec", "--prot", "-h", "--", "x"],
    ])
    func `2 help is given whatever else is wrong with the line`(words: [String]) throws {
        let result = try Program.run(words)
        expectEqual(result.status, 0)
        #expect(result.output.hasPrefix("understudy \(words[0]): "), "\(result.errors)")
    }

    @Test func `2 the help says what the environment sets only where that is so`() throws {
        for (command, isConfigurable) in [
            ("serve", true), ("exec", true), ("token", true), ("config", true), ("scenarios", true),
            ("routes", false), ("validate", false),
        ] {
            let text = try Program.run([command, "--help"]).output
            expectEqual(text.contains("UNDERSTUDY_NAME in the environment"), isConfigurable, "\(command)")
        }
    }

    // MARK: Configuration

    private func config(_ flags: [String] = [], _ environment: [String: String] = [:], _ file: String? = nil) throws
        -> Program.Result
    {
        try Program.run(
            ["config", "--json"] + flags,
            environment: environment,
            in: try Folder(file.map { ["understudy.json": $0] } ?? [:])
        )
    }

    private func row(_ result: Program.Result, _ name: String) -> String {
        let item = result.json.arrayValue?.first { $0["name"]?.stringValue == name }
        return "\(item?["value"]?.stringValue ?? "") from \(item?["origin"]?.stringValue ?? "")"
    }

    @Test func `a flag beats the environment, that the file, that the default`() throws {
        let file = "{\n  \"seed\": 7,\n  \"port\": 0,\n  \"worldRequired\": true,\n  \"api\": [\"omnichat\"]\n}"
        expectEqual(row(try config(), "seed"), "42 from default")
        expectEqual(row(try config(), "config"), "none from default")
        expectEqual(row(try config([], [:], file), "config"), "understudy.json from default")
        expectEqual(row(try config([], [:], file), "seed"), "7 from understudy.json:2")
        expectEqual(row(try config([], ["UNDERSTUDY_SEED": "8"], file), "seed"), "8 from environment")
        let all = try config(["--seed", "9"], ["UNDERSTUDY_SEED": "8", "UNDERSTUDY_QUIET": "1"], file)
        expectEqual(row(all, "seed"), "9 from flag")
        expectEqual(row(all, "port"), "0 from understudy.json:3")
        expectEqual(row(all, "worldRequired"), "true from understudy.json:4")
        expectEqual(row(all, "quiet"), "true from environment")
        expectEqual(row(all, "logFormat"), "text from default")
    }

    @Test func `2 config shows every limit that holds, each with where it came from`() throws {
        let usual = try config()
        for (name, number) in [
            ("request-line", 8_192), ("header-section", 65_536), ("header-fields", 200), ("body", 20_971_520),
            ("json-depth", 64), ("multipart-parts", 100), ("connections", 4_096), ("head-seconds", 30),
            ("body-seconds", 60), ("idle-seconds", 75), ("worlds", 10_000), ("faults", 1_000), ("gates", 1_000),
        ] {
            expectEqual(row(usual, "limit.\(name)"), "\(number) from default")
        }
        let set = try config(["--limit", "faults=5", "head-seconds=7"])
        expectEqual(row(set, "limit.faults"), "5 from flag")
        expectEqual(row(set, "limit.head-seconds"), "7 from flag")
        expectEqual(row(set, "limit.gates"), "1000 from default")
    }

    @Test func `2 an empty list of APIs is refused, since it would leave a server without any`() throws {
        for result in [try config(["--api", ""]), try config(["--api", ","]), try config([], ["UNDERSTUDY_API": ""])] {
            expectEqual(result.status, 2)
            #expect(result.errors.contains(": names no API"), "\(result.errors)")
        }
    }

    @Test func `the admin token is not shown`() throws {
        let result = try config(["--admin-token", "s3cret"])
        expectEqual(row(result, "adminToken"), "(set) from flag")
        #expect(!result.output.contains("s3cret"))
    }

    @Test func `an unknown variable under the prefix is a warning with the nearest`() throws {
        let result = try config([], ["UNDERSTUDY_SEDE": "8", "UNDERSTUDY_OMNICHAT_URL": "http://x"])
        expectEqual(result.status, 0)
        expectEqual(
            result.errors,
            "understudy: warning: unknown environment variable UNDERSTUDY_SEDE; did you mean UNDERSTUDY_SEED?\n"
        )
    }

    @Test(arguments: [
        ["scenarios", "--api", "omnichat"],
        ["token", "--api", "omnichat", "--user", "test@icloud.com"],
    ]) func `2 an unknown variable is a warning of every command that reads the environment`(_ words: [String]) throws {
        let result = try Program.run(words, environment: ["UNDERSTUDY_SEDE": "8"])
        expectEqual(result.status, 0)
        #expect(!result.output.isEmpty)
        expectEqual(
            result.errors,
            "understudy: warning: unknown environment variable UNDERSTUDY_SEDE; did you mean UNDERSTUDY_SEED?\n"
        )
    }

    @Test func `a variable that does not fit is an error with its name`() throws {
        for (name, value) in [("UNDERSTUDY_PORT", "x"), ("UNDERSTUDY_QUIET", "maybe")] {
            let result = try config([], [name: value])
            expectEqual(result.status, 2)
            #expect(result.errors.contains("\(name): \"\(value)\""), "\(result.errors)")
        }
    }

    @Test(arguments: [
        ("{\n  \"seed\": 7,\n  \"sedes\": 1\n}", "understudy.json:3: $.sedes: unknown key; did you mean seeds?"),
        ("{\n  \"seed\": true\n}", "understudy.json:2: $.seed: expected a string or a whole number, found boolean"),
        ("{\n  \"seed\": 7,,\n}", "understudy.json:2: $: "),
        ("[]", "understudy.json:1: $: expected an object, found array"),
        ("{\n\n  \"port\": 70000\n}", "understudy.json:3: port: \"70000\" is not a whole number"),
    ])
    func `a broken configuration file is named with its line`(text: String, fault: String) throws {
        let result = try config([], [:], text)
        expectEqual(result.status, 2)
        #expect(result.errors.contains(fault), "\(result.errors)")
    }

    // MARK: Seeds

    @Test func `a broken seed folder is refused with file, line, path and reason`() throws {
        let root = Checkout.root.appendingPathComponent("seeds/omnichat")
        let folder = try Folder()
        for name in try FileManager.default.contentsOfDirectory(atPath: root.path) where name.hasSuffix(".json") {
            let text = String(decoding: try Data(contentsOf: root.appendingPathComponent(name)), as: UTF8.self)
            try folder.write("mine/omnichat/\(name)", text)
        }
        try folder.write("mine/omnichat/plans.json", "[\n  {\n    \"id\": 5\n  }\n]\n")
        let wrong = try Program.run(["serve", "--port", "0", "--seeds", "mine"], in: folder)
        expectEqual(wrong.status, 2)
        #expect(wrong.output.isEmpty)
        #expect(wrong.errors.contains("understudy: mine/omnichat/plans.json:3: $[0].id: "), "\(wrong.errors)")
        try folder.write("mine/omnichat/plans.json", "[\n  {\n    oops\n")
        let broken = try Program.run(["serve", "--port", "0", "--seeds", "mine"], in: folder)
        expectEqual(broken.status, 2)
        #expect(broken.errors.contains("understudy: mine/omnichat/plans.json:3: $: "), "\(broken.errors)")
        let missing = try Program.run(["serve", "--port", "0", "--seeds", "."], in: folder)
        expectEqual(missing.status, 2)
        #expect(missing.errors.contains("./mine:1: $: there is no API of that name"), "\(missing.errors)")
        try folder.write("empty/readme.txt", "")
        let empty = try Program.run(["serve", "--port", "0", "--seeds", "empty"], in: folder)
        expectEqual(empty.status, 2)
        #expect(empty.errors.contains("has no folder named after an API"), "\(empty.errors)")
    }
}
