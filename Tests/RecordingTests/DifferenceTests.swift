import HTTPMessage
import JSON
import Proxying
import Recording
import TestSupport
import Testing

@Suite struct DifferenceTests {
    private static func differences(
        _ emulated: String,
        _ upstream: String,
        rules: MatchRules = MatchRules(),
        status: (Int, Int) = (200, 200)
    ) -> [String] {
        func answer(_ status: Int, _ text: String) -> ComparedAnswer {
            ComparedAnswer(
                status: status,
                headers: [HARPair("Content-Type", "application/json")],
                body: Array(text.utf8)
            )
        }
        return AnswerComparison.differences(
            emulated: answer(status.0, emulated),
            upstream: answer(status.1, upstream),
            rules: rules,
            redactor: Redactor()
        ).map { "\($0.severity.rawValue) \($0.path) \($0.emulated?.text ?? "-") \($0.upstream?.text ?? "-")" }
    }

    @Test func `13 what is gone or another breaks, what is new adds, and values differ`() {
        expectEqual(Self.differences(#"{"a":1,"b":{"c":"x"}}"#, #"{"b":{"c":"x"},"a":1}"#), [])
        expectEqual(Self.differences(#"{"a":1}"#, "{}"), ["breaking $.a 1 -"])
        expectEqual(Self.differences("{}", #"{"a":{"b":1}}"#), [#"additive $.a - {"b":1}"#])
        expectEqual(Self.differences(#"{"a":[{"b":1}]}"#, #"{"a":[{"b":"1"}]}"#), [#"breaking $.a[0].b 1 "1""#])
        expectEqual(Self.differences(#"{"a":1}"#, #"{"a":null}"#), ["breaking $.a 1 null"])
        expectEqual(Self.differences(#"{"a":null}"#, #"{"a":1}"#), ["additive $.a null 1"])
        expectEqual(Self.differences(#"{"a":"x"}"#, #"{"a":"y"}"#), [#"value $.a "x" "y""#])
        expectEqual(Self.differences(#"{"a":[1,2]}"#, #"{"a":[1]}"#), ["value $.a.length 2 1"])
        expectEqual(Self.differences("{}", "{}", status: (200, 503)), ["breaking status 200 503"])
        expectEqual(Self.differences("{}", "<html>"), [#"breaking $ "object" "no JSON""#])
    }

    @Test func `13 a side without a value lacks its member, since null is a value`() {
        func shown(_ emulated: JSON?, _ upstream: JSON?) -> String {
            AnswerDifference(path: "$.a", emulated: emulated, upstream: upstream, severity: .breaking).json.text
        }
        expectEqual(shown(1, nil), #"{"path":"$.a","emulated":1}"#)
        expectEqual(shown(nil, .null), #"{"path":"$.a","upstream":null}"#)
    }

    @Test func `13 what differs by nature is no difference`() {
        expectEqual(
            Self.differences(
                #"{"id":"a","userId":"b","at":"2025-01-01T00:00:00Z","accessToken":"x","exp":1735732800}"#,
                #"{"id":"c","userId":"d","at":"2026-01-01T00:00:00Z","accessToken":"y","exp":1765732800}"#
            ),
            []
        )
        expectEqual(
            Self.differences(
                #"{"a":{"b":1}}"#,
                #"{"a":{"b":2}}"#,
                rules: MatchRules(headers: [], query: [], body: ["a.b"])
            ),
            []
        )
    }

    @Test func `13 secrets in differing values are not shown`() {
        expectEqual(
            Self.differences(#"{"mail":"a@b.se"}"#, #"{"mail":"c@d.se"}"#),
            [
                #"value $.mail "redacted-email-1@example.invalid" "redacted-email-2@example.invalid""#
            ]
        )
        expectEqual(
            Self.differences("{}", #"{"password":"hunter2-and-more"}"#),
            [
                #"additive $.password - "redacted-token-1""#
            ]
        )
    }

    @Test func `13 streams are compared by the kinds of their events`() {
        func answer(_ text: String) -> ComparedAnswer {
            ComparedAnswer(
                status: 200,
                headers: [HARPair("content-type", "text/event-stream; charset=utf-8")],
                body: Array(text.utf8)
            )
        }
        let emulated = answer("data: {\"type\":\"delta\",\"text\":\"a\"}\n\ndata: {\"type\":\"end\",\"n\":1}\n\n")
        let upstream = answer("data: {\"type\":\"delta\",\"text\":1}\n\ndata: {\"type\":\"delta\",\"text\":2}\n\n")
        let found = AnswerComparison.differences(emulated: emulated, upstream: upstream)
        expectEqual(found.map(\.path), ["$.delta.text", "$.end"])
    }

    @Test func `13 twins lead a client from one backend to the other`() throws {
        var correspondence = IDCorrespondence()
        correspondence.learn(
            emulated: Array(#"{"accessToken":"emulated-token","user":{"id":"user_0001"}}"#.utf8),
            upstream: Array(#"{"accessToken":"real-token-value","user":{"id":"8c1f22ab"}}"#.utf8)
        )
        var request = HTTPRequest(
            head: RequestHead(
                method: .post,
                target: RequestTarget(rawPath: "/users/8c1f22ab", rawQuery: "id=8c1f22ab&x=%20"),
                fields: ["Authorization": "Bearer real-token-value", "X-Other": "8c1f22ab"]
            ),
            body: RequestBody(Array(#"{"id": "8c1f22ab", "n": 1.0}"#.utf8))
        )
        let emulated = correspondence.emulatedRequest(request)
        expectEqual(emulated.head.target.rawPath, "/users/user_0001")
        expectEqual(emulated.head.target.rawQuery, "id=user_0001&x=%20")
        expectEqual(emulated.head.fields[.authorization], "Bearer emulated-token")
        expectEqual(emulated.head.fields["X-Other"], "8c1f22ab")
        expectEqual(emulated.body.bytes, Array(#"{"id": "user_0001", "n": 1.0}"#.utf8))
        request = correspondence.upstreamRequest(emulated)
        expectEqual(request.head.fields[.authorization], "Bearer real-token-value")
    }

    private static func post(_ path: String, _ query: String?, _ body: String) -> HTTPRequest {
        HTTPRequest(
            head: RequestHead(
                method: .post,
                target: RequestTarget(rawPath: path, rawQuery: query),
                fields: ["Content-Type": "application/json"]
            ),
            body: RequestBody(Array(body.utf8))
        )
    }

    @Test func `13 only ids are translated, and what people write goes as it is`() throws {
        var correspondence = IDCorrespondence()
        correspondence.learn(
            emulated: Array(
                #"""
                {"icon":"figure.run","email":"ann@here.example","level":"premium_monthly_2024","id":17,"userId":"usr_here",
                "ref":"7e4d0000-0000-4000-8000-000000000009","cursor":"a8f9b2c7d1e0f3a4","refresh_token":"here-token-1"}
                """#.utf8
            ),
            upstream: Array(
                #"""
                {"icon":"pills.fill","email":"bo@there.example","level":"standard_yearly_2025","id":42,"userId":"usr_there",
                "ref":"9f9f0000-0000-4000-8000-000000000001","cursor":"b1c2d3e4f5a6b7c8","refresh_token":"there-token-2"}
                """#.utf8
            )
        )
        let written =
            #"{"icon":"figure.run","note":"usr_here","email":"ann@here.example","level":"premium_monthly_2024","n":17}"#
        expectEqual(
            correspondence.upstreamRequest(Self.post("/a", "note=usr_here&n=17", written)).body.bytes,
            Array(written.utf8)
        )
        expectEqual(correspondence.translations(of: Self.post("/a", "note=usr_here&n=17", written)), [])
        let ids = Self.post(
            "/items/17/usr_here/7e4d0000-0000-4000-8000-000000000009",
            "userId=usr_here&q=usr_here&cursor=a8f9b2c7d1e0f3a4",
            #"{"list":[{"id":17,"userId":"usr_here","refreshToken":"here-token-1"}],"count":17}"#
        )
        let sent = correspondence.upstreamRequest(ids)
        expectEqual(sent.head.target.rawPath, "/items/42/usr_there/9f9f0000-0000-4000-8000-000000000001")
        expectEqual(sent.head.target.rawQuery, "userId=usr_there&q=usr_here&cursor=b1c2d3e4f5a6b7c8")
        expectEqual(
            sent.body.bytes,
            Array(#"{"list":[{"id":42,"userId":"usr_there","refreshToken":"there-token-2"}],"count":17}"#.utf8)
        )
        expectEqual(
            correspondence.translations(of: ids).map(\.path),
            [
                "path[1]", "path[2]", "path[3]", "query.userId", "query.cursor", "$.list[0].id", "$.list[0].userId",
                "$.list[0].refreshToken",
            ]
        )
        expectEqual(correspondence.translations(of: ids).filter(\.isSecret).map(\.emulated), ["here-token-1"])
        expectEqual(correspondence.emulatedRequest(sent).body.bytes, ids.body.bytes)
    }
}
