import Backend
import Conditions
import JSON

/// Faults, latencies and gates, read as the control API reads them.
extension WorldReading {
    mutating func faultRegistry(_ record: FaultRegistryRecord) -> FaultRegistry {
        var faults: [Fault] = []
        var seen: Set<ExactText> = []
        for (row, line) in record.faults.enumerated() {
            let path: [JSONPathElement] = ["faults", "faults", .index(row)]
            let origin = Fault.Origin(line.origin)
            if origin == nil { fault(.record, path + ["origin"], "must be start, control, or scenario and its name") }
            checkCounts(path, ("matches", line.matches), ("hits", line.hits), ("draws", Int(clamping: line.draws)))
            checkID(path, line.id, "flt_", record.lastNumber, &seen)
            let read = read(line.fault, path + ["fault"]) { [names] in FaultSpec.read(&$0, apis: names, scope: nil) }
            guard let spec = read, let origin else { continue }
            var fault = Fault(id: line.id, spec: spec, origin: origin, isEnabled: line.enabled ?? true)
            fault.matches = line.matches
            fault.hits = line.hits
            fault.draws = line.draws
            faults.append(fault)
        }
        if !isCount(record.lastNumber) { fault(.record, ["faults", "lastNumber"], "must be from 0 to 2^53") }
        let restarted = lines(record.restarted, ["faults", "restarted"])
        return FaultRegistry(
            faults,
            Numbering(last: UInt64(max(record.lastNumber, 0)), restarted: restarted),
            isEnabled: record.enabled ?? true
        )
    }

    mutating func latencyRegistry(_ record: LatencyRegistryRecord) -> LatencyRegistry {
        var entries: [LatencyRegistry.Entry] = []
        for (row, line) in record.entries.enumerated() {
            let path: [JSONPathElement] = ["latency", "entries", .index(row)]
            let origin = Fault.Origin(line.origin)
            if origin == nil { fault(.record, path + ["origin"], "must be start, control, or scenario and its name") }
            let read = read(line.latency, path + ["latency"]) { [names] in
                Latency.read(&$0, apis: names, scope: nil, isStored: true)
            }
            guard let latency = read, let origin else { continue }
            entries.append(LatencyRegistry.Entry(latency: latency, origin: origin, scope: line.scope))
        }
        if record.draws > largestCount { fault(.record, ["latency", "draws"], "must be from 0 to 2^53") }
        // Earlier versions had one count of all draws.
        let former = names.map { Counters.Line(name: $0, value: record.draws) }
        let draws = record.drawsByAPI == nil ? former : lines(record.drawsByAPI, ["latency", "drawsByAPI"])
        return LatencyRegistry(entries, draws: Counters(draws.filter { $0.value > 0 }))
    }

    /// The highest number of draws in a document, all APIs together.
    static let mostDraws: UInt64 = 1 << 53

    mutating func gateRegistry(_ record: GateRegistryRecord) -> GateRegistry {
        var gates: [Gate] = []
        var seen: Set<ExactText> = []
        for (row, line) in record.gates.enumerated() {
            let path: [JSONPathElement] = ["gates", "gates", .index(row)]
            let phase = FaultSpec.Phase(rawValue: line.phase)
            if phase == nil { fault(.record, path + ["phase"], "must be before or after") }
            checkCounts(path, ("passed", line.passed))
            if line.ordinal > largestCount {
                fault(.record, path + ["ordinal"], "must be from 0 to 2^53")
            } else if line.ordinal > record.lastOrdinal {
                fault(.record, path + ["ordinal"], "must be at most lastOrdinal, \(record.lastOrdinal)")
            }
            if !seen.insert(ExactText(line.name)).inserted {
                fault(.record, path + ["name"], "\"\(line.name.cut)\" is taken by an earlier row")
            }
            guard isRead(path + ["match"]) else { continue }
            let body: JSONObject = ["match": line.match]
            let read = read(body, path) { [names] in Matcher.read(&$0, apis: names, scope: nil) }
            guard let matcher = read, let phase else { continue }
            gates.append(
                Gate(
                    name: line.name,
                    matcher: matcher,
                    phase: phase,
                    isEnabled: line.enabled ?? true,
                    passed: line.passed,
                    ordinal: line.ordinal
                )
            )
        }
        if record.lastOrdinal > largestCount {
            fault(.record, ["gates", "lastOrdinal"], "must be from 0 to 2^53")
        }
        let restarted = lines(record.restarted, ["gates", "restarted"])
        return GateRegistry(gates, lastOrdinal: record.lastOrdinal, restarted: restarted)
    }

    /// Returns the stubs of a document, or those of a store with their counts.
    mutating func stubRecord(_ record: WorldRecord, _ stored: JSON?) -> StubRegistryRecord? {
        guard let stored else { return record.stubs }
        do throws(JSONDecodingError) {
            return try StateCoding.read(StubRegistryRecord.self, stored).counted(record.stubCounts ?? [])
        } catch {
            for issue in error.issues { fault(.record, ["stubs"] + issue.path, issue.reason) }
            return nil
        }
    }

    mutating func stubRegistry(_ record: StubRegistryRecord) -> StubRegistry {
        var stubs: [Stub] = []
        var seen: Set<ExactText> = []
        if record.stubs.count > StubRegistry.most {
            fault(.record, ["stubs", "stubs"], "must be at most \(StubRegistry.most) stubs")
            return StubRegistry()
        }
        for (row, line) in record.stubs.enumerated() {
            let path: [JSONPathElement] = ["stubs", "stubs", .index(row)]
            let origin = Stub.Origin(line.origin)
            if origin == nil {
                fault(.record, path + ["origin"], "must be call, file: and its path, or scenario: and its name")
            }
            checkCounts(path, ("matches", line.matches), ("hits", line.hits), ("draws", Int(clamping: line.draws)))
            if line.hits > line.matches, isRead(path + ["matches"]) {
                fault(.record, path + ["hits"], "must be at most matches")
            }
            checkID(path, line.id, "stb_", record.lastNumber, &seen)
            let name = line.stub["match"]?["api"]?.stringValue
            guard let api = apis.first(where: { $0.identity.name == name }) else {
                // A store may have stubs of APIs that are not served now.
                if !isStore { fault(.record, path + ["stub", "match", "api"], "must be an API that is served") }
                continue
            }
            let context = StubContext(api)
            let read = read(line.stub, path + ["stub"]) { StubSpec.read(&$0, line.stub, context) }
            guard let spec = read, let origin else { continue }
            var stub = Stub(id: line.id, spec: spec, origin: origin, isEnabled: line.isEnabled)
            stub.matches = line.matches
            stub.hits = line.hits
            stub.draws = line.draws
            stubs.append(stub)
        }
        if !isCount(record.lastNumber) { fault(.record, ["stubs", "lastNumber"], "must be from 0 to 2^53") }
        let restarted = lines(record.restarted, ["stubs", "restarted"])
        return StubRegistry(stubs, Numbering(last: UInt64(max(record.lastNumber, 0)), restarted: restarted))
    }

    private var names: [String] { apis.map(\.identity.name) }

    /// Returns numbers by name, each name at most once.
    private mutating func lines(_ lines: [Counters.Line]?, _ path: [JSONPathElement]) -> [Counters.Line] {
        var seen: Set<ExactText> = []
        for (row, line) in (lines ?? []).enumerated() {
            if line.value > largestCount {
                fault(.record, path + [.index(row), "value"], "must be from 0 to 2^53")
            }
            if !seen.insert(ExactText(line.name)).inserted {
                fault(.record, path + [.index(row), "name"], "\"\(line.name.cut)\" is taken by an earlier row")
            }
        }
        return lines ?? []
    }

    private func isCount(_ number: Int) -> Bool { number >= 0 && UInt64(number) <= largestCount }

    private mutating func checkCounts(_ path: [JSONPathElement], _ counts: (name: String, number: Int)...) {
        for count in counts where !isCount(count.number) {
            fault(.record, path + [.key(count.name)], "must be from 0 to 2^53")
        }
    }

    /// Checks the id of a row whose next one is made of the number after the last.
    private mutating func checkID(
        _ path: [JSONPathElement],
        _ id: String,
        _ prefix: String,
        _ last: Int,
        _ seen: inout Set<ExactText>
    ) {
        if !seen.insert(ExactText(id)).inserted {
            fault(.record, path + ["id"], "\"\(id.cut)\" is taken by an earlier row")
        } else if id.hasPrefix(prefix), let number = Int(id.dropFirst(prefix.utf8.count)), number > last {
            fault(.record, path + ["id"], "must be at most \(prefix) and lastNumber, \(last)")
        }
    }

    /// Reads an object as a control body.
    ///
    /// In a store, an object of an API that is not served is dropped silently.
    private mutating func read<Value>(
        _ object: JSONObject,
        _ path: [JSONPathElement],
        _ reading: (inout BodyCheck) -> Value?
    ) -> Value? {
        var check = BodyCheck(object, at: "$")
        let value = reading(&check)
        check.refuseUnknown()
        guard !check.items.isEmpty else { return value }
        if !isStore {
            for item in check.items {
                fault(.record, path, "\(item.path.dropFirst(item.path.hasPrefix("$.") ? 2 : 0)) \(item.reason)")
            }
        }
        return nil
    }
}
