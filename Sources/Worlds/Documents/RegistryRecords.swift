import Backend
import Conditions
import JSON

/// The faults of a world in their stored form.
struct FaultRegistryRecord: Codable, Sendable {
    struct Line: Codable, Sendable {
        var id: String
        /// The fault as it was ordered.
        var fault: JSONObject
        var origin: String
        var matches: Int
        var hits: Int
        var draws: UInt64
        /// False for a fault that is switched off; else absent.
        var enabled: Bool?
    }

    /// False if all faults are switched off; else absent.
    var enabled: Bool?
    var lastNumber: Int
    /// The numbers of APIs that were reset alone; nil in a document from before they existed.
    var restarted: [Counters.Line]?
    var faults: [Line]

    init(_ book: FaultRegistry) {
        lastNumber = Int(book.numbering.last)
        if !book.numbering.restarted.isEmpty { restarted = book.numbering.restarted }
        if !book.isEnabled { enabled = false }
        faults = book.faults.map { fault in
            Line(
                id: fault.id,
                fault: fault.spec.members,
                origin: fault.origin.text,
                matches: fault.matches,
                hits: fault.hits,
                draws: fault.draws,
                enabled: fault.isEnabled ? nil : false
            )
        }
    }
}

/// The latencies of a world in their stored form.
struct LatencyRegistryRecord: Codable, Sendable {
    struct Line: Codable, Sendable {
        /// The latency as it was set.
        var latency: JSONObject
        var origin: String
        var scope: String?
    }

    /// The draws of all APIs.
    var draws: UInt64
    /// The draws of each API; nil in a document in which all shared one count.
    var drawsByAPI: [Counters.Line]?
    var entries: [Line]

    init(_ book: LatencyRegistry) {
        // Earlier documents counted for each API, so the sum may exceed the limit of a document.
        draws = min(book.draws.rows.reduce(0) { $0 + $1.value }, WorldReading.mostDraws)
        if draws > 0 { drawsByAPI = book.draws.rows }
        entries = book.entries.map { entry in
            Line(latency: entry.latency.json.objectValue ?? JSONObject(), origin: entry.origin.text, scope: entry.scope)
        }
    }
}

/// The gates of a world in their stored form, without the requests that they hold.
struct GateRegistryRecord: Codable, Sendable {
    struct Line: Codable, Sendable {
        var name: String
        var match: JSON
        var phase: String
        var passed: Int
        var ordinal: UInt64
        /// False for a gate that is switched off; else absent.
        var enabled: Bool?
    }

    var lastOrdinal: UInt64
    /// The numbers of APIs that were reset alone; nil in a document from before they existed.
    var restarted: [Counters.Line]?
    var gates: [Line]

    init(_ book: GateRegistry) {
        lastOrdinal = book.lastOrdinal
        if !book.numbering.restarted.isEmpty { restarted = book.numbering.restarted }
        gates = book.gates.map { gate in
            Line(
                name: gate.name,
                match: gate.matcher.json,
                phase: gate.phase.rawValue,
                passed: gate.passed,
                ordinal: gate.ordinal,
                enabled: gate.isEnabled ? nil : false
            )
        }
    }
}

extension Fault.Origin {
    private static let scenarioPrefix = "scenario "

    var text: String {
        switch self {
        case .start: "start"
        case .control: "control"
        case .scenario(let name): Self.scenarioPrefix + name
        }
    }

    init?(_ text: String) {
        switch text {
        case "start": self = .start
        case "control": self = .control
        default:
            guard text.hasPrefix(Self.scenarioPrefix) else { return nil }
            self = .scenario(String(text.dropFirst(Self.scenarioPrefix.count)))
        }
    }
}

extension FaultDecision {
    /// The stored form in the journal.
    struct Record: Decodable, Sendable {
        var id: String?
        var name: String?
        var gate: String?
        var phase: String
        var kind: String
        var effect: JSON
        var acted: Bool
        var reason: String?
        var isMain: Bool

        /// The decision; nil if its phase is unknown.
        var decision: FaultDecision? {
            FaultSpec.Phase(rawValue: phase).map {
                FaultDecision(
                    id: id,
                    name: name,
                    gate: gate,
                    phase: $0,
                    kind: kind,
                    effect: effect,
                    acted: acted,
                    reason: reason,
                    isMain: isMain
                )
            }
        }
    }

    /// The form that `Record` reads.
    var stored: JSON {
        var object = JSONObject()
        if let id { object.append("id", .string(id)) }
        if let name { object.append("name", .string(name)) }
        if let gate { object.append("gate", .string(gate)) }
        object.append("phase", .string(phase.rawValue))
        object.append("kind", .string(kind))
        object.append("effect", effect)
        object.append("acted", .bool(acted))
        if let reason { object.append("reason", .string(reason)) }
        object.append("isMain", .bool(isMain))
        return .object(object)
    }
}
