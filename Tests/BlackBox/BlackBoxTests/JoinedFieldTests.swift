import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 13: header fields that stand for several, in archives and in backends' responses.
@Suite struct JoinedFieldTests {
    private static let secrets = ["BBBBsecretvalueBBBB2", "CCCCsecretvalueCCCC3"]
    private static let endings = [
        "Path=/", "Path=/shop; Secure", "Secure", "HttpOnly", "SameSite=Lax", "Max-Age=3600",
        "Domain=api.example.com", "Expires=Wed, 21 Oct 2026 07:28:00 GMT",
        "Expires=Wed, 21-Oct-2026 07:28:00 GMT; Path=/",
        "Partitioned", "Priority=High", "Path=/;", "Path=/; ",
    ]
    private static let joints = ["\n", "\r\n", "\r", ", ", ",", "\n\n", "\n "]

    private static func cookieFields() -> [String] {
        var fields: [String] = []
        for joint in joints {
            for ending in endings {
                for first in ["a=1", "a=", "first=AAAAlongervalueAAAA1"] {
                    let cookies = [first, "session=\(secrets[0])", "id.token=\(secrets[1])"]
                    fields.append(cookies.map { "\($0); \(ending)" }.joined(separator: joint))
                }
            }
            fields.append("session=\(secrets[0])\(joint)other=\(secrets[1])")
        }
        return fields
    }

    @Test func `13 every cookie of a field that stands for several is redacted in a response`() throws {
        let fields = Self.cookieFields()
        let entries = fields.map { SmallArchive.entry(fields: [("Set-Cookie", $0)]) }
        let made = try SmallArchive.imported(SmallArchive.text(entries))
        for secret in Self.secrets { #expect(!made.text.contains(secret)) }
        for (field, entry) in zip(fields, made.entries) {
            let values = entry["response"]?["headers"]?.arrayValue?.compactMap { $0["value"]?.stringValue } ?? []
            let whole = values.joined(separator: "\n")
            for secret in Self.secrets { #expect(!whole.contains(secret), "\(field) became \(whole)") }
            #expect(whole.contains("session=redacted-cookie-"), "\(field) became \(whole)")
            let expiry = field.contains("21 Oct 2026") ? "Expires=Wed, 21 Oct 2026 07:28:00 GMT" : "="
            #expect(whole.contains(expiry), "\(field) became \(whole)")
        }
    }

    @Test func `13 every cookie of a joined field is redacted in a request and in the lists of cookies`() throws {
        var entries: [JSON] = []
        for joint in Self.joints + ["; "] {
            var entry = SmallArchive.entry(sent: [
                ("Cookie", "a=1\(joint)session=\(Self.secrets[0])\(joint)b=\(Self.secrets[1])")
            ])
            // A tool that cut the joined field at its semicolons.
            let cookie: JSON = ["name": "a", "value": "1", "path": .string("/\(joint)session=\(Self.secrets[0])")]
            let path: [JSONPathElement] = ["response", "cookies"]
            entry = entry.putting([cookie], at: path[...])
            entries.append(entry)
        }
        let made = try SmallArchive.imported(SmallArchive.text(entries))
        for secret in Self.secrets { #expect(!made.text.contains(secret)) }
        for entry in made.entries {
            expectEqual(entry["request"]?["headers"]?.text.contains("session=redacted-cookie-"), true, "\(entry.text)")
        }
    }

    @Test(arguments: [
        ("Cache-Control", "no-store\nmax-age=0"), ("Vary", "Origin\r\nAccept-Encoding"),
        ("Link", "<https://b.example/?page=2>; rel=\"next\"\n<https://b.example/?page=9>; rel=\"last\""),
        ("Via", "1.1 varnish\n1.1 b:8080 (x)\n1.1 c"),
        ("Access-Control-Allow-Origin", "https://a.example\nhttps://b.example"),
        ("Set-Cookie", "a=1; Path=/\nb=2; Secure"), ("Set-Cookie", "a=1; Path=/, b=2; HttpOnly"),
        ("Set-Cookie", "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT, b=2; Path=/"),
    ])
    func `13 repeated fields that a tool joined are sent as several`(name: String, value: String) throws {
        let folder = try Folder([
            "a.har": SmallArchive.text([
                SmallArchive.entry("http://b.test/api/v1/x", fields: [(name, value), ("X-After", "1")])
            ])
        ])
        let replay = try Proxy(["replay", "a.har", "--keep-links"], in: folder)
        let answer = try replay.ask("GET", "/api/v1/x")
        let joint = name == "Set-Cookie" && !value.contains("\n") ? ", b=" : value.contains("\r\n") ? "\r\n" : "\n"
        var expected = value.components(separatedBy: joint)
        if joint == ", b=" { expected[1] = "b=" + expected[1] }
        expectEqual(answer.fields.filter { $0.name == name }.map(\.value), expected)
        expectEqual(answer["X-After"], "1")
        expectEqual(try Program.run(["validate", "a.har", "--strict"], in: folder).status, 0)
    }

    @Test func `13 a folded line is one value, a comma in a cookie stays, and another field in a value is dropped`()
        throws
    {
        let fields = [
            ("X-Folded", "one\r\n two"), ("Set-Cookie", "pref=a,b; Path=/"), ("X-A", "1\nX-Evil: 2"),
            ("Set-Cookie", "list=1, x=2; Path=/"),
        ]
        let folder = try Folder([
            "a.har": SmallArchive.text([
                SmallArchive.entry("http://b.test/api/v1/x", fields: fields)
            ])
        ])
        let replay = try Proxy(["replay", "a.har"], in: folder)
        let answer = try replay.ask("GET", "/api/v1/x")
        expectEqual(answer["X-Folded"], "one two")
        expectEqual(
            answer.fields.filter { $0.name == "Set-Cookie" }.map(\.value),
            ["pref=a,b; Path=/", "list=1, x=2; Path=/"]
        )
        expectNil(answer["X-A"])
        #expect(answer["X-Evil"] == nil && answer["X-A"] == nil)
    }
}
