package import Foundation

/// The text that a failed test prints of its world: first what explains most failures, then the journal.
///
/// Each problem is said once.
package struct FailureReport: Sendable {
    /// The text for people; nil if the world has gone.
    package let text: String
    /// The journal as JSON, oldest first, for an attachment.
    package let journal: Data

    /// Reads a world, and leaves out gates that an error has told of already.
    package init(of world: World, leavingOut gates: Set<String> = []) async {
        // It only ends a hang: a server that no longer answers must not hold up the other tests for ever.
        let deadline = ContinuousClock.now + .seconds(120)
        func ask<Value: Sendable>(
            _ call: @escaping @Sendable () async throws(ControlError) -> Value
        ) async -> Value? {
            (try? await Race.run(until: deadline, call)) ?? nil
        }
        let data = await ask { () async throws(ControlError) -> Data in try await world.client.send(.getRequests) }
        let exchanges = data.flatMap { try? ControlClient.decode($0, as: Items<World.Exchange>.self).items }
        guard let data, let exchanges else {
            text = "The world \(world.name) could not be read."
            journal = Data(text.utf8)
            return
        }
        journal = Self.pretty(data)
        let faults = await ask { () async throws(ControlError) -> [ActiveFault] in try await world.faults } ?? []
        let held = await ask { () async throws(ControlError) -> [Gate.Status] in try await world.gates } ?? []
        let lost = await ask { () async throws(ControlError) -> [World.Unmatched] in try await world.unmatched() } ?? []
        let idle = faults.filter { $0.hits == 0 && $0.enabled != false }
        let empty = held.filter {
            $0.held.isEmpty && $0.passed == 0 && !gates.contains($0.name) && $0.enabled != false
        }
        // A handful: a world with hundreds of faults has them from a file.
        var misses: [String: String] = [:]
        for (key, match) in idle.prefix(5).map({ ($0.id, $0.match) })
            + empty.prefix(5).map({ ($0.name, $0.match ?? .any) })
        {
            let found = await ask { () async throws(ControlError) -> World.MatchReport in try await world.check(match) }
            if let miss = found?.nearMisses.first {
                misses[key] = "; nearest: \(miss.id): \(miss.differences.joined(separator: ", "))"
            }
        }
        var parts = [Self.told(idle, misses), Self.told(empty, misses), Self.unmatched(lost.reversed())]
        parts.append(Self.lines(exchanges.reversed(), of: world, unmatched: Set(lost.map(\.id))))
        text = parts.flatMap(\.self).joined(separator: "\n")
    }

    private static func told(_ idle: [ActiveFault], _ misses: [String: String]) -> [String] {
        guard !idle.isEmpty else { return [] }
        return ["Faults that never hit:"]
            + idle.map { fault in
                let name = fault.name.map { " \"\($0)\"" } ?? ""
                let origin = fault.source.flatMap { $0 == "call" ? nil : " (\($0))" } ?? ""
                let head = "  \(fault.id)\(name)\(origin): "
                return head + "\(fault.effect.value.text) for \(fault.match)\(misses[fault.id] ?? "")"
            }
    }

    private static func told(_ empty: [Gate.Status], _ misses: [String: String]) -> [String] {
        guard !empty.isEmpty else { return [] }
        return ["Gates that held nothing:"]
            + empty.map { gate in
                "  \(gate.name)\(gate.match.map { ": \($0)" } ?? "")\(misses[gate.name] ?? "")"
            }
    }

    private static func unmatched(_ lost: [World.Unmatched]) -> [String] {
        guard !lost.isEmpty else { return [] }
        var counts: [String: Int] = [:]
        var order: [World.Unmatched] = []
        for item in lost {
            let key = "\(item.api) \(item.method) \(item.path)"
            if counts[key] == nil { order.append(item) }
            counts[key, default: 0] += 1
        }
        return ["Requests that nothing matched:"]
            + order.map { item in
                let count = counts["\(item.api) \(item.method) \(item.path)"] ?? 1
                let near = item.nearest.first.map { "; nearest: \($0.method) \($0.path) (\($0.differs))" } ?? ""
                return "  \(item.method) \(item.path) of \(item.api)\(count > 1 ? ", \(count) times" : "")\(near)"
            }
    }

    private static func lines(
        _ exchanges: [World.Exchange],
        of world: World,
        unmatched: Set<String>
    ) -> [String] {
        guard !exchanges.isEmpty else { return ["No request has reached the world \(world.name)."] }
        var told: [String: String] = [:]
        return ["Journal of the world \(world.name), oldest first:"]
            + exchanges.flatMap { exchange -> [String] in
                let query = exchange.query.isEmpty ? "" : "?\(exchange.query)"
                let status = exchange.status == 0 ? "no response" : "\(exchange.status)"
                var line = "  \(exchange.id) \(exchange.method) /\(exchange.api)\(exchange.path)\(query) → \(status)"
                if exchange.outcome != "delivered" { line += " \(exchange.outcome)" }
                if let fault = exchange.fault {
                    line += ", fault \(fault["id"]?.string ?? fault["name"]?.string ?? "")"
                }
                if let scenario = exchange.scenario { line += ", scenario \(scenario)" }
                if let gate = exchange.gate { line += ", gate \(gate)" }
                guard exchange.status >= 400, !unmatched.contains(exchange.id) else { return [line] }
                let body = exchange.responseBody
                guard let text = body.text, !text.isEmpty else {
                    return body.bytes == 0 ? [line] : [line, "      \(body.bytes) bytes that are no text"]
                }
                if let first = told[text] { return [line, "      the same as \(first)"] }
                told[text] = exchange.id
                return [line, "      " + shortened(text)]
            }
    }

    /// A body on one line, with at most 2,000 characters, and nothing that moves a terminal's cursor.
    private static func shortened(_ text: String) -> String {
        let plain = text.prefix(2_000).unicodeScalars.map { scalar -> Character in
            scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) ? " " : Character(scalar)
        }
        return String(plain) + (text.count > 2_000 ? "…" : "")
    }

    private static func pretty(_ data: Data) -> Data {
        guard let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
            let items = object["items"] as? [Any],
            let pretty = try? JSONSerialization.data(
                withJSONObject: ["items": Array(items.reversed())],
                options: [.prettyPrinted, .sortedKeys]
            )
        else { return data }
        return pretty
    }
}
