import CivilTime
import JSON

/// Makes a world from its content, and collects all problems.
struct WorldReading {
    /// The maximum number of rows in a document, all its lists together.
    static let mostRows = 1_000_000
    /// The range of a timing in milliseconds: some thirty thousand years either way.
    static let timings = -1e15...1e15
    /// The number of entries before the newest that are kept.
    private static let longestJournal: UInt64 = 2_000_000

    let apis: [AnyAPI]
    let journalBytes: Int
    let outboxMessages: Int
    let hostTime: HostTime
    /// The source of the content.
    let source: StoredSource
    /// The register in which the secrets of a world are noted.
    let issued: IssuedSecrets
    private(set) var faults: [ContentFault] = []

    /// Tells whether it is read from a store, which may have conditions of APIs that are not served now.
    var isStore: Bool { source == .store }

    /// The highest count; larger numbers count nothing, and continuing them could overflow.
    var largestCount: UInt64 { UInt64(source.largestCount) }

    init(
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
    mutating func world(_ content: WorldContent, named name: String?) -> World? {
        guard let record = record(content.record) else { return nil }
        check(record)
        let name = name ?? record.name
        // Checked even if another name replaces it: no part of a document is left unchecked.
        if !WorldName.isValid(record.name) { fault(.record, ["name"], "must be 1 to 64 of a-z 0-9 . _ -") }
        let setting = setting(record.clock, "clock")
        let start = self.setting(record.startClock, "startClock")
        let outbox = content.view.map { sharedOutbox($0.outbox, record) } ?? outbox(content.outbox, record)
        let journal =
            content.view.map { sharedJournal($0.journal, record) } ?? journal(content.journal, record, world: name)
        let faultRegistry = faultRegistry(record.faults)
        let latencyBook = latencyBook(record.latency)
        let gateBook = gateBook(record.gates)
        // A document from before stubs existed leaves those of the files.
        var stubBook = StubBook.seeded(apis)
        if let record = stubRecord(record, content.view?.stubs) { stubBook = self.stubBook(record) }
        let notes = noteBook(record.notes)
        let coverage = coverageBook(record.coverage)
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
        world.latency = latencyBook
        world.gates = gateBook
        world.stubs = stubBook
        world.notes = notes
        world.journalEpochs = (record.epochs ?? []).filter { $0 <= record.lastSeq }.sorted()
        world.coverage = coverage
        return world
    }

    /// Reads the members besides the tables.
    ///
    /// Wrong members are replaced by a new world's, so that the others are checked too.
    private mutating func record(_ json: JSON) -> WorldRecord? {
        guard var object = json.objectValue else {
            fault(.record, [], "expected an object, found \(json.typeName)")
            return nil
        }
        var mended: Set<String> = []
        // Each round replaces at least one member, or none is left that could be.
        for _ in 0...object.members.count + Self.mostMembers {
            do throws(JSONDecodingError) {
                var record = try StateCoding.read(WorldRecord.self, .object(object))
                // Rows are not compared with numbers that are not part of the document.
                if mended.contains("lastSeq") { record.lastSeq = largestCount }
                if mended.contains("posted") { record.posted = largestCount }
                return record
            } catch {
                let sound = StateCoding.json(WorldRecord(blank, clock: ClockRecord(.real))).objectValue
                for issue in error.issues {
                    fault(.record, issue.path, issue.reason)
                    guard case .key(let name)? = issue.path.first else { return nil }
                    object[name] = sound?[name]
                    mended.insert(name)
                }
            }
        }
        return nil
    }

    /// The upper bound of the number of members of a record.
    private static let mostMembers = 64

    private var blank: World {
        World(
            name: WorldName.main,
            seed: 0,
            clock: .real,
            apis: [],
            journalBytes: journalBytes,
            outboxMessages: outboxMessages,
            crossOrigin: CrossOrigin(),
            at: hostTime
        )
    }

    mutating func fault(_ place: ContentFault.Place, _ path: [JSONPathElement], _ reason: String) {
        if faults.count < StateForm.mostFaults { faults.append(ContentFault(place, path, reason)) }
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

    private mutating func outbox(_ rows: [LoadedRow], _ record: WorldRecord) -> Outbox? {
        var placed: [(place: Int, row: Outbox.Message)] = []
        var last: UInt64 = 0
        for (row, loaded) in rows.enumerated() {
            do throws(JSONDecodingError) {
                let message = try StateCoding.read(Outbox.Message.self, loaded.content)
                guard let number = UInt64(message.id), "\(number)" == message.id, number > last,
                    number <= record.posted
                else {
                    fault(.outbox(row: row), ["id"], "must be a rising number of at most posted, \(record.posted)")
                    continue
                }
                last = number
                placed.append((loaded.place ?? row, message))
            } catch {
                for issue in error.issues { fault(.outbox(row: row), issue.path, issue.reason) }
            }
        }
        guard let table = Table(placed: placed) else {
            fault(.outbox(row: nil), [], "must be in an order that messages can have")
            return nil
        }
        // If there are more than this process keeps, the oldest are dropped, as on posting.
        return Outbox(table, posted: record.posted, capacity: outboxMessages)
    }

    private mutating func journal(_ rows: [JSON], _ record: WorldRecord, world: String) -> Journal? {
        var entries: [JournalEntry] = []
        entries.reserveCapacity(rows.count)
        var last: UInt64 = 0
        var seen: Set<ExactText> = []
        for (row, json) in rows.enumerated() where faults.count < StateForm.mostFaults {
            let stored: JournalRecord
            do throws(JSONDecodingError) {
                // A store has many and writes them itself, so unknown members are not checked for.
                stored =
                    try isStore
                    ? JSONDecoding.decode(JournalRecord.self, from: json) : StateCoding.read(JournalRecord.self, json)
            } catch {
                for issue in error.issues { fault(.journal(row: row), issue.path, issue.reason) }
                continue
            }
            do throws(PartFault) {
                guard stored.seq > last, stored.seq <= record.lastSeq else {
                    throw PartFault(path: ["seq"], "must rise, and be at most lastSeq, \(record.lastSeq)")
                }
                guard seen.insert(ExactText(stored.id)).inserted else {
                    throw PartFault(path: ["id"], "\"\(stored.id.cut)\" is taken by an earlier row")
                }
                last = stored.seq
                guard stored.timings.allSatisfy(Self.timings.contains) else {
                    throw PartFault(path: ["timings"], "must be from -1e15 to 1e15")
                }
                let entry = try stored.entry(in: world)
                if record.lastSeq - entry.seq < Self.longestJournal { entries.append(entry) }
            } catch {
                fault(.journal(row: row), error.path, error.reason)
            }
        }
        guard record.lastSeq <= largestCount else { return nil }
        return Journal(
            capacity: journalBytes,
            entries: entries,
            lastSeq: record.lastSeq,
            ownIDs: Self.ownIDs(record.counters, apis)
        )
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
