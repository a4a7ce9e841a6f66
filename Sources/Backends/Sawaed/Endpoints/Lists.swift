import Backend
import CivilTime
import HTTPMessage
import JSON

/// The four lists of the profile (contract, section 6.6).
///
/// The same members make up the body of a new row, which requires some of them, and that of a change, which requires
/// none.
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

    /// A kind of list, with a body whose members are optional or required depending on the route.
    private struct ListKind<Item: ListRow>: Sendable {
        var kind: String
        var path: String
        var name: String
        /// A new row with empty texts.
        var blank: @Sendable (_ id: String, _ user: String, _ now: Timestamp) -> Item
        /// The members that a new row needs.
        ///
        /// They must not be blank in a new row, and may be any text in a change.
        var texts: [Text<Item>]
        var others: [RequestSchema<Item>.Member]
        var table: any WritableKeyPath<SawaedState, Table<Item>> & Sendable
        var example: JSON

        var creation: RequestSchema<Item> {
            RequestSchema(
                "New" + name,
                nulls: .value,
                texts.map { .required($0.name, .string(.notBlank), $0.store) } + others
            )
        }

        var change: RequestSchema<Item> {
            RequestSchema(
                name + "Change",
                nulls: .value,
                texts.map { .optional($0.name, .string(), $0.store) } + others
            )
        }

        /// The declaration of one of the two bodies.
        func body(_ shape: RequestSchema<Item>, isRequired: Bool) -> BodyDeclaration {
            .json(
                name: shape.name,
                .object(shape) { [blank] in blank("", "", .sinceT0(.zero)) },
                isRequired: isRequired,
                example: example
            )
        }
    }

    static let listEndpoints: [SawaedEndpoint] =
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
                    .optional("field", .string()) { $0.field = $1 },
                    .optional("description", .string()) { $0.description = $1 },
                    .optional("startYear", .number()) { $0.startYear = $1 },
                    .optional("endYear", .endYear) { $0.endYear = $1 },
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
                    .optional("description", .string()) { $0.description = $1 },
                    .optional("startDate", .number()) { $0.startDate = $1 },
                    .optional("endDate", .number()) { $0.endDate = $1 },
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
                    .optional("period", .string()) { $0.period = $1 },
                    .optional("description", .string()) { $0.description = $1 },
                    .optional("url", .string()) { $0.url = $1 },
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
                others: [
                    .optional("issuer", .string()) { $0.issuer = $1 }, .optional("year", .number()) { $0.year = $1 },
                ],
                table: \.awards,
                example: ["title": "Best pitch", "issuer": "Sample Centre", "year": 2_024]
            )
        )

    private static func endpoints<Item: ListRow>(_ list: ListKind<Item>) -> [SawaedEndpoint] {
        let base = "/api/mobile/v1/profile/\(list.path)"
        let id = Parameter("id", in: .path, .string(), "One of the caller's")
        let (creation, change) = (list.creation, list.change)
        return [
            Endpoint(
                .post,
                base,
                "Adds to the list of \(list.name.lowercased()) rows",
                provenance: .documented,
                credential: .bearerOrCookie(cookieName),
                body: list.body(creation, isRequired: true),
                bodyLimit: bodyLimit,
                answers: [.json(CreatedID.self, "Added"), CommonErrors.notOwner]
                    + CommonErrors.withBody("\(list.kind)_create_failed"),
                metadata: EndpointMetadata(area: .v1, failure: "\(list.kind)_create_failed")
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
                provenance: .documented,
                credential: .bearerOrCookie(cookieName),
                parameters: [id],
                body: list.body(change, isRequired: false),
                bodyLimit: bodyLimit,
                answers: [.json(Okay.self, "Changed"), CommonErrors.notOwner, CommonErrors.unknownRow]
                    + CommonErrors.withBody("\(list.kind)_update_failed"),
                metadata: EndpointMetadata(area: .v1, failure: "\(list.kind)_update_failed")
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
                provenance: .documented,
                credential: .bearerOrCookie(cookieName),
                parameters: [id],
                bodyLimit: bodyLimit,
                answers: [.json(Okay.self, "Removed"), CommonErrors.notOwner, CommonErrors.unknownRow]
                    + CommonErrors.protected("\(list.kind)_delete_failed"),
                metadata: EndpointMetadata(area: .v1, failure: "\(list.kind)_delete_failed")
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
    private static func fill<Item: ListRow>(
        _ row: inout Item,
        _ shape: RequestSchema<Item>,
        _ call: Call
    ) throws(APIError) {
        var issues: [FieldIssue] = []
        shape.read(try object(call), into: &row, telling: .first, &issues)
        try check(issues, call)
    }
}

extension RequestValue where Output == EndYear {
    /// A year, or `Present`.
    fileprivate static var endYear: Self {
        Self(.oneOf([.number, .string(enumeration: ["Present"])])) { json, issues in
            if json.stringValue == "Present" { return .present }
            if let year = json.doubleValue, year.isFinite { return .year(year) }
            issues.note(.wrongType(.other("a number or Present")), json)
            return nil
        }
    }
}
