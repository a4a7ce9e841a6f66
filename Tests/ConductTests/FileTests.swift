import HTTPMessage
import JSON
import Recording
import TestSupport
import Testing

@testable import Conduct
@testable import ConductKit

/// Section 13: archives of browsers and proxies.
@Suite struct FileTests {
    /// An entry in the habit of a tool, changed where a test needs it.
    static func entry(
        _ method: String = "GET",
        _ url: String = "https://api.example.com/v1/items",
        at seconds: Double = 0,
        _ status: Int = 200,
        headers: [(String, String)] = [],
        body: String? = nil,
        answer: String? = nil,
        answers: [(String, String)] = [],
        more: [(String, JSON)] = [],
        response: [(String, JSON)] = []
    ) -> JSON {
        let whole = Int(seconds)
        let fraction = String(Int((seconds - Double(whole)) * 1_000 + 0.5) + 1_000).dropFirst()
        func pairs(_ list: [(String, String)]) -> JSON {
            .array(list.map { ["name": .string($0.0), "value": .string($0.1)] })
        }
        var request: JSONObject = [
            "method": .string(method), "url": .string(url), "httpVersion": "HTTP/2", "cookies": [],
            "headers": pairs([(":authority", "x"), ("user-agent", "App/1")] + headers), "queryString": [],
            "headersSize": -1, "bodySize": -1,
        ]
        if let body { request.append("postData", ["mimeType": "application/json", "text": .string(body)]) }
        var content: JSONObject = ["size": .integer(Int64(answer?.utf8.count ?? 0)), "mimeType": "application/json"]
        if let answer { content.append("text", .string(answer)) }
        var reply: JSONObject = [
            "status": .integer(Int64(status)), "statusText": "", "httpVersion": "HTTP/2", "cookies": [],
            "headers": pairs(answers), "content": .object(content), "redirectURL": "", "headersSize": -1,
            "bodySize": -1,
        ]
        for (name, value) in response { reply[name] = value }
        var entry: JSONObject = [
            "startedDateTime": .string(
                "2026-05-01T10:\(String(whole / 60 + 100).dropFirst()):\(String(whole % 60 + 100).dropFirst()).\(fraction)+02:00"
            ),
            "time": 20, "request": .object(request), "response": .object(reply), "cache": [:],
            "timings": ["send": 0, "wait": 20, "receive": 0], "serverIPAddress": "192.0.2.1",
        ]
        for (name, value) in more { entry[name] = value }
        return .object(entry)
    }

    static func archive(_ entries: [JSON], creator: String = "Proxyman") -> [UInt8] {
        let log: JSON = [
            "version": "1.2", "creator": ["name": .string(creator), "version": "1"], "entries": .array(entries),
        ]
        return JSON.object(["log": log]).serialized()
    }

    static let api = FileAPI(Traffic.knowledge) { method, path in
        let names = Traffic.knowledge.operations.keys
        let segments = path.split(separator: "/")
        func fits(_ name: String) -> Bool {
            let parts = name.split(separator: " ")[1].split(separator: "/")
            return parts.count == segments.count && zip(parts, segments).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }
        let found = names.filter(fits).sorted()
        if let name = found.first(where: { $0.hasPrefix(method.rawValue + " ") }) {
            return .operation(template: String(name.split(separator: " ")[1]))
        }
        return found.isEmpty ? .unknown : .otherMethod
    }

    struct Judgement {
        var report: JudgementReport
        var oddities: [String]

        var found: [String] { report.findings.map(\.rule) }
        func status(_ rule: String) -> String? {
            report.rules.first { $0.id == rule }.map { "\($0.status.rawValue) \($0.reason ?? "")" }
        }
    }

    static func judge(
        _ files: [[UInt8]],
        api: FileAPI? = nil,
        hosts: [String] = [],
        settings: ConductSettings = ConductSettings()
    ) throws -> Judgement {
        var traffic = FileTraffic(.build, api: api, hosts: hosts, files: files.count)
        for (place, bytes) in files.enumerated() {
            traffic.begin("folder/file\(place).har")
            var reader = HARStreamReader()
            for found in try reader.feed(bytes[...]) { traffic.add(found.entry, found.index) }
            try reader.finish()
            traffic.end(creator: reader.creator)
        }
        let report = traffic.report(settings, filter: ReportFilter()) { _ in }
        return Judgement(report: report, oddities: traffic.oddities.map(\.text))
    }

    static func judge(_ entries: [JSON], creator: String = "Proxyman", api: FileAPI? = nil) throws -> Judgement {
        try judge([archive(entries, creator: creator)], api: api)
    }

    private static let bearer = [("authorization", "Bearer abcdefghijkl")]

    @Test func `13 a file is judged by its times, whatever its order`() throws {
        let judgement = try Self.judge([
            Self.entry(at: 5, 401, headers: Self.bearer), Self.entry(at: 2, 401, headers: Self.bearer),
        ])
        expectEqual(judgement.found, ["auth/repeat-after-401"])
        let finding = try #require(judgement.report.findings.first)
        expectEqual(finding.api, "api.example.com")
        expectEqual(finding.route, "/v1/items")
        expectEqual(finding.requests, ["entries[1]", "entries[0]"])
        expectEqual(finding.file, "file0.har")
        expectEqual(judgement.report.files, ["file0.har"])
        expectNil(judgement.report.world)
        expectEqual(judgement.report.journal, .init(from: 1, to: 2, entries: 2))
        expectEqual(judgement.report.json["world"], .null)
        let location = judgement.report.sarif(.build)["runs"]?[0]?["results"]?[0]?["locations"]?[0]?["physicalLocation"]
        expectEqual(location?["artifactLocation"]?["uri"], "file0.har")
    }

    @Test func `13 several files are one history, and a user agent a client of each`() throws {
        let first = Self.archive([Self.entry(at: 2, 401, headers: Self.bearer)])
        let second = Self.archive([Self.entry(at: 5, 401, headers: Self.bearer)])
        // No session ties the two files together: the second may be another device.
        try expectEqual(Self.judge([first, second]).found, [])
        let tokens = #"{"accessToken":"abcdefghijkl","refreshToken":"mnopqrstuvwx"}"#
        let signIn = Self.archive([
            Self.entry("POST", "https://api.example.com/login", body: "{}", answer: tokens)
        ])
        let judgement = try Self.judge([signIn, first, second])
        expectEqual(judgement.found, ["auth/repeat-after-401"])
        expectEqual(judgement.report.findings[0].requests, ["file1.har#entries[0]", "file2.har#entries[0]"])
    }

    @Test func `13 tokens count as issued by an answer, and a POST with one is a refresh`() throws {
        let tokens = #"{"data":{"access_token":"abcdefghijkl","refresh_token":"mnopqrstuvwx"}}"#
        let refresh = #"{"refresh_token":"mnopqrstuvwx"}"#
        let login = Self.entry("POST", "https://api.example.com/login", body: "{}", answer: tokens)
        func send(_ seconds: Double, _ status: Int, form: Bool = false) -> JSON {
            Self.entry(
                "POST",
                "https://api.example.com/token",
                at: seconds,
                status,
                headers: [("content-type", form ? "application/x-www-form-urlencoded" : "application/json")],
                body: form ? "grant_type=refresh_token&refresh_token=mnopqrstuvwx" : refresh,
                answer: #"{"error":"no"}"#
            )
        }
        for form in [false, true] {
            let judgement = try Self.judge([login, send(5, 400, form: form), send(70, 400, form: form)])
            expectEqual(judgement.found, ["auth/dead-refresh-retried"], "\(form)")
        }
        // A token that no answer issued makes no refresh.
        try expectEqual(Self.judge([send(5, 400), send(70, 400)]).found, [])
    }

    @Test func `13 an API's name brings its contract, by path`() throws {
        let entries = [
            Self.entry("GET", "https://api.example.com/v1/items?limit=101", at: 0, headers: Self.bearer, answer: "{}"),
            Self.entry("GET", "https://api.example.com/v1/nowhere", at: 5, 404),
            Self.entry("GET", "https://fonts.example.net/font.woff", at: 9),
            Self.entry("GET", "https://api.example.com/assets/logo.png", at: 12),
        ]
        let plain = try Self.judge(entries)
        expectEqual(plain.found, [])
        expectEqual(plain.status("url/unknown-route"), "notJudged needs-contract")
        let judgement = try Self.judge(entries, api: Self.api)
        expectEqual(judgement.found, ["url/unknown-route"])
        expectEqual(judgement.status("page/limit-above-maximum"), "passed ")
        #expect(judgement.report.findings.allSatisfy { $0.api == "shop" })
        expectEqual(judgement.status("auth/credential-missing"), "passed ")
    }

    @Test func `13 the prefixes of a world and of the hub are taken off, and control calls left out`() throws {
        let judgement = try Self.judge(
            [
                Self.entry("GET", "http://127.0.0.1:4680/@w/shop/v1/items/7", headers: Self.bearer),
                Self.entry("GET", "http://127.0.0.1:4680/@w/__admin/requests", at: 2),
                Self.entry("POST", "http://127.0.0.1:4680/__admin/reset", at: 3),
            ],
            api: Self.api
        )
        expectEqual(judgement.found, [])
        expectEqual(judgement.report.journal.entries, 1)
        expectEqual(judgement.status("auth/credential-missing"), "passed ")
    }

    @Test(arguments: [
        ("net::ERR_ABORTED", true), ("Request cancelled", true), ("the client went away after 3 bytes", true),
        ("net::ERR_CONNECTION_RESET", false), ("the answer was cut after 3 bytes of content", false),
    ])
    func `13 an error is the client's only if it names an abort or a cancel`(text: String, isClients: Bool) throws {
        let broken = (0..<7).map {
            Self.entry("GET", at: Double($0) * 2, 0, headers: Self.bearer, response: [("_error", .string(text))])
        }
        // More than five repeats of a request that was cut are too many; the client's own ends are no failures.
        try expectEqual(Self.judge(broken).found.contains("retry/unbounded"), !isClients)
    }

    @Test func `13 what the browser had at hand is no exchange`() throws {
        let cached: [JSON] = [
            Self.entry(more: [("_fromCache", "disk")]), Self.entry(more: [("_fetchType", "Memory Cache")]),
            Self.entry(more: [("serverIPAddress", "")], response: [("_transferSize", 0), ("bodySize", 0)]),
            Self.entry(more: [("serverIPAddress", .null)], response: [("headersSize", 0), ("bodySize", 0)]),
        ]
        try expectEqual(Self.judge(cached).report.journal.entries, 0)
        // Unknown sizes and a missing address are habits of proxies, and no sign of a cache.
        let sent = [
            Self.entry(more: [("serverIPAddress", .null)]),
            Self.entry(at: 3, 204, more: [("serverIPAddress", .null)], response: [("bodySize", 0)]),
        ]
        try expectEqual(Self.judge(sent).report.journal.entries, 2)
    }

    @Test func `13 a file without usable times judges nothing`() throws {
        let entries = [
            Self.entry(at: 0, 401, headers: Self.bearer, more: [("startedDateTime", .null)]),
            Self.entry(at: 0, 401, headers: Self.bearer, more: [("startedDateTime", "soon")]),
        ]
        let judgement = try Self.judge(entries)
        #expect(judgement.report.rules.allSatisfy { $0.reason == "no-times" })
        expectEqual(judgement.report.verdict, .pass)
        expectEqual(judgement.oddities.count, 2)
        expectEqual(judgement.oddities[0], "file0.har: $.log.entries[0]: there is no usable time; it is not judged")
    }

    @Test(
        arguments: [
            ("Bearer [redacted]", "Proxyman"), ("REDACTED", "Charles Proxy"), ("Bearer ********", "mitmproxy"),
            (nil, "WebInspector"),
        ] as [(String?, String)]
    )
    func `13 a file from which credentials were taken out judges no group auth`(value: String?, tool: String) throws {
        let headers = value.map { [("authorization", $0)] } ?? []
        let judgement = try Self.judge(
            [Self.entry(at: 0, 401, headers: headers), Self.entry(at: 4, 401, headers: headers)],
            creator: tool,
            api: Self.api
        )
        expectEqual(judgement.found, [])
        let auth = judgement.report.rules.filter { $0.id.hasPrefix("auth/") }
        #expect(!auth.isEmpty && auth.allSatisfy { $0.reason == "no-credentials" })
    }

    @Test func `13 a port in the place of a connection is none`() throws {
        // Firefox writes the port of the server: with it, all would seem to be on one connection.
        let entries = [
            Self.entry(at: 0, 401, headers: Self.bearer, more: [("connection", "443")]),
            Self.entry(at: 0.05, 401, headers: Self.bearer, more: [("connection", "443")]),
        ]
        try expectEqual(Self.judge(entries).found, [])
        let same = entries.map { entry -> JSON in
            var object = entry.objectValue ?? JSONObject()
            object["connection"] = "51234"
            return .object(object)
        }
        try expectEqual(Self.judge(same).found, ["auth/repeat-after-401"])
    }

    @Test func `13 content that a tool left out is no fault of the client`() throws {
        let upload = Self.entry(
            "POST",
            headers: [("content-type", "multipart/form-data; boundary=b"), ("content-length", "900")],
            more: []
        )
        let parts = Self.entry(
            "POST",
            at: 3,
            headers: [("content-type", "multipart/form-data; boundary=b")],
            body: "[binary]"
        )
        let typeless = Self.entry("POST", at: 6, body: #"{"a":1}"#)
        let encoded = Self.entry(at: 9, answer: "eyJhIjoxfQ==", response: [])
        try expectEqual(Self.judge([upload, parts, typeless, encoded], api: nil).found, [])
    }

    @Test func `13 hosts are kept by globs`() throws {
        let entries = [
            Self.entry("GET", "https://api.example.com/a", 401, headers: Self.bearer),
            Self.entry("GET", "https://api.example.com/a", at: 3, 401, headers: Self.bearer),
            Self.entry("GET", "http://other.example.net:8080/a", at: 6),
        ]
        let file = Self.archive(entries)
        try expectEqual(Self.judge([file], hosts: ["*.EXAMPLE.com"]).report.journal.entries, 2)
        try expectEqual(Self.judge([file], hosts: ["other.example.net"]).report.journal.entries, 1)
        try expectEqual(Self.judge([file], hosts: ["other*:8080", "api.*"]).report.journal.entries, 3)
        try expectEqual(Self.judge([file], hosts: ["nothing"]).found, [])
    }

    @Test func `13 a replay, a held answer and another scheme are no exchanges`() throws {
        let judgement = try Self.judge([
            Self.entry(more: [("_replayOf", "req_1")]),
            Self.entry(at: 0, 0, response: [("_error", "the answer is being held")]),
            Self.entry("GET", "wss://api.example.com/socket", 101), Self.entry("CONNECT", "https://api.example.com/"),
        ])
        expectEqual(judgement.report.journal.entries, 0)
        expectEqual(judgement.oddities.map { $0.contains("not http or https") }, [true])
    }

    @Test func `13 the world's time of our own archives counts`() throws {
        func limited(_ seconds: Double, _ virtual: String) -> JSON {
            Self.entry(
                at: seconds,
                seconds == 0 ? 429 : 200,
                answers: [("Retry-After", "30")],
                more: [("_virtualTime", .string(virtual)), ("_world", "main")]
            )
        }
        let advanced = [limited(0, "2025-01-01T12:00:00Z"), limited(1, "2025-01-01T12:00:40Z")]
        try expectEqual(Self.judge(advanced, creator: "Understudy").found, [])
        let impatient = [limited(0, "2025-01-01T12:00:00Z"), limited(1, "2025-01-01T12:00:01Z")]
        try expectEqual(Self.judge(impatient, creator: "Understudy").found, ["retry/retry-after-ignored"])
    }
}
