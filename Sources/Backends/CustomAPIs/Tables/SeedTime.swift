package import Backend
package import CivilTime
package import JSON

/// A time of a seed row that moves with the start of the world: `T0`, `T0-PT1H`, `D0+P1D` (own-API contract,
/// section 11).
package struct SeedTime: Sendable, Equatable {
    /// The moments of a world that it can be told from.
    package enum Anchor: Sendable { case start, dayOfStart }

    let anchor: Anchor
    let offset: CalendarDuration?

    /// Reads the text of a row; nil for any other text.
    package init?(_ text: String) {
        guard text.utf8.count >= 2, text.utf8.count <= 100 else { return nil }
        switch text.prefix(2) {
        case "T0": anchor = .start
        case "D0": anchor = .dayOfStart
        default: return nil
        }
        let rest = text.dropFirst(2)
        guard let sign = rest.utf8.first else {
            offset = nil
            return
        }
        // The duration must not have a sign of its own.
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
            rest.dropFirst().utf8.first == UInt8(ascii: "P"),
            let offset = try? CalendarDuration(
                iso8601: sign == UInt8(ascii: "-") ? String(rest) : String(rest.dropFirst())
            )
        else { return nil }
        self.offset = offset
    }

    /// Returns the value in a world: a day where D0 is moved by whole days, else an instant.
    package func value(in epoch: Epoch, _ form: TableDefinition.TimeForm) -> JSON {
        let start = anchor == .start ? epoch.t0 : epoch.d0
        let moved = offset.map { start + $0 } ?? start
        if anchor == .dayOfStart, moved == moved.flooredToDay { return .string(moved.isoDay) }
        return form.json(moved)
    }
}

extension TableDefinition.TimeForm {
    /// Returns an instant as rows have it.
    package func json(_ instant: Instant) -> JSON {
        switch self {
        case .seconds: .string(instant.iso8601(.seconds))
        case .millis: .string(instant.iso8601(.milliseconds))
        case .unix: .integer(instant.seconds)
        case .unixms: .integer(instant.milliseconds)
        }
    }
}

/// The form in which rows keep their texts: anchored times as the seed writes them, and a `=` in front of a text of a
/// client that looks like one.
enum StoredText {
    /// Returns whether a text has to be looked at to know what it stands for.
    private static func isSuspect(_ text: String) -> Bool {
        let bytes = text.utf8
        guard let first = bytes.first else { return false }
        if first == UInt8(ascii: "=") { return true }
        guard first == UInt8(ascii: "T") || first == UInt8(ascii: "D") else { return false }
        return bytes.dropFirst().first == UInt8(ascii: "0")
    }

    /// Returns whether an object is the same in its stored form.
    static func isPlain(_ object: JSONObject) -> Bool { object.members.allSatisfy { isPlain($0.value) } }

    private static func isPlain(_ json: JSON) -> Bool {
        switch json {
        case .string(let text): !isSuspect(text)
        case .array(let elements): elements.allSatisfy { isPlain($0) }
        case .object(let object): isPlain(object)
        case .null, .bool, .integer, .number: true
        }
    }

    /// Returns the stored form of members as a client sends them.
    static func stored(_ object: JSONObject) -> JSONObject {
        isPlain(object) ? object : mapped(object) { escaped($0) }
    }

    /// Returns the stored form of a row of the seed, whose anchored times stay as they are written.
    static func seed(_ object: JSONObject) -> JSONObject {
        isPlain(object) ? object : mapped(object) { .string(isEscaped($0) ? "=" + $0 : $0) }
    }

    /// Returns the members that a stored form stands for in a world.
    static func members(_ stored: JSONObject, in epoch: Epoch, _ form: TableDefinition.TimeForm) -> JSONObject {
        mapped(stored) { text in
            if let time = SeedTime(text) { return time.value(in: epoch, form) }
            return .string(isEscaped(text) ? String(text.dropFirst()) : text)
        }
    }

    private static func escaped(_ text: String) -> JSON {
        .string(SeedTime(text) != nil || isEscaped(text) ? "=" + text : text)
    }

    /// Tells whether a text begins with one or more `=`, and is an anchored time after them.
    private static func isEscaped(_ text: String) -> Bool {
        text.hasPrefix("=") && SeedTime(String(text.drop { $0 == "=" })) != nil
    }

    private static func mapped(_ object: JSONObject, _ change: (String) -> JSON) -> JSONObject {
        JSONObject(object.members.map { JSONObject.Member(name: $0.name, value: mapped($0.value, change)) })
    }

    private static func mapped(_ json: JSON, _ change: (String) -> JSON) -> JSON {
        switch json {
        case .string(let text): isSuspect(text) ? change(text) : json
        case .array(let elements): .array(elements.map { mapped($0, change) })
        case .object(let object): .object(mapped(object, change))
        case .null, .bool, .integer, .number: json
        }
    }
}
