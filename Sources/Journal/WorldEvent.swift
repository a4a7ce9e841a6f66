package import CivilTime
package import JSON

/// An event in a world, for its watchers (control contract, section 15).
package struct WorldEvent: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case request, outcome, clock, fault, gate, scenario, reset, world, reload, change, outbox, note, finding, host,
            gap
    }

    /// The members besides number, world and time.
    ///
    /// Those of a request are written only when they are read.
    package enum Detail: Sendable {
        case members(JSONObject)
        indirect case request(JournalLine)
    }

    /// The world's sequence number, from 1; never reused, even after a reset.
    package let seq: UInt64
    /// The time of the world's clock.
    package let at: Instant
    package let kind: Kind
    package let world: String
    package let detail: Detail
    /// The API that it belongs to, where its members don't say so.
    var scope: String?

    /// Tells whether it concerns the watchers of one API: it belongs to that API, or to none.
    package func concerns(_ api: String) -> Bool {
        switch detail {
        case .request(let line): line.api == api
        case .members(let members):
            if let own = scope ?? members["api"]?.stringValue {
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
            for member in members.members where object[member.name] == nil { object.append(member.name, member.value) }
        case .request(let line):
            object.append("entry", .integer(Int64(clamping: line.seq)))
            for member in JournalLine.eventMembers {
                if let value = member.value(line) { object.append(member.name, value) }
            }
        }
        return .object(object)
    }

    /// The frame of a `text/event-stream` (WHATWG HTML, section 9.2).
    package var frame: [UInt8] {
        Array("id: \(seq)\nevent: \(kind.rawValue)\ndata: ".utf8) + json.serialized() + Array("\n\n".utf8)
    }
}
