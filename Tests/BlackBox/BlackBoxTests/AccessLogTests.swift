import Foundation
import JSON
import TestSupport
import Testing

/// Clients contract, section 3: the access log.
@Suite struct AccessLogTests {
    private func wait(_ served: Served, for what: String) throws -> String {
        var text = ""
        try Deadline().wait(for: what) {
            text = try served.child.errors()
            return text.contains(what)
        }
        return text
    }

    /// The words of the line that has a text.
    private func words(_ text: String, of path: String) -> String {
        let line = text.split(separator: "\n").first { $0.contains(path) } ?? ""
        return line.split(separator: " ").joined(separator: " ")
    }

    @Test func `3 a line has world time, API, world, method, path with query, status, duration and size`() throws {
        let served = try Served(log: [])
        let token = try served.token()
        _ = try served.chat("GET", "/conversations?limit=5", token: token)
        let text = try wait(served, for: "/api/v1/conversations?limit=5")
        let line = words(text, of: "limit=5")
        let form = /12:00:00\.000 omnichat GET \/api\/v1\/conversations\?limit=5 200 [0-9.]+ m?s [0-9.]+ (B|KiB)/
        #expect(line.wholeMatch(of: form) != nil, "\(line)")
        #expect(!text.contains("\u{1B}") && !text.contains(token))
        _ = try served.control("POST", "/worlds", #"{"name":"w1"}"#)
        _ = try Wire(port: served.api).ask("GET", "/@w1/api/models")
        #expect(
            words(try wait(served, for: "/api/models"), of: "/api/models").hasPrefix("12:00:00.000 omnichat @w1 GET ")
        )
    }

    @Test func `3 faults, gates, scenarios and what nothing answered are marked`() throws {
        let served = try Served(log: [])
        _ = try served.control("POST", "/faults", #"{"match":{"path":"/api/models"},"effect":{"status":503}}"#)
        _ = try Wire(port: served.api).ask("GET", "/api/models")
        #expect(try wait(served, for: "fault flt_1").contains(" 503 "))
        _ = try served.chat("GET", "/conversation")
        _ = try wait(served, for: "unmatched: did you mean /api/v1/conversations?")
        _ = try served.control("PUT", "/scenarios/omnichat/file-gone")
        _ = try served.chat("GET", "/user/usage")
        #expect(try words(wait(served, for: "/user/usage"), of: "/user/usage").hasSuffix(" scenario"))
        _ = try served.control("POST", "/gates", #"{"name":"g1","match":{"path":"/api/v1/user/profile"}}"#)
        let wire = try Wire(port: served.api)
        try wire.send(Wire.request("GET", "/api/v1/user/profile"))
        _ = try served.control("GET", "/gates/g1?wait=60")
        // It has no line before its end.
        #expect(try !served.child.errors().contains("/user/profile"))
        _ = try served.control("POST", "/gates/g1/release", "{}")
        #expect(try wait(served, for: "/user/profile").contains("gate g1"))
    }

    @Test func `3 a request that finds no world has the machine's time, and the size of its answer`() throws {
        let served = try Served(log: [])
        let answer = try Wire(port: served.api).ask("GET", "/@nowhere/api/models")
        expectEqual(answer.status, 404)
        let line = words(try wait(served, for: "/api/models"), of: "/api/models").split(separator: " ")
        #expect(line.count == 9 && line[3] == "/api/models" && line[4] == "404", "\(line)")
        // The clock of every world stands at noon of a day long ago.
        #expect(line.first != "12:00:00.000" && line.first != "00:00:00.000")
        expectEqual(line.suffix(2), ["\(answer.bytes.count)", "B"], "\(line)")
    }

    @Test func `3 an exchange that is cut or left has its outcome`() throws {
        let served = try Served(log: [])
        _ = try served.control("POST", "/gates", #"{"name":"g1","match":{"path":"/api/models"}}"#)
        let wire = try Wire(port: served.api)
        try wire.send(Wire.request("GET", "/api/models"))
        _ = try served.control("GET", "/gates/g1?wait=60")
        _ = try served.control("POST", "/reset")
        #expect(try wait(served, for: "/api/models").contains(" cut "))
    }

    @Test func `3 control characters of the request are escaped`() throws {
        let served = try Served(log: [])
        _ = try served.chat("GET", "/a%1B%5B31m%0Ab")
        let text = try wait(served, for: "/api/v1/a")
        #expect(!text.contains("\u{1B}"))
        expectEqual(text.split(separator: "\n").filter { $0.contains("/api/v1/a") }.count, 1)
    }

    @Test func `3 with JSON every line of standard error is an object with a kind`() throws {
        let served = try Served(log: ["--log-format", "json", "--verbose", "--admin-token", "auto"])
        func lines() throws -> [JSON] {
            try served.child.errors().split(separator: "\n").compactMap { try? JSONReader.read(text: String($0)) }
        }
        _ = try served.chat("GET", "/conversations?a=1")
        _ = try served.control("GET", "/clock")
        try Deadline().wait(for: "the log") { try lines().contains { $0["query"] == "a=1" } }
        let text = try served.child.errors()
        let found = try lines()
        expectEqual(found.count, text.split(separator: "\n").count, "\(text)")
        #expect(found.allSatisfy { ["listening", "request", "warning", "notice"].contains($0["kind"]?.stringValue) })
        expectEqual(found.first?["kind"], "listening")
        expectEqual(found.first?["hub"]?.stringValue?.hasPrefix("http://"), true)
        let row = try #require(found.first { $0["query"] == "a=1" }?.objectValue)
        expectEqual(
            row.members.map(\.name),
            [
                "kind", "id", "seq", "at", "startedAt", "api", "world", "route", "method", "path", "query", "status",
                "outcome", "ms", "timings", "requestBytes", "responseBytes",
            ]
        )
        expectEqual(row["world"], "main")
        expectEqual(row["status"], 401)
        expectEqual(row["outcome"], "delivered")
        served.child.signal(SIGTERM)
        _ = try served.child.waitForExit()
    }

    @Test func `3 a JSON line is the journal's line with a kind and the world`() throws {
        let served = try Served(log: ["--log-format", "json"])
        _ = try served.control("POST", "/faults", #"{"match":{"path":"/api/models"},"effect":{"status":503}}"#)
        _ = try Wire(port: served.api).ask("GET", "/api/models?q=%22")
        _ = try served.chat("GET", "/conversations", token: try served.token())
        var logged: [JSONObject] = []
        try Deadline().wait(for: "the log") {
            logged = try served.child.errors().split(separator: "\n").compactMap { line in
                let json = try? JSONReader.read(text: String(line))
                return json?["kind"] == "request" ? json?.objectValue : nil
            }
            return logged.count == 2
        }
        let journal = try served.control("GET", "/requests?view=line").json["items"]?.arrayValue ?? []
        let lines = logged.map { line in
            JSON.object(JSONObject(line.members.filter { $0.name != "kind" && $0.name != "world" }))
        }
        expectEqual(lines.map(\.text), journal.reversed().map(\.text))
    }

    @Test func `3 a reader that stalls holds up nothing, and is told how many lines were left out`() throws {
        let folder = try Folder()
        let pipe = folder.url.appendingPathComponent("log")
        // The shell keeps the pipe open, and nobody reads it.
        let served = try Served(log: [], in: folder, prelude: "mkfifo log; exec 3<>log; exec 2>log")
        let wire = try Wire(port: served.api)
        let long = String(repeating: "x", count: 7_000)
        for _ in 0..<1_500 { try expectEqual(wire.ask("GET", "/api/models?\(long)").status, 401) }
        let reader = try FileHandle(forReadingFrom: pipe)
        var text = ""
        try Deadline().wait(for: "the warning") {
            text += String(decoding: reader.availableData, as: UTF8.self)
            return text.contains("were dropped")
        }
        #expect(text.contains(" lines were dropped because the log's reader was too slow"))
        served.child.signal(SIGKILL)
    }

    @Test func `3 a stop does not wait for a reader that takes nothing`() throws {
        let folder = try Folder()
        let served = try Served(log: [], in: folder, prelude: "mkfifo log; exec 3<>log; exec 2>log")
        let wire = try Wire(port: served.api)
        let long = String(repeating: "x", count: 7_000)
        for _ in 0..<30 { _ = try wire.ask("GET", "/api/models?\(long)") }
        served.child.signal(SIGTERM)
        try expectEqual(served.child.waitForExit(), 143)
    }
}
