import Foundation
import JSON
import TestSupport
import Testing

@Suite(.serialized) struct RecordingCommandTests {
    private static func text(_ folder: Folder, _ name: String = "rec.har") throws -> String {
        String(decoding: try Data(contentsOf: folder.url.appendingPathComponent(name)), as: UTF8.self)
    }

    private static func entries(_ folder: Folder, _ name: String = "rec.har") throws -> [JSON] {
        try JSONReader.read(text: try text(folder, name))["log"]?["entries"]?.arrayValue ?? []
    }

    @Test func `13 what passes is recorded as it was, and replayed as it was recorded`() throws {
        let backend = try Backend()
        let folder = try Folder()
        let recorder = try Proxy(["record", "--upstream", backend.url(), "--out", "rec.har"], in: folder)
        let login = try recorder.ask("POST", "/login", #"{"email":"anna@example.com","password":"hunter2-secret"}"#)
        expectEqual(login.json["accessToken"], "opaque-access-token-12345")
        let echo = try recorder.ask(
            "GET",
            "/echo?x=1&access_token=opaque-access-token-12345",
            token: "opaque-access-token-12345"
        )
        #expect(echo.text.contains("Bearer opaque-access-token-12345"))
        expectEqual(echo.json["headers"]?[0], ["Host", "127.0.0.1:\(backend.port)"])
        let redirect = try recorder.ask("GET", "/redirect")
        expectEqual(redirect.status, 302)
        expectEqual(
            redirect.fields.prefix(4).map { "\($0.name): \($0.value)" },
            [
                "Location: /echo", "X-B: 1", "x-a: 2", "X-B: 3",
            ]
        )
        let packed = try recorder.ask("GET", "/gzip")
        expectEqual(packed["Content-Encoding"], "gzip")
        let stream = try Wire(port: recorder.api)
        try stream.send(Wire.request("GET", "/stream?hold"))
        try stream.wait(for: "exam")
        // The rest comes when the backend is told, a quarter of a second after its start was seen here.
        usleep(250_000)
        #expect(!stream.text.contains("done"))
        try backend.folder.write("go", "")
        // A client that leaves before the last chunk has an answer that was cut, and that is recorded.
        try stream.wait(for: "\r\n0\r\n\r\n")
        stream.close()
        let journal = try recorder.control("GET", "/requests").text
        for secret in ["hunter2-secret", "opaque-access-token", "anna@example.com", "cookie-secret"] {
            #expect(!journal.contains(secret))
        }
        try recorder.stop()

        let file = try Self.text(folder)
        for secret in ["hunter2-secret", "opaque-access-token", "anna@", "cookie-secret"] {
            #expect(!file.contains(secret))
        }
        let entries = try Self.entries(folder)
        expectEqual(entries.count, 5)
        expectEqual(entries[2]["response"]?["redirectURL"], "/echo")
        expectEqual(entries[3]["response"]?["content"]?["size"], 511)
        expectEqual(entries[4]["_eventSourceMessages"]?.arrayValue?.count, 3)
        expectEqual(entries[4]["_virtualTime"], "2025-01-01T12:00:00.000Z")
        expectEqual(entries[4]["_world"], "main")
        let offsets = entries[4]["_eventSourceMessages"]?.arrayValue?.compactMap { $0["offset"]?.doubleValue } ?? []
        #expect(offsets == offsets.sorted() && (offsets.last ?? 0) - (offsets.first ?? 0) > 200)

        let replay = try Proxy(["replay", "rec.har"], in: folder)
        let again = try replay.ask("POST", "/login", #"{"password":"another","email":"bo@example.com"}"#)
        expectEqual(again.status, 200)
        expectEqual(again.json["email"], "redacted-email-1@example.invalid")
        expectEqual(again["Set-Cookie"], "sid=redacted-cookie-1; Path=/")
        let redirected = try replay.ask("GET", "/redirect")
        expectEqual(
            redirected.fields.prefix(4).map { "\($0.name): \($0.value)" },
            [
                "Location: /echo", "X-B: 1", "x-a: 2", "X-B: 3",
            ]
        )
        try expectEqual(replay.ask("GET", "/gzip").json["text"]?.stringValue?.count, 500)
        let streamed = try replay.ask("GET", "/stream?hold")
        expectEqual(streamed["Transfer-Encoding"], "chunked")
        expectEqual(streamed.chunks.count, 3)
        let miss = try replay.ask("GET", "/echo?x=2")
        expectEqual(miss.status, 404)
        expectEqual(miss.json["type"], "/__admin/problems/no-recording")
        expectEqual(miss.json["nearest"]?[0]?["path"]?.stringValue?.hasPrefix("/echo"), true)
        expectEqual(miss.json["nearest"]?[0]?["differs"]?.stringValue?.contains("x is 2, recorded 1"), true)
        try replay.stop()
    }

    @Test func `13 a recording that is being written stays, and so does one that is not replaced`() throws {
        let backend = try Backend()
        let folder = try Folder()
        let first = try Proxy(["record", "--upstream", backend.url(), "--out", "rec.har"], in: folder)
        _ = try first.ask("GET", "/echo?n=1")
        let command = ["record", "--api", "omnichat", "--upstream", backend.url(), "--out", "rec.har", "--port"]
        let second = try Program.run(command + ["0"], in: folder)
        expectEqual(second.status, 2)
        let told = "understudy: rec.har is already being recorded into; --out FILE.har names another file\n"
        #expect(second.errors.hasSuffix(told), "\(second.errors)")
        #expect(!second.errors.contains("recording http"), "\(second.errors)")
        _ = try first.ask("GET", "/echo?n=2")
        try first.stop()
        try expectEqual(Self.entries(folder).count, 2)
        // The backend has that port.
        let third = try Program.run(command + ["\(backend.port)"], in: folder)
        expectEqual(third.status, 3)
        #expect(!third.errors.contains("moved the previous recording"))
        try expectEqual(Self.entries(folder).count, 2)
        let last = try Proxy(["record", "--upstream", backend.url(), "--out", "rec.har"], in: folder)
        _ = try last.ask("GET", "/echo?n=3")
        #expect(try last.child.errors().contains("moved the previous recording from rec.har to rec.previous.har"))
        try last.stop()
        try expectEqual(Self.entries(folder).count, 1)
        try expectEqual(Self.entries(folder, "rec.previous.har").count, 2)
    }

    @Test func `13 a recording survives recorders that get no traffic`() throws {
        let backend = try Backend()
        let folder = try Folder()
        func count(_ name: String) throws -> Int { try Self.entries(folder, "recordings/\(name)").count }
        let command = ["record", "--upstream", backend.url()]
        let first = try Proxy(command, in: folder)
        _ = try first.ask("GET", "/echo?n=1")
        try first.stop()
        for _ in 0..<2 { try Proxy(command, in: folder).stop() }
        try expectEqual(count("omnichat.har"), 0)
        try expectEqual(count("omnichat.previous.har"), 1)
        // The same by control calls, of which the log says what moved.
        let last = try Proxy(command, in: folder)
        _ = try last.ask("GET", "/echo?n=2")
        for _ in 0..<2 {
            _ = try last.control("PUT", "/mode", #"{"api":"omnichat","mode":"emulate"}"#)
            let order = #"{"api":"omnichat","mode":"record","upstream":"\#(backend.url())"}"#
            try expectEqual(last.control("PUT", "/mode", order).status, 200)
        }
        try expectEqual(count("omnichat.har"), 0)
        let kept = try Self.entries(folder, "recordings/omnichat.previous.har")
        expectEqual(kept.map { $0["request"]?["url"]?.stringValue?.hasSuffix("n=2") }, [true])
        // The log is written beside the answers; at its end it is whole.
        try last.stop()
        let moves = try last.child.errors().split(separator: "\n").filter {
            $0.contains("moved the previous recording")
        }
        expectEqual(moves.count, 1)
    }

    @Test func `13 a miss names the entries nearest in query and body too`() throws {
        let backend = try Backend()
        let folder = try Folder()
        let recorder = try Proxy(["record", "--upstream", backend.url(), "--out", "rec.har"], in: folder)
        for name in ["a", "b", "c", "d", "page"] { _ = try recorder.ask("GET", "/echo?\(name)=1") }
        for name in ["a", "b", "c", "d", "kind"] { _ = try recorder.ask("POST", "/echo", #"{"\#(name)":1,"n":0}"#) }
        try recorder.stop()
        let replay = try Proxy(["replay", "rec.har"], in: folder)
        let query = try replay.ask("GET", "/echo?page=2").json["nearest"]
        expectEqual(query?.arrayValue?.count, 3)
        expectEqual(query?[0]?["path"], "/echo?page=1")
        expectEqual(query?[0]?["differs"], "query: page is 2, recorded 1")
        let body = try replay.ask("POST", "/echo", #"{"kind":2,"n":0}"#).json["nearest"]
        expectEqual(body?[0]?["entry"], 9)
        expectEqual(body?[0]?["differs"], "body: $.kind is 2, recorded 1")
        try replay.stop()
    }

    @Test func `13 a recording of ourselves without redaction replays byte for byte`() throws {
        let folder = try Folder()
        let served = try Served()
        let recorder = try Proxy(
            ["record", "--upstream", "http://127.0.0.1:\(served.api)", "--out", "own.har", "--no-redact"],
            in: folder
        )
        // Where chunks are cut is no part of an archive.
        func shown(_ answer: WireAnswer) -> String {
            "\(answer.status)\n" + answer.fields.map { "\($0.name): \($0.value)\n" }.joined() + answer.text
        }
        func script(_ port: Int) throws -> [String] {
            let login = try Wire(port: port).ask(
                "POST",
                "/api/v1/auth/apple",
                body: Array(#"{"idToken":"mock_apple_token"}"#.utf8)
            )
            let token = login.json["accessToken"]?.stringValue
            let content = Array(#"{"content":"Hello"}"#.utf8)
            let path = "/api/v1/conversations/conv_welcome_00000001/messages"
            return [
                shown(login), shown(try Wire(port: port).ask("GET", "/api/v1/conversations", token: token)),
                shown(try Wire(port: port).ask("POST", path, body: content, token: token)),
                shown(try Wire(port: port).ask("GET", "/api/v1/nothing")),
            ]
        }
        let original = try script(recorder.api)
        try recorder.stop()
        let replay = try Proxy(["replay", "own.unredacted.har"], in: folder)
        let again = try script(replay.api)
        for (left, right) in zip(original, again) {
            expectEqual(left, right)
        }
        try replay.stop()
        let drift = try Program.run(["diff", "own.unredacted.har", "--api", "omnichat"], in: folder)
        expectEqual(drift.status, 0, "\(drift.output)")
        // The order of a file need not be that of the exchanges, and what signs in comes first all the same.
        let reversed = try Self.entries(folder, "own.unredacted.har").enumerated().reversed().map {
            place,
            entry -> JSON in
            guard case .object(var object) = entry else { return entry }
            object["startedDateTime"] = .string("2025-01-01T12:00:0\(place).000Z")
            return .object(object)
        }
        try folder.write("reversed.har", JSON.object(["log": ["entries": .array(reversed)]]).text)
        let backwards = try Program.run(["diff", "reversed.har", "--api", "omnichat"], in: folder)
        expectEqual(backwards.status, 0, "\(backwards.output)")
        #expect(backwards.output.contains("\(reversed.count) entries compared, 0 not"), "\(backwards.output)")
    }

    @Test func `13 TLS is verified: against a given authority, and by name`() throws {
        let backend = try Backend(certificateFor: "DNS:localhost")
        let folder = try Folder()
        let trusting = try Proxy(
            [
                "record", "--upstream", backend.url(host: "localhost"), "--out", "a.har", "--upstream-ca",
                backend.authority,
            ],
            in: folder
        )
        try expectEqual(trusting.ask("GET", "/echo").json["path"], "/echo")
        try trusting.stop()
        let timings = try #require(try Self.entries(folder, "a.har").first?["timings"])
        #expect((timings["ssl"]?.doubleValue ?? -1) > 0)
        #expect((timings["ssl"]?.doubleValue ?? 0) <= (timings["connect"]?.doubleValue ?? 0))
        for (url, flags) in [
            (backend.url(host: "localhost"), []),
            (backend.url(host: "127.0.0.1"), ["--upstream-ca", backend.authority]),
        ] {
            let doubting = try Proxy(["record", "--upstream", url, "--out", "b.har"] + flags, in: folder)
            let refused = try doubting.ask("GET", "/echo")
            expectEqual(refused.status, 502)
            expectEqual(refused.json["type"], "/__admin/problems/upstream-unreachable")
            expectEqual(refused.json["detail"]?.stringValue?.contains("verify"), true)
            try doubting.stop()
        }
    }

    @Test func `13 a backend that is away is 502, one that breaks off breaks off, and both are recorded`() throws {
        let backend = try Backend()
        let folder = try Folder()
        let recorder = try Proxy(["record", "--upstream", backend.url(), "--out", "rec.har"], in: folder)
        let wire = try Wire(port: recorder.api)
        try wire.send(Wire.request("GET", "/cut"))
        try wire.waitForEnd()
        #expect(wire.text.hasSuffix("half"))
        try recorder.stop()
        try expectEqual(Self.entries(folder)[0]["response"]?["_error"]?.stringValue?.contains("96 bytes"), true)
        let away = try Proxy(["record", "--upstream", "http://127.0.0.1:1", "--out", "away.har"], in: folder)
        try expectEqual(away.ask("GET", "/echo").status, 502)
        try away.stop()
        try expectEqual(Self.entries(folder, "away.har")[0]["response"]?["status"], 0)
    }

    @Test func `13 addresses that are no business of ours are never connected to`() throws {
        let folder = try Folder()
        for host in [
            "169.254.169.254", "[fe80::1]", "[::ffff:169.254.169.254]", "0.0.0.0", "224.0.0.1", "[::a9fe:a9fe]",
            "168.63.129.16", "[::168.63.129.16]", "[64:ff9b:1::808:808]", "[64:ff9b::a9fe:a9fe]", "[2002:a9fe:a9fe::1]",
        ] {
            let recorder = try Proxy(["record", "--upstream", "http://\(host)", "--out", "a.har"], in: folder)
            let answer = try recorder.ask("GET", "/")
            expectEqual(answer.status, 502)
            expectEqual(
                answer.json["detail"]?.stringValue?.contains("not connected to"),
                true,
                "\(host): \(answer.text)"
            )
            try recorder.stop()
        }
    }

    @Test func `13 modes are set and shown while it runs, and survive a reset`() throws {
        let backend = try Backend()
        let folder = try Folder()
        let served = try Served(in: folder)
        func mode(_ body: String) throws -> WireAnswer { try served.control("PUT", "/mode", body) }
        try expectEqual(served.control("GET", "/mode?api=omnichat").text, #"{"api":"omnichat","mode":"emulate"}"#)
        let record = try mode(
            #"{"api":"omnichat","mode":"record","upstream":"\#(backend.url())/","recording":"x.har"}"#
        )
        expectEqual(
            record.text,
            #"{"api":"omnichat","mode":"record","upstream":"\#(backend.url())","recording":"x.har"}"#
        )
        try expectEqual(Wire(port: served.api).ask("GET", "/login").json["tier"], "gold")
        try expectEqual(served.control("POST", "/reset").status, 200)
        try expectEqual(Wire(port: served.api).ask("GET", "/login").json["tier"], "gold")
        try expectEqual(served.control("GET", "/health").status, 200)
        let emulate = try mode(#"{"api":"omnichat","mode":"emulate","upstream":"\#(backend.url())"}"#)
        expectEqual(emulate.text, #"{"api":"omnichat","mode":"emulate"}"#)
        let replay = try mode(
            #"{"api":"omnichat","mode":"replay","recording":"recordings/x.har","miss":"emulate","exhausted":"fail","speed":0,"ignore":{"query":["q"]},"refresh":true}"#
        )
        expectEqual(
            replay.text,
            #"{"api":"omnichat","mode":"replay","recording":"x.har","miss":"emulate","exhausted":"fail","speed":0,"ignore":{"headers":[],"query":["q"],"body":[]},"refresh":true}"#
        )
        expectEqual(
            (0..<3).map { _ in (try? Wire(port: served.api).ask("GET", "/login?q=1").status) ?? 0 },
            [200, 200, 404]
        )
        try expectEqual(mode(#"{"api":"omnichat","mode":"replay","recording":"x.har","miss":503}"#).json["miss"], 503)
        try expectEqual(Wire(port: served.api).ask("GET", "/nothing").status, 503)
        try expectEqual(
            mode(#"{"api":"omnichat","mode":"record-missing","upstream":"\#(backend.url())","recording":"x.har"}"#)
                .status,
            200
        )
        try expectEqual(Wire(port: served.api).ask("GET", "/echo").status, 200)
        try Deadline().wait(for: "the entry") { try Self.entries(folder, "recordings/x.har").count == 3 }
        try expectEqual(Wire(port: served.api).ask("GET", "/echo").status, 200)
        try expectEqual(Self.entries(folder, "recordings/x.har").count, 3)
        let faults = try mode(#"{"api":"omnichat","mode":"spy","recordin":"x"}"#)
        expectEqual(faults.status, 422)
        expectEqual(
            faults.json["errors"]?.arrayValue?.compactMap { $0["path"]?.stringValue },
            ["$.upstream", "$.recordin"]
        )
        for name in ["../x.har", "/etc/passwd", "a/b.har", ".x.har", "x.txt"] {
            try expectEqual(mode(#"{"api":"omnichat","mode":"replay","recording":"\#(name)"}"#).status, 422)
        }
        try expectEqual(mode(#"{"api":"omnichat","mode":"replay","recording":"missing.har"}"#).status, 422)
        try expectEqual(mode(#"{"api":"omnichat","mode":"spy","upstream":"ftp://x"}"#).status, 422)
    }

    @Test func `13 spy and diff report what differs by field path`() throws {
        let backend = try Backend()
        let served = try Served()
        func differences(
            _ mode: String,
            _ method: String = "GET"
        ) throws -> (answer: WireAnswer, paths: [String]) {
            let order = #"{"api":"omnichat","mode":"\#(mode)","upstream":"\#(backend.url())"}"#
            try expectEqual(served.control("PUT", "/mode", order).status, 200)
            let answer = try Wire(port: served.api).ask(method, "/login")
            // The client need not wait for the comparison.
            var paths: [String] = []
            try Deadline().wait(for: "the comparison") {
                let entry = try served.control("GET", "/requests?limit=1").json["items"]?[0]
                paths = entry?["differences"]?.arrayValue?.compactMap { $0["path"]?.stringValue } ?? []
                return !paths.isEmpty
            }
            return (answer, paths)
        }
        let spied = try differences("spy")
        expectEqual(spied.answer.json["tier"], "gold")
        #expect(spied.paths.starts(with: ["status"]))
        #expect(spied.paths.contains("$.error") && spied.paths.contains("$.tier"))
        let compared = try differences("diff")
        expectEqual(compared.answer.status, 404)
        #expect(compared.paths.contains("$.tier"))
        // Neither answer to HEAD has content, whatever would have been in it.
        for mode in ["spy", "diff"] { #expect(try differences(mode, "HEAD").paths.allSatisfy { !$0.hasPrefix("$") }) }
    }

    @Test(arguments: ["record", "spy", "diff"])
    func `11 13 a body over the limit is refused in its world and journalled, whoever answers`(mode: String) throws {
        let backend = try Backend()
        let served = try Served(["--limit", "body=1000"], in: try Folder())
        let token = try served.token()
        let order = #"{"api":"omnichat","mode":"\#(mode)","upstream":"\#(backend.url())"}"#
        try expectEqual(served.control("PUT", "/mode", order).status, 200)
        let body = #"{"title":"\#(String(repeating: "x", count: 1_000))"}"#
        let answer = try served.chat("POST", "/conversations", body, token: token)
        expectEqual(answer.status, 413)
        expectEqual(answer.text.contains("/__admin/problems/payload-too-large"), mode != "diff", "\(answer.text)")
        let entry = try served.control("GET", "/requests?limit=1").json["items"]?[0]
        expectEqual(entry?["status"], 413)
        expectEqual(entry?["id"]?.stringValue, answer["X-Request-Id"])
    }

    @Test func `13 our own tokens never go upstream`() throws {
        let backend = try Backend()
        let served = try Served()
        let token = try served.token()
        let order = #"{"api":"omnichat","mode":"spy","upstream":"\#(backend.url())"}"#
        try expectEqual(served.control("PUT", "/mode", order).status, 200)
        let body = #"{"refreshToken":"\#(token)","keep":"this"}"#
        let refusal = try Wire(port: served.api).ask("POST", "/echo?access_token=\(token)", body: Array(body.utf8))
        expectEqual(refusal.status, 409)
        expectEqual(refusal.json["type"], "/__admin/problems/own-credential")
        #expect(!refusal.text.contains(token))
        let echo = try Wire(port: served.api).ask(
            "POST",
            "/echo?a=b",
            body: Array(#"{"keep":"this"}"#.utf8),
            token: token
        )
        expectEqual(echo.status, 200)
        #expect(!echo.text.contains("Authorization"))
        #expect(echo.text.contains("keep"))
    }

    @Test func `13 18 whoever has a token of the real backend may use it at once, and the journal has its answer`()
        throws
    {
        let served = try Served()
        let upstream = "http://127.0.0.1:\(served.api)"
        // Only the first token of a process is in question: from then on the backend is known for another Understudy.
        for round in 0..<10 {
            let recorder = try Proxy(["record", "--upstream", upstream, "--out", "own.har"], in: try Folder())
            let login = try recorder.ask("POST", "/api/v1/auth/apple", #"{"idToken":"mock_apple_token"}"#)
            let token = try #require(login.json["accessToken"]?.stringValue, "\(login.text)")
            let list = try recorder.ask("GET", "/api/v1/conversations", token: token)
            expectEqual(list.status, 200, "round \(round): \(list.text)")
            let entry = try recorder.control("GET", "/requests?limit=1").json["items"]?[0]
            expectEqual(entry?["responseBody"]?["bytes"]?.intValue.map { $0 > 0 }, true, "\(entry?.text ?? "none")")
            try recorder.stop()
        }
    }

    @Test func `13 a broken recording is refused with its place`() throws {
        let folder = try Folder(["bad.har": "{\"log\":{\"entries\":[\n{\"request\":7}]}}"])
        let result = try Program.run(["replay", "bad.har", "--api", "omnichat", "--port", "0"], in: folder)
        expectEqual(result.status, 1)
        #expect(result.errors.contains("bad.har:2: $.log.entries[0].request: must be an object"))
        try expectEqual(Program.run(["replay", "bad.har"], in: folder).status, 2)
        try expectEqual(Program.run(["record", "--api", "omnichat"], in: folder).status, 2)
        try expectEqual(
            Program.run(["record", "--api", "omnichat", "--upstream", "https://x/path"], in: folder).status,
            2
        )
    }
}
