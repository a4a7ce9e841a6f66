import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 13: what a replay ignores by itself, and what it says about the rest.
@Suite(.serialized) struct ByNatureTests {
    private static let json = "application/json"
    private static let form = "application/x-www-form-urlencoded"

    /// Recorded requests, the same ones as a later run makes them, and whether they still match.
    private static let pairs: [(method: String, type: String, recorded: String, live: String, matches: Bool)] = [
        // PKCE (RFC 7636): a new challenge for each sign-in, but the same method.
        (
            "POST", json,
            #"/a {"email":"a@b.example","code_challenge":"g91q8Cgw93I3pCw3aQtovxArN1Wzv3IFIiTKSUy0L_4","code_challenge_method":"s256"}"#,
            #"/a {"email":"a@b.example","code_challenge":"rPbebVUNRKZin7Y7NeN81k0vDcAHmbc4urXYrKY3xnM","code_challenge_method":"s256"}"#,
            true
        ),
        (
            "POST", json, #"/b {"codeChallenge":"short","codeChallengeMethod":"s256"}"#,
            #"/b {"codeChallenge":"other","codeChallengeMethod":"plain"}"#, false
        ),
        ("POST", json, #"/c {"auth":{"codeChallenge":"short"}}"#, #"/c {"auth":{"codeChallenge":"other"}}"#, true),
        ("POST", form, "/d grant=x&code_challenge=abc", "/d grant=x&code_challenge=def", true),
        (
            "GET", "",
            "/e?response_type=code&client_id=app&state=xyz&nonce=n-1&code_challenge=aaa&code_challenge_method=S256",
            "/e?response_type=code&client_id=app&state=abc&nonce=n-2&code_challenge=bbb&code_challenge_method=S256",
            true
        ),
        (
            "GET", "", "/f?response_type=code&client_id=app&state=xyz",
            "/f?response_type=code&client_id=other&state=xyz", false
        ),
        // The way back (RFC 6749, 4.1.2), by query and by form.
        ("GET", "", "/g?code=SplxlOBeZQQYbYS6WxSbIA&state=xyz", "/g?code=a7Blz0xQ1kJd93kdPq&state=q1", true),
        (
            "POST", form, "/h code=SplxlOBeZQQYbYS6WxSbIA&state=af0ifjsldkj",
            "/h code=a7Blz0xQ1kJd93kdPq&state=kjdlsjfi0fa", true
        ),
        // An opaque state is one anywhere; any other word is a value.
        ("GET", "", "/i?state=5ca75bd30c7d49cf9e1d", "/i?state=8a2bd30c7d49cf9e15ca7", true),
        ("GET", "", "/j?state=open", "/j?state=closed", false),
        ("POST", json, #"/k {"state":"CA","code":"US"}"#, #"/k {"state":"NY","code":"US"}"#, false),
        // The address of the server itself, as a value.
        ("GET", "", "/l?domain=127.0.0.1%3A45659", "/l?domain=127.0.0.1%3A4680", true),
        ("GET", "", "/m?domain=a.example", "/m?domain=127.0.0.1", true),
        ("POST", json, #"/n {"host":"localhost:1","a":1}"#, #"/n {"host":"localhost:2","a":1}"#, true),
        ("GET", "", "/o?domain=other.example", "/o?domain=127.0.0.1", false),
        ("GET", "", "/p?from=10%3A30", "/p?from=11%3A30", false),
        ("POST", form, "/q domain=a.example&x=1", "/q domain=127.0.0.1&x=1", true),
    ]

    private static func split(_ text: String) -> (path: String, body: String?) {
        let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
        return (parts[0], parts.count > 1 ? parts[1] : nil)
    }

    private static func ask(_ port: Int, _ method: String, _ type: String, _ request: String) throws -> WireAnswer {
        let (path, body) = split(request)
        let wire = try Wire(port: port)
        try wire.send(Wire.request(method, path, body: Array((body ?? "").utf8), type: type))
        return try wire.answer()
    }

    @Test func `13 what a sign-in makes anew and the server's own address don't count`() throws {
        let entries = Self.pairs.map { pair in
            let (path, body) = Self.split(pair.recorded)
            return RecordedEntry(pair.method, "https://a.example" + path, type: pair.type, body: body, answer: "{}")
        }
        let folder = try Folder(["nature.har": RecordedEntry.archive(entries)])
        let replay = try Proxy(["replay", "nature.har"], in: folder)
        for pair in Self.pairs {
            try expectEqual(Self.ask(replay.api, pair.method, pair.type, pair.recorded).status, 200, "\(pair.recorded)")
            let answer = try Self.ask(replay.api, pair.method, pair.type, pair.live)
            expectEqual(answer.status, pair.matches ? 200 : 404, "\(pair.live)")
        }
        try replay.stop()
    }

    /// Recorded requests, live ones that miss them, and the flags that a miss names.
    private static let flagged: [(method: String, type: String, recorded: String, live: String, flags: String?)] = [
        (
            "POST", json, #"/a {"deviceInfo":{"deviceId":"d1","os":"x"},"n":1}"#,
            #"/a {"deviceInfo":{"deviceId":"d2","os":"x"},"n":1}"#, "--ignore-body deviceInfo.deviceId"
        ),
        ("POST", json, #"/b {"a":[{"id":1},{"id":2}]}"#, #"/b {"a":[{"id":3},{"id":4}]}"#, "--ignore-body a.id"),
        (
            "POST", json, #"/c?q=1 {"a":1,"b":2}"#, #"/c?q=2&r=1 {"a":2,"c":1}"#,
            "--ignore-query q r --ignore-body a c b"
        ),
        ("POST", form, "/d a=1&user%5Bid%5D=2", "/d a=2&user%5Bid%5D=3", "--ignore-body a user.id"),
        ("GET", "", "/e?filter%5Bid%5D=1", "/e?filter%5Bid%5D=2", "--ignore-query 'filter[id]'"),
        ("PUT", "text/plain", "/f one", "/f two", "--ignore-body '*'"),
        ("PUT", "text/plain", "/g one", "/g", "--ignore-body '*'"),
        ("POST", json, "/h [1,2]", "/h [1,3]", "--ignore-body '*'"),
        ("POST", json, #"/i {"a.b":1}"#, #"/i {"a.b":2}"#, nil), ("GET", "", "/j/long/path", "/j/long/pathh", nil),
    ]

    @Test func `13 a miss names the flags with which the nearest entry answers, and they do what it says`() throws {
        let entries = Self.flagged.map { one in
            let (path, body) = Self.split(one.recorded)
            return RecordedEntry(one.method, "https://a.example" + path, type: one.type, body: body, answer: "{}")
        }
        let folder = try Folder(["miss.har": RecordedEntry.archive(entries)])
        let replay = try Proxy(["replay", "miss.har"], in: folder)
        for one in Self.flagged {
            let answer = try Self.ask(replay.api, one.method, one.type, one.live)
            expectEqual(answer.status, 404, "\(one.live)")
            expectEqual(answer.json["nearest"]?[0]?["flags"]?.stringValue, one.flags, "\(one.live)")
            let detail = answer.json["detail"]?.stringValue ?? ""
            expectEqual(
                detail.hasSuffix("The first one answers with \(one.flags ?? "")."),
                one.flags != nil,
                "\(detail)"
            )
            guard let flags = one.flags else { continue }
            let words = flags.split(separator: " ").map { $0.filter { $0 != "'" } }
            let lenient = try Proxy(["replay", "miss.har"] + words, in: folder)
            try expectEqual(Self.ask(lenient.api, one.method, one.type, one.live).status, 200, "\(one.live)")
            try lenient.stop()
        }
        try replay.stop()
    }

    @Test func `13 parameters that stand in the list alone are those of the address`() throws {
        var entries: [RecordedEntry] = []
        for (place, url) in ["https://a.example/s", "https://a.example/s?", "https://a.example/s#top"].enumerated() {
            var entry = RecordedEntry("GET", url + "", answer: #"{"n":\#(place)}"#)
            entry.query = [("q", "a dog\(place)"), ("tag", "x&y"), ("tag", "ä")]
            entries.append(entry)
        }
        let folder = try Folder(["list.har": RecordedEntry.archive(entries)])
        let replay = try Proxy(["replay", "list.har"], in: folder)
        for place in entries.indices {
            for query in ["q=a%20dog\(place)&tag=x%26y&tag=%C3%A4", "tag=x%26y&q=a+dog\(place)&tag=%c3%a4"] {
                try expectEqual(replay.ask("GET", "/s?" + query).json["n"]?.intValue, Int64(place), "\(query)")
            }
        }
        try expectEqual(replay.ask("GET", "/s").status, 404)
        try expectEqual(replay.ask("GET", "/s?q=cat").status, 404)
        try replay.stop()
    }

    @Test func `3 the log of a replay does not propose the path that was asked`() throws {
        let folder = try Folder([
            "r.har": RecordedEntry.archive([
                RecordedEntry("GET", "https://a.example/api/v1/user/usage?x=1", answer: "{}")
            ])
        ])
        let child = try Child(["replay", "r.har", "--api", "omnichat", "--port", "0"], in: folder)
        var line = ""
        try Deadline().wait(for: "the ready line") {
            line = try child.output()
            return line.hasSuffix("\n")
        }
        let ready = try JSONReader.read(text: String(line.dropLast()))
        let port = ready["apis"]?["omnichat"]?.stringValue?.split(separator: ":").last.flatMap { Int($0) } ?? 0
        for path in ["/api/v1/user/usage", "/api/v1/user/usages", "/api/models"] {
            try expectEqual(Wire(port: port).ask("GET", path).status, 404)
        }
        var log = ""
        try Deadline().wait(for: "the log") {
            log = try child.errors()
            return log.contains("/api/models ")
        }
        let lines = log.split(separator: "\n").filter { $0.contains(" GET ") }
        #expect(lines.count == 3 && lines.allSatisfy { $0.contains("unmatched") }, "\(log)")
        expectEqual(lines.map { $0.contains("did you mean") }, [false, true, false], "\(log)")
        #expect(lines[1].hasSuffix("unmatched: did you mean /api/v1/user/usage?"), "\(log)")
        child.signal(2)
        _ = try child.waitForExit()
    }
}
