import Foundation
import JSON
import TestSupport
import Testing

/// The samples in recordings/, made by scripts/make-recordings.
@Suite(.serialized) struct SampleRecordingTests {
    static let apis = Checkout.apis

    static func data(_ api: String) throws -> Data {
        let root = Checkout.root
        return try Data(contentsOf: root.appendingPathComponent("recordings/\(api).har"))
    }

    /// Secrets that the scripted clients send or get.
    private static let secrets = [
        "understudy-tfx", "trendy-pass-1", "layla@", "anna@", "tracker@", "essentials@", "test@icloud.com",
        "mock_apple", "123456\\\"", "96891234567",
    ]

    @Test(arguments: apis)
    func `13 the sample of each API holds no secret, and every token in it is a stand-in`(api: String) throws {
        let text = String(decoding: try Self.data(api), as: UTF8.self)
        for secret in Self.secrets { #expect(!text.contains(secret), "\(secret)") }
        // Whatever reads as a token names itself a stand-in.
        for piece in text.split(whereSeparator: { !($0.isLetter || $0.isNumber || "._-".contains($0)) })
        where piece.hasPrefix("eyJ") {
            let parts = piece.split(separator: ".")
            try #require(parts.count >= 2, "\(piece)")
            var middle = parts[1].replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
            middle += String(repeating: "=", count: (4 - middle.count % 4) % 4)
            let claims = String(decoding: try #require(Data(base64Encoded: middle)), as: UTF8.self)
            #expect(claims.contains("redacted-jwt-"), "\(claims)")
        }
    }

    @Test(arguments: apis)
    func `13 the sample of each API loads without complaint and is replayed`(api: String) throws {
        let data = try Self.data(api)
        let folder = try Folder(["\(api).har": String(decoding: data, as: UTF8.self)])
        let entries = try JSONReader.read(Array(data))["log"]?["entries"]?.arrayValue ?? []
        #expect(entries.count >= 5)
        let child = try Child(
            ["replay", "\(api).har", "--api", api, "--port", "0", "--keep-links"],
            in: folder
        )
        try Deadline().wait(for: "the ready line") { try child.output().hasSuffix("\n") }
        let ready = try JSONReader.read(text: String(try child.output().dropLast()))
        let origin = try #require(ready["apis"]?[api]?.stringValue)
        let port = try #require(origin.split(separator: ":").last.flatMap { Int($0) })
        #expect(try child.errors().contains("replaying \(entries.count) entries\n"))
        #expect(!(try child.errors().contains("\(api).har:")))
        let valid = try Program.run(["validate", "\(api).har"], in: folder)
        expectEqual(valid.status, 0, "\(valid.output)\(valid.errors)")
        for entry in entries {
            let request = entry["request"]
            let url = try #require(request?["url"]?.stringValue.flatMap { URLComponents(string: $0) })
            let type = request?["headers"]?.arrayValue?.first {
                $0["name"]?.stringValue?.lowercased() == "content-type"
            }
            let target = url.percentEncodedPath + (url.percentEncodedQuery.map { "?" + $0 } ?? "")
            var body = Array((request?["postData"]?["text"]?.stringValue ?? "").utf8)
            if request?["postData"]?["encoding"] == "base64" {
                body = Array(Data(base64Encoded: String(decoding: body, as: UTF8.self)) ?? Data())
            }
            let wire = try Wire(port: port)
            let method = request?["method"]?.stringValue ?? ""
            try wire.send(
                Wire.request(method, target, body: body, type: type?["value"]?.stringValue ?? "application/json")
            )
            let answer = try wire.answer()
            expectEqual(answer.status, entry["response"]?["status"]?.intValue.map { Int($0) }, "\(method) \(target)")
            if entry["response"]?["content"]?["encoding"] == nil {
                expectEqual(answer.text, entry["response"]?["content"]?["text"]?.stringValue ?? "")
            }
        }
        child.signal(SIGINT)
        _ = try child.waitForExit()
    }

    @Test(arguments: apis)
    func `13 a call whose sign-in is not in the recording is no deviation, whatever it was answered`(api: String) throws
    {
        let folder = try Folder(["\(api).har": String(decoding: try Self.data(api), as: UTF8.self)])
        let drift = try Program.run(["diff", "\(api).har", "--api", api], in: folder)
        expectEqual(drift.status, 0, "\(drift.output)\(drift.errors)")
        #expect(drift.output.contains(" 0 breaking"))
    }

    @Test func `13 a recording of which nothing can be compared is told, not passed over`() throws {
        let entry = #"""
            {"log":{"version":"1.2","creator":{"name":"x","version":"1"},"entries":[{"startedDateTime":"2025-01-01T12:00:00.000Z",
            "time":1,"request":{"method":"GET","url":"https://api.example.com/api/v1/conversations","httpVersion":"HTTP/1.1",
            "headers":[{"name":"Authorization","value":"Bearer from-before"}],"queryString":[],"cookies":[],"headersSize":-1,"bodySize":0},
            "response":{"status":200,"statusText":"OK","httpVersion":"HTTP/1.1","headers":[],"cookies":[],"redirectURL":"",
            "headersSize":-1,"bodySize":-1,"content":{"size":2,"mimeType":"application/json","text":"{}"}},
            "cache":{},"timings":{"send":0,"wait":1,"receive":0}}]}}
            """#
        let folder = try Folder(["a.har": entry])
        let drift = try Program.run(["diff", "a.har", "--api", "omnichat"], in: folder)
        #expect(drift.output.hasSuffix("0 entries compared, 1 not: 0 breaking, 0 additive, 0 other values\n"))
        #expect(
            drift.output.contains(
                "not compared: 1 because the sign-in of its credential is not in the recording; --user WHO stands in. 0 entries"
            )
        )
        #expect(drift.errors.contains("warning: nothing was compared: a.har"))
    }

    @Test(arguments: apis)
    func `13 the sample of each API has not moved away from the emulation`(api: String) throws {
        let folder = try Folder(["\(api).har": String(decoding: try Self.data(api), as: UTF8.self)])
        let users = [
            "sawaed": "layla@sawaed.test", "carbscan": "essentials@carbscan.test", "omnichat": "test@icloud.com",
            "trafikskola": "anna@example.com", "trendy": "tracker@trendy.example",
        ]
        let user = try #require(users[api])
        let drift = try Program.run(["diff", "\(api).har", "--api", api, "--user", user], in: folder)
        #expect(drift.output.contains("entries compared"))
        expectEqual(drift.status, 0, "\(drift.output)\(drift.errors)")
        // Nothing is made up of requests whose sign-in is not there, also where the answer was an error.
        let less = try Program.run(["diff", "\(api).har", "--api", api], in: folder)
        expectEqual(less.status, 0, "\(less.output)\(less.errors)")
    }
}
