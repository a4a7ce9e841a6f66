import HTTPMessage
import JSON
import TestSupport
import Testing

/// Parts of `api.json` that are switched off, and what a document's author can say of statuses, open paths, defaults and
/// keys (own-API contract, sections 11 to 15).
@Suite struct DeclaredPartTests {
    private static let users = [
        "tables/users.json": #"[{"id": 1, "email": "a@x.se", "password": "secret12"}]"#,
        "tables/pets.json": #"[{"id": 1, "name": "Rex"}, {"id": 2, "name": "Ada"}, {"id": 3, "name": "Bo"}]"#,
    ]

    private static func harness(_ api: String) throws -> CustomAPIHarness {
        try CustomAPIHarness(users.merging(["api.json": api]) { $1 })
    }

    @Test func `12 a resource with enabled false has no routes`() throws {
        for (enabled, status) in [("false", 404), ("true", 200), ("null", 200)] {
            let api = #"{"resources": [{"enabled": \#(enabled), "why": "x", "path": "/pets", "table": "pets"}]}"#
            try expectEqual(Self.harness(api).get("/pets").status, status)
        }
        let faults = CustomAPIHarness.findings(
            #"{"resources": [{"enabled": false, "path": "/a", "table": "b"}, {"enabled": 1, "why": 2, "path": "/c", "table": "t"}]}"#,
            ["tables/t.json": "[]"]
        )
        expectEqual(
            faults,
            [
                "apis/shop/api.json:1: $.resources[0].table: there is no table \"b\"",
                "apis/shop/api.json:1: $.resources[1].why: must be a string, found number",
                "apis/shop/api.json:1: $.resources[1].enabled: must be true or false",
            ]
        )
        // Two resources at one path are none if one of them is off.
        let twice =
            #"{"resources": [{"path": "/pets", "table": "pets"}, {"enabled": false, "path": "/pets", "table": "pets"}]}"#
        expectEqual(CustomAPIHarness.findings(twice, Self.users), [])
    }

    @Test func `15 auth with enabled false asks for nothing`() throws {
        for (enabled, statuses) in [("false", [404, 200]), ("true", [200, 401])] {
            let api = """
                {"resources": [{"path": "/pets", "table": "pets"}],
                 "auth": {"enabled": \(enabled), "why": "x", "login": "/login"}}
                """
            let harness = try Self.harness(api)
            let login = try harness.post("/login", ["email": "a@x.se", "password": "secret12"])
            try expectEqual([login.status, harness.get("/pets").status], statuses)
        }
        // There need be nobody who could sign in.
        for auth in [#"{"enabled": false}"#, #"{"enabled": false, "users": "people", "login": "/login"}"#] {
            expectEqual(CustomAPIHarness.findings("{\"auth\": \(auth)}"), [])
        }
        let form = CustomAPIHarness.findings(#"{"auth": {"enabled": false, "login": 1}}"#)
        expectEqual(form, ["apis/shop/api.json:1: $.auth.login: must be a string, found number"])
        let faults = CustomAPIHarness.findings(
            #"{"auth": {"enabled": false}, "resources": [{"path": "/pets", "table": "pets", "owner": "o"}]}"#,
            Self.users
        )
        expectEqual(faults, ["apis/shop/api.json:1: $.resources[0].owner: needs auth: rows belong to a user"])
    }

    @Test func `15 the statuses of sign-in and refresh are 200 or 201`() throws {
        let api = #"{"auth": {"login": "/login", "refresh": "/refresh", "statuses": {"login": 201, "refresh": 201}}}"#
        let harness = try Self.harness(api)
        let login = try harness.post("/login", ["email": "a@x.se", "password": "secret12"])
        let refreshed = try harness.post("/refresh", ["refreshToken": login.json["refreshToken"] ?? .null])
        expectEqual([login.status, refreshed.status], [201, 201])
        for (member, reason) in [
            (#""login": 199"#, "login"), (#""login": 202"#, "login"), (#""refresh": "200""#, "refresh"),
            (#""me": 200"#, "me"),
        ] {
            let faults = CustomAPIHarness.findings(#"{"auth": {"statuses": {\#(member)}}}"#, Self.users)
            #expect(faults.count == 1 && faults[0].contains("$.auth.statuses.\(reason): "), "\(faults)")
        }
    }

    @Test func `15 an entry of open may be of one method`() throws {
        let api =
            #"{"resources": [{"path": "/pets", "table": "pets"}], "auth": {"open": ["GET /pets", "DELETE /pets/*"]}}"#
        let harness = try Self.harness(api)
        try expectEqual(harness.get("/pets").status, 200)
        try expectEqual(harness.head("/pets").status, 200)
        try expectEqual(harness.post("/pets", ["name": "x"]).status, 401)
        try expectEqual(harness.get("/pets/1").status, 401)
        try expectEqual(harness.delete("/pets/1").status, 204)
        for entry in ["get /pets", "BREW /pets", "GET pets", "GET  "] {
            let faults = CustomAPIHarness.findings(#"{"auth": {"open": ["\#(entry)"]}}"#, Self.users)
            #expect(faults.count == 1 && faults[0].contains("$.auth.open[0]: "), "\(entry) \(faults)")
        }
    }

    @Test(arguments: ["offset", "page", "cursor"])
    func `12 more tells whether there is a next page`(_ style: String) throws {
        let api = """
            {"resources": [{"path": "/pets", "table": "pets", "list": {"envelope": {"items": "{{items}}", "more": "{{more}}"},
             "paging": {"style": "\(style)", "limit": 2}}}]}
            """
        let harness = try Self.harness(api)
        try expectEqual(harness.get("/pets").json["more"], true)
        try expectEqual(harness.get("/pets?limit=3").json["more"], false)
        try expectEqual(harness.get("/pets?limit=1&name=Rex").json["more"], false)
    }

    @Test func `14 a new row has the defaults of its schema`() throws {
        let api = """
            {"tables": {"pets": {"schema": {"allOf": [{"$ref": "#/$defs/a"}], "properties": {"state": {"default": "new"}},
               "$defs": {"a": {"type": "object", "required": ["state"], "properties": {"state": {"type": "string", "default": "old"},
               "tags": {"type": "array", "default": []}, "name": {"type": "string"}}}}}, "readOnly": ["tags"]}},
             "resources": [{"path": "/pets", "table": "pets"}]}
            """
        let files = ["api.json": api, "tables/pets.json": #"[{"id": 1, "state": "x"}]"#]
        let harness = try CustomAPIHarness(files)
        let made = try harness.post("/pets", ["name": "Rex", "tags": ["a"]])
        expectEqual(made.json, ["id": 2, "name": "Rex", "state": "new", "tags": []])
        try expectEqual(harness.post("/pets", ["state": "own"]).json["state"], "own")
        // What is there is not filled up.
        try expectEqual(harness.patch("/pets/1", ["name": "Bo"]).json, ["id": 1, "state": "x", "name": "Bo"])
    }

    @Test func `11 a key is hidden only where all resources are single`() throws {
        func findings(_ resources: String, _ more: String = "") -> [String] {
            CustomAPIHarness.findings(
                #"{"tables": {"me": {"writeOnly": ["id"]}}, "resources": [\#(resources)]\#(more)}"#,
                ["tables/me.json": #"[{"id": 1, "name": "Ada", "email": "a", "password": "b"}]"#]
            )
        }
        let single = #"{"path": "/me", "table": "me", "single": true}"#
        expectEqual(findings(single), [])
        for (resources, more) in [
            ("", ""), (#"{"path": "/all", "table": "me"}"#, ""), (single + #", {"path": "/all", "table": "me"}"#, ""),
            (single, #", "auth": {"users": "me"}"#),
        ] {
            let found = findings(resources, more)
            #expect(
                found.contains { $0.hasSuffix("$.tables.me.writeOnly: the key id is in every response") },
                "\(found)"
            )
        }
    }
}
