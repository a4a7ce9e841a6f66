import CivilTime
import HTTPWire
package import Transport

/// The limits of control contract section 17 that belong to the whole server, by name.
package struct Limits: Sendable {
    package var server = ServerLimits()
    /// Bytes of a body; an endpoint's own limit counts where it is smaller.
    package var body = 20 * 1024 * 1024
    /// Arrays and objects inside one another in the body of a control call.
    package var jsonDepth = 64
    /// Parts of a multipart body, where the API has no number of its own.
    package var multipartParts = 100
    package var worlds = 10_000
    /// In each world.
    package var faults = 1_000
    /// In each world.
    package var gates = 1_000

    package init() {}

    /// What is read of JSON is walked level by level, on a stack that has an end.
    private static let deepest = 512

    /// Every name with what its number counts.
    package static let names: [(name: String, counts: String)] = [
        ("request-line", "bytes"), ("header-section", "bytes"), ("header-fields", "fields"), ("body", "bytes"),
        ("json-depth", "levels in a control body"), ("multipart-parts", "parts"),
        ("connections", "connections"), ("head-seconds", "seconds"), ("body-seconds", "seconds between bytes"),
        ("idle-seconds", "seconds"), ("worlds", "worlds"), ("faults", "faults in a world"),
        ("gates", "gates in a world"),
    ]

    /// Sets a limit; false if there is none of that name or the number does not fit.
    package mutating func set(_ name: String, to number: Int) -> Bool {
        guard number > 0, number <= 1_000_000_000 else { return false }
        switch name {
        case "request-line": server.wire.requestLine = number
        case "header-section": server.wire.headerSection = number
        case "header-fields": server.wire.headerFields = number
        case "body": body = number
        case "json-depth":
            guard number <= Self.deepest else { return false }
            jsonDepth = number
        case "multipart-parts": multipartParts = number
        case "connections": server.connections = number
        case "head-seconds": server.wire.headTime = .seconds(Int64(number))
        case "body-seconds": server.wire.bodyTime = .seconds(Int64(number))
        case "idle-seconds": server.wire.idleTime = .seconds(Int64(number))
        case "worlds": worlds = number
        case "faults": faults = number
        case "gates": gates = number
        default: return false
        }
        return true
    }
}
