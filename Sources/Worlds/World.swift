package import Backend
package import Basics
package import CivilTime
package import Conditions
import HTTPMessage
package import JSON
package import Journal

/// Everything that a client can observe of the backends, as one value (control contract, section 4).
///
/// A copy takes constant time; copies share nothing that can be written.
package struct World {
    /// One API's part.
    package struct Part {
        /// The API, which has the seed and the form of the state.
        ///
        /// A part keeps that with which it began when the API's folder is read again.
        package let api: AnyAPI
        /// The API's name.
        package var name: String { api.identity.name }
        /// The state; nil until it is used, so that a world costs only what is used of it.
        package fileprivate(set) var box: AnyStateBox?
        /// The anchors of the seed, set when the part was made or last reset.
        package fileprivate(set) var epoch: Epoch
        /// The number of resets and restores.
        ///
        /// An exchange that began before one changes nothing after it.
        package fileprivate(set) var generation = 0
        /// The part's relation to a store, in an array of one; none without a store: a world has a part for each API, and
        /// ten thousand worlds have fifty thousand.
        private var kept: [Kept] = []
        /// The progress of a replay, in an array of one or none.
        private var replay: [any Sendable] = []

        private struct Kept {
            var marks: [(any Sendable)?] = []
            var isTouched = true
            var changes: ChangeCount?
            var countAtRest = -1
        }

        /// The last number of a request id of our own.
        package fileprivate(set) var lastRequest: UInt64 = 0
        /// The progress of a replay that answers in the API's place.
        ///
        /// Forks have it, and a reset removes it.
        package fileprivate(set) var replayState: (any Sendable)? {
            get { replay.first }
            set { replay = newValue.map { [$0] } ?? [] }
        }

        fileprivate init(api: AnyAPI, box: AnyStateBox? = nil, epoch: Epoch, generation: Int = 0) {
            self.api = api
            self.box = box
            self.epoch = epoch
            self.generation = generation
        }

        /// The kept parts of the state as they were last taken for the store; empty if they never were.
        package fileprivate(set) var marks: [(any Sendable)?] {
            get { kept.first?.marks ?? [] }
            set { keep { $0.marks = newValue } }
        }

        /// Tells whether the state has been worked on since it was last taken.
        package fileprivate(set) var isTouched: Bool {
            get { kept.first?.isTouched ?? true }
            set { if isTouched != newValue { keep { $0.isTouched = newValue } } }
        }

        /// Counts the changes of the tables' rows.
        package fileprivate(set) var changes: ChangeCount? {
            get { kept.first?.changes }
            set { keep { $0.changes = newValue } }
        }

        /// The count of changes when nothing was left to take.
        fileprivate(set) var countAtRest: Int {
            get { kept.first?.countAtRest ?? -1 }
            set { if countAtRest != newValue { keep { $0.countAtRest = newValue } } }
        }

        private mutating func keep(_ change: (inout Kept) -> Void) {
            if kept.isEmpty { kept.append(Kept()) }
            change(&kept[0])
        }

        /// Forgets what was taken for the store.
        fileprivate mutating func untrack() {
            if kept.isEmpty { return }
            marks = []
            isTouched = true
        }
    }

    package private(set) var core: WorldCore
    package private(set) var parts: [Part]
    package var journal: Journal
    /// The number of requests ever handled, without control calls.
    package var requestCount = 0
    package var activeScenarios: [ActiveScenario] = []
    /// The web pages that may call the APIs.
    package var crossOrigin: CrossOrigin
    /// The cross-origin setting that a reset restores.
    let initialCrossOrigin: CrossOrigin
    /// The settings of the conduct report, as its module writes them; nil for its defaults.
    package var conduct: JSON?
    /// The settings of the conduct report that a reset restores.
    var initialConduct: JSON?
    /// The count of lasting random streams when the world was last taken for the store.
    var takenLasting: UInt64 = 0
    /// The count of fault matches when changes were last taken.
    var takenFaultUses: UInt64 = 0
    package var faults = FaultRegistry()
    package var latency = LatencyRegistry()
    package var gates = GateRegistry()
    package var stubs = StubRegistry()
    /// The notes between the entries of the journal.
    package var notes = WorldNotes()
    /// The endpoints and scenarios that it has seen.
    package var coverage = CoverageCounts()
    /// The credentials that came with the document of another world.
    package var foreign: [CredentialNames] = []
    /// Tells whether the store has `foreign`.
    package var isForeignTaken = true
    /// The count of uses of stubs when changes were last taken.
    var takenStubUses: UInt64 = 0
    /// The stubs as they were last taken; nil if they never were.
    var takenStubStamp: StubRegistry.Stamp?
    package var createdAt: Instant
    package var forkedFrom: String?
    /// The numbers of the entries after which another state took the place of the one before: by a restore, an import or
    /// a fork (conduct contract, section 1).
    package internal(set) var journalEpochs: [UInt64] = []
    /// The clock setting that a reset restores.
    package private(set) var initialClock: WorldClock.Setting

    /// Creates a world from the seed.
    package init(
        name: String,
        seed: UInt64,
        clock: WorldClock.Setting,
        apis: [AnyAPI],
        journalBytes: Int,
        outboxMessages: Int = Outbox.usualCapacity,
        crossOrigin: CrossOrigin = CrossOrigin(),
        conduct: JSON? = nil,
        issued: IssuedSecrets = IssuedSecrets(),
        stubs: StubRegistry = StubRegistry(),
        at hostTime: HostTime
    ) {
        self.stubs = stubs
        self.crossOrigin = crossOrigin
        initialCrossOrigin = crossOrigin
        self.conduct = conduct
        initialConduct = conduct
        let clockValue = WorldClock(clock, at: hostTime)
        let now = clockValue.now(hostTime)
        let fresh = WorldCore(
            name: name,
            seed: seed,
            clock: clockValue,
            now: now,
            outboxMessages: outboxMessages,
            issued: issued
        )
        core = fresh
        parts = apis.map { Part(api: $0, epoch: Epoch(start: now)) }
        journal = Journal(capacity: journalBytes)
        createdAt = now
        initialClock = Self.resolved(clock, now)
    }

    /// Resolves a clock frozen at "now", so that a reset returns to that moment and not to its own.
    private static func resolved(_ setting: WorldClock.Setting, _ now: Instant) -> WorldClock.Setting {
        guard case .frozen(nil) = setting else { return setting }
        return .frozen(now)
    }

    /// Creates a world from existing parts.
    init(
        core: WorldCore,
        parts: [(api: AnyAPI, box: AnyStateBox?, epoch: Epoch)],
        journal: Journal,
        initialClock: WorldClock.Setting,
        crossOrigin: CrossOrigin,
        initialCrossOrigin: CrossOrigin
    ) {
        self.core = core
        self.parts = parts.map { Part(api: $0.api, box: $0.box, epoch: $0.epoch) }
        self.journal = journal
        self.initialClock = initialClock
        self.crossOrigin = crossOrigin
        self.initialCrossOrigin = initialCrossOrigin
        createdAt = core.now
    }

    package var name: String { core.name }

    /// Tells that an API's part is as the seed has it, without a state of its own.
    package func isUntouched(_ index: Int) -> Bool { parts[index].box == nil }

    /// The time at which all APIs began; nil if they did not begin together.
    package var start: Instant? {
        let first = parts.first?.epoch.t0
        return parts.allSatisfy { $0.epoch.t0 == first } ? first : nil
    }

    // Mutating though they only look: the world is a property of an object, and a method that can't change it would be
    // given a copy of the whole world.

    /// The anchors of the seed for an API.
    package mutating func epoch(of index: Int) -> Epoch { parts[index].epoch }

    /// The number of times that an API's part was reset or restored.
    package mutating func generation(of index: Int) -> Int { parts[index].generation }

    /// Names the journal as it goes on: another one once entries were cleared, or another world took this one's place.
    package var journalStamp: JournalStamp {
        JournalStamp(generation: parts.reduce(0) { $0 + $1.generation }, clearings: journal.clearings)
    }

    /// Returns a copy under another name, with a clock of its own if one is given.
    ///
    /// Tokens contain the world's name, so those of the original are not valid in the copy.
    package func forked(
        as name: String,
        _ apis: [AnyAPI],
        clock: WorldClock.Setting? = nil,
        at hostTime: HostTime
    ) -> World {
        var copy = self
        copy.core = core.renamed(name)
        if let clock {
            copy.core.clock.set(clock, at: hostTime)
            copy.initialClock = Self.resolved(clock, copy.core.clock.now(hostTime))
        }
        copy.core.now = copy.core.clock.now(hostTime)
        copy.forkedFrom = self.name
        copy.journal.keep(from: .max)
        copy.beginEpoch()
        copy.createdAt = copy.core.now
        for place in apis.indices where copy.parts[place].box != nil { apis[place].bind(&copy, place) }
        return copy
    }

    /// Marks that what is in the journal so far is not compared with what follows.
    package mutating func beginEpoch() {
        let (first, last) = (journal.range?.lowerBound ?? .max, journal.lastSeq)
        journalEpochs.removeAll { $0 < first || $0 >= last }
        if last >= first { journalEpochs.append(last) }
    }

    /// Makes this world the successor of another, so that exchanges which began in that one change nothing in this one.
    package mutating func supersede(_ former: World) {
        for place in parts.indices {
            parts[place].generation = max(parts[place].generation, former.parts[place].generation) + 1
        }
    }

    /// Stops tracking changes, so that the next `takeChanges` returns everything.
    package mutating func untrack() {
        for place in parts.indices {
            parts[place].untrack()
        }
        core.outbox.untrack()
        takenStubStamp = nil
        isForeignTaken = isForeignTaken && foreign.isEmpty
        journal.untrack()
    }

    /// Takes over the parts of a copy for those that have no state of their own yet, with what the store has of them.
    ///
    /// A scenario of the start may have changed others already.
    package mutating func takeUnusedParts(of copy: World) {
        for place in parts.indices where parts[place].box == nil { parts[place] = copy.parts[place] }
        if stubs.stamp === copy.stubs.stamp { takenStubStamp = copy.takenStubStamp }
        takeNothing()
    }

    /// Notes that there is nothing to store of a journal and an outbox that never had anything.
    private mutating func takeNothing() {
        if journal.lastSeq == 0 { _ = journal.takeChanges() }
        if core.outbox.posted == 0 { _ = withCore { $0.outbox.takeChanges() } }
    }

    /// The world with every part as the seed has it.
    package var asSeeded: World {
        var copy = self
        for place in parts.indices {
            copy.parts[place].box = nil
            copy.parts[place].untrack()
        }
        return copy
    }

    /// The same, without the journal, to be stored upon the seed: the next `takeChanges` returns everything.
    package var seedToStore: World {
        var copy = asSeeded.withoutJournal
        copy.untrack()
        copy.takeNothing()
        return copy
    }

    /// Takes over one API's part of another world, as nothing that the store has.
    mutating func takePart(_ index: Int, of other: World) {
        parts[index] = other.parts[index]
        parts[index].untrack()
    }

    package mutating func mark(_ index: Int, _ marks: [(any Sendable)?]) {
        parts[index].marks = marks
        parts[index].isTouched = marks.isEmpty
        parts[index].countAtRest = parts[index].changes?.value ?? -1
    }

    /// Returns the counter of a part's changes, which begins with its first taking.
    package mutating func changeCount(_ index: Int) -> ChangeCount {
        if let count = parts[index].changes { return count }
        let count = ChangeCount()
        parts[index].changes = count
        return count
    }

    /// Notes that a part has been worked on in a copy, whatever the counter says.
    private mutating func noteWork(on place: Int) {
        parts[place].isTouched = true
        parts[place].countAtRest = -1
    }

    /// Notes that a part had no changes to take at that count.
    package mutating func rest(_ index: Int, at count: Int) {
        if parts[index].countAtRest != count { parts[index].countAtRest = count }
    }

    package func now(_ hostTime: HostTime) -> Instant { core.clock.now(hostTime) }

    /// Sets the present moment for the coming call and returns it.
    @discardableResult
    package mutating func tick(to hostTime: HostTime) -> Instant {
        core.now = core.clock.now(hostTime)
        return core.now
    }

    /// Returns the index of the part that has a state of that type.
    package func index<State: Sendable>(of type: State.Type) -> Int? { parts.firstIndex { $0.api.holds(type) } }

    /// Measures one API's state and returns whether a scan of its rows takes longer than the event loop can spare.
    package func weigh(_ place: Int, _ discardedStates: DiscardedStates) -> Bool {
        guard let box = parts[place].box else { return false }
        if !box.isLarge, parts[place].api.stateForm.count(box) > Self.mostRowsInPlace {
            box.discardedStates = discardedStates
        }
        return box.isLarge
    }

    /// The number of rows up to which a scan takes a millisecond at most.
    static let mostRowsInPlace = 2_000

    /// Makes the state of a part that has none; returns whether it did.
    package mutating func makeState(_ place: Int) -> Bool {
        guard parts[place].box == nil else { return false }
        parts[place].box = parts[place].api.makeState(core, parts[place].epoch)
        parts[place].isTouched = true
        return true
    }

    /// Puts another state in the place of one API's.
    package mutating func put(_ box: AnyStateBox, at place: Int) {
        noteWork(on: place)
        parts[place].box = box
    }

    /// Does work on a part without noting the secrets that it makes, because no client receives them.
    ///
    /// The register belongs to all worlds and threads, so that this world gets another one meanwhile.
    package mutating func withoutNoting<Result>(_ place: Int, _ work: (inout World) -> Result) -> Result {
        let (issued, api) = (core.issued, parts[place].api)
        core.issued = IssuedSecrets()
        // The state has the register to which it was bound.
        api.bind(&self, place)
        defer {
            core.issued = issued
            api.bind(&self, place)
        }
        return work(&self)
    }

    /// Takes over changes to some parts, made in a copy.
    package mutating func adopt(_ copy: World, from start: World, at places: [Int]) {
        let hasDrawn = copy.core.randomness.lasting != start.core.randomness.lasting
        for place in places {
            // A state that was worked on has a box of its own.
            if parts[place].box !== copy.parts[place].box {
                noteWork(on: place)
                parts[place].box = copy.parts[place].box
            }
            if hasDrawn { core.randomness.adopt(copy.core.randomness, of: parts[place].name) }
            core.counters.adopt(copy.core.counters, of: parts[place].name)
        }
        core.outbox.adopt(copy.core.outbox, since: start.core.outbox)
    }

    /// Returns the number of the next request id of our own for an API; each API counts from 1.
    package mutating func countRequest(_ index: Int) -> UInt64 {
        parts[index].lastRequest += 1
        return parts[index].lastRequest
    }

    /// Moves the numbers of the request ids out of the counters that came with the world.
    mutating func takeRequestNumbers() {
        // Earlier versions had one number for all APIs.
        let common = core.counters.last(WorldRecord.requestCounter)
        core.counters.remove(WorldRecord.requestCounter)
        for place in parts.indices {
            let line = "\(parts[place].api.identity.name).\(WorldRecord.requestCounter)"
            parts[place].lastRequest = core.counters.holds(line) ? core.counters.last(line) : common
            core.counters.remove(line)
        }
    }

    /// The counters in their stored form, which includes the numbers of the request ids.
    var keptCounters: [Counters.Line] {
        core.counters.rows
            + parts.compactMap { part in
                guard part.lastRequest > 0 else { return nil }
                let name = "\(part.api.identity.name).\(WorldRecord.requestCounter)"
                return Counters.Line(name: name, value: part.lastRequest)
            }
    }

    /// Works on the shared part alone.
    package mutating func withCore<Result>(_ work: (inout WorldCore) -> Result) -> Result { work(&core) }

    /// Works on one API's state in place.
    package mutating func with<State: Sendable, Result, Thrown: Error>(
        _ index: Int,
        _ type: State.Type,
        _ work: (inout State, inout WorldCore) throws(Thrown) -> Result
    ) throws(Thrown) -> Result {
        try work(&owned(index).typed(type).state, &core)
    }

    /// Returns the state of a part, which nothing else refers to, to be worked on in place.
    mutating func owned(_ index: Int) -> AnyStateBox {
        if !makeState(index), !isKnownUniquelyReferenced(&parts[index].box) {
            parts[index].box = parts[index].box?.copied()
        }
        parts[index].isTouched = true
        guard let box = parts[index].box else { preconditionFailure("part \(index) has no state") }
        return box
    }

    /// Performs a change that was tied to the delivery of a response.
    package mutating func perform(_ effect: Effect, on index: Int, at now: Instant) {
        effect.change(owned(index), &core, now)
    }

    /// Works on the replay's progress in the API's part.
    package mutating func withReplayState<Result>(_ index: Int, _ work: (inout (any Sendable)?) -> Result) -> Result {
        work(&parts[index].replayState)
    }

    /// Drops the caches of one API's state, unless a copy of the world shares it.
    package mutating func restPart(_ place: Int) {
        guard isKnownUniquelyReferenced(&parts[place].box), let box = parts[place].box else { return }
        parts[place].api.dropCaches(box)
    }

    /// Reads one API's state.
    package func state<State: Sendable>(_ index: Int, _ type: State.Type) -> State { box(index, type).state }

    /// Reads one API's state in place.
    package func read<State: Sendable, Result>(_ index: Int, _ type: State.Type, _ look: (borrowing State) -> Result)
        -> Result
    {
        look(box(index, type).state)
    }

    /// Returns the state of a part, or the seed's, which shares its rows, if the part has not been used.
    private func box<State: Sendable>(_ index: Int, _ type: State.Type) -> StateBox<State> {
        (parts[index].box ?? parts[index].api.makeState(core, parts[index].epoch)).typed(type)
    }

    /// Returns everything, or one API's part, to the seed.
    ///
    /// The clock returns to its start setting unless it is kept.
    ///
    /// `stubs` are those of the APIs' files, which come back.
    package mutating func reset(
        _ apis: [AnyAPI],
        only index: Int? = nil,
        stubs seeds: StubRegistry = StubRegistry(),
        keepClock: Bool,
        at hostTime: HostTime
    ) {
        if !keepClock { core.clock.set(initialClock, at: hostTime) }
        let now = core.clock.now(hostTime)
        guard let index else {
            core = WorldCore(
                name: core.name,
                seed: core.seed,
                clock: core.clock,
                now: now,
                outboxMessages: core.outbox.capacity,
                issued: core.issued
            )
            for place in parts.indices {
                renew(place, apis, now)
            }
            journal = Journal(capacity: journal.capacity)
            requestCount = 0
            activeScenarios = []
            crossOrigin = initialCrossOrigin
            conduct = initialConduct
            faults = FaultRegistry()
            latency = LatencyRegistry()
            gates = GateRegistry()
            notes = WorldNotes()
            journalEpochs = []
            coverage = CoverageCounts()
            isForeignTaken = isForeignTaken && foreign.isEmpty
            foreign = []
            stubs = stubs.isUsed && !seeds.isUsed ? StubRegistry([], Numbering()) : seeds
            return
        }
        let name = apis[index].identity.name
        activeScenarios.removeAll { $0.name.hasPrefix(name + "/") }
        core.outbox.removeAll(api: name)
        core.randomness.restart(name)
        journal.restart(api: name)
        faults.restart(api: name)
        latency.restart(api: name)
        gates.restart(api: name)
        stubs.restart(api: name, with: seeds)
        coverage.clear(api: index, named: name)
        if foreign.contains(where: { $0.api == name }) {
            foreign.removeAll { $0.api == name }
            isForeignTaken = false
        }
        core.counters.remove(of: name)
        core.now = now
        renew(index, apis, now)
    }

    /// Has one API's part go on, after its reset, where a copy of the world from before it was: with its anchors, random
    /// streams, counters and messages.
    package mutating func resume(_ place: Int, of former: World) {
        let now = core.now
        core = former.core
        core.now = now
        parts[place].epoch = former.parts[place].epoch
    }

    private mutating func renew(_ place: Int, _ apis: [AnyAPI], _ now: Instant) {
        parts[place] = Part(
            api: apis[place],
            epoch: Epoch(start: now),
            generation: parts[place].generation + 1
        )
    }
}

/// A stamp that identifies a journal as long as entries are only added to it and the oldest evicted.
package struct JournalStamp: Equatable, Sendable {
    let generation: Int
    let clearings: Int
}

extension World {
    /// Notes that all its credentials were issued in another world.
    package mutating func noteForeignCredentials() {
        var early = self
        // Also those that have ended: the clock may be set back.
        early.withCore { $0.now = WorldClock.earliest }
        let all = parts.indices.map { CredentialNames(parts[$0].name, parts[$0].api.ledger(early, $0)) }
        foreign = all.filter { !$0.isEmpty }
    }
}

extension World {
    /// A copy without the journal, for work on parts: a journal that is not shared is never copied.
    package var withoutJournal: World {
        var copy = self
        copy.journal = Journal(capacity: journal.capacity)
        return copy
    }
}
