import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 2: `validate`.
@Suite(.serialized) struct ValidateTests {
    private func seeds(_ api: String = "omnichat", below root: String = "seeds") throws -> Folder {
        let folder = try Folder()
        for file in try Checkout.seeds(api) {
            try folder.write("\(root)/\(api)/\(file.name)", String(decoding: file.bytes, as: UTF8.self))
        }
        return folder
    }

    private func validate(_ folder: Folder, _ paths: String...) throws -> (
        status: Int32, lines: [String], errors: String
    ) {
        let result = try Program.run(["validate"] + paths, in: folder)
        return (result.status, result.output.split(separator: "\n").map(String.init), result.errors)
    }

    @Test(arguments: ["seeds", "seeds/", "seeds/omnichat", "seeds/omnichat/scenarios", "seeds/omnichat/users.json"])
    func `2 good seeds are 0 and nothing is printed`(path: String) throws {
        let result = try validate(try seeds(), path)
        expectEqual(result.status, 0)
        expectEqual(result.lines, [])
        #expect(result.errors.contains("good"))
    }

    @Test func `2 every problem of every table and scenario, as file, line, path and reason`() throws {
        let folder = try seeds()
        try folder.write("seeds/omnichat/users.json", "[\n  {\"id\": 1},\n  {\n    \"nmae\": \"x\"\n  }\n]")
        try folder.write("seeds/omnichat/conversations.json", "[\n{]")
        try folder.write(
            "seeds/omnichat/scenarios/unicode.json",
            "{\"title\":\"x\",\n\"expect\":\"y\",\n\"faults\":[{}]}"
        )
        try folder.write("seeds/omnichat/mesages.json", "[]")
        for path in ["seeds", "./seeds", "seeds/omnichat"] {
            let result = try validate(folder, path)
            expectEqual(result.status, 1)
            let root = path.hasSuffix("omnichat") ? path : "\(path)/omnichat"
            #expect(result.lines.contains { $0.hasPrefix("\(root)/users.json:2: $[0]") })
            #expect(result.lines.contains { $0.hasPrefix("\(root)/users.json:3: $[1].id: ") })
            #expect(result.lines.contains { $0.hasPrefix("\(root)/conversations.json:2: $: ") })
            #expect(result.lines.contains { $0.hasPrefix("\(root)/scenarios/unicode.json:3: $.faults[0].effect: ") })
            #expect(
                result.lines.contains {
                    $0.hasPrefix("\(root)/mesages.json:1: $: ") && $0.hasSuffix("did you mean messages.json?")
                }
            )
            #expect(
                !result.lines.contains { $0.contains("there is no user") },
                "what follows from rows that are unread"
            )
        }
    }

    @Test func `2 fault files may name custom APIs, those of --apis and of ./apis`() throws {
        let folder = try Folder([
            "apis/shop/api.json": "{}", "mine/zoo/api.json": "{}",
            "shop.json": #"[{"match":{"api":"shop"},"effect":{"status":500}}]"#,
            "zoo.json": #"[{"match":{"api":"zoo"},"effect":{"status":500}}]"#,
        ])
        try expectEqual(validate(folder, "shop.json").status, 0)
        let unknown = try validate(folder, "zoo.json")
        expectEqual(unknown.status, 1)
        expectEqual(unknown.lines.first?.hasPrefix("zoo.json:1: $[0].match.api: must be one of "), true)
        try expectEqual(validate(folder, "zoo.json", "--apis", "mine").status, 0)
        // A mistake in the configuration is told by its own check alone.
        try folder.write("understudy.json", #"{"prot":1}"#)
        let checked = try validate(folder, "understudy.json", "shop.json")
        expectEqual(checked.status, 1)
        #expect(checked.lines.contains { $0.hasPrefix("understudy.json:1: $.prot: ") }, "\(checked)")
    }

    @Test func `2 tables that do not fit together`() throws {
        let folder = try seeds()
        try folder.write("seeds/omnichat/users.json", "[]")
        let result = try validate(folder, "seeds/omnichat/conversations.json")
        expectEqual(result.status, 1)
        #expect(result.lines.allSatisfy { $0.hasPrefix("seeds/omnichat/conversations.json:") })
        expectEqual(result.lines.first?.contains("there is no user"), true)
    }

    @Test func `2 a folder of no API beside the others, from inside and from outside`() throws {
        let folder = try seeds()
        try folder.write("seeds/omnichatt/users.json", "[]")
        let result = try validate(folder, "seeds")
        expectEqual(result.status, 1)
        expectEqual(
            result.lines,
            ["seeds/omnichatt:1: $: there is no API of that name; did you mean omnichat?"],
            "\(result.lines)"
        )
    }

    @Test func `2 a single scenario needs no tables beside it`() throws {
        let folder = try Folder(["omnichat/scenarios/a.json": #"{"title":"x","expect":"y"}"#])
        try expectEqual(validate(folder, "omnichat/scenarios/a.json").status, 0)
        try folder.write("omnichat/scenarios/b.json", "{\n\"title\":\"x\",\"expect\":\"y\",\"setings\":{}}")
        let result = try validate(folder, "omnichat/scenarios")
        expectEqual(result.status, 1)
        expectEqual(result.lines.count, 1)
        expectEqual(result.lines.first?.hasPrefix("omnichat/scenarios/b.json:2: $.setings: "), true)
        try folder.write("lone.json", #"{"title":"x","expect":"y"}"#)
        try expectEqual(validate(folder, "lone.json").lines.first?.contains("omnichat/scenarios/lone.json"), true)
    }

    @Test func `2 fault files`() throws {
        let folder = try Folder([
            "good.json": #"[{"effect":{"status":500}}]"#, "none.json": "[]",
            "bad.json":
                "[\n{\"effect\":{\"status\":99}},\n{\"match\":{\"api\":\"omnichatt\"},\"effect\":{\"body\":\"html\"}}\n]",
        ])
        try expectEqual(validate(folder, "good.json", "none.json").status, 0)
        let result = try validate(folder, "bad.json")
        expectEqual(result.status, 1)
        expectEqual(
            result.lines.map { $0.split(separator: " ").prefix(2).joined(separator: " ") },
            [
                "bad.json:2: $[0].effect.status:", "bad.json:3: $[1].match.api:",
            ]
        )
    }

    @Test func `2 a fault file whose effects are all misspelt is still one, each problem by its path`() throws {
        let folder = try Folder([
            "typo.json": "[\n{\"effct\":{\"status\":500}},\n{\"status\":500}\n]",
            "mixed.json": "[\n{\"effect\":{\"status\":500}},\n5\n]", "single.json": #"{"effect":{"status":500}}"#,
        ])
        let typo = try validate(folder, "typo.json")
        expectEqual(typo.status, 1)
        #expect(typo.lines.contains { $0.hasPrefix("typo.json:2: $[0].effct: unknown member") }, "\(typo.lines)")
        #expect(typo.lines.contains { $0.hasPrefix("typo.json:3: $[1].status: unknown member") }, "\(typo.lines)")
        try expectEqual(validate(folder, "mixed.json").lines, ["mixed.json:3: $[1]: must be an object, found number"])
        let single = try validate(folder, "single.json")
        expectEqual(single.lines, ["single.json:1: $: must be a list of faults, found object"])
    }

    @Test func `2 every problem of one scenario, and of one row`() throws {
        let folder = try seeds()
        try folder.write(
            "seeds/omnichat/scenarios/unicode.json",
            """
            {"title": 7,
            "settings": {"rateLimits": "maybe",
              "rateLimit": "on"},
            "clock": {"advance": "soon"},
            "faults": [{"effct": {}}],
            "latency": {"profile": "4g"},
            "zz": 1}
            """
        )
        let scenario = try validate(folder, "seeds/omnichat/scenarios/unicode.json")
        expectEqual(scenario.status, 1)
        let starts = [
            "1: $.title: expected a string", "1: $.expect: missing", "2: $.settings.rateLimits: ",
            "3: $.settings.rateLimit: ", "4: $.clock.advance: ", "5: $.faults[0].effct: ", "6: $.latency.profile: ",
            "7: $.zz: unknown member",
        ]
        for start in starts {
            let line = "seeds/omnichat/scenarios/unicode.json:\(start)"
            #expect(scenario.lines.contains { $0.hasPrefix(line) }, "\(line) in \(scenario.lines)")
        }
        try folder.write("seeds/omnichat/users.json", "[{\"id\": 5,\n\"tier\": \"nope\",\n\"zz\": 1}]")
        let row = try validate(folder, "seeds/omnichat/users.json")
        for start in ["1: $[0].id: ", "2: $[0].tier: ", "3: $[0].zz: unknown member", "1: $[0].email: missing"] {
            let line = "seeds/omnichat/users.json:\(start)"
            #expect(row.lines.contains { $0.hasPrefix(line) }, "\(line) in \(row.lines)")
        }
    }

    @Test func `2 recordings`() throws {
        let entry =
            #"{"startedDateTime":"2025-01-01T00:00:00Z","time":0,"request":{"method":"GET","url":"http://x/","httpVersion":"","cookies":[],"headers":[],"queryString":[],"headersSize":-1,"bodySize":-1},"response":{"status":200,"statusText":"","httpVersion":"","cookies":[],"headers":[],"content":{"size":0,"mimeType":""},"redirectURL":"","headersSize":-1,"bodySize":-1},"cache":{},"timings":{"send":0,"wait":0,"receive":0}}"#
        func archive(_ entries: String) -> String {
            "{\"log\":{\"version\":\"1.2\",\"creator\":{\"name\":\"x\",\"version\":\"1\"},\"entries\":[\n\(entries)\n]}}"
        }
        let broken = archive(entry + ",\n" + entry.replacingOccurrences(of: #""url":"http://x/","#, with: ""))
        let folder = try Folder([
            "a.har": archive(entry), "b.har": broken, "c.json": archive(entry), "d.har": "{\"log\":",
        ])
        try expectEqual(validate(folder, "a.har", "c.json").status, 0)
        let result = try validate(folder, "b.har")
        expectEqual(result.status, 1)
        expectEqual(result.lines.first?.hasPrefix("b.har:3: $.log.entries[1].request.url: "), true, "\(result.lines)")
        try expectEqual(validate(folder, "d.har").status, 1)
    }

    @Test func `2 configurations, every key of them`() throws {
        let folder = try Folder([
            "understudy.json": "{\n\"port\": 4680,\n\"sed\": 1,\n\"clock\": \"noon\",\n\"quiet\": 3\n}",
            "other.json": "{\"seed\": 7, \"quiet\": true}", "both.json": "{\"quiet\": true, \"verbose\": true}",
        ])
        let result = try validate(folder, "understudy.json")
        expectEqual(result.status, 1)
        expectEqual(result.lines.count, 3)
        expectEqual(result.lines.first, "understudy.json:3: $.sed: unknown key; did you mean seed?")
        expectEqual(result.lines.dropFirst().first?.hasPrefix("understudy.json:4: $.clock: \"noon\" is not real"), true)
        expectEqual(result.lines.last?.hasPrefix("understudy.json:5: $.quiet: "), true)
        try expectEqual(validate(folder, "other.json").status, 0)
        try expectEqual(
            validate(folder, "both.json").lines,
            ["both.json:1: $: --quiet and --verbose can't be combined"]
        )
    }

    @Test func `2 --json lists the problems; nothing wrong is an empty list`() throws {
        let folder = try Folder(["f.json": "[\n{\"effect\":{}}]", "g.json": "[]"])
        let result = try Program.run(["validate", "f.json", "--json"], in: folder)
        expectEqual(result.status, 1)
        let item = result.json[0]
        expectEqual(item?.objectValue?.members.map(\.name), ["file", "line", "path", "reason", "severity"])
        expectEqual(item?["file"], "f.json")
        expectEqual(item?["line"], 2)
        expectEqual(item?["path"], "$[0].effect")
        try expectEqual(Program.run(["validate", "--json", "g.json"], in: folder).output, "[]\n")
    }

    @Test func `2 what it can't tell, it says how it decides`() throws {
        let folder = try Folder(["x.json": "{\"a\":1}", "y.txt": "hello", "empty/z": ""])
        for path in ["x.json", "empty"] {
            let result = try validate(folder, path)
            expectEqual(result.status, 1)
            expectEqual(
                result.lines.first?.hasPrefix("\(path):1: $: can't tell what this is: a recording ends in .har"),
                true
            )
        }
        try expectEqual(validate(folder, "y.txt").lines.first?.hasPrefix("y.txt:1: $: "), true)
    }

    @Test func `2 a document by itself is told where it is checked`() throws {
        let folder = try Folder(["q.yaml": "openapi: 3.0.3", "q.json": #"{"openapi":"3.0.3"}"#])
        for path in ["q.yaml", "q.json"] {
            let result = try validate(folder, path)
            expectEqual(result.status, 1)
            #expect(result.lines.first?.contains("understudy new NAME --openapi FILE") ?? false, "\(result.lines)")
        }
    }

    @Test func `2 no file, or none of that name, is 2`() throws {
        let folder = try Folder(["g.json": "[]"])
        try expectEqual(validate(folder).status, 2)
        let missing = try validate(folder, "g.json", "nope.json")
        expectEqual(missing.status, 2)
        #expect(missing.errors.contains("nope.json: there is no such file"))
        let help = try Program.run(["validate", "--help"]).output.split { $0.isWhitespace }.joined(separator: " ")
        #expect(help.contains("a recording ends in .har"))
    }

    @Test func `2 the seeds of this build are good, all of them`() throws {
        let folder = try Folder()
        for api in Checkout.apis {
            for file in try Checkout.seeds(api) {
                try folder.write("\(api)/\(file.name)", String(decoding: file.bytes, as: UTF8.self))
            }
        }
        let result = try validate(folder, ".")
        expectEqual(result.status, 0, "\(result.lines)")
        expectEqual(result.errors.split(separator: "\n").count, Checkout.apis.count)
    }
}
