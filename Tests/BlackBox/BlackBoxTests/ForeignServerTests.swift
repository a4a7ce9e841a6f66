import Foundation
import JSON
import TestSupport
import Testing

/// Commands that ask something else than a running Understudy (clients contract, section 1).
@Suite struct ForeignServerTests {
    private static func raw(_ body: String, type: String = "application/json", status: String = "200 OK") -> String {
        "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    /// A text that would steer a terminal, as JSON spells it.
    private static let escape = "\\u001b[31mX\\u001b]0;t\\u0007\\u009b2J\\u202e"

    /// Every member that a command shows.
    private static let hostile: String = {
        let names = [
            "id", "name", "world", "now", "at", "mode", "api", "method", "path", "query", "outcome", "route", "user",
            "fault",
            "gate", "scenario", "title", "expect", "token", "detail", "source", "createdAt", "to", "subject", "kind",
            "what",
            "email", "startedAt", "peer", "stub", "profile", "type",
        ]
        let members = names.map { "\"\($0)\":\"\(escape)\"" }.joined(separator: ",")
        let item = "{\(members),\"status\":200,\"seq\":1,\"ms\":1,\"active\":true}"
        return
            "{\(members),\"items\":[\(item)],\"changed\":[\"\(escape)\"],\"urls\":{\"a\":\"\(escape)\"},\"cancelled\":0}"
    }()

    private static func isSteering(_ text: String) -> Bool {
        text.unicodeScalars.contains {
            $0.value < 0x20 && $0 != "\n" && $0 != "\t" || (0x7F...0x9F).contains($0.value) || $0 == "\u{202E}"
        }
    }

    @Test func `1 nothing that a server says steers the terminal`() throws {
        let problem = Self.raw(Self.hostile, type: "application/problem+json", status: "422 Unprocessable Content")
        let backend = try SilentBackend(["ok": Self.raw(Self.hostile), "problem": problem])
        for words in [
            ["log"], ["log", "--json"], ["clock"], ["clock", "--json"], ["clock", "upcoming"], ["reset"],
            ["world", "list"],
            ["world", "new", "x"], ["world", "urls"], ["snapshot", "list"], ["snapshot", "take", "s"],
            ["snapshot", "restore", "s"], ["fault", "list"], ["fault", "add", "--status", "500"], ["gate", "list"],
            ["gate", "add", "g", "--path", "/a"], ["latency"], ["scenario", "list"], ["scenario", "on", "a/b"],
            ["settings"],
            ["outbox"], ["requests", "show", "req_1"], ["state", "export", "-"], ["verify", #"{"match":{}}"#],
            ["token", "anna", "--api", "omnichat"],
        ] {
            for answer in ["ok", "problem"] {
                let result = try Program.run(words + ["--url", "\(backend.url)/raw/\(answer)"])
                #expect(
                    !Self.isSteering(result.output + result.errors),
                    "\(words) \(answer): \(result.output)\(result.errors)"
                )
            }
        }
        // JSON stays JSON.
        let json = try Program.run(["clock", "--json", "--url", "\(backend.url)/raw/ok"]).json
        expectEqual(json["now"]?.stringValue, "\u{1B}[31mX\u{1B}]0;t\u{07}\u{9B}2J\u{202E}")
    }

    @Test func `1 nothing that the command line says steers the terminal`() throws {
        let text = "a\u{1B}[31m\u{9B}2J\u{07}"
        for words in [
            ["new", text], ["new", "shop", "--table", text], ["new", "shop", "--har", text],
            ["new", "shop", "--openapi", text],
            ["new", "shop", "--wiremock", text], ["new", "shop", "--apis", text], [text], ["serve", "--\(text)"],
            ["clock", text], ["clock", "--url", text], ["openapi", text], ["validate", text],
            ["replay", text, "--api", "x"],
            ["scenario", "on", text, "--url", "http://127.0.0.1:1"], ["fault", "add", text], ["log", "\(text):1"],
            ["log", "-n", text], ["serve", "--port", text], ["health", text], ["conduct", text], ["diff", text],
        ] {
            let result = try Program.run(words)
            #expect(result.status != 0 || words.contains("--apis"), "\(words)")
            #expect(!Self.isSteering(result.output + result.errors), "\(words): \(result.errors)")
        }
    }

    @Test func `1 what answers otherwise is told as it came`() throws {
        let long = String(repeating: " ", count: (16 << 20) + 1)
        let backend = try SilentBackend([
            "banner": "SSH-2.0-x\r\n", "cut": "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{",
            "length": "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n{}",
            "chunks": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            "text": Self.raw("hello", type: "text/plain"),
            "broken": Self.raw("{"), "long": Self.raw("{\(long)}"),
            "many": Self.raw(#"{"items":["# + String(repeating: "1,", count: 2_000_001) + "1]}"),
        ])
        for name in ["banner", "cut", "length", "chunks", "text", "broken", "long", "many"] {
            for words in [["log"], ["log", "-f"]]
            where words.count == 1 || name != "broken" && name != "long" && name != "many" {
                let result = try Program.run(words + ["--url", "\(backend.url)/raw/\(name)"])
                expectEqual(result.status, 1, "\(words) \(name): \(result.errors)")
                #expect(result.errors.contains("as Understudy does"), "\(name): \(result.errors)")
                #expect(!result.errors.contains("no server answers"), "\(name): \(result.errors)")
            }
        }
    }

    @Test func `1 an answer that no Understudy gives is an error of every command, and never taken for nothing`() throws
    {
        let backend = try SilentBackend([
            "none": Self.raw(""), "list": Self.raw("[1,2]"), "text": Self.raw(#""hello""#), "null": Self.raw("null"),
            "page": Self.raw("<!DOCTYPE html><h1>It works</h1>", type: "text/html"), "object": Self.raw("{}"),
            "gone": Self.raw("{}", status: "404 Not Found"),
            "problem": Self.raw("[]", type: "application/problem+json", status: "404 Not Found"),
        ])
        // What these show is a member that their answer always has.
        let telling = [
            ["log"], ["log", "-f"], ["clock"], ["clock", "advance", "1m"], ["clock", "freeze"], ["clock", "run"],
            ["reset"], ["world", "list"], ["world", "new", "x"], ["world", "urls", "main"], ["snapshot", "list"],
            ["snapshot", "take", "s"], ["fault", "list"], ["fault", "add", "--status", "500"], ["gate", "list"],
            ["gate", "add", "g", "--path", "/a"], ["scenario", "list"], ["outbox"], ["verify", "body.json"],
            ["token", "--user", "anna", "--api", "omnichat"], ["conduct"],
        ]
        let others = [
            ["clock", "upcoming"], ["requests", "show", "req_1"], ["latency"], ["settings"], ["state", "export", "-"],
            ["fault", "on", "flt_1"], ["gate", "release", "g"], ["scenario", "on", "a/b"],
            ["requests", "show", "req_1", "--har"],
        ]
        let folder = try Folder(["body.json": #"{"match":{}}"#])
        for name in ["none", "list", "text", "null", "page", "object", "gone", "problem"] {
            for words in telling + (name == "object" ? [] : others) {
                let result = try Program.run(words + ["--url", "\(backend.url)/raw/\(name)"], in: folder)
                // One of 2 says that nothing could be judged (conduct contract, section 12).
                let status: Int32 = words == ["conduct"] ? 2 : 1
                expectEqual(result.status, status, "\(words) \(name): \(result.output)\(result.errors)")
                #expect(
                    result.errors.contains("\(backend.url)/raw/\(name) responded with ")
                        && result.errors.hasSuffix(", not as Understudy does\n"),
                    "\(words) \(name): \(result.errors)"
                )
                expectEqual(result.output, "", "\(words) \(name)")
            }
        }
        let health = try Program.run(["health", "\(backend.url)/raw/page"])
        expectEqual(health.status, 1)
        #expect(health.errors.contains("the response is 200, but not from Understudy"), "\(health.errors)")
        try expectEqual(Program.run(["clock", "--url", "http://127.0.0.1:1"]).status, 4)
    }
}
