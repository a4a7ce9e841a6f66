import JSON

/// Faults, latencies and gates, read as the control API reads them.
extension WorldReading {
    mutating func faultRegistry(_ record: FaultRegistryRecord) -> FaultRegistry {
        var faults: [Fault] = []
        var seen: Set<ExactText> = []
        for (row, line) in record.faults.enumerated() {
            let path: [JSONPathElement] = ["faults", "faults", .index(row)]
            guard let origin = Fault.Origin(line.origin) else {
                fault(.record, path + ["origin"], "must be start, control, or scenario and its name")
                continue
            }
            guard isCount(line.matches), isCount(line.hits), line.draws <= largestCount else {
                fault(.record, path, "matches, hits and draws must be from 0 to 2^53")
                continue
            }
            guard seen.insert(ExactText(line.id)).inserted else {
                fault(.record, path + ["id"], "\"\(line.id.cut)\" is taken by an earlier row")
                continue
            }
            // The next fault's id is made from the number after the last.
            if line.id.hasPrefix("flt_"), let number = Int(line.id.dropFirst(4)), number > record.lastNumber {
                fault(.record, path + ["id"], "must be at most flt_ and lastNumber, \(record.lastNumber)")
                continue
            }
            let read = read(line.fault, path + ["fault"]) { [names] in FaultSpec.read(&$0, apis: names, scope: nil) }
            guard let spec = read else { continue }
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

    mutating func latencyBook(_ record: LatencyBookRecord) -> LatencyBook {
        var entries: [LatencyBook.Entry] = []
        for (row, line) in record.entries.enumerated() {
            let path: [JSONPathElement] = ["latency", "entries", .index(row)]
            guard let origin = Fault.Origin(line.origin) else {
                fault(.record, path + ["origin"], "must be start, control, or scenario and its name")
                continue
            }
            let read = read(line.latency, path + ["latency"]) { [names] in Latency.read(&$0, apis: names, scope: nil) }
            guard let latency = read else { continue }
            entries.append(LatencyBook.Entry(latency: latency, origin: origin, scope: line.scope))
        }
        if record.draws > largestCount { fault(.record, ["latency", "draws"], "must be from 0 to 2^53") }
        // Earlier versions had one count of all draws.
        let former = names.map { Counters.Line(name: $0, value: record.draws) }
        let draws = record.drawsByAPI == nil ? former : lines(record.drawsByAPI, ["latency", "drawsByAPI"])
        return LatencyBook(entries, draws: Counters(draws.filter { $0.value > 0 }))
    }

    /// The highest number of draws in a document, all APIs together.
    static let mostDraws: UInt64 = 1 << 53

    mutating func gateBook(_ record: GateBookRecord) -> GateBook {
        var gates: [Gate] = []
        var seen: Set<ExactText> = []
        for (row, line) in record.gates.enumerated() {
            let path: [JSONPathElement] = ["gates", "gates", .index(row)]
            guard let phase = FaultSpec.Phase(rawValue: line.phase) else {
                fault(.record, path + ["phase"], "must be before or after")
                continue
            }
            guard isCount(line.passed), line.ordinal <= largestCount else {
                fault(.record, path, "passed and ordinal must be from 0 to 2^53")
                continue
            }
            guard seen.insert(ExactText(line.name)).inserted else {
                fault(.record, path + ["name"], "\"\(line.name.cut)\" is taken by an earlier row")
                continue
            }
            let body: JSONObject = ["match": line.match]
            let read = read(body, path) { [names] in Matcher.read(&$0, apis: names, scope: nil) }
            guard let matcher = read else { continue }
            guard line.ordinal <= record.lastOrdinal else {
                fault(.record, path + ["ordinal"], "must be at most lastOrdinal, \(record.lastOrdinal)")
                continue
            }
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
        return GateBook(gates, lastOrdinal: record.lastOrdinal, restarted: restarted)
    }

    /// Returns the stubs of a document, or those of a store with their counts.
    mutating func stubRecord(_ record: WorldRecord, _ stored: JSON?) -> StubBookRecord? {
        guard let stored else { return record.stubs }
        do throws(JSONDecodingError) {
            return try StateCoding.read(StubBookRecord.self, stored).counted(record.stubCounts ?? [])
        } catch {
            for issue in error.issues { fault(.record, ["stubs"] + issue.path, issue.reason) }
            return nil
        }
    }

    mutating func stubBook(_ record: StubBookRecord) -> StubBook {
        var stubs: [Stub] = []
        var seen: Set<ExactText> = []
        if record.stubs.count > StubBook.most {
            fault(.record, ["stubs", "stubs"], "must be at most \(StubBook.most) stubs")
            return StubBook()
        }
        for (row, line) in record.stubs.enumerated() {
            let path: [JSONPathElement] = ["stubs", "stubs", .index(row)]
            guard let origin = Stub.Origin(line.origin) else {
                fault(.record, path + ["origin"], "must be call, file: and its path, or scenario: and its name")
                continue
            }
            guard isCount(line.matches), isCount(line.hits), line.hits <= line.matches, line.draws <= largestCount
            else {
                fault(.record, path, "matches, hits and draws must be from 0 to 2^53, and hits at most matches")
                continue
            }
            guard seen.insert(ExactText(line.id)).inserted else {
                fault(.record, path + ["id"], "\"\(line.id.cut)\" is taken by an earlier row")
                continue
            }
            // The next stub's id is made from the number after the last.
            if line.id.hasPrefix("stb_"), let number = Int(line.id.dropFirst(4)), number > record.lastNumber {
                fault(.record, path + ["id"], "must be at most stb_ and lastNumber, \(record.lastNumber)")
                continue
            }
            let name = line.stub["match"]?["api"]?.stringValue
            guard let api = apis.first(where: { $0.identity.name == name }) else {
                // A store may have stubs of APIs that are not served now.
                if !isStore { fault(.record, path + ["stub", "match", "api"], "must be an API that is served") }
                continue
            }
            let context = StubContext(api)
            guard let spec = read(line.stub, path + ["stub"], { StubSpec.read(&$0, line.stub, context) }) else {
                continue
            }
            var stub = Stub(id: line.id, spec: spec, origin: origin, isEnabled: line.isEnabled)
            stub.matches = line.matches
            stub.hits = line.hits
            stub.draws = line.draws
            stubs.append(stub)
        }
        if !isCount(record.lastNumber) { fault(.record, ["stubs", "lastNumber"], "must be from 0 to 2^53") }
        let restarted = lines(record.restarted, ["stubs", "restarted"])
        return StubBook(stubs, Numbering(last: UInt64(max(record.lastNumber, 0)), restarted: restarted))
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
