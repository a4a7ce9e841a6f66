import Foundation
import TestSupport
import Testing

/// Control contract, section 2: the error for an unknown flag, key or variable always names the nearest known one.
@Suite(.serialized) struct NearestNameTests {
    @Test(arguments: [
        ("--log", "--log-format"), ("--admin", "--admin-token"), ("--world", "--world-required"),
        ("--require-world", "--world-required"), ("--state-dir", "--state"), ("--port-omni", "--port-omnichat"),
        ("--port-trendi", "--port-trendy"), ("--conf", "--config"), ("--journal", "--journal-bytes"),
        ("--token", "--admin-token"), ("--lim", "--limit"), ("--seeds-dir", "--seeds"), ("--SEED", "--seed"),
        ("--latency-profile", "--latency"), ("--hlep", "--help"), ("--colck", "--clock"),
        ("--prefer", "--allow-prefer"),
    ])
    func `2 an unknown flag is told the nearest`(typed: String, meant: String) throws {
        let result = try Program.run(["serve", typed])
        expectEqual(result.status, 2)
        #expect(
            result.errors.hasPrefix("understudy: unknown flag \(typed); did you mean \(meant)?\n"),
            "\(result.errors)"
        )
    }

    @Test func `2 one that is like none is told one all the same`() throws {
        let result = try Program.run(["serve", "--xyzzy"])
        #expect(result.errors.contains("unknown flag --xyzzy; did you mean --"), "\(result.errors)")
    }

    @Test func `2 an unknown key and an unknown variable are told the nearest`() throws {
        let folder = try Folder()
        for (key, meant) in [("world", "worldRequired"), ("admin_token", "adminToken"), ("journal", "journalBytes")] {
            try folder.write("understudy.json", "{\"\(key)\": 1}")
            let result = try Program.run(["config"], in: folder)
            expectEqual(result.status, 2)
            #expect(result.errors.contains("$.\(key): unknown key; did you mean \(meant)?"), "\(result.errors)")
        }
        try folder.write("understudy.json", "{\"config\": \"other.json\"}")
        #expect(
            try Program.run(["config"], in: folder).errors.contains("$.config: a configuration file can't name another")
        )
        try folder.write("understudy.json", "{}")
        let result = try Program.run(["config"], environment: ["UNDERSTUDY_WORLD_REQ": "1"], in: folder)
        expectEqual(result.status, 0)
        #expect(
            result.errors.contains("UNDERSTUDY_WORLD_REQ; did you mean UNDERSTUDY_WORLD_REQUIRED?"),
            "\(result.errors)"
        )
    }

    @Test func `2 every problem of the configuration file is told at once`() throws {
        let folder = try Folder(["understudy.json": "{\"port\": \"x\",\n\"prot\": 1,\n\"clock\": \"noon\"}"])
        for words in [["serve"], ["config"], ["record", "--api", "a", "--upstream", "http://127.0.0.1:9"]] {
            let result = try Program.run(words, in: folder)
            expectEqual(result.status, 2)
            let lines = result.errors.split(separator: "\n").map(String.init)
            expectEqual(lines.count, 3, "\(result.errors)")
            for (line, start) in zip(lines, ["1: $.port", "2: $.prot", "3: $.clock"]) {
                #expect(line.contains("understudy.json:\(start): "), "\(line)")
            }
        }
    }

    @Test func `2 the limits of a configuration file are an object or a list`() throws {
        let folder = try Folder()
        for text in [#"{"limit":{"faults":5,"gates":6}}"#, #"{"limit":["faults=5","gates=6"]}"#] {
            try folder.write("understudy.json", text)
            let result = try Program.run(["config"], in: folder)
            expectEqual(result.status, 0, "\(result.errors)")
            #expect(result.output.contains("\nlimit.faults      5  (understudy.json:1)\n"), "\(result.output)")
            #expect(result.output.contains("\nlimit.gates       6  (understudy.json:1)\n"), "\(result.output)")
            #expect(result.output.contains("\nlimit.worlds      10000  (default)\n"), "\(result.output)")
        }
        for (text, reason) in [
            (#"{"limit":{"fault":5}}"#, "did you mean faults?"),
            (#"{"limit":{"faults":0}}"#, "\"faults=0\" is not NAME=N"),
            (
                #"{"limit":{"faults":"5"}}"#,
                "expected an object such as {\"faults\":100} or a list of strings such as \"faults=100\", found object"
            ),
            (#"{"quiet":1}"#, "expected true or false, found number"),
            (#"{"seed":[1]}"#, "expected a string or a whole number, found array"),
        ] {
            try folder.write("understudy.json", text)
            let result = try Program.run(["config"], in: folder)
            expectEqual(result.status, 2)
            #expect(result.errors.contains(reason), "\(result.errors)")
        }
    }
}
