import Foundation
import JSON
import TestSupport
import Testing

/// Faults under the words of bug reports and of other tools (control contract, section 8; clients contract, section 9).
@Suite struct SymptomTests {
    private static let symptoms: [(words: [String], effect: String)] = [
        (["captive", "portal", "captive portal"], #"{"body":"html"}"#),
        (["keep-alive", "keepalive", "idle", "stale"], #"{"connection":"empty"}"#),
        (["half-open", "timeout", "drop"], #"{"connection":"stall"}"#), (["redirect", "302"], #""Location""#),
        (["cookie", "Set-Cookie"], #""Set-Cookie""#), (["gzip", "brotli"], #""Content-Encoding""#),
    ]

    @Test func `9 a scenario that there is not is answered with the fault that does it`() throws {
        let served = try Served()
        let page = try String(contentsOf: Checkout.root.appending(path: "docs/faults.md"), encoding: .utf8).lowercased()
        for (words, effect) in Self.symptoms {
            for word in words {
                let found = try Program.run(
                    ["scenario", "list"] + word.split(separator: " ").map(String.init)
                        + ["--url", "http://127.0.0.1:\(served.hub)"]
                )
                #expect(found.errors.contains(effect), "\(word): \(found.errors)")
            }
            #expect(page.contains(words[0].lowercased()) && page.contains(effect.lowercased()), "\(words[0])")
        }
    }

    @Test func `1 a text begins words, and a short one is a whole word`() throws {
        let served = try Served()
        func list(_ text: String) throws -> Program.Result {
            try Program.run(["scenario", "list", text, "--url", "http://127.0.0.1:\(served.hub)"])
        }
        for word in ["RST", "hang", "br"] {
            let found = try list(word)
            #expect(found.output.isEmpty && found.errors.contains("Use a fault instead: "), "\(word): \(found.output)")
        }
        for (word, name) in [("conv", "omnichat/"), ("cut-mid", "omnichat/stream-cut-midway"), ("401", "401")] {
            #expect(try list(word).output.contains(name), "\(word)")
        }
    }

    @Test func `9 unknown words of fault add are answered with what does it`() throws {
        let served = try Served()
        let url = ["--url", "http://127.0.0.1:\(served.hub)"]
        for (kind, meant) in [
            ("drop", "stall"), ("half-open", "stall"), ("timeout", "stall"), ("keep-alive", "empty"), ("rst", "reset"),
            ("stal", "stall"), ("captive", #"{"body":"html"}"#),
        ] {
            let refused = try Program.run(["fault", "add", "--connection", kind] + url)
            expectEqual(refused.status, 1)
            // The reason is told once.
            expectEqual(refused.errors.components(separatedBy: "did you mean \(meant)?").count, 2, refused.errors)
        }
        for (flag, meant) in [
            ("--cut-after", "--after-bytes"), ("--bytes", "--after-bytes"), ("--reset-after", "--after-bytes"),
            ("--timeout", "--connection stall"), ("--stall", "--connection stall"),
            ("--keep-alive", "--connection empty"),
            ("--drift", #"fault add '{"effect":{"drift":{"remove":"data.user.email"}}}'"#),
        ] {
            let refused = try Program.run(["fault", "add", "--connection", "reset", flag, "10"] + url)
            expectEqual(refused.status, 2)
            #expect(refused.errors.contains("did you mean \(meant)?"), "\(flag): \(refused.errors)")
        }
        let added = try Program.run(["fault", "add", "--connection", "reset", "--after-bytes", "10", "--json"] + url)
        expectEqual(added.json["effect"], ["connection": "reset", "afterBytes": 10])
        try expectEqual(Program.run(["fault", "add", "--status", "500", "--after-bytes", "10"] + url).status, 2)
        try expectEqual(Program.run(["fault", "add", "--connection", "reset", "--after-bytes", "-1"] + url).status, 2)
    }

    @Test func `9 words that are none of scenarios, latencies and bodies are answered with the fault`() throws {
        let served = try Served()
        let url = ["--url", "http://127.0.0.1:\(served.hub)"]
        for (words, meant) in [
            (["scenario", "on", "gzip"], "Use a fault instead: {\"respond\":"),
            (["scenario", "on", "trendy/redirect"], "Use a fault instead: {\"respond\":"),
            (["scenario", "off", "keep-alive"], "Use a fault instead: {\"connection\":\"empty\"}"),
            (["scenario", "on", "captive"], "Use a fault instead: {\"body\":\"html\"}"),
            (["latency", "captive-portal"], "Use a fault instead: {\"body\":\"html\"}"),
            (["fault", "add", #"{"effect":{"body":"captive-portal"}}"#], "did you mean html?"),
            (["fault", "add", #"{"effect":{"body":"gzip"}}"#], "did you mean {\"respond\":"),
            (["fault", "add", "captive-portal"], "did you mean fault add '{\"effect\":{\"body\":\"html\"}}'?"),
        ] {
            let refused = try Program.run(words + url)
            #expect(refused.status != 0 && refused.errors.contains(meant), "\(words): \(refused.errors)")
            #expect(!refused.errors.contains(" more"), "\(words): \(refused.errors)")
        }
        let file = try Program.run(["fault", "add", "timeout.json"] + url)
        #expect(file.status == 2 && !file.errors.contains("did you mean"), "\(file.errors)")
    }

    @Test func `1 a flag of one value takes no other one`() throws {
        for words in [
            ["openapi", "--api", "trendy", "--api", "sawaed"], ["openapi", "--api=trendy", "--api=sawaed"],
            ["config", "--seed", "1", "--seed", "2"], ["config", "--admin-token", "a", "--admin-token", "b"],
        ] {
            let refused = try Program.run(words)
            #expect(refused.status == 2 && refused.errors.contains(" takes one value, but two"), "\(words)")
        }
        try expectEqual(Program.run(["openapi", "--api", "trendy", "--api", "trendy"]).status, 0)
        try expectEqual(Program.run(["routes", "--api", "trendy", "--api", "sawaed"]).status, 0)
    }

    @Test func `9 openapi takes the API by the flag of the other commands too`() throws {
        let plain = try Program.run(["openapi", "trendy"])
        let named = try Program.run(["openapi", "--api", "trendy"])
        #expect(named.status == 0 && named.output == plain.output)
        try expectEqual(Program.run(["openapi", "--api", "trendi"]).status, 2)
        try expectEqual(Program.run(["openapi", "trendy", "--api", "trendy"]).status, 2)
    }

    @Test func `12 a report is for all whom the umask lets, and a world's document for its owner`() throws {
        let folder = try Folder([
            "a.har": #"{"log":{"version":"1.2","creator":{"name":"x","version":"1"},"entries":[]}}"#
        ])
        func mode(_ name: String) throws -> Int? {
            let path = folder.url.appendingPathComponent(name).path
            return try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        for (umask, expected) in [("022", 0o644), ("002", 0o664), ("077", 0o600)] {
            let child = try Child(
                [
                    "conduct", "--api", "omnichat", "--format", "junit=rep.xml", "--write-baseline", "base.json",
                    "a.har",
                ],
                in: folder,
                prelude: "umask \(umask)"
            )
            _ = try child.waitForExit()
            try expectEqual(mode("rep.xml"), expected, try child.errors())
        }
        let served = try Served()
        let url = ["--url", "http://127.0.0.1:\(served.hub)"]
        try expectEqual(Program.run(["state", "export", "w.json"] + url, in: folder).status, 0)
        try expectEqual(mode("w.json"), 0o600)
    }
}
