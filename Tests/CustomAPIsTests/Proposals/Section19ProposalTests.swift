import Backend
import CivilTime
import CustomAPIs
import HTTPMessage
import JSON
import OpenAPI
import Scaffolding
import TestSupport
import Testing

/// What `new` makes of a document (own-API contract, section 19).
@Suite struct Section19ProposalTests {
    /// A document with what is made of it.
    private struct Made {
        let scaffold: Scaffold
        let files: [String: String]
        let definition: CustomAPIDefinition

        init(_ document: String, beside present: [String: String]? = nil) throws {
            var order = ScaffoldOrder()
            order.document = [
                ScaffoldOrder.Source(place: "in/doc.yaml", name: "doc.yaml", bytes: Array(document.utf8))
            ]
            if let present {
                let api = try present["api.json"].map { try JSONReader.read(text: $0) }?.objectValue
                let tables = present.keys.filter { $0.hasPrefix("tables/") }.map { String($0.dropFirst(7).dropLast(5)) }
                order.present = ScaffoldOrder.Present(api: api, tables: tables.sorted())
            }
            scaffold = try Scaffold(order, version: "1")
            var files = (present ?? [:]).merging(["openapi.yaml": document]) { $1 }
            for file in scaffold.files { files[file.path] = String(decoding: file.bytes, as: UTF8.self) }
            self.files = files
            let reading = CustomAPIHarness.read(files)
            expectEqual(reading.errors.map(\.text), [])
            definition = try #require(reading.definition)
        }

        var report: ProposalReport { get throws { try #require(scaffold.proposal) } }

        var api: JSON { get throws { try JSONReader.read(text: files["api.json"] ?? "") } }

        /// The first thing about an answer that its operation does not declare.
        func misfit(_ answer: CustomAPIHarness.Answer, _ method: HTTPMethod, _ path: String) throws -> String? {
            let target = try #require(Path(raw: path))
            let operations = definition.document?.operations.filter {
                $0.method == method && $0.template.match(target) != nil
            }
            let operation = try #require(operations?.first)
            return operation.violations(ofResponse: answer.status, fields: answer.fields, content: answer.bytes).first
                .map { "\($0.path): \($0.reason)" }
        }
    }

    @Test func `19 a document's sign-in, rows, pages and writes serve as it declares them`() throws {
        let made = try Made(ProposalDocuments.bikes)
        let harness = try CustomAPIHarness(made.files)
        let user = try #require(try made.report.user)
        try expectEqual(harness.get("/v2/bikes").status, 401)
        let signedIn = try harness.post(
            "/v2/sessions",
            ["email": .string(user.identifier), "password": .string(user.password)]
        )
        expectEqual(signedIn.status, 201)
        try expectNil(made.misfit(signedIn, .post, "/v2/sessions"))
        let bearer: KeyValuePairs = ["Authorization": "Bearer \(signedIn.json["accessToken"]?.stringValue ?? "")"]
        var ids: [String] = []
        for (page, count) in [(1, 2), (2, 1), (3, 0)] {
            let list = try harness.get("/v2/bikes?page=\(page)", bearer)
            try expectNil(made.misfit(list, .get, "/v2/bikes"))
            expectEqual(list.json["items"]?.arrayValue?.count, count)
            expectEqual(list.json["total"]?.intValue, 3)
            ids += (list.json["items"]?.arrayValue ?? []).compactMap { $0["id"]?.stringValue }
        }
        expectEqual(Set(ids).count, 3)
        let created = try harness.post("/v2/bikes", ["name": "Blue"], bearer)
        expectEqual(created.status, 201)
        try expectNil(made.misfit(created, .post, "/v2/bikes"))
        let path = "/v2/bikes/\(created.json["id"]?.stringValue ?? "")"
        try expectEqual(harness.get(path).json["name"], "Blue")
        let changed = try harness.patch(path, ["status": "rented"], bearer)
        try expectNil(made.misfit(changed, .patch, path))
        expectEqual(changed.json["status"], "rented")
        try expectEqual(harness.delete(path, bearer).status, 204)
        try expectEqual(harness.put(path, ["name": "x"], bearer).status, 405)
        let rental = try harness.post("/v2/rentals", ["bikeId": .string(ids[0])], bearer)
        try expectNil(made.misfit(rental, .post, "/v2/rentals"))
        let mine = try harness.get("/v2/me", bearer)
        try expectNil(made.misfit(mine, .get, "/v2/me"))
        expectEqual(mine.json["email"]?.stringValue, user.identifier)
        expectEqual(rental.json["userId"], mine.json["id"])
        let first = try harness.get("/v2/rentals?limit=3", bearer)
        try expectNil(made.misfit(first, .get, "/v2/rentals"))
        expectEqual(first.json["hasMore"], true)
        let cursor = first.json["nextCursor"]?.stringValue ?? ""
        let last = try harness.get("/v2/rentals?limit=50&cursor=\(cursor)", bearer)
        try expectNil(made.misfit(last, .get, "/v2/rentals"))
        expectEqual([last.json["hasMore"], last.json["nextCursor"]], [false, .null])
        try harness.advance(.seconds(600))
        let expired = try harness.get("/v2/bikes", bearer)
        // The only refusal that the document declares has the form of all.
        expectEqual(expired.json["code"], "token_expired")
        let token = signedIn.json["refreshToken"] ?? .null
        let refreshed = try harness.post("/v2/sessions/refresh", ["refresh_token": token])
        expectEqual(refreshed.status, 201)
        try expectNil(made.misfit(refreshed, .post, "/v2/sessions/refresh"))
        let next: KeyValuePairs = ["Authorization": "Bearer \(refreshed.json["accessToken"]?.stringValue ?? "")"]
        try expectEqual(harness.get("/v2/bikes", next).status, 200)
        try expectEqual(harness.post("/v2/sessions/logout", [:], next).status, 204)
        try expectEqual(harness.get("/v2/bikes", next).status, 401)
    }

    private static let all = [
        ProposalDocuments.bikes, ProposalDocuments.pets, ProposalDocuments.trains, ProposalDocuments.music,
        ProposalDocuments.toots, ProposalDocuments.chat,
    ]

    @Test func `19 no method is offered that the document does not declare, with its statuses`() throws {
        for document in Self.all {
            let made = try Made(document)
            let declared = made.definition.document?.operations ?? []
            for route in made.definition.routes {
                let shape = try PathTemplate(route.template).shape
                #expect(
                    declared.contains { $0.method == route.method && $0.template.shape == shape },
                    "\(route.method.rawValue) \(route.template)"
                )
            }
        }
    }

    @Test func `19 a second run changes nothing, and what is there is kept`() throws {
        for document in Self.all {
            let made = try Made(document)
            let again = try Made(document, beside: made.files)
            expectEqual(again.scaffold.files, [])
            // Without an api.json the same is made as for a new folder.
            let bare = try Made(document, beside: [:])
            expectEqual(bare.files["api.json"], made.files["api.json"])
        }
        let own = [
            "api.json": """
            {"title": "Mine", "resources": [{"path": "/v2/bikes/", "table": "bikes", "methods": ["list"]}],
             "auth": {"users": "people"}}
            """,
            "tables/bikes.json": #"[{"id": 1}]"#, "tables/people.json": "[]", "tables/rentals.json": #"[{"id": "a"}]"#,
        ]
        let made = try Made(ProposalDocuments.bikes, beside: own)
        let api = try made.api
        expectEqual(api["title"], "Mine")
        expectEqual(api["auth"], ["users": "people"])
        expectEqual(api["resources"]?[0], ["path": "/v2/bikes/", "table": "bikes", "methods": ["list"]])
        expectEqual(
            api["resources"]?.arrayValue?.compactMap { $0["path"]?.stringValue },
            ["/v2/bikes/", "/v2/rentals"]
        )
        for name in ["tables/bikes.json", "tables/people.json", "tables/rentals.json"] {
            expectEqual(made.files[name], own[name])
        }
        try expectEqual(Made(ProposalDocuments.bikes, beside: made.files).scaffold.files, [])
    }

    private static let noSignIn =
        "$.auth: no operation of the document takes a name and a password and returns a token; with true, tokens are "
        + "those of understudy token"

    /// What is made of each document, what is switched off, and what is left to samples.
    private static let parts: [(document: String, made: [String], disabled: [String], samples: [String])] = [
        (
            ProposalDocuments.pets,
            [
                "pets: GET /api/pets, POST /api/pets, GET /api/pets/{id}, PUT /api/pets/{id}, DELETE /api/pets/{id}; "
                    + "pages by offset",
                "visits: GET /api/pets/{petId}/visits, POST /api/pets/{petId}/visits",
            ],
            ["$.resources[1] /api/pets/{petId}/photos: no member of the rows says to which {petId} they belong"],
            []
        ),
        (
            ProposalDocuments.trains,
            [
                "stations: GET /stations; pages by page",
                "bookings: GET /bookings/{bookingId}, DELETE /bookings/{bookingId}",
            ],
            ["$.resources[1] /trips: ?origin is required, and no member of the rows has this name", noSignIn],
            ["POST /bookings: its response is not the row in the form of the others"]
        ),
        (
            ProposalDocuments.music, ["new-releases: GET /v1/new-releases; pages by offset"],
            [
                "$.resources[0] /v1/albums: ?ids is required, and no member of the rows has this name",
                "$.resources[2] /v1/me/playlists: no member of the rows says to whom they belong", noSignIn,
            ],
            []
        ),
        (
            ProposalDocuments.toots,
            ["filters: GET /api/v1/filters, GET /api/v1/filters/{id}", "sign-in: token POST /oauth/token"],
            [
                "$.resources[0] /api/v1/favourites: ?max_id chooses the page by a row, and a resource has pages by number, "
                    + "offset or cursor"
            ],
            [
                "POST /api/v1/filters: takes no JSON object",
                "DELETE /api/v1/filters/{id}: its response is not the row in the form of the others",
            ]
        ),
        (
            ProposalDocuments.chat, ["guilds: GET /api/v10/guilds"],
            [
                "$.resources[1] /api/v10/channels/{channel_id}/messages: ?before chooses the page by a row, and a resource "
                    + "has pages by number, offset or cursor",
                "$.auth: the document takes the token in the header X-Bot-Token, and auth takes it in Authorization: Bearer",
            ],
            ["POST /api/v10/guilds: keys of the form of id can't be made"]
        ),
    ]

    @Test
    func `19 what is not sure is switched off with its reason, and what would break the document is left to samples`()
        throws
    {
        for part in Self.parts {
            let made = try Made(part.document)
            let report = try made.report
            expectEqual(report.made, part.made)
            expectEqual(report.disabled, part.disabled)
            expectEqual(report.samples, part.samples)
            // Each has its reason in api.json, and no other part has one.
            let api = try made.api
            let off = ((api["resources"]?.arrayValue ?? []) + [api["auth"]].compactMap { $0 }).filter {
                $0["enabled"] == false
            }
            expectEqual(off.count, part.disabled.count)
            for (json, line) in zip(off, part.disabled) {
                #expect(line.hasSuffix(": " + (json["why"]?.stringValue ?? "-")), "\(line)")
            }
        }
    }

    @Test func `19 rows belong to those of other tables, and what is switched off serves once it is on`() throws {
        let made = try Made(ProposalDocuments.pets)
        let harness = try CustomAPIHarness(made.files)
        let visits = try harness.get("/api/pets/1/visits")
        try expectNil(made.misfit(visits, .get, "/api/pets/1/visits"))
        expectEqual(visits.json.arrayValue?.map { $0["pet_id"] }, [1])
        let added = try harness.post("/api/pets/2/visits", ["reason": "cough"])
        expectEqual(added.json["pet_id"], 2)
        try expectNil(made.misfit(added, .post, "/api/pets/2/visits"))
        try expectEqual(harness.get("/api/pets/99/visits").status, 404)
        let put = try harness.put("/api/pets/2", ["name": "Bo"])
        try expectNil(made.misfit(put, .put, "/api/pets/2"))
        try expectEqual(harness.delete("/api/pets/2").status, 200)
        try expectEqual(harness.get("/api/pets/2").status, 404)
        for document in Self.all {
            var files = try Made(document).files
            files["api.json"] = files["api.json"]?.replacing("\"enabled\": false", with: "\"enabled\": true")
            expectEqual(CustomAPIHarness.read(files).errors.map(\.text), [])
        }
    }

    @Test func `19 the token endpoint of a document gives the token that its lists ask for`() throws {
        let made = try Made(ProposalDocuments.toots)
        let harness = try CustomAPIHarness(made.files)
        let user = try #require(try made.report.user)
        let form = "grant_type=password&username=\(user.identifier)&password=\(user.password)"
        let answer = try harness.send("POST", "/oauth/token", text: form, "application/x-www-form-urlencoded")
        try expectNil(made.misfit(answer, .post, "/oauth/token"))
        try expectEqual(harness.get("/api/v1/filters").status, 401)
        let token = answer.json["access_token"]?.stringValue ?? ""
        try expectEqual(harness.get("/api/v1/filters", ["Authorization": "Bearer \(token)"]).status, 200)
    }
}
