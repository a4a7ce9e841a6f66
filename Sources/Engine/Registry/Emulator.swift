package import Backend
package import CivilTime
package import Conditions
import HTTPMessage
import JSON
package import Journal
package import Worlds

/// All worlds, and all requests in progress in them.
///
/// It does no I/O: its owner feeds it requests and the time, and performs the responses. It is not Sendable, because
/// one thread owns it, so that there is one order of events.
package final class Emulator {
    /// A world with its registration.
    package final class HostedWorld {
        /// The world's number, which is never used again, even if a world of the same name is made later.
        package let key: Int
        package var world: World
        /// The snapshots in order of their creation.
        package internal(set) var snapshots: [Snapshot] = []
        /// The real time without use after which the world is removed; nil for never.
        package var timeToLive: Interval?
        package var lastUsed: Instant
        /// The events of the world, for watchers.
        package internal(set) var events = EventLog()
        /// Tells whether it has been used lately (`Emulator.wake`).
        var isAwake = false
        /// The beginning of the world; nil if its parts tell it, which began with their seed.
        package var origin: WorldOrigin?
        /// The requests that gates hold, in the order in which they came.
        var held: [Exchange] = []
        /// The requests with an idempotency key that have not ended, in the order in which they came.
        var claims: [Exchange] = []
        /// The judgement of its journal, kept between reports by its maker.
        package var judgement: (any Sendable & AnyObject)?

        /// The number of requests that gates hold.
        package var heldCount: Int { held.count }

        /// Tells whether no fault, gate or latency acts in the world.
        ///
        /// It looks at stored members alone: a call of a function of the world or of its parts would copy them first.
        var hasNoFaults: Bool {
            world.faults.faults.isEmpty && world.latency.entries.isEmpty && world.gates.gates.isEmpty
        }

        init(key: Int, world: World, timeToLive: Interval?, lastUsed: Instant) {
            self.key = key
            self.world = world
            self.timeToLive = timeToLive
            self.lastUsed = lastUsed
        }
    }

    /// The APIs, whose order never changes; their seeds may be replaced.
    package internal(set) var apis: [AnyAPI] {
        didSet { keptEndpoints = [] }
    }
    /// The endpoints of each API, kept from its first request on.
    private var keptEndpoints: [ServedEndpoints?] = []
    package let configuration: EmulatorConfiguration
    package let documents = WrittenDocuments()
    /// The counters of all worlds together.
    package var metrics: Metrics
    /// Called after every event, with its world.
    package var onEvent: ((HostedWorld) -> Void)?
    /// Called before entries leave the journal of a world for good: it is deleted, reset or cleared, or one API's part of
    /// it is.
    package var onJournalEnd: ((HostedWorld, _ api: Int?) -> Void)?
    /// Tells whether events have watchers; set by an owner that knows.
    package var isWatched = true
    /// Content whose digest is still to be computed, oldest first, and the number of items that have not been handed
    /// out.
    package var unhashed: [Unhashed] = []
    var untaken = 0
    var lastUnhashed: UInt64 = 0
    /// Discarded worlds and journals that are not freed yet, oldest first.
    package internal(set) var discarded: [Discarded] = []
    /// The discarded states of large worlds.
    let discardedStates = DiscardedStates()
    /// Tells whether there ever was a world with a large state.
    package internal(set) var hasLargeWorlds = false
    /// Scenarios that `main` starts with, and that a reset switches on again.
    package var startScenarios: [String] = []
    /// Faults and the latency that `main` starts with, and that a reset restores.
    package var startFaults: [FaultSpec] = []
    package var startLatency: Latency?
    /// The names in order of creation, `main` first.
    package private(set) var worldNames: [String]
    let mainWorld: HostedWorld
    /// Tells whether an API of the user's own is served.
    let hasCustomAPIs: Bool
    /// The stubs of the APIs' files, with which each world begins.
    package private(set) var seedStubs: StubRegistry
    private(set) var hostedWorlds: [String: HostedWorld]
    private var worldsByKey: [Int: HostedWorld]
    /// The index from short tokens to their worlds.
    private(set) var marks = WorldMarks()
    var credentialWorlds: [String: String] = [:]
    /// The requests in progress by number; see `Emulator.open` and `Emulator.end`.
    var exchanges = ExchangeTable()
    var seedUsers = SeedUsers()
    /// The number of route matches and of world selections.
    package var routeMatches = 0
    package var worldChoices = 0
    /// The responder of every API that no mode has given another.
    package let endpoints = EndpointResponder()
    /// The owner's access log and its persistence; nil without them.
    package weak var accessLog: (any AccessLogging)?
    package weak var persistence: (any WorldPersistence)?
    /// Reads the clock of `HostTime.monotonic`, for the journal's timings.
    package var stopwatch: (() -> Instant)?
    /// The keys of the worlds in use, and the index of the next to hibernate.
    var awake: [Int] = []
    var nextToRest = 0
    /// The field lines that the packed journals of all worlds share.
    let shelf = HeaderLinePool()
    /// The last key given to a world or a snapshot.
    private(set) var lastKey = 0
    /// The earliest time at which a world may expire; nil if none can.
    private var nextExpiry: Instant?
    private(set) var lastMadeUpName: UInt64 = 0
    /// The worlds that control calls have selected or made since their owner last took them.
    package var chosen: Set<Int> = []
    /// Tells whether a store records all changes.
    package internal(set) var isKept = false
    /// The steps that the store has to write before the present content of the worlds.
    var steps: [StoreStep] = []
    /// The seeds that the store has as layers, the latest last.
    var seeds: [StoredSeed] = []
    /// The worlds in those steps, because responses may report what was taken from them.
    var stepKeys: Set<Int> = []
    let apiNames: [String]
    /// The length up to which credentials are cached, to keep the cache small.
    static let longestKnownCredential = 2_048

    package init(apis: [AnyAPI], configuration: EmulatorConfiguration, at hostTime: HostTime) {
        self.apis = apis
        self.configuration = configuration
        apiNames = apis.map(\.identity.name)
        metrics = Metrics(apis: apis.count)
        hasCustomAPIs = apis.contains { !$0.isBuiltIn }
        seedStubs = hasCustomAPIs ? StubRegistry.seeded(apis) : StubRegistry()
        let main = World(
            name: WorldName.main,
            seed: configuration.seed,
            clock: configuration.clock,
            apis: apis,
            journalBytes: configuration.journalBytes,
            outboxMessages: configuration.outboxMessages,
            crossOrigin: configuration.crossOrigin,
            conduct: configuration.conduct,
            issued: configuration.issued,
            stubs: seedStubs,
            at: hostTime
        )
        worldNames = [WorldName.main]
        let hosted = HostedWorld(key: 0, world: main, timeToLive: nil, lastUsed: hostTime.monotonic)
        mainWorld = hosted
        hostedWorlds = [WorldName.main: hosted]
        worldsByKey = [0: hosted]
        marks.add(WorldName.main, key: 0)
        configuration.issued.note(world: WorldName.main)
    }

    /// Takes the stubs of the APIs' files anew.
    func renewSeedStubs() { if hasCustomAPIs { seedStubs = StubRegistry.seeded(apis) } }

    /// Returns the endpoints of an API.
    func servedEndpoints(of index: Int) -> ServedEndpoints {
        if index < keptEndpoints.count, let kept = keptEndpoints[index] { return kept }
        if keptEndpoints.isEmpty { keptEndpoints = apis.map { _ in nil } }
        let served = apis[index].served
        keptEndpoints[index] = served
        return served
    }

    // MARK: Worlds

    package subscript(world name: String) -> HostedWorld? { hostedWorlds[name] }

    /// An order for a new world.
    package struct WorldOrder: Sendable {
        package var name: String?
        package var from: String?
        package var seed: UInt64?
        package var clock: WorldClock.Setting?
        package var timeToLive: Interval?
        /// The world whose snapshots `from` may name, besides the worlds.
        package var snapshotsOf: String?

        package init() {}
    }

    /// Returns a copy of the world, or of the snapshot, that an order names.
    private func copy(
        of source: String,
        as name: String,
        _ order: WorldOrder,
        key: Int,
        at hostTime: HostTime
    ) throws(Problem) -> World {
        if let original = hostedWorlds[source] {
            noteBranch(of: original, as: key)
            return stillCopy(of: original).forked(as: name, apis, clock: order.clock, at: hostTime)
        }
        let owner = order.snapshotsOf.flatMap { hostedWorlds[$0] }
        guard var snapshot = owner?.snapshots.first(where: { $0.name == source }) else {
            throw Problem(
                .unknownWorld,
                "There is no world named \"\(source.cut)\" to start from"
                    + (owner.map { ", and the world \($0.world.name) has no such snapshot." } ?? ".")
            )
        }
        noteBranch(of: &snapshot, as: key)
        var world = snapshot.resumed(at: hostTime).forked(as: name, apis, clock: order.clock, at: hostTime)
        world.forkedFrom = source
        return world
    }

    package func makeWorld(_ order: WorldOrder, at hostTime: HostTime) throws(Problem) -> String {
        guard worldNames.count < configuration.maximumWorlds else {
            throw Problem(.tooManyWorlds, "There are \(worldNames.count) worlds, which is the limit.")
        }
        let name = order.name ?? unusedName()
        guard hostedWorlds[name] == nil else {
            throw Problem(.nameTaken, "A world named \(name) exists. Delete it, or choose another name.")
        }
        guard WorldName.isValid(name) else {
            throw Problem(
                .invalidBody,
                "A world's name has 1 to 64 characters of a-z 0-9 . _ -",
                items: [Problem.Item(path: "$.name", reason: "must be 1 to 64 characters of a-z 0-9 . _ -")]
            )
        }
        let world: World
        let key = newKey()
        if let source = order.from {
            hashPending()
            world = try copy(of: source, as: name, order, key: key, at: hostTime)
        } else {
            world = World(
                name: name,
                seed: order.seed ?? configuration.seed,
                clock: order.clock.map { started($0, at: hostTime) } ?? configuration.clock,
                apis: apis,
                journalBytes: configuration.journalBytes,
                outboxMessages: configuration.outboxMessages,
                crossOrigin: configuration.crossOrigin,
                conduct: configuration.conduct,
                issued: configuration.issued,
                stubs: seedStubs,
                at: hostTime
            )
        }
        let hosted = HostedWorld(key: key, world: world, timeToLive: order.timeToLive, lastUsed: hostTime.monotonic)
        hostedWorlds[name] = hosted
        worldsByKey[hosted.key] = hosted
        marks.add(name, key: hosted.key)
        configuration.issued.note(world: name)
        chosen.insert(hosted.key)
        worldNames.append(name)
        noteExpiry(of: hosted)
        hosted.world.tick(to: hostTime)
        if order.from == nil { noteSeedOrigin(of: hosted) } else { noteOrigin(of: hosted) }
        noteLife(of: hosted, action: order.from == nil ? "created" : "forked", from: order.from)
        wake(hosted)
        return name
    }

    /// Resolves a clock that is to freeze at the present: it freezes at the time that a new world of this server would
    /// show, as after `PUT clock`.
    private func started(_ clock: WorldClock.Setting, at hostTime: HostTime) -> WorldClock.Setting {
        guard case .frozen(nil) = clock else { return clock }
        return .frozen(WorldClock(configuration.clock, at: hostTime).now(hostTime))
    }

    /// Removes a world and returns the key that its exchanges carry.
    package func deleteWorld(_ name: String) throws(Problem) -> Int {
        guard name != WorldName.main else {
            throw Problem(
                .protectedWorld,
                "The world main can't be deleted; POST /__admin/reset returns it to its seed."
            )
        }
        guard let hosted = hostedWorlds.removeValue(forKey: name) else { throw Self.unknownWorld(name) }
        onJournalEnd?(hosted, nil)
        noteLife(of: hosted, action: "deleted")
        worldsByKey[hosted.key] = nil
        marks.remove(name, key: hosted.key)
        worldNames.removeAll { $0 == name }
        discard(hosted.world)
        discard(hosted.snapshots)
        return hosted.key
    }

    /// Removes the worlds that have expired, and returns their keys.
    ///
    /// Worlds with exchanges in progress stay.
    package func expireWorlds(at hostTime: HostTime) -> [Int] {
        var busy: Set<Int>?
        nextExpiry = nil
        var expired: [(name: String, key: Int)] = []
        for name in worldNames {
            guard let hosted = hostedWorlds[name], let life = hosted.timeToLive else { continue }
            guard hostTime.monotonic - hosted.lastUsed > life else {
                noteExpiry(of: hosted)
                continue
            }
            let keys = busy ?? worldsInUse
            busy = keys
            if keys.contains(hosted.key) {
                // Checked again in a second, not with every request.
                let later = hostTime.monotonic + .seconds(1)
                nextExpiry = min(nextExpiry ?? later, later)
            } else {
                expired.append((name, hosted.key))
            }
        }
        guard !expired.isEmpty else { return [] }
        for (name, key) in expired {
            if let hosted = hostedWorlds[name] {
                onJournalEnd?(hosted, nil)
                noteLife(of: hosted, action: "expired")
                discard(hosted.world)
                discard(hosted.snapshots)
            }
            hostedWorlds[name] = nil
            worldsByKey[key] = nil
            marks.remove(name, key: key)
        }
        worldNames.removeAll { hostedWorlds[$0] == nil }
        return expired.map(\.key)
    }

    /// Tells whether a world may have expired; false while none can.
    package func mayExpire(at hostTime: HostTime) -> Bool { nextExpiry.map { hostTime.monotonic > $0 } ?? false }

    /// Notes the earliest expiry.
    ///
    /// Use only ever postpones it, so no world expires before the noted time.
    private func noteExpiry(of hosted: HostedWorld) {
        guard let life = hosted.timeToLive else { return }
        let end = hosted.lastUsed + life
        nextExpiry = nextExpiry.map { min($0, end) } ?? end
    }

    package static func unknownWorld(_ name: String) -> Problem {
        Problem(
            .unknownWorld,
            "There is no world named \"\(name.cut)\". "
                + (WorldName.isValid(name)
                    ? "Create it with POST /__admin/worlds {\"name\":\"\(name)\"}."
                    : "A world's name has 1 to 64 characters of a-z 0-9 . _ -")
        )
    }

    /// Returns a number that no world and no snapshot has had.
    func newKey() -> Int {
        lastKey += 1
        return lastKey
    }

    private func unusedName() -> String {
        repeat { lastMadeUpName += 1 } while hostedWorlds["world-\(lastMadeUpName)"] != nil
        return "world-\(lastMadeUpName)"
    }

    /// Tells whether a request may select another world than `main`.
    package var hasSeveralWorlds: Bool { hostedWorlds.count > 1 || configuration.isWorldRequired }

    package func hosted(key: Int) -> HostedWorld? { worldsByKey[key] }

    /// Adds an existing world to the registry; a stored `main` replaces the fresh one.
    func install(_ world: World, key: Int, timeToLive: Interval?, lastEvent: UInt64, at hostTime: HostTime) {
        lastKey = max(lastKey, key)
        var hosted = mainWorld
        if world.name == WorldName.main {
            hosted.world = world
        } else {
            hosted = HostedWorld(key: key, world: world, timeToLive: timeToLive, lastUsed: hostTime.monotonic)
            hostedWorlds[world.name] = hosted
            worldsByKey[key] = hosted
            marks.add(world.name, key: key)
            configuration.issued.note(world: world.name)
            worldNames.append(world.name)
            noteExpiry(of: hosted)
        }
        weigh(hosted)
        hosted.events = EventLog(lastSeq: lastEvent)
        hosted.world.tick(to: hostTime)
    }

    /// Continues the keys and generated names of an earlier process.
    func resume(lastKey: Int, lastMadeUpName: UInt64) {
        self.lastKey = max(self.lastKey, lastKey)
        self.lastMadeUpName = lastMadeUpName
    }
}
