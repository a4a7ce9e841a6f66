package import CivilTime
package import JSON

/// Something that happened in a world, for those who watch it (control contract, section 15).
package struct WorldEvent: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case request, clock, fault, scenario, reset, world, reload
    }

    /// What is told beside number, world and time; a request's is written only when somebody reads it.
    package enum Detail: Sendable {
        case members(JSONObject)
        case request(id: String, api: String, method: String, path: String, status: Int, user: String?)
    }

    /// The world's sequence number, from 1; never given twice, also not after a reset.
    package let seq: UInt64
    /// The world's clock.
    package let at: Instant
    package let kind: Kind
    package let world: String
    package let detail: Detail

    /// Whether it is of interest to those who watch one API: it belongs to that API, or to none.
    package func concerns(_ api: String) -> Bool {
        switch detail {
        case .request(_, let own, _, _, _, _): own == api
        case .members(let members):
            if let own = members["api"]?.stringValue {
                own == api
            } else {
                kind != .scenario || members["name"]?.stringValue?.hasPrefix(api + "/") != false
            }
        }
    }

    /// Whether its world is gone with it.
    package var isLast: Bool {
        guard kind == .world, case .members(let members) = detail, members["name"]?.stringValue == world else {
            return false
        }
        return ["deleted", "expired"].contains(members["action"]?.stringValue)
    }

    /// The data of the event: `seq`, `world`, `at`, then what belongs to its kind.
    package var json: JSON {
        var object: JSONObject = [
            "seq": .integer(Int64(seq)), "world": .string(world), "at": .string(at.iso8601(.milliseconds)),
        ]
        switch detail {
        case .members(let members):
            for member in members.members { object.append(member.name, member.value) }
        case .request(let id, let api, let method, let path, let status, let user):
            object.append("id", .string(id))
            object.append("api", .string(api))
            object.append("method", .string(method))
            object.append("path", .string(path))
            object.append("status", .integer(Int64(status)))
            if let user { object.append("user", .string(user)) }
        }
        return .object(object)
    }

    /// The frame of a `text/event-stream` (WHATWG HTML, section 9.2).
    package var frame: [UInt8] {
        Array("id: \(seq)\nevent: \(kind.rawValue)\ndata: ".utf8) + json.serialized() + Array("\n\n".utf8)
    }
}
