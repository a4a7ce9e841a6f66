import Backend
import Conditions
import Engine
import HTTPMessage
import Journal
import TestSupport
import Testing
import Worlds

/// Wire contract, section 1: what a content of ten bytes answers to conditions and ranges.
@Suite struct RangeTests {
    private static let tag = "\"v1\""
    private static let modified = "Wed, 01 Jan 2025 10:00:00 GMT"

    /// A stub with the bytes `0123456789`, by `base64`.
    private static func harness(_ headers: String, status: Int = 200) throws -> EngineHarness {
        let harness = try EngineHarness()
        try harness.stub(
            #"{"match":{"path":"/f"},"response":{"status":\#(status),"headers":{\#(headers)},"base64":"MDEyMzQ1Njc4OQ=="}}"#
        )
        return harness
    }

    private static func sent(
        _ harness: EngineHarness,
        _ fields: Fields = Fields(),
        _ method: HTTPMessage.HTTPMethod = .get
    ) throws -> String {
        let response = try harness.send(method, "/f", fields: fields).answer.response
        let text = String(decoding: response.body.content, as: UTF8.self)
        let shown = [FieldName.contentRange, .acceptRanges].compactMap { response.fields[$0] }
        return ["\(response.status.code)", text].filter { !$0.isEmpty }.joined(separator: " ")
            + shown.map { " \($0)" }.joined()
    }

    @Test(arguments: [
        ("bytes=0-3", "206 0123 bytes 0-3/10 bytes"), ("bytes=2-2", "206 2 bytes 2-2/10 bytes"),
        ("bytes=7-", "206 789 bytes 7-9/10 bytes"), ("bytes=-3", "206 789 bytes 7-9/10 bytes"),
        ("bytes=-10", "206 0123456789 bytes 0-9/10 bytes"), ("bytes=-11", "206 0123456789 bytes 0-9/10 bytes"),
        ("bytes=5-9", "206 56789 bytes 5-9/10 bytes"), ("bytes=5-10", "206 56789 bytes 5-9/10 bytes"),
        ("bytes=9-99999999999999999999", "206 9 bytes 9-9/10 bytes"), ("BYTES= 1-1 ,", "206 1 bytes 1-1/10 bytes"),
        ("bytes=10-", "416 bytes */10"), ("bytes=10-12", "416 bytes */10"), ("bytes=-0", "416 bytes */10"),
        ("bytes=99999999999999999999-", "416 bytes */10"),
        // Several ranges, another unit, no range by its form.
        ("bytes=0-1,3-4", "200 0123456789 bytes"), ("lines=0-3", "200 0123456789 bytes"),
        ("bytes=3-1", "200 0123456789 bytes"), ("bytes=a-", "200 0123456789 bytes"),
        ("bytes=-", "200 0123456789 bytes"), ("bytes=", "200 0123456789 bytes"), ("0-3", "200 0123456789 bytes"),
        ("bytes=1-2-3", "200 0123456789 bytes"), ("bytes=+1-2", "200 0123456789 bytes"),
    ])
    func `1 one range gives its part, and what is no range gives all`(range: String, expected: String) throws {
        try expectEqual(Self.sent(Self.harness(""), ["Range": range]), expected)
        // HEAD shows what GET has without a range.
        try expectEqual(Self.sent(Self.harness(""), ["Range": range], .head), "200 0123456789 bytes")
    }

    @Test(
        arguments: [
            (["If-None-Match": "\"v1\""], "304"), (["If-None-Match": "W/\"v1\""], "304"),
            (["If-None-Match": "*"], "304"),
            (["If-None-Match": "\"v2\""], "200 0123456789 bytes"),
            (["If-None-Match": "\"v1\"", "Range": "bytes=0-0"], "304"),
            (["If-Modified-Since": "Wed, 01 Jan 2025 10:00:00 GMT"], "304"),
            (["If-Modified-Since": "Wed, 01 Jan 2025 09:59:59 GMT"], "200 0123456789 bytes"),
            (["If-Modified-Since": "yesterday"], "200 0123456789 bytes"),
            // The obsolete forms of a date.
            (["If-Modified-Since": "Wednesday, 01-Jan-25 10:00:00 GMT"], "304"),
            (["If-Modified-Since": "Wed Jan  1 09:59:59 2025"], "200 0123456789 bytes"),
            (["If-Unmodified-Since": "Wed Jan  1 10:00:00 2025"], "200 0123456789 bytes"),
            (["If-Unmodified-Since": "Wednesday, 01-Jan-25 09:59:59 GMT"], "412"),
            (["Range": "bytes=0-0", "If-Range": "Wed Jan  1 10:00:00 2025"], "206 0 bytes 0-0/10 bytes"),
            (["Range": "bytes=0-0", "If-Range": "Wednesday, 01-Jan-25 10:00:00 GMT"], "206 0 bytes 0-0/10 bytes"),
            // The tag comes before the date.
            (
                ["If-None-Match": "\"v2\"", "If-Modified-Since": "Wed, 01 Jan 2025 10:00:00 GMT"],
                "200 0123456789 bytes"
            ),
            (["If-Match": "\"v1\""], "200 0123456789 bytes"), (["If-Match": "*"], "200 0123456789 bytes"),
            (["If-Match": "W/\"v1\""], "412"), (["If-Match": "\"v2\""], "412"),
            (["If-Unmodified-Since": "Wed, 01 Jan 2025 10:00:00 GMT"], "200 0123456789 bytes"),
            (["If-Unmodified-Since": "Wed, 01 Jan 2025 09:59:59 GMT"], "412"),
            (["If-Match": "\"v1\"", "If-Unmodified-Since": "Wed, 01 Jan 2025 09:59:59 GMT"], "200 0123456789 bytes"),
            (["If-Match": "\"v2\"", "Range": "bytes=0-0"], "412"),
            (["Range": "bytes=0-0", "If-Range": "\"v1\""], "206 0 bytes 0-0/10 bytes"),
            (["Range": "bytes=0-0", "If-Range": "\"v2\""], "200 0123456789 bytes"),
            (["Range": "bytes=0-0", "If-Range": "W/\"v1\""], "200 0123456789 bytes"),
            (["Range": "bytes=0-0", "If-Range": "Wed, 01 Jan 2025 10:00:00 GMT"], "206 0 bytes 0-0/10 bytes"),
            (["Range": "bytes=0-0", "If-Range": "Wed, 01 Jan 2025 10:00:01 GMT"], "200 0123456789 bytes"),
            (["Range": "bytes=20-", "If-Range": "\"v2\""], "200 0123456789 bytes"),
            (["If-Range": "\"v1\""], "200 0123456789 bytes"),
        ] as [([String: String], String)]
    )
    func `1 conditions are taken in the order of RFC 9110`(conditions: [String: String], expected: String) throws {
        let harness = try Self.harness("\"ETag\":\"\\\"v1\\\"\",\"Last-Modified\":\"\(Self.modified)\"")
        var fields = Fields()
        for name in conditions.keys.sorted() {
            fields.append(try #require(FieldName(name)), conditions[name] ?? "")
        }
        try expectEqual(Self.sent(harness, fields), expected)
    }

    @Test func `1 a stub without a validator has a strong tag over its bytes`() throws {
        let harness = try Self.harness("")
        let tag = try #require(harness.send(.get, "/f").answer.response.fields[.eTag])
        #expect(tag.hasPrefix("\""))
        let fresh = try harness.send(.get, "/f", fields: ["If-None-Match": tag])
        expectEqual(fresh.status, 304)
        expectEqual(fresh.answer.response.fields[.eTag], tag)
        expectNil(fresh.answer.response.fields[.contentType])
        try harness.stub(#"{"match":{"path":"/g"},"response":{"base64":"MDEyMzQ1Njc4OA=="}}"#)
        #expect(try harness.send(.get, "/g").answer.response.fields[.eTag] != tag)
        let dated = try Self.harness("\"Last-Modified\":\"\(Self.modified)\"").send(.get, "/f")
        expectNil(dated.answer.response.fields[.eTag])
    }

    @Test func `1 a stub with another status or with fields of its own is sent as written`() throws {
        for (headers, status) in [
            ("", 203), ("\"Accept-Ranges\":\"none\"", 200), ("\"Content-Range\":\"bytes 0-9/20\"", 200),
        ] {
            let harness = try Self.harness(headers, status: status)
            let response = try harness.send(.get, "/f", fields: ["Range": "bytes=0-1", "If-None-Match": "*"]).answer
                .response
            expectEqual(response.status.code, status)
            expectEqual(response.body.content.count, 10)
            expectNil(response.fields[.eTag])
        }
        // A text is no content of a file.
        let harness = try EngineHarness()
        try harness.stub(#"{"match":{"path":"/f"},"response":{"text":"0123456789"}}"#)
        try expectEqual(Self.sent(harness, ["Range": "bytes=0-1"]), "200 0123456789")
    }

    @Test(
        arguments: [
            ("none", ["Range": "bytes=0-1"], "200 0123456789 none", "acted"),
            ("none", [:], "200 0123456789 none", "acted"),
            ("ignored", ["Range": "bytes=0-1"], "200 0123456789 bytes", "acted"),
            ("ignored", [:], "200 0123456789 bytes", "no range"),
            ("ignored", ["Range": "bytes=10-"], "200 0123456789 bytes", "acted"),
            ("ignored", ["Range": "bytes=a-"], "200 0123456789 bytes", "no range"),
            ("ignored", ["Range": "bytes=10-", "If-None-Match": "\"v1\""], "304", "no range"),
            ("changed", ["Range": "bytes=99-", "If-Range": "\"v1\""], "200 0123456789 bytes", "acted"),
            ("changed", ["Range": "bytes=99-"], "416 bytes */10", "acted"),
            ("shifted", ["Range": "bytes=10-"], "416 bytes */10", "no range"),
            ("ignored", ["Range": "bytes=0-1", "If-Range": "\"v2\""], "200 0123456789 bytes", "no range"),
            ("changed", ["Range": "bytes=0-1"], "206 01 bytes 0-1/10 bytes", "acted"),
            ("changed", ["Range": "bytes=0-1", "If-Range": "\"v1\""], "200 0123456789 bytes", "acted"),
            ("changed", [:], "200 0123456789 bytes", "no range"),
            ("weak", ["Range": "bytes=0-1", "If-Range": "\"v1\""], "200 0123456789 bytes", "acted"),
            ("weak", ["If-Match": "\"v1\""], "412", "acted"),
            ("shifted", ["Range": "bytes=0-1"], "206 01 bytes 1-2/10 bytes", "acted"),
            ("shifted", ["Range": "bytes=0-1,4-5"], "200 0123456789 bytes", "no range"),
        ] as [(String, [String: String], String, String)]
    )
    func `1 the effect range acts where it changes something`(
        kind: String,
        request: [String: String],
        expected: String,
        decision: String
    ) throws {
        let harness = try Self.harness("\"ETag\":\"\\\"v1\\\"\"")
        try harness.fault(#"{"when":{"times":1},"effect":{"range":"\#(kind)"}}"#)
        var fields = Fields()
        for name in request.keys.sorted() { fields.append(try #require(FieldName(name)), request[name] ?? "") }
        try expectEqual(Self.sent(harness, fields), expected)
        try expectEqual(
            harness.journal().map { $0.decisions.map { $0.acted ? "acted" : $0.reason ?? "" } },
            [[decision]]
        )
        try expectEqual(harness.hosted("main").world.faults["flt_1"]?.hits, decision == "acted" ? 1 : 0)
        let tag = try harness.send(.get, "/f", fields: fields).answer.response.fields[.eTag]
        #expect(tag == nil || tag == Self.tag)
    }

    @Test func `1 a response that is no content has no range to change`() throws {
        let harness = try EngineHarness()
        try harness.fault(#"{"effect":{"range":"none"}}"#)
        _ = try harness.send(.get, "/notes/n1", fields: ["Range": "bytes=0-1"])
        try expectEqual(harness.journal().map { $0.decisions.map(\.reason) }, [["no content"]])
    }

    @Test func `1 afterBytes counts the bytes of a part`() throws {
        let harness = try Self.harness("")
        try harness.fault(#"{"effect":{"connection":"truncate","afterBytes":2}}"#)
        let response = try harness.send(.get, "/f", fields: ["Range": "bytes=4-7"]).answer.response
        expectEqual(response.fields["Content-Range"], "bytes 4-7/10")
        expectEqual(response.framing, .length(4))
        expectEqual(response.body.content, Array("45".utf8))
    }
}
