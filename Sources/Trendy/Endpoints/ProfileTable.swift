import CivilTime
import Emulation
import HTTPMessage
import JSON

/// The parts of a request to the server of the tables: filters, columns, values, preferences (contract, section 10.12).
enum ProfileTable {
    /// The columns that a request may set.
    ///
    /// The server refuses any other column, and accepts these in any combination.
    private static let columns: [RequestSchema<Profile>.Member] = [
        .nullable("onboarding_complete", .boolean) { $0.onboardingComplete = $1 },
        .nullable("notifications_enabled", .boolean) { $0.notificationsEnabled = $1 },
        .nullable("location_enabled", .boolean) { $0.locationEnabled = $1 },
        .nullable("healthkit_enabled", .boolean) { $0.healthkitEnabled = $1 },
        .nullable("onboarding_step", .any) { $0.onboardingStep = $1 },
        .nullable("onboarding_started_at", time) { $0.onboardingStartedAt = $1 },
        .nullable("onboarding_completed_at", time) { $0.onboardingCompletedAt = $1 },
        .optional("created_at", time) { $0.createdAt = $1 },
        .optional("updated_at", time) { $0.updatedAt = $1 },
    ]

    private static let row = RequestSchema<Profile>(
        "ProfileRow",
        order: .body,
        isClosed: true,
        [.required("id", .uuid) { $0.id = $1 }] + columns
    )

    private static let change = RequestSchema<Profile>(
        "ProfileChange",
        order: .body,
        isClosed: true,
        [.optional("id", .uuid) { $0.id = $1 }.refusingNull] + columns
    )

    private static let time = RequestValue<String>.string().format("date-time", reading: TableTime.read)

    private static let blank: @Sendable () -> Profile = {
        Profile(id: "", createdAt: .sinceT0(.zero), updatedAt: .sinceT0(.zero))
    }

    static func changeBody(example: JSON) -> BodyDeclaration {
        .json(name: change.name, .object(change, from: blank), example: example)
    }

    /// One row, or a list of them.
    static func rowsBody(example: JSON) -> BodyDeclaration {
        let one = RequestValue.object(row, from: blank)
        let many = RequestValue<[Profile]>.array(of: one)
        return .json(
            name: "ProfileRows",
            RequestValue<[Profile]>(.oneOf([one.schema, many.schema])) { json, issues in
                guard case .array = json else { return one.read(json, &issues).map { [$0] } }
                return many.read(json, &issues)
            },
            example: example
        )
    }

    private static let times = ["onboarding_started_at", "onboarding_completed_at", "created_at", "updated_at"]
    private static let allColumns =
        [
            "id", "onboarding_complete", "onboarding_step", "notifications_enabled", "location_enabled",
            "healthkit_enabled",
        ]
        + times

    /// A row with any of the columns.
    static let anyColumns: JSONSchema = {
        guard case .object(let row) = Profile.shape.schema else { return .any }
        return .object(
            JSONSchema.Object(row.properties.map { JSONSchema.Property($0.name, $0.schema, isRequired: false) })
        )
    }()

    /// The media type of a single row, which the SDK's `single()` requests.
    static let objectType = "application/vnd.pgrst.object+json"

    static func body(_ call: Call) throws(APIError) -> JSON {
        guard !call.request.body.exceedsLimit else { throw TableError.tooLarge }
        guard let json = try? call.request.json(ownDepth: TrendyAPI.bodyDepth) else {
            throw TableError.badJSON
        }
        return json
    }

    /// The caller's row, unless a filter excludes it.
    static func matching(_ state: TrendyState, _ call: Call) throws(APIError) -> [Profile] {
        guard let row = state.profiles[TrendyAPI.user(call)] else { return [] }
        for filter in call.query.all("id") {
            guard filter.hasPrefix("eq.") else {
                throw APIError(
                    .badRequest,
                    code: "PGRST100",
                    "\"failed to parse filter (\(filter))\" (line 1, column 1)"
                )
            }
            let value = String(filter.dropFirst(3))
            guard let id = UUIDText.canonical(value) else { throw TableError.badValue("uuid", value) }
            guard id == row.id else { return [] }
        }
        return [row]
    }

    /// The requested columns; nil for all.
    static func columns(_ call: Call) throws(APIError) -> [String]? {
        guard let select = call.query.first("select"), !select.isEmpty else { return nil }
        let names = select.split(separator: ",").map { $0.filter { $0 != " " } }
        guard !names.contains("*") else { return nil }
        for name in names where !allColumns.contains(name) {
            throw APIError(.badRequest, code: "42703", "column profiles.\(name) does not exist")
        }
        return names
    }

    /// Stores the members of an object; unknown members and wrong types are refused.
    static func apply(_ object: JSONObject, to row: inout Profile) throws(APIError) {
        var issues: [FieldIssue] = []
        change.read(object, into: &row, telling: .first, &issues)
        guard let issue = issues.first else { return }
        guard issue.kind != .unknownMember else { throw TableError.unknownColumn(issue.field) }
        let type =
            switch issue.kind {
            case .wrongType(.boolean): "boolean"
            case _ where issue.concerns("id"): "uuid"
            default: "timestamp with time zone"
            }
        throw TableError.badValue(type, issue.found?.stringValue ?? issue.found?.text ?? "")
    }

    /// Tells whether the caller requests one row as an object, as the SDK's `single()` does.
    private static func wantsObject(_ call: Call) -> Bool {
        call.fields.listElements("Accept").contains { $0.hasPrefix(objectType) }
    }

    /// The rows after a write, if they are requested.
    static func written(
        _ rows: [Profile],
        _ status: Status,
        _ state: TrendyState,
        _ call: Call
    ) throws(APIError) -> Response {
        let preferences = call.fields.listElements("Prefer")
        guard preferences.contains("return=representation") else { return Response(status: status) }
        return try answer(rows, nil, status, state, call)
    }

    static func answer(
        _ rows: [Profile],
        _ columns: [String]?,
        _ status: Status,
        _ state: TrendyState,
        _ call: Call
    ) throws(APIError) -> Response {
        var writer = ResponseWriter(epoch: call.epoch, dates: .seconds)
        let isObject = wantsObject(call)
        if isObject {
            guard let row = rows.first else { throw TableError.notSingular }
            writer.write(row)
        } else {
            writer.write(rows)
        }
        let type = isObject ? objectType + "; charset=utf-8" : TrendyAPI.jsonType
        guard let columns, let json = try? JSONReader.read(writer.json.bytes) else {
            return TrendyAPI.json(writer.json.bytes, status: status, type: type)
        }
        func narrowed(_ row: JSON) -> JSON {
            .object(JSONObject(columns.map { JSONObject.Member(name: $0, value: row[$0] ?? .null) }))
        }
        let rows = isObject ? narrowed(json) : .array((json.arrayValue ?? []).map(narrowed))
        return TrendyAPI.json(rows.serialized(), status: status, type: type)
    }
}
