package import CivilTime
package import JSON

/// An event in a world, for its watchers (control contract, section 15).
package struct WorldEvent: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case request, clock, fault, scenario, reset, world, reload, change
    }

    /// The members besides number, world and time.
    ///
    /// Those of a request are written only when they are read.
    package enum Detail: Sendable {
        case members(JSONObject)
        case request(id: String, api: String, method: String, path: String, status: Int, user: String?)
    }

    /// The world's sequence number, from 1; never reused, even after a reset.
    package let seq: UInt64
    /// The time of the world's clock.
    package let at: Instant
    package let kind: Kind
    package let world: String
    package let detail: Detail

    /// Tells whether it concerns the watchers of one API: it belongs to that API, or to none.
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

    /// Tells whether it is the last event of its world, which is removed.
    package var isLast: Bool {
        guard kind == .world, case .members(let members) = detail, members["name"]?.stringValue == world else {
            return false
        }
        return ["deleted", "expired"].contains(members["action"]?.stringValue)
    }

    /// The data of the event: `seq`, `world`, `at`, then the members of its kind.
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
