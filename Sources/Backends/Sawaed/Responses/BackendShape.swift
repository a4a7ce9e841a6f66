import Backend
import HTTPMessage
import JSON

/// The responses in the form of the current backend (D1 to D3): its own keys only, unset ones left out.
enum BackendShape {
    /// The keys that only the plan has.
    enum Keys {
        static let event: Set<String> = ["id", "title", "description", "startsAt", "endsAt"]
        static let path: Set<String> = ["id"]
        static let user: Set<String> = ["firstNameAr", "lastNameAr", "firstNameEn", "lastNameEn"]
        static let listRow: Set<String> = ["id"]
    }

    /// An object without its nulls, at any depth, and without the plan's keys.
    static func object(_ json: JSON, without keys: Set<String> = []) -> JSON {
        guard case .object(let object) = withoutNulls(json) else { return withoutNulls(json) }
        return .object(JSONObject(object.members.filter { !keys.contains($0.name) }))
    }

    private static func withoutNulls(_ json: JSON) -> JSON {
        switch json {
        case .object(let object):
            .object(
                JSONObject(
                    object.members.filter { !$0.value.isNull }.map {
                        JSONObject.Member(name: $0.name, value: withoutNulls($0.value))
                    }
                )
            )
        case .array(let elements): .array(elements.map(withoutNulls))
        default: json
        }
    }

    /// The value that a response model writes.
    static func value(_ value: some ResponseModel, _ call: Call) -> JSON {
        var writer = ResponseWriter(epoch: call.epoch, dates: .milliseconds)
        writer.write(value)
        return (try? JSONReader.read(writer.json.bytes)) ?? .null
    }

    static func profile(_ view: ProfileResponse, _ call: Call) -> JSON {
        guard case .object(var object) = object(value(view, call)) else { return .null }
        object["user"] = object["user"].map { self.object($0, without: Keys.user) }
        for name in ["education", "experiences", "projects", "awards"] {
            object[name] = .array((object[name]?.arrayValue ?? []).map { self.object($0, without: Keys.listRow) })
        }
        return .object(object)
    }
}

extension SawaedAPI {
    /// A response in the form that the setting `shape` selects.
    static func json(
        _ value: some ResponseModel,
        _ state: SawaedState,
        _ call: Call,
        backend: (JSON) -> JSON
    ) -> Response {
        guard state.settings.shape == .backend else { return json(value, call) }
        return json(backend(BackendShape.value(value, call)).serialized())
    }
}
