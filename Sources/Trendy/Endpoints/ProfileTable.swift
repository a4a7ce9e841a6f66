import Emulation
import HTTPMessage
import JSON

/// What the server of the tables makes of a request (contract section 10.12): filters, columns, values, preferences.
enum ProfileTable {
    static let members: [JSONSchema.Property] =
        ["onboarding_complete", "notifications_enabled", "location_enabled", "healthkit_enabled"]
        .map { TrendyAPI.member($0, .boolean) }
        + [TrendyAPI.member("onboarding_step", .any)]
        + times.map { TrendyAPI.member($0, TrendyAPI.date) }

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

    /// The media type of one row, which the SDK's `single()` asks for.
    static let objectType = "application/vnd.pgrst.object+json"

    static func body(_ call: Call) throws(APIError) -> JSON {
        guard !call.request.body.exceedsLimit else { throw TableError.tooLarge }
        guard let json = try? call.request.json(ownDepth: Body.depth) else {
            throw TableError.badJSON
        }
        return json
    }

    /// The caller's row, unless a filter leaves it out.
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

    /// The columns that are asked for; nil for all.
    static func columns(_ call: Call) throws(APIError) -> [String]? {
        guard let select = call.query.first("select"), !select.isEmpty else { return nil }
        let names = select.split(separator: ",").map { $0.filter { $0 != " " } }
        guard !names.contains("*") else { return nil }
        for name in names where !allColumns.contains(name) {
            throw APIError(.badRequest, code: "42703", "column profiles.\(name) does not exist")
        }
        return names
    }

    /// Stores the members of an object; unknown ones and other types are refused.
    static func apply(_ object: JSONObject, to row: inout Profile) throws(APIError) {
        for member in object.members {
            let value = member.value
            switch member.name {
            case "id":
                guard let id = value.stringValue.flatMap(UUIDText.canonical) else {
                    throw TableError.badValue("uuid", value.stringValue ?? value.text)
                }
                row.id = id
            case "onboarding_complete": row.onboardingComplete = try boolean(value)
            case "notifications_enabled": row.notificationsEnabled = try boolean(value)
            case "location_enabled": row.locationEnabled = try boolean(value)
            case "healthkit_enabled": row.healthkitEnabled = try boolean(value)
            case "onboarding_step": row.onboardingStep = value.isNull ? nil : value
            case "onboarding_started_at": row.onboardingStartedAt = try time(value)
            case "onboarding_completed_at": row.onboardingCompletedAt = try time(value)
            case "created_at": row.createdAt = try time(value) ?? row.createdAt
            case "updated_at": row.updatedAt = try time(value) ?? row.updatedAt
            default: throw TableError.unknownColumn(member.name)
            }
        }
    }

    private static func boolean(_ value: JSON) throws(APIError) -> Bool? {
        if value.isNull { return nil }
        guard let flag = value.boolValue else { throw TableError.badValue("boolean", value.stringValue ?? value.text) }
        return flag
    }

    private static func time(_ value: JSON) throws(APIError) -> Timestamp? {
        if value.isNull { return nil }
        guard let time = value.stringValue.flatMap(TableTime.read) else {
            throw TableError.badValue("timestamp with time zone", value.stringValue ?? value.text)
        }
        return time
    }

    /// Whether the caller wants one row as an object, as the SDK's `single()` does.
    private static func wantsObject(_ call: Call) -> Bool {
        call.fields.listElements("Accept").contains { $0.hasPrefix(objectType) }
    }

    /// The rows after a write: only if they are asked for.
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
