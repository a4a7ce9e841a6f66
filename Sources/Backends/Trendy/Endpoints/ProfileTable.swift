import Backend
import CivilTime
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
        _ query: TableQuery,
        range: String,
        quietly quiet: Status,
        _ call: Call
    ) throws(APIError) -> Response {
        guard query.preferences.returnsRows else {
            var response = Response(status: quiet)
            response.fields.append(TableError.contentRange, range)
            return response
        }
        return try answer(rows, query, status, range: range, call)
    }

    /// The range of the rows that are shown, and their number where it was asked for.
    static func range(_ selection: TableQuery.Selection, _ query: TableQuery) -> String {
        let total = query.preferences.counts ? "\(selection.total)" : "*"
        guard !selection.rows.isEmpty else { return "*/\(total)" }
        return "\(selection.offset)-\(selection.offset + selection.rows.count - 1)/\(total)"
    }

    static func answer(
        _ rows: [Profile],
        _ query: TableQuery,
        _ status: Status,
        range: String,
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
        var response = TrendyAPI.json(writer.json.bytes, status: status, type: type)
        if let members = query.members, let json = try? JSONReader.read(writer.json.bytes) {
            func narrowed(_ row: JSON) -> JSON {
                .object(
                    JSONObject(
                        members.map { JSONObject.Member(name: $0.name, value: row[$0.column.rawValue] ?? .null) }
                    )
                )
            }
            let shown = isObject ? narrowed(json) : .array((json.arrayValue ?? []).map(narrowed))
            response = TrendyAPI.json(shown.serialized(), status: status, type: type)
        }
        response.fields.append(TableError.contentRange, range)
        return response
    }
}
