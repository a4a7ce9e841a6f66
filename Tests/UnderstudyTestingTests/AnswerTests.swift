import Foundation
import TestSupport
import Testing
import UnderstudyServer

@testable import UnderstudyClient

/// The client has each member that a control call takes or answers with (clients' contract, section 5).
///
/// A sample of each answer's schema, with a value of its own for each member, is read by the client's type. A value that
/// the result does not hold belongs to a member that the type lacks.
@Suite struct AnswerTests {
    /// The client's types of answers; for a list, the type of its items.
    private static let types: [String: any (Decodable & Sendable).Type] = [
        "Health": UnderstudyServer.Health.self, "APIs": UnderstudyServer.APIEntry.self,
        "Worlds": UnderstudyServer.WorldEntry.self, "Clock": ClockReading.self,
        "AdvancedClock": World.ClockPreview.self, "Upcoming": World.Upcoming.self,
        "Scenarios": World.Scenario.self, "Scenario": World.Scenario.self,
        "Faults": ActiveFault.self, "Fault": ActiveFault.self,
        "MatchFinding": World.MatchReport.self, "Stubs": ActiveStub.self, "Stub": ActiveStub.self,
        "Gates": Gate.Status.self, "Gate": Gate.Status.self, "Request": World.Exchange.self,
        "Journal": World.JournalSize.self, "Verdict": World.Verdict.self,
        "ConductReport": ConductReport.self, "ConductRules": ConductRule.self,
        "ConductRule": ConductRule.self, "Unmatched": World.Unmatched.self,
        "Outbox": World.Message.self, "Snapshots": World.Snapshot.self,
        "Snapshot": World.Snapshot.self,
        "Tables": World.Table.self, "Rows": World.Row.self, "Row": World.Row.self,
        "Users": World.User.self, "Notes": World.Note.self, "Note": World.Note.self,
        "Coverage": World.Coverage.self, "Replay": World.Replay.self,
        "TLS": UnderstudyServer.TLSStatus.self,
        "ForwardProxy": UnderstudyServer.ProxyStatus.self,
        "SeenHosts": UnderstudyServer.SeenHost.self,
        "HandshakeFailures": UnderstudyServer.TLSFailure.self,
        "ConnectionFaults": UnderstudyServer.ActiveConnectionFault.self,
        "ConnectionFault": UnderstudyServer.ActiveConnectionFault.self,
    ]

    /// Answers that the client passes on as they are, or takes one value of.
    private static let untyped: Set<String> = [
        "Comparison", "ConnectionFaultOrder", "CreatedWorld", "FaultSwitch", "GateReleased", "HTTPArchive", "JWKS",
        "Latency", "LatencyAnswer", "Mode", "OpenAPIDocument", "ProblemType", "QRPayload", "RequestCount", "Requests",
        "Reset",
        "Restored", "ScenarioOff", "Settings", "Token", "TokensEnded", "World", "WorldDocument",
    ]

    /// Members that a type leaves out, because they say of a list or of a call what the caller knows.
    private static let left: [String: Set<String>] = [
        "ConductReport": ["format", "journal", "version", "world", "allow"]
    ]

    private static func document() async throws -> JSONValue { try await UnderstudyServer.shared.get().document() }

    @Test func `5 the client's types have each member of the answers`() async throws {
        let document = try await Self.document()
        let schemas = document["components"]?["schemas"]
        let answers = Self.operations(of: document).compactMap { operation -> String? in
            guard case .object(let responses)? = operation["responses"] else { return nil }
            let content = (responses["200"] ?? responses["201"])?["content"]
            guard case .object(let contents)? = content else { return nil }
            return contents.first { $0.key.hasPrefix("application/json") }.flatMap { Self.name($0.value["schema"]) }
        }
        #expect(answers.count > 50)
        for name in Set(answers).sorted() where !Self.untyped.contains(name) {
            guard let type = Self.types[name], let schema = schemas?[name] else {
                Issue.record("\(name) is an answer that the client has no type for")
                continue
            }
            var sample = Sample(components: schemas)
            let item = schema["properties"]?["items"]?["items"]
            let isList = item != nil && name != "Coverage"
            let whole = sample.value(of: isList ? item ?? schema : schema, at: name)
            var shown = ""
            do {
                dump(try JSONDecoder().decode(type, from: try JSONEncoder().encode(whole)), to: &shown)
            } catch {
                Issue.record("\(name): \(error)")
                continue
            }
            for (value, place) in sample.values where !shown.contains(value) {
                let member = place.dropFirst(name.count + 1).prefix { $0 != "." && $0 != "[" }
                guard Self.left[name]?.contains(String(member)) != true else { continue }
                Issue.record("\(place) is a member that the client's type lacks")
            }
        }
    }

    @Test func `5 the client's sources name each member of the bodies`() async throws {
        let document = try await Self.document()
        let schemas = document["components"]?["schemas"]
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/UnderstudyClient")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let source = try files.filter { $0.pathExtension == "swift" }
            .map { try String(contentsOf: $0, encoding: .utf8) }.joined(separator: "\n")
        let words = Set(source.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
        for operation in Self.operations(of: document) {
            guard case .object(let contents)? = operation["requestBody"]?["content"],
                let schema = contents["application/json"]?["schema"], let name = Self.name(schema)
            else { continue }
            // A document of a world is passed on, and the effects of connection faults are given as JSON.
            guard name != "ImportedWorld" else { continue }
            var sample = Sample(components: schemas)
            _ = sample.value(of: schema, at: name)
            for member in sample.members where !words.contains(member) && name != "ConnectionFaultOrder" {
                Issue.record("\(name).\(member) is a member that the client does not name")
            }
        }
    }

    private static func operations(of document: JSONValue) -> [JSONValue] {
        guard case .object(let paths)? = document["paths"] else { return [] }
        return paths.values.flatMap { item -> [JSONValue] in
            guard case .object(let members) = item else { return [] }
            return members.filter { ["get", "put", "post", "patch", "delete"].contains($0.key) }.map(\.value)
        }
    }

    private static func name(_ schema: JSONValue?) -> String? {
        schema?["$ref"]?.string?.split(separator: "/").last.map(String.init)
    }
}

/// A value of a schema that has all of its members, each with a value of its own.
private struct Sample {
    let components: JSONValue?
    /// The values that occur nowhere else, with the place of each.
    private(set) var values: [(value: String, place: String)] = []
    private(set) var members: Set<String> = []
    private var number = 700_000

    init(components: JSONValue?) { self.components = components }

    mutating func value(of schema: JSONValue, at place: String) -> JSONValue {
        if let name = schema["$ref"]?.string?.split(separator: "/").last, let found = components?[String(name)] {
            return value(of: found, at: place)
        }
        if let choices = schema["oneOf"]?.array {
            // The others for the names of their members.
            for choice in choices.dropFirst() {
                var other = self
                _ = other.value(of: choice, at: place)
                members.formUnion(other.members)
            }
            return choices.first.map { value(of: $0, at: place) } ?? .null
        }
        if let word = schema["enum"]?[0] { return word }
        switch schema["type"]?.string ?? schema["type"]?[0]?.string {
        case "object":
            var object: [String: JSONValue] = [:]
            if case .object(let properties)? = schema["properties"] {
                for (name, inner) in properties.sorted(by: { $0.key < $1.key }) {
                    members.insert(name)
                    object[name] = value(of: inner, at: "\(place).\(name)")
                }
            }
            return .object(object)
        case "array":
            let least = schema["minItems"]?.int ?? 1
            return .array((0..<max(least, 1)).map { value(of: schema["items"] ?? .object([:]), at: "\(place)[\($0)]") })
        case "integer", "number":
            number += 1
            values.append(("\(number)", place))
            return .number(Double(number))
        case "boolean": return .bool(true)
        default:
            number += 1
            values.append(("v\(number)", place))
            return .string("v\(number)")
        }
    }
}
