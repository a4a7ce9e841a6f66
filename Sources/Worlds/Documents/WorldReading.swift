package import Backend
import CivilTime
import Conditions
package import JSON
import Journal

/// Makes a world from its content, and collects all problems.
package struct WorldReading {
    /// The maximum number of rows in a document, all its lists together.
    package static let mostRows = 1_000_000
    /// The range of a timing in milliseconds: some thirty thousand years either way.
    static let timings = -1e15...1e15
    /// The number of entries before the newest that are kept.
    static let longestJournal: UInt64 = 2_000_000

    let apis: [AnyAPI]
    let journalBytes: Int
    let outboxMessages: Int
    let hostTime: HostTime
    /// The source of the content.
    let source: StoredSource
    /// The register in which the secrets of a world are noted.
    let issued: IssuedSecrets
    package private(set) var faults: [ContentFault] = []
    /// The paths of the record's parts that could not be read.
    private var misfits: [[JSONPathElement]] = []

    /// Tells whether it is read from a store, which may have conditions of APIs that are not served now.
    var isStore: Bool { source == .store }

    /// The highest count; larger numbers count nothing, and continuing them could overflow.
    package var largestCount: UInt64 { UInt64(source.largestCount) }

    package init(
        apis: [AnyAPI],
        journalBytes: Int,
        outboxMessages: Int,
        issued: IssuedSecrets,
        hostTime: HostTime,
        source: StoredSource
    ) {
        self.apis = apis
        self.issued = issued
        self.source = source
        self.journalBytes = journalBytes
        self.outboxMessages = outboxMessages
        self.hostTime = hostTime
    }

    /// Returns the world under that name or its own; nil if anything does not fit.
    package mutating func world(_ content: WorldContent, named name: String?) -> World? {
        guard let record = record(content.record) else { return nil }
        check(record)
        let name = name ?? record.name
        // Checked even if another name replaces it: no part of a document is left unchecked.
        if !WorldName.isValid(record.name) { fault(.record, ["name"], "must be 1 to 64 characters of a-z 0-9 . _ -") }
        let setting = setting(record.clock, "clock")
        let start = self.setting(record.startClock, "startClock")
        let outbox = content.view.map { sharedOutbox($0.outbox, record) } ?? outbox(content.outbox, record)
        let journal =
            content.view.map { sharedJournal($0.journal, record) } ?? journal(content.journal, record, world: name)
        let faultRegistry = faultRegistry(record.faults)
        let latencyRegistry = latencyRegistry(record.latency)
        let gateRegistry = gateRegistry(record.gates)
        // A document from before stubs existed leaves those of the files.
        var stubRegistry = StubRegistry.seeded(apis)
        if let record = stubRecord(record, content.view?.stubs) { stubRegistry = self.stubRegistry(record) }
        let notes = worldNotes(record.notes)
        let coverage = coverageCounts(record.coverage)
        let dropped = dropped(record)
        let clock = WorldClock(setting ?? .real, at: hostTime)
        var core = WorldCore(name: name, seed: record.seed, clock: clock, now: clock.now(hostTime), issued: issued)
        core.counters = Counters(record.counters)
        core.randomness = Randomness(seed: record.seed, counters: Counters(record.randomness))
        if let outbox { core.outbox = outbox }
        let parts = parts(content, core)
        guard faults.isEmpty, var journal, let start else { return nil }
        journal.resume(dropped: dropped)
        var world = World(
            core: core,
            parts: parts,
            journal: journal,
            initialClock: start,
            crossOrigin: record.crossOrigin,
            initialCrossOrigin: record.startCrossOrigin
        )
        world.conduct = record.conduct
        world.initialConduct = record.startConduct
        world.createdAt = record.createdAt
        world.forkedFrom = record.forkedFrom
        world.requestCount = record.requests
        world.takeRequestNumbers()
        world.activeScenarios = record.scenarios.map {
            ActiveScenario(name: $0.name, former: $0.former, changed: $0.changed)
        }
        world.faults = faultRegistry
        world.latency = latencyRegistry
        world.gates = gateRegistry
        world.stubs = stubRegistry
        world.notes = notes
        world.journalEpochs = (record.epochs ?? []).filter { $0 <= record.lastSeq }.sorted()
        world.coverage = coverage
        // Without it nothing is wrong but the counts of users.
        if let stored = content.view?.foreign {
            world.foreign = (try? StateCoding.read([CredentialNames].self, stored)) ?? []
        }
        return world
    }

    /// Reads the members besides the tables.
    ///
    /// A stand-in takes the place of each member that does not fit, so that everything else is checked too.
    private mutating func record(_ json: JSON) -> WorldRecord? {
        do throws(JSONDecodingError) {
            return try StateCoding.read(WorldRecord.self, json)
        } catch {
            let explanation = StateCoding.explain(WorldRecord.self, json)
            for issue in explanation.issues { fault(.record, issue.path, issue.reason) }
            misfits = explanation.misfits
            guard var record = explanation.value else { return nil }
            // Rows are not compared with numbers that are not part of the document.
            let most = Int(largestCount)
            if !isRead(["lastSeq"]) { record.lastSeq = largestCount }
            if !isRead(["posted"]) { record.posted = largestCount }
            if !isRead(["faults", "lastNumber"]) { record.faults.lastNumber = most }
            if !isRead(["gates", "lastOrdinal"]) { record.gates.lastOrdinal = largestCount }
            if !isRead(["stubs", "lastNumber"]) { record.stubs?.lastNumber = most }
            return record
        }
    }

    /// Tells whether a member of the record is not a stand-in.
    func isRead(_ path: [JSONPathElement]) -> Bool { !misfits.contains { path.starts(with: $0) } }

    package mutating func fault(_ place: ContentFault.Place, _ path: [JSONPathElement], _ reason: String) {
        // A stand-in has no faults of its own.
        guard faults.count < StateForm.mostFaults, place != .record || isRead(path) else { return }
        faults.append(ContentFault(place, path, reason))
    }

    private mutating func check(_ record: WorldRecord) {
        let range = "must be from 0 to 2^53"
        if record.requests < 0 || UInt64(record.requests) > largestCount { fault(.record, ["requests"], range) }
        if record.lastSeq > largestCount { fault(.record, ["lastSeq"], range) }
        if record.posted > largestCount { fault(.record, ["posted"], range) }
        for (name, value) in [("crossOrigin", record.crossOrigin), ("startCrossOrigin", record.startCrossOrigin)] {
            for (row, origin) in value.origins.enumerated() where !CrossOrigin.isOrigin(origin) {
                fault(
                    .record,
                    [.key(name), "origins", .index(row)],
                    "must be * or an origin such as https://app.example"
                )
            }
        }
        for (name, value) in [("conduct", record.conduct), ("startConduct", record.startConduct)] {
            if let value, value.objectValue == nil { fault(.record, [.key(name)], "must be an object") }
        }
        for (name, lines) in [("counters", record.counters), ("randomness", record.randomness)] {
            var seen: Set<ExactText> = []
            for (row, line) in lines.enumerated() {
                if line.value > largestCount { fault(.record, [.key(name), .index(row), "value"], range) }
                if !seen.insert(ExactText(line.name)).inserted {
                    let reason = "\"\(line.name.cut)\" is taken by an earlier row"
                    fault(.record, [.key(name), .index(row), "name"], reason)
                }
            }
        }
    }

    private mutating func setting(_ record: ClockRecord, _ name: String) -> WorldClock.Setting? {
        var found: [(String, String)] = []
        let setting = record.setting(hostTime) { found.append(($0, $1)) }
        for (member, reason) in found { fault(.record, [.key(name), .key(member)], reason) }
        return setting
    }

    /// Returns the number of request ids of our own that each API has issued; earlier versions had one number for all.
    static func ownIDs(_ lines: [Counters.Line], _ apis: [AnyAPI]) -> [(api: String, number: UInt64)] {
        let counters = Counters(lines)
        let common = counters.last(WorldRecord.requestCounter)
        return apis.map { api in
            let line = "\(api.identity.name).\(WorldRecord.requestCounter)"
            return (api.identity.name, counters.holds(line) ? counters.last(line) : common)
        }
    }

    private mutating func parts(
        _ content: WorldContent,
        _ core: WorldCore
    ) -> [(api: AnyAPI, box: AnyStateBox?, epoch: Epoch)] {
        var parts: [(api: AnyAPI, box: AnyStateBox?, epoch: Epoch)] = []
        for api in apis {
            let name = api.identity.name
            if let view = content.view {
                parts.append(sharedPart(api, view, core))
                continue
            }
            guard let found = content.apis[name] else {
                parts.append((api, nil, Epoch(start: core.now)))
                continue
            }
            var epoch = Epoch(start: core.now)
            do throws(JSONDecodingError) {
                epoch = Epoch(start: try StateCoding.read(Instant.self, found.epoch))
            } catch {
                for issue in error.issues { fault(.epoch(api: name), issue.path, issue.reason) }
            }
            switch api.stateForm.load(found.parts, core, source) {
            case .success(let box): parts.append((api, box, epoch))
            case .failure(let error):
                for item in error.items {
                    let row = item.isRows ? item.fault.row : nil
                    fault(.part(api: name, name: item.part, row: row), item.fault.path, item.fault.reason)
                }
            }
        }
        return parts
    }
}
