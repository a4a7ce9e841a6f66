import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 13: secrets planted in real traffic, searched wherever anything is kept or shown.
@Suite(.serialized) struct PlantedSecretTests {
    /// A JWT that a real backend has issued.
    private static let token =
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJzdWJqZWN0QGV4YW1wbGUuY29tIiwiaXNzIjoiaHR0cHM6Ly9hdXRoLnJlYWwuZXhhbXBsZSJ9.c2lnbmF0dXJlLTE"
    /// `{"email":"anna.gzip@example.com","password":"hunter2-gzip"}`, compressed.
    private static let gzipped = Data(
        base64Encoded:
            "H4sIAAAAAAACA6tWSs1NzMxRslJKzMtL1EuvyixwSK1IzC3ISdVLzs9V0lEqSCwuLs8vSgEqySjNK0ktMtIFqVKqBQC67ODnOwAAAA=="
    )

    private static let opaque = "Zk3v-9x-Q2m8T7LrW1p0-planted"

    private static let secrets = [
        token, "subject@example.com", "c2lnbmF0dXJlLTE", opaque, "planted@example.com", "planted%40example.com",
        "+46701234567",
        "%2B46701234567", "19811218-9876", "planted-password", "planted-cookie", "planted-userinfo", "lonely-planted",
        "cGxhbnRlZDpiYXNpYw", "planted-digest", "hunter2-gzip", "anna.gzip@example.com", "planted-xml", "planted-part",
        "987654321987",
    ]

    /// Requests with a secret in every place that a client has.
    private static func requests() -> [[UInt8]] {
        func request(
            _ target: String,
            _ fields: [String] = [],
            _ body: [UInt8] = [],
            type: String = "application/json"
        ) -> [UInt8] {
            Wire.request(body.isEmpty ? "GET" : "POST", target, body: body, type: type, fields: fields)
        }
        func text(_ target: String, _ body: String, type: String = "application/json") -> [UInt8] {
            request(target, [], Array(body.utf8), type: type)
        }
        let part =
            "--edge\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nplanted-part\r\n--edge\r\n"
            + "Content-Disposition: form-data; name=\"f\"; filename=\"planted@example.com.txt\"\r\n"
            + "Content-Type: application/json\r\n\r\n{\"accessToken\":\"\(opaque)\"}\r\n--edge--\r\n"
        return [
            request("/echo/\(token)/x"), request("/echo/planted@example.com"), request("/echo?access_token=\(opaque)"),
            request("/echo?q=planted%40example.com&p=%2B46701234567&X-Amz-Signature=\(opaque)"),
            request("/echo?next=https%3A%2F%2Fanna%3Aplanted-userinfo%40localhost%2F"),
            request("/echo", ["Authorization: Bearer \(token)"]), request("/echo", ["Authorization: \(opaque)"]),
            request("/echo", ["Authorization: Basic cGxhbnRlZDpiYXNpYw=="]),
            request("/gzip", ["Authorization: Digest username=\"a\", response=\"planted-digest\""]),
            request("/echo", ["Cookie: sid=planted-cookie; lonely-planted", "X-Api-Key: \(opaque)"]),
            request(
                "/echo",
                ["Referer: https://anna:planted-userinfo@a.example/?token=\(opaque)", "X-CSRF: \(opaque)"]
            ),
            text(
                "/echo",
                #"{"Password":"planted-password","deep":{"Access_Token":["\#(opaque)"]},"n":"19811218-9876"}"#
            ),
            text("/echo", #"{"planted@example.com":{"clientSecret":"\#(opaque)","password":987654321987}}"#),
            text("/echo", #"{"inner":"{\"refreshToken\":\"\#(opaque)\"}"}"#),
            text(
                "/echo",
                "user=planted%40example.com&password=planted-password",
                type: "application/x-www-form-urlencoded"
            ),
            text("/echo", part, type: "multipart/form-data; boundary=edge"),
            text("/echo", "<r><Password>planted-xml</Password></r>", type: "application/xml"),
            request("/echo", ["Content-Encoding: gzip"], Array(gzipped ?? Data())),
            request("/login", ["Authorization: Bearer \(opaque)"]),
        ]
    }

    @Test(arguments: ["record", "spy", "diff"])
    func `13 no planted secret is in the file, the journal, the archive of it, an event, the log or on the console`(
        mode: String
    ) throws {
        let backend = try Backend()
        let folder = try Folder()
        let clock = ["--clock", "frozen:2025-01-01T12:00:00Z"]
        let flags = ["--api", "omnichat", "--port", "0", "--verbose"] + clock
        let command = mode == "record" ? ["record", "--upstream", backend.url(), "--out", "rec.har"] : ["serve"]
        let child = try Child(command + flags, in: folder)
        try Deadline().wait(for: "the ready line") { try child.output().hasSuffix("\n") }
        let ready = try JSONReader.read(text: String(try child.output().dropLast()))
        func port(_ origin: JSON?) -> Int { origin?.stringValue?.split(separator: ":").last.flatMap { Int($0) } ?? 0 }
        let (api, hub) = (port(ready["apis"]?["omnichat"]), port(ready["hub"]))
        if mode != "record" {
            let order = #"{"api":"omnichat","mode":"\#(mode)","upstream":"\#(backend.url())"}"#
            try expectEqual(Wire(port: hub).ask("PUT", "/__admin/mode", body: Array(order.utf8)).status, 200)
        }
        let watcher = try Wire(port: hub)
        try watcher.send(Wire.request("GET", "/__admin/events"))
        try watcher.wait(for: "\r\n\r\n")
        var answers = ""
        for request in Self.requests() {
            let wire = try Wire(port: api)
            try wire.send(request)
            answers += try wire.answer().text
        }
        // The client gets what the backend says, and the backend what the client says.
        if mode != "diff" {
            #expect(
                answers.contains(Self.token) && answers.contains("planted-cookie") && answers.contains("planted-xml")
            )
            #expect(answers.contains("Basic cGxhbnRlZDpiYXNpYw=="))
        }
        var kept: [(place: String, text: String)] = []
        for path in ["requests?limit=100", "requests.har", "unmatched", "metrics", "conduct", "mode", "state"] {
            kept.append((path, try Wire(port: hub).ask("GET", "/__admin/\(path)").text))
        }
        try watcher.wait(for: "/echo")
        kept.append(("events", watcher.text))
        // Whatever a sudden end leaves behind, temporary files too.
        child.signal(SIGKILL)
        _ = try child.waitForExit()
        kept.append(("console", try child.output() + child.errors()))
        var files: [String] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
            files.append(name)
            let text = try Data(contentsOf: folder.url.appendingPathComponent(name))
            kept.append((name, String(decoding: text, as: UTF8.self)))
        }
        expectEqual(files, mode == "record" ? ["rec.har"] : [])
        for (place, text) in kept {
            for secret in Self.secrets {
                #expect(!text.contains(secret), "\(secret) is in \(place)")
                let base64 = Data(secret.utf8).base64EncodedString().dropLast(4)
                #expect(!text.contains(base64), "\(secret), as base64, is in \(place)")
            }
        }
        #expect(kept[0].text.contains("redacted-"))
    }

    @Test(arguments: SampleRecordingTests.apis)
    func `13 credentials of the real backend reach it, whoever they are for`(api: String) throws {
        let backend = try Backend()
        let folder = try Folder()
        let child = try Child(
            ["record", "--upstream", backend.url(), "--out", "rec.har", "--api", api, "--port", "0", "--quiet"],
            in: folder
        )
        try Deadline().wait(for: "the ready line") { try child.output().hasSuffix("\n") }
        let ready = try JSONReader.read(text: String(try child.output().dropLast()))
        let port = ready["apis"]?[api]?.stringValue?.split(separator: ":").last.flatMap { Int($0) } ?? 0
        let withoutIssuer = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1c3JfMSJ9.c2lnbmF0dXJlLTE"
        for token in [Self.token, withoutIssuer, "mock_apple:essentials@carbscan.test", "v1.opaque-and-long-token"] {
            let body = #"{"identityToken":"\#(token)"}"#
            let answer = try Wire(port: port).ask("POST", "/echo", body: Array(body.utf8), token: token)
            expectEqual(answer.json["body"]?.stringValue, body)
            let fields = answer.json["headers"]?.arrayValue ?? []
            #expect(fields.contains(["Authorization", .string("Bearer \(token)")]), "\(answer.text)")
        }
        child.signal(SIGINT)
        _ = try child.waitForExit()
    }

    @Test func `13 what turns out to be a secret is taken out of what was recorded before`() throws {
        let backend = try Backend()
        let folder = try Folder()
        let recorder = try Proxy(["record", "--upstream", backend.url(), "--out", "rec.har"], in: folder)
        let secret = "late-and-l0ng-secret"
        _ = try recorder.ask("GET", "/echo?q=\(secret)")
        _ = try recorder.ask("POST", "/echo", #"{"note":"it is \#(secret)!","other":"stays"}"#)
        func file() throws -> String {
            String(decoding: try Data(contentsOf: folder.url.appendingPathComponent("rec.har")), as: UTF8.self)
        }
        #expect(try file().contains(secret))
        _ = try recorder.ask("POST", "/echo", #"{"password":"\#(secret)"}"#)
        let text = try file()
        #expect(!text.contains(secret) && text.contains("it is redacted-token-1!") && text.contains("stays"))
        let entries = try JSONReader.read(text: text)["log"]?["entries"]?.arrayValue ?? []
        expectEqual(entries.count, 3)
        expectEqual(entries[0]["request"]?["url"]?.stringValue?.hasSuffix("/echo?q=redacted-token-1"), true)
        try recorder.stop()
        #expect(try !file().contains(secret))
    }
}
