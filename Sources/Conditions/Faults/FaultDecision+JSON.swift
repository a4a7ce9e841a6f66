package import JSON

extension FaultDecision {
    /// The form of a fault that acted, in an entry of the journal and in a recording.
    package var json: JSON { .object(members) }

    /// The form of the decision on a fault that matched, whether it acted or not.
    package var decisionJSON: JSON {
        var object = members
        object.append("acted", .bool(acted))
        if let reason { object.append("reason", .string(reason)) }
        return .object(object)
    }

    private var members: JSONObject {
        var object = JSONObject()
        if let id { object.append("id", .string(id)) }
        if let name { object.append("name", .string(name)) }
        object.append("phase", .string(phase.rawValue))
        object.append("effect", effect)
        return object
    }
}
