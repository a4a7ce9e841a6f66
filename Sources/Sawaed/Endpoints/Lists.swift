import CivilTime
import Emulation
import HTTPMessage
import JSON

/// The four lists of the profile (contract section 6.6).
///
/// The same members make the form of a new row, which asks for some, and that of a change, which asks for none.
extension SawaedAPI {
    /// A text that every row has.
    private struct Text<Item: ListRow>: Sendable {
        var name: String
        var store: @Sendable (inout Item, String) -> Void

        init(_ name: String, _ store: @escaping @Sendable (inout Item, String) -> Void) {
            self.name = name
            self.store = store
        }
    }

    /// A body whose members are optional or required, by what it is for.
    private struct ListKind<Item: ListRow>: Sendable {
        var kind: String
        var path: String
        var name: String
        /// A new row with empty texts.
        var blank: @Sendable (_ id: String, _ user: String, _ now: Timestamp) -> Item
        /// The members that a new row needs: not blank then, and any text in a change.
        var texts: [Text<Item>]
        var others: [Form<Item>.Member]
        var table: any WritableKeyPath<SawaedState, Table<Item>> & Sendable
        var example: JSON

        var creation: Form<Item> {
            Form("New" + name, texts.map { Form<Item>.Member.filledString($0.name, $0.store).required } + others)
        }

        var change: Form<Item> {
            Form(name + "Change", texts.map { .string($0.name, $0.store) } + others)
        }
    }

    static let listEndpoints: [Endpoint<SawaedAPI>] =
        endpoints(
            ListKind(
                kind: "education",
                path: "education",
                name: "Education",
                blank: { id, user, now in
                    Education(id: id, userId: user, institution: "", degree: "", createdAt: now, updatedAt: now)
                },
                texts: [Text("institution") { $0.institution = $1 }, Text("degree") { $0.degree = $1 }],
                others: [
                    .string("field") { $0.field = $1 },
                    .string("description") { $0.description = $1 },
                    .number("startYear") { $0.startYear = $1 },
                    .endYear("endYear") { $0.endYear = $1 },
                ],
                table: \.education,
                example: [
                    "institution": "Sample University", "degree": "BSc", "startYear": 2_022, "endYear": "Present",
                ]
            )
        )
        + endpoints(
            ListKind(
                kind: "experience",
                path: "experience",
                name: "Experience",
                blank: { id, user, now in
                    Experience(id: id, userId: user, title: "", organization: "", createdAt: now, updatedAt: now)
                },
                texts: [Text("title") { $0.title = $1 }, Text("organization") { $0.organization = $1 }],
                others: [
                    .string("description") { $0.description = $1 },
                    .number("startDate") { $0.startDate = $1 },
                    .number("endDate") { $0.endDate = $1 },
                ],
                table: \.experiences,
                example: ["title": "Volunteer", "organization": "Sample Youth Centre", "startDate": 1_704_067_200_000]
            )
        )
        + endpoints(
            ListKind(
                kind: "project",
                path: "projects",
                name: "Project",
                blank: { id, user, now in Project(id: id, userId: user, title: "", createdAt: now, updatedAt: now) },
                texts: [Text("title") { $0.title = $1 }],
                others: [
                    .string("period") { $0.period = $1 },
                    .string("description") { $0.description = $1 },
                    .string("url") { $0.url = $1 },
                ],
                table: \.projects,
                example: ["title": "Habit tracker", "period": "2024"]
            )
        )
        + endpoints(
            ListKind(
                kind: "award",
                path: "awards",
                name: "Award",
                blank: { id, user, now in Award(id: id, userId: user, title: "", createdAt: now, updatedAt: now) },
                texts: [Text("title") { $0.title = $1 }],
                others: [.string("issuer") { $0.issuer = $1 }, .number("year") { $0.year = $1 }],
                table: \.awards,
                example: ["title": "Best pitch", "issuer": "Sample Centre", "year": 2_024]
            )
        )

    private static func endpoints<Item: ListRow>(_ list: ListKind<Item>) -> [Endpoint<SawaedAPI>] {
        let base = "/api/mobile/v1/profile/\(list.path)"
        let id = Parameter("id", in: .path, .string(), "One of the caller's")
        let (creation, change) = (list.creation, list.change)
        return [
            Endpoint(
                .post,
                base,
                "Adds to the list of \(list.name.lowercased()) rows",
                standing: .documented,
                credential: .bearerOrCookie(cookieName),
                body: .json(name: creation.name, schema: creation.schema, isRequired: true, example: list.example),
                bodyLimit: bodyLimit,
                answers: [.json(CreatedID.self, "Added"), CommonErrors.notOwner]
                    + CommonErrors.withBody("\(list.kind)_create_failed"),
                trait: EndpointMetadata(area: .v1, failure: "\(list.kind)_create_failed")
            ) { state, _, call throws(APIError) in
                var row = list.blank("", "", .at(call.now))
                try fill(&row, creation, call)
                let user = try profileOwner(state, call)
                let rowID = state.newID(list.kind) { $0[keyPath: list.table].contains($1) }
                row = list.blank(rowID, user.id, .at(call.now))
                try fill(&row, creation, call)
                state[keyPath: list.table].insert(row)
                state.recomputeCompletion(of: user.id)
                return json(CreatedID(id: rowID), call)
            },
            Endpoint(
                .patch,
                base + "/{id}",
                "Changes a row; what is absent stays",
                standing: .documented,
                credential: .bearerOrCookie(cookieName),
                parameters: [id],
                body: .json(name: change.name, schema: change.schema, isRequired: false, example: list.example),
                bodyLimit: bodyLimit,
                answers: [.json(Okay.self, "Changed"), CommonErrors.notOwner, CommonErrors.unknownRow]
                    + CommonErrors.withBody("\(list.kind)_update_failed"),
                trait: EndpointMetadata(area: .v1, failure: "\(list.kind)_update_failed")
            ) { state, _, call throws(APIError) in
                var probe = list.blank("", "", .at(call.now))
                try fill(&probe, change, call)
                let user = try profileOwner(state, call)
                guard var row = state[keyPath: list.table][call.parameters[0]], row.userId == user.id else {
                    throw .notFound
                }
                try fill(&row, change, call)
                row.updatedAt = .at(call.now)
                state[keyPath: list.table].insert(row)
                state.recomputeCompletion(of: user.id)
                return json(Okay(), call)
            },
            Endpoint(
                .delete,
                base + "/{id}",
                "Removes a row",
                standing: .documented,
                credential: .bearerOrCookie(cookieName),
                parameters: [id],
                bodyLimit: bodyLimit,
                answers: [.json(Okay.self, "Removed"), CommonErrors.notOwner, CommonErrors.unknownRow]
                    + CommonErrors.protected("\(list.kind)_delete_failed"),
                trait: EndpointMetadata(area: .v1, failure: "\(list.kind)_delete_failed")
            ) { state, _, call throws(APIError) in
                let user = try profileOwner(state, call)
                let rowID = call.parameters[0]
                guard state[keyPath: list.table][rowID]?.userId == user.id else { throw .notFound }
                state[keyPath: list.table].remove(rowID)
                state.recomputeCompletion(of: user.id)
                return json(Okay(), call)
            },
        ]
    }

    /// Reads the body into a row.
    private static func fill<Item: ListRow>(_ row: inout Item, _ form: Form<Item>, _ call: Call) throws(APIError) {
        if let problem = form.read(try object(call), into: &row) {
            throw bodyFailure("validation_error", problem, call)
        }
    }
}

extension Form.Member {
    /// A year, or that it goes on.
    fileprivate static func endYear(
        _ name: String,
        _ store: @escaping @Sendable (inout Value, EndYear) -> Void
    ) -> Self {
        Self(name: name, schema: .oneOf([.number, .string(enumeration: ["Present"])])) { json, value in
            if json.stringValue == "Present" {
                store(&value, .present)
            } else if let year = json.doubleValue, year.isFinite {
                store(&value, .year(year))
            } else {
                return "must be a number or Present"
            }
            return nil
        }
    }
}
