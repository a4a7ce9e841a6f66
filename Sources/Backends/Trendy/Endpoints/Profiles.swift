import Backend
import CivilTime
import HTTPMessage
import JSON

/// The app's own table, which it accesses through the SDK (contract, section 10.12).
extension TrendyAPI {
    static let profileEndpoints: [TrendyEndpoint] = [
        Endpoint(
            .get,
            "/rest/v1/profiles",
            "The caller's profile as a list of at most one row",
            provenance: .assumed,
            parameters: [select] + selecting + [preference("count=exact")],
            answers: [
                AnswerDeclaration(
                    .ok,
                    "The rows, with the columns that were asked for",
                    .json(name: nil, schema: .array(ProfileTable.anyColumns), contentType: "application/json")
                ),
                one(.ok),
                AnswerDeclaration(
                    Status(206),
                    "Some of the rows that were to be counted",
                    .json(name: nil, schema: .array(ProfileTable.anyColumns), contentType: "application/json")
                ),
                TableError.declared(TableError.notSingular, "One row was asked for, and there is none"),
                TableError.declared(
                    TableError.outOfRange(offset: 2, total: 1),
                    "The offset lies behind the rows that were to be counted"
                ),
            ] + queryErrors + tableErrors,
            metadata: .tables
        ) { state, _, call throws(APIError) in
            let query = try TableQuery(call)
            let selection = query.selection(state, call)
            let isCounted = query.preferences.counts
            guard !isCounted || selection.offset <= selection.total else {
                throw TableError.outOfRange(offset: selection.offset, total: selection.total)
            }
            let isPart = isCounted && selection.rows.count < selection.total
            return try ProfileTable.answer(
                selection.rows,
                query,
                isPart ? Status(206) : .ok,
                range: ProfileTable.range(selection, query),
                call
            )
        },
        Endpoint(
            .post,
            "/rest/v1/profiles",
            "Inserts the caller's profile, or changes it with resolution=merge-duplicates",
            provenance: .assumed,
            parameters: [
                select, Parameter("columns", in: .query, .string(), "The columns that are stored, with commas"),
                Parameter("on_conflict", in: .query, .string(), "id"),
                preference("return=representation, resolution=merge-duplicates"),
            ],
            body: ProfileTable.rowsBody(
                example: ["id": "7e4d0000-0000-4000-8000-000000000001", "onboarding_step": "welcome"]
            ),
            answers: [
                rows(.created, "Stored; the rows, with return=representation"),
                one(.created),
                AnswerDeclaration(.created, "Stored; without return=representation", .none),
                rows(.ok, "Changed, with resolution=merge-duplicates; the rows, with return=representation"),
                one(.ok),
                AnswerDeclaration(.ok, "Changed; without return=representation", .none),
                TableError.declared(TableError.notYours, "Another account's id"),
                TableError.declared(
                    TableError.duplicate("7e4d0000-0000-4000-8000-000000000001"),
                    "The account has a profile"
                ),
                TableError.declared(TableError.notSingular, "One row was asked for, and there is none"),
            ] + writeErrors,
            metadata: .tables,
            handle: insertProfiles
        ),
        Endpoint(
            .patch,
            "/rest/v1/profiles",
            "Changes the caller's profile",
            provenance: .assumed,
            parameters: [select] + selecting + [preference("return=representation")],
            body: ProfileTable.changeBody(example: ["onboarding_complete": true]),
            answers: [
                rows(.ok, "The rows, with return=representation"),
                one(.ok),
                AnswerDeclaration(.noContent, "Changed; without return=representation", .none),
                TableError.declared(TableError.notYours, "Another account's id"),
                TableError.declared(TableError.notSingular, "One row was asked for, and there is none"),
            ] + writeErrors,
            metadata: .tables,
            handle: changeProfile
        ),
    ]

    private static let select = Parameter("select", in: .query, .string(), "* or columns with commas between them")
    private static let selecting = [
        Parameter("id", in: .query, .string(), "A condition such as eq. and an account's id; each column takes one"),
        Parameter("order", in: .query, .string(), "A column, then .asc or .desc"),
        Parameter("limit", in: .query, .string(), "The most rows"),
        Parameter("offset", in: .query, .string(), "The rows to leave out in front"),
    ]

    private static func preference(_ example: String) -> Parameter {
        Parameter("Prefer", in: .header, .string(), example)
    }

    private static func one(_ status: Status) -> AnswerDeclaration {
        AnswerDeclaration(
            status,
            "The one row, for a client that accepts nothing else",
            .json(name: nil, schema: ProfileTable.anyColumns, contentType: ProfileTable.objectType)
        )
    }

    private static func rows(_ status: Status, _ when: String) -> AnswerDeclaration {
        AnswerDeclaration(
            status,
            when,
            .json(name: nil, schema: .array(ProfileTable.anyColumns), contentType: "application/json")
        )
    }

    private static let queryErrors = [
        TableError.declared(TableError.beyondTheEmulator("or"), "A part of a query that the emulator does not apply"),
        TableError.declared(TableError.unreadableFilter("5"), "A filter of another form"),
    ]

    private static let tableErrors = [
        TableError.declared(TableError.badToken, "No token, or one that does not work or was issued in the future"),
        TableError.declared(TableError.badValue("uuid", "abc"), "A value or a filter of another type"),
    ]

    private static let writeErrors =
        [
            TableError.declared(TableError.badJSON, "Not JSON"),
            TableError.declared(TableError.unknownColumn("nickname"), "A column that is not there"),
            TableError.declared(TableError.tooLarge, "The body is over 1 MiB"),
        ] + queryErrors + tableErrors

    private static func insertProfiles(
        _ state: inout TrendyState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let query = try TableQuery(call, isInsert: true)
        let json = try ProfileTable.body(call)
        var stored: [Profile] = []
        var draft = state.profiles
        var hasInserted = false
        for row in json.arrayValue ?? [json] {
            guard var object = row.objectValue else { throw TableError.badJSON }
            if let columns = query.storedColumns {
                object = JSONObject(
                    object.members.filter { TableColumn(rawValue: $0.name).map(columns.contains) ?? false }
                )
            }
            let id = try ownID(object, call)
            let now = Timestamp.at(call.now)
            let known = draft[id]
            var profile = known ?? Profile(id: id, createdAt: now, updatedAt: now)
            profile.updatedAt = now
            try ProfileTable.apply(object, to: &profile)
            switch (known, query.preferences.duplicates) {
            case (.some, .refused): throw TableError.duplicate(id)
            case (.some, .ignored): continue
            case (.some, .merged): break
            case (nil, _): hasInserted = true
            }
            draft.insert(profile)
            // Of several rows for the one id the last state counts.
            stored = [profile]
        }
        state.profiles = draft
        let total = query.preferences.counts ? "\(stored.count)" : "*"
        let status: Status = hasInserted || query.preferences.duplicates == .refused ? .created : .ok
        return try ProfileTable.written(stored, status, query, range: "*/\(total)", quietly: status, call)
    }

    /// The id of a row that is inserted, which has to be the caller's.
    private static func ownID(_ object: JSONObject, _ call: Call) throws(APIError) -> String {
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
        return id
    }

    private static func changeProfile(
        _ state: inout TrendyState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let query = try TableQuery(call)
        guard let object = try ProfileTable.body(call).objectValue else { throw TableError.badJSON }
        var selection = query.selection(state, call)
        selection.offset = 0
        selection.total = selection.rows.count
        var changed: [Profile] = []
        for row in selection.rows {
            var profile = row
            profile.updatedAt = .at(call.now)
            try ProfileTable.apply(object, to: &profile)
            // The id identifies the owner.
            guard profile.id == row.id else { throw TableError.notYours }
            changed.append(profile)
        }
        for profile in changed { state.profiles.insert(profile) }
        let range = ProfileTable.range(selection, query)
        return try ProfileTable.written(changed, .ok, query, range: range, quietly: .noContent, call)
    }
}
