import CivilTime
import Emulation
import HTTPMessage
import JSON

/// The app's own table, which it accesses through the SDK (contract, section 10.12).
extension TrendyAPI {
    static let profileEndpoints: [Endpoint<TrendyAPI>] = [
        Endpoint(
            .get,
            "/rest/v1/profiles",
            "The caller's profile as a list of at most one row",
            provenance: .assumed,
            parameters: [
                Parameter("select", in: .query, .string(), "* or columns with commas between them"), idFilter,
            ],
            bodyLimit: bodyLimit,
            answers: [
                AnswerDeclaration(
                    .ok,
                    "The rows, with the columns that were asked for",
                    .json(name: nil, schema: .array(ProfileTable.anyColumns), contentType: "application/json")
                ),
                AnswerDeclaration(
                    .ok,
                    "The one row, for a client that accepts nothing else",
                    .json(name: nil, schema: ProfileTable.anyColumns, contentType: ProfileTable.objectType)
                ),
                TableError.declared(TableError.notSingular, "One row was asked for, and there is none"),
            ] + tableErrors,
            metadata: .tables
        ) { state, _, call throws(APIError) in
            let columns = try ProfileTable.columns(call)
            let rows = try ProfileTable.matching(state, call)
            return try ProfileTable.answer(rows, columns, .ok, state, call)
        },
        Endpoint(
            .post,
            "/rest/v1/profiles",
            "Inserts or updates the caller's profile by id",
            provenance: .assumed,
            parameters: [preference],
            body: ProfileTable.rowsBody(
                example: ["id": "7e4d0000-0000-4000-8000-000000000001", "onboarding_step": "welcome"]
            ),
            bodyLimit: bodyLimit,
            answers: [
                AnswerDeclaration(
                    .created,
                    "Stored; the rows, with return=representation",
                    .json(
                        name: "ProfileList",
                        schema: .array(Profile.shape.schema),
                        contentType: "application/json"
                    )
                ),
                AnswerDeclaration(.created, "Stored; without return=representation", .none),
                TableError.declared(TableError.notYours, "Another account's id"),
            ] + writeErrors,
            metadata: .tables,
            handle: upsertProfile
        ),
        Endpoint(
            .patch,
            "/rest/v1/profiles",
            "Changes the caller's profile",
            provenance: .assumed,
            parameters: [idFilter, preference],
            body: ProfileTable.changeBody(example: ["onboarding_complete": true]),
            bodyLimit: bodyLimit,
            answers: [
                list(Profile.self, "The rows, with return=representation"),
                AnswerDeclaration(.ok, "Changed; without return=representation", .none),
            ] + writeErrors,
            metadata: .tables,
            handle: changeProfile
        ),
    ]

    private static let idFilter = Parameter("id", in: .query, .string(), "eq. and an account's id")
    private static let preference = Parameter("Prefer", in: .header, .string(), "return=representation")

    private static let tableErrors = [
        TableError.declared(TableError.badToken, "No token, or one that does not work"),
        TableError.declared(TableError.badValue("uuid", "abc"), "A value or a filter of another type"),
    ]

    private static let writeErrors =
        [
            TableError.declared(TableError.badJSON, "Not JSON"),
            TableError.declared(TableError.unknownColumn("nickname"), "A column that is not there"),
            TableError.declared(TableError.tooLarge, "The body is over 1 MiB"),
        ] + tableErrors

    private static func upsertProfile(
        _ state: inout TrendyState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let json = try ProfileTable.body(call)
        let rows = json.arrayValue ?? [json]
        var stored: [Profile] = []
        var draft = state.profiles
        for row in rows {
            guard let object = row.objectValue else { throw TableError.badJSON }
            guard let sent = object["id"], !sent.isNull else {
                throw APIError(
                    .badRequest,
                    code: "23502",
                    "null value in column \"id\" of relation \"profiles\" violates not-null constraint"
                )
            }
            guard let id = sent.stringValue.flatMap(UUIDText.canonical) else {
                throw TableError.badValue("uuid", sent.stringValue ?? sent.text)
            }
            guard id == user(call) else { throw TableError.notYours }
            let now = Timestamp.at(call.now)
            var profile = draft[id] ?? Profile(id: id, createdAt: now, updatedAt: now)
            profile.updatedAt = now
            try ProfileTable.apply(object, to: &profile)
            draft.insert(profile)
            stored = [profile]
        }
        state.profiles = draft
        return try ProfileTable.written(stored, .created, state, call)
    }

    private static func changeProfile(
        _ state: inout TrendyState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        guard let object = try ProfileTable.body(call).objectValue else { throw TableError.badJSON }
        var changed: [Profile] = []
        for row in try ProfileTable.matching(state, call) {
            var profile = row
            profile.updatedAt = .at(call.now)
            try ProfileTable.apply(object, to: &profile)
            // The id identifies the owner.
            guard profile.id == row.id else { throw TableError.notYours }
            state.profiles.insert(profile)
            changed.append(profile)
        }
        return try ProfileTable.written(changed, .ok, state, call)
    }
}
