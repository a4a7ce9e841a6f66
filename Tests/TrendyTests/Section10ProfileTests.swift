import Backend
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import Trendy

/// Section 10.12: the app's own table, and the change of a user.
struct Section10ProfileTests {
    private static let prefer: FieldName = "Prefer"
    private static let accept: FieldName = "Accept"
    private static let object = "application/vnd.pgrst.object+json"
    private static let own = "?id=eq.\(Harness.id(1))"

    private let harness: Harness
    private let token: String

    init() throws {
        harness = try Harness()
        token = try harness.mint("new@trendy.example")
    }

    private func rest(
        _ method: HTTPMethod,
        _ query: String,
        _ body: JSON? = nil,
        prefer: String? = nil,
        accept: String? = nil
    ) throws -> Played {
        try harness.send(
            method,
            "/rest/v1/profiles\(query)",
            token: token,
            body: body?.serialized() ?? [],
            headers: (prefer.map { [(Self.prefer, $0)] } ?? []) + (accept.map { [(Self.accept, $0)] } ?? [])
        )
    }

    /// Takes the caller's row away, as `DELETE /__admin/state/trendy/profiles/ID` does.
    private func removeRow() throws {
        _ = try harness.state { state, _ in state.profiles.remove(Harness.id(1)) }
    }

    // MARK: Writing

    @Test func `10.12 an insert of an account that has a row is 409, and changes nothing`() throws {
        let before = try rest(.get, "").text
        for prefer in [nil, "return=representation", "return=minimal", "resolution=", "count=exact"] {
            let reply = try rest(.post, "", ["id": .string(Harness.id(1)), "onboarding_step": "x"], prefer: prefer)
            expectEqual(reply.status, 409)
            expectEqual(reply.json["code"], "23505")
            expectEqual(reply.json["details"]?.stringValue, "Key (id)=(\(Harness.id(1))) already exists.")
            expectEqual(reply.keys, ["code", "details", "hint", "message"])
        }
        try expectEqual(rest(.get, "").text, before)
    }

    @Test func `10.12 an insert of an account without a row is 201, with the row if it is asked for`() throws {
        try removeRow()
        let quiet = try rest(.post, "", ["id": .string(Harness.id(1))])
        #expect(quiet.status == 201 && quiet.bytes.isEmpty)
        expectEqual(quiet["Content-Range"], "*/*")
        try removeRow()
        let shown = try rest(
            .post,
            "?columns=\"id\",\"onboarding_step\"&select=id,step:onboarding_step",
            [["id": .string(Harness.id(1)), "onboarding_step": "auth", "location_enabled": true]],
            prefer: "return=representation,count=exact"
        )
        expectEqual(shown.status, 201)
        expectEqual(shown.text, #"[{"id":"\#(Harness.id(1))","step":"auth"}]"#)
        expectEqual(shown["Content-Range"], "*/1")
        // A column that `columns` leaves out is not stored.
        try expectEqual(rest(.get, "").json[0]?["location_enabled"], .null)
        try removeRow()
        let twice: JSON = [["id": .string(Harness.id(1))], ["id": .string(Harness.id(1))]]
        try expectEqual(rest(.post, "", twice).status, 409)
        try expectEqual(rest(.get, "").text, "[]")
    }

    @Test func `10.12 merge-duplicates changes the row with 200, and makes one with 201`() throws {
        let row: JSON = ["id": .string(Harness.id(1)), "location_enabled": true]
        let changed = try rest(.post, "", row, prefer: "resolution=merge-duplicates,return=representation")
        expectEqual(changed.status, 200)
        #expect(changed.json[0]?["location_enabled"] == true && changed.json[0]?["onboarding_complete"] == false)
        let quiet = try rest(.post, "?on_conflict=id", row, prefer: "resolution=merge-duplicates")
        expectEqual(quiet.status, 200)
        #expect(quiet.bytes.isEmpty)
        let kept = try rest(
            .post,
            "",
            ["id": .string(Harness.id(1)), "location_enabled": false],
            prefer: "resolution=ignore-duplicates, return=representation"
        )
        expectEqual(kept.status, 200)
        expectEqual(kept.text, "[]")
        try expectEqual(rest(.get, "").json[0]?["location_enabled"], true)
        try removeRow()
        try expectEqual(rest(.post, "", row, prefer: "resolution=merge-duplicates").status, 201)
        try expectEqual(rest(.post, "?on_conflict=email", row).json["code"], "42P10")
    }

    @Test func `10.12 PATCH is 204, and 200 with the rows if they are asked for`() throws {
        let quiet = try rest(.patch, Self.own, ["onboarding_step": "auth"])
        #expect(quiet.status == 204 && quiet.bytes.isEmpty)
        expectEqual(quiet["Content-Range"], "0-0/*")
        let shown = try rest(
            .patch,
            Self.own,
            [
                "onboarding_complete": true, "onboarding_completed_at": "2025-01-01T11:00:00.5+01:00",
                "healthkit_enabled": .null,
            ],
            prefer: "return=representation, count=exact"
        )
        expectEqual(shown.status, 200)
        expectEqual(shown["Content-Range"], "0-0/1")
        expectEqual(shown.json[0]?.string("onboarding_step"), "auth")
        expectEqual(shown.json[0]?.string("onboarding_completed_at"), "2025-01-01T10:00:00Z")
        expectEqual(shown.json[0]?.string("updated_at"), "2025-01-01T12:00:00Z")
        let one = try rest(
            .patch,
            Self.own + "&select=id",
            ["location_enabled": true],
            prefer: "return=representation",
            accept: Self.object
        )
        expectEqual(one.text, #"{"id":"\#(Harness.id(1))"}"#)
        let merged = try rest(
            .post,
            "?select=id",
            ["id": .string(Harness.id(1))],
            prefer: "return=representation, resolution=merge-duplicates",
            accept: Self.object
        )
        expectEqual(merged.status, 200)
        expectEqual(merged.text, #"{"id":"\#(Harness.id(1))"}"#)
        // Both stores are independent.
        try expectEqual(harness.get(Harness.onboarding, token: token).json["completed"], false)
    }

    @Test(arguments: [
        "?id=eq.\(Harness.id(5))", "?onboarding_complete=is.true", "?onboarding_complete=eq.true", "?limit=0",
        "?offset=1", "?onboarding_step=eq.x",
    ])
    func `10.12 filters hold for writes too`(query: String) throws {
        let before = try rest(.get, "").text
        let reply = try rest(.patch, query, ["location_enabled": true], prefer: "return=representation")
        expectEqual(reply.status, 200)
        expectEqual(reply.text, "[]")
        expectEqual(reply["Content-Range"], "*/*")
        try expectEqual(rest(.patch, query, ["location_enabled": true]).status, 204)
        try expectEqual(rest(.get, "").text, before)
    }

    @Test func `10.12 bad bodies change nothing`() throws {
        let before = try rest(.get, "").text
        for body: JSON in [["x": 1], ["onboarding_complete": "yes"], ["updated_at": "x"], 5, ["id": .null]] {
            try expectEqual(rest(.patch, Self.own, body).status, 400)
        }
        try expectEqual(rest(.patch, Self.own, ["id": .string(Harness.id(5))]).status, 403)
        try expectEqual(rest(.post, "", ["onboarding_complete": true]).json["code"], "23502")
        try expectEqual(rest(.post, "", ["id": .string(Harness.id(5))]).json["code"], "42501")
        try expectEqual(rest(.post, "?columns=nickname", ["id": .string(Harness.id(1))]).json["code"], "PGRST204")
        try expectEqual(rest(.get, "").text, before)
    }

    // MARK: Reading

    @Test(arguments: [
        ("id=eq.\(Harness.id(1))", true), ("id=neq.\(Harness.id(1))", false), ("id=neq.\(Harness.id(2))", true),
        ("id=in.(\(Harness.id(1)),\(Harness.id(2)))", true), ("id=in.(\"\(Harness.id(2))\")", false),
        ("id=in.()", false),
        ("id=not.in.(\(Harness.id(2)))", true), ("id=like.7e4d*", true), ("id=like.*7e4d", false),
        ("id=ilike.7E4D%25", true), ("id=like.7E4D*", false), ("id=not.like.7e4d*", false),
        ("id=gt.00000000-0000-4000-8000-000000000000", true), ("id=lt.00000000-0000-4000-8000-000000000000", false),
        ("onboarding_complete=is.false", true), ("onboarding_complete=is.true", false),
        ("onboarding_complete=eq.f", true), ("onboarding_complete=not.eq.false", false),
        ("onboarding_complete=neq.true", true), ("onboarding_complete=lt.true", true),
        ("onboarding_step=is.null", true), ("onboarding_step=not.is.null", false),
        ("onboarding_step=is.not_null", false),
        // A comparison with null is neither true nor false.
        ("onboarding_step=eq.auth", false), ("onboarding_step=neq.auth", false), ("onboarding_step=not.eq.auth", false),
        ("notifications_enabled=is.unknown", true), ("notifications_enabled=not.is.true", true),
        ("created_at=eq.2024-12-20T08:58:00Z", true), ("created_at=gte.2024-12-20T08:58:00Z", true),
        ("created_at=gt.2024-12-20T08:58:00", false), ("created_at=lte.2024-12-20", false),
        ("created_at=lt.2024-12-21", true), ("created_at=gte.2024-12-20&created_at=lt.2024-12-21", true),
        ("created_at=gte.2024-12-21&created_at=lt.2024-12-22", false),
        ("order=created_at.desc.nullslast,id&limit=1", true), ("limit=0", false), ("offset=1", false),
        ("offset=0&limit=10", true), ("apikey=anon", true),
    ])
    func `10.12 a row passes the filters or not`(query: String, passes: Bool) throws {
        let reply = try rest(.get, "?select=id&" + query)
        expectEqual(reply.status, 200, "\(reply.text)")
        expectEqual(reply.text, passes ? #"[{"id":"\#(Harness.id(1))"}]"# : "[]")
    }

    @Test(arguments: [
        "or=(id.eq.1,id.eq.2)", "and=(id.eq.1)", "not.or=(id.eq.1)", "id=fts.x", "id=wfts(english).x", "id=cs.{x}",
        "id=ov.[1,2)", "id=adj.(1,2)", "id=match.x", "id=eq(any).{x}", "id=isdistinct.x", "select=id,users(name)",
        "select=id.count()", "select=id::text", "select=a->b", "users.id=eq.1", "onboarding_step->>a=eq.1",
    ])
    func `10.12 what PostgREST knows and the emulator does not is PGRST100, and says so`(query: String) throws {
        let reply = try rest(.get, "?" + query)
        expectEqual(reply.status, 400)
        expectEqual(reply.json["code"], "PGRST100")
        expectEqual(reply.json["message"]?.stringValue?.contains("a limit of the emulator"), true)
    }

    @Test(arguments: [
        ("nickname=eq.x", 400, "42703"), ("select=nickname", 400, "42703"), ("order=nickname", 400, "42703"),
        ("id=eq.x", 400, "22P02"), ("id=in.(x)", 400, "22P02"), ("created_at=gt.yesterday", 400, "22P02"),
        ("onboarding_complete=eq.maybe", 400, "22P02"), ("id=is.true", 400, "42804"), ("id=is.maybe", 400, "PGRST100"),
        ("id=5", 400, "PGRST100"), ("id=equals.5", 400, "PGRST100"), ("id=in.5", 400, "PGRST100"),
        ("order=id.up", 400, "PGRST100"), ("limit=x", 400, "PGRST100"), ("limit=-1", 400, "PGRST100"),
    ])
    func `10.12 a query that can't be read is refused as PostgREST does`(
        query: String,
        status: Int,
        code: String
    ) throws {
        let reply = try rest(.get, "?" + query)
        expectEqual(reply.status, status)
        expectEqual(reply.json["code"]?.stringValue, code)
    }

    @Test(arguments: [HTTPMethod.get, .head])
    func `10.12 GET and HEAD tell the range, and the number of rows if it is asked for`(method: HTTPMethod) throws {
        for (query, prefer, status, range) in [
            ("", nil, 200, "0-0/*"), ("", "count=exact", 200, "0-0/1"), ("?id=eq.\(Harness.id(5))", nil, 200, "*/*"),
            ("?id=eq.\(Harness.id(5))", "count=exact", 200, "*/0"), ("?offset=1", "count=exact", 206, "*/1"),
            ("?offset=2", "count=exact", 416, "*/1"), ("?offset=2", nil, 200, "*/*"),
        ] as [(String, String?, Int, String)] {
            let reply = try rest(method, query, prefer: prefer)
            expectEqual(reply.status, status, "\(query)")
            expectEqual(reply["Content-Range"], range, "\(query)")
        }
        try expectEqual(harness.send(.head, "/rest/v1/profiles").status, 401)
    }

    // MARK: PUT /auth/v1/user

    private func change(_ body: JSON, token: String? = nil) throws -> Played {
        try harness.send(
            .put,
            "/auth/v1/user",
            token: token ?? self.token,
            body: body.serialized(),
            headers: [Harness.modern]
        )
    }

    @Test func `10.12 the user changes address and password, and the session stays`() throws {
        let signedIn = try harness.signIn("new").json
        let access = signedIn.string("access_token")
        let reply = try change(["email": "Nora@trendy.example", "password": "trendy-pass-9"], token: access)
        expectEqual(reply.status, 200)
        expectEqual(reply.json.string("email"), "nora@trendy.example")
        expectEqual(reply.json.string("updated_at"), "2025-01-01T12:00:00Z")
        expectEqual(reply.json["user_metadata"]?.string("email"), "nora@trendy.example")
        try expectEqual(harness.authUser(access).status, 200)
        try expectEqual(harness.refresh(signedIn.string("refresh_token")).status, 200)
        try expectEqual(harness.signIn("new").status, 400)
        try expectEqual(harness.signIn("nora", password: "trendy-pass-9").status, 200)
        // The former address is free again.
        try expectEqual(harness.signUp(["email": "new@trendy.example", "password": "trendy-pass-1"]).status, 200)
    }

    @Test func `10.12 data merges, and null takes a member away`() throws {
        _ = try change(["data": ["name": "Nora", "age": 7]])
        let reply = try change(["data": ["age": .null, "town": "Muscat", "sub": "x"]])
        let metadata = try #require(reply.json["user_metadata"]?.objectValue)
        expectEqual(metadata["name"], "Nora")
        expectEqual(metadata["town"], "Muscat")
        expectNil(metadata["age"])
        expectEqual(metadata["sub"]?.stringValue, Harness.id(1))
        try expectEqual(change([:]).text, reply.text)
    }

    @Test(
        arguments: [
            (["password": "trendy-pass-1"], 422, "same_password"), (["password": "12345"], 422, "weak_password"),
            (["email": "completed@trendy.example"], 422, "email_exists"),
            (["email": "COMPLETED@trendy.example"], 422, "email_exists"),
            (["email": "nobody"], 400, "validation_failed"),
            (["password": .string(String(repeating: "x", count: 73))], 400, "validation_failed"),
            (["email": 5], 400, "bad_json"), (["data": "x"], 400, "bad_json"), (5, 400, "bad_json"),
        ] as [(JSON, Int, String)]
    )
    func `10.12 a change of the user that does not fit changes nothing`(
        body: JSON,
        status: Int,
        code: String
    ) throws {
        let before = try harness.authUser(token).text
        let reply = try change(body)
        expectEqual(reply.status, status)
        expectEqual(reply.json.string("code"), code)
        try expectEqual(harness.authUser(token).text, before)
        try expectEqual(harness.send(.put, "/auth/v1/user", body: Array("{}".utf8)).status, 401)
    }
}
