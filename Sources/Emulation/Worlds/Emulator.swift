package import CivilTime
package import HTTPMessage
import JSON

/// All worlds, and the way of a request through one of them.
///
/// Without I/O: whatever owns it feeds it requests and the time, and performs the answers. Not Sendable: one thread
/// owns it, so there is one order of events.
package final class Emulator {
    /// A world and what the registry knows of it.
    package final class HostedWorld {
        /// Never used again, also when a world of the same name is made later.
        package let key: Int
        package var world: World
        /// In order of their making.
        package internal(set) var snapshots: [Snapshot] = []
        /// Real time without use after which the world goes; nil for ever.
        package var timeToLive: Interval?
        package var lastUsed: Instant
        /// What happened here, for watchers.
        package internal(set) var events = EventLog()
        /// Whether it has been used lately (`Emulator.wake`).
        var isAwake = false
        /// Requests that gates hold, in the order they came.
        var held: [HeldExchange] = []

        /// How many requests gates hold.
        package var heldCount: Int { held.count }

        init(key: Int, world: World, timeToLive: Interval?, lastUsed: Instant) {
            self.key = key
            self.world = world
            self.timeToLive = timeToLive
            self.lastUsed = lastUsed
        }
    }

    /// An exchange whose delivery is not yet known.
    struct Pending {
        var hosted: HostedWorld
        var api: Int
        var generation: Int
        var seq: UInt64
        var effects: [Effect]
        /// Real time the answer took to be made.
        var handled: Interval
        /// Real time that gates have held it, and since when one does; nil while none does.
        var held: Interval
        var heldSince: Instant?

        /// Whether the world has been reset or restored since; its journal and its rows are others then.
        var isOutdated: Bool { hosted.world.parts[api].generation != generation }
    }

    /// The same APIs in the same order for ever; what they hold of their seeds may be replaced.
    package internal(set) var apis: [AnyAPI]
    package let configuration: EmulatorConfiguration
    /// OpenAPI documents as they were written out, by name.
    package var documents: [String: [UInt8]] = [:]
    /// Counts of all worlds together.
    package var metrics: Metrics
    /// Told of every event, with the key of its world.
    package var onEvent: ((Int, WorldEvent) -> Void)?
    /// Whether anybody wants to be told; set by an owner that knows.
    package var isWatched = true
    /// Content whose digest is still to be made, oldest first, and how much of it nobody has been given.
    var unhashed: [Unhashed] = []
    var untaken = 0
    var lastUnhashed: UInt64 = 0
    /// Worlds and journals that are out of use and not yet freed, oldest first.
    package internal(set) var discarded: [Discarded] = []
    /// Where the states of large worlds go.
    let bin = Bin()
    /// Whether there ever was a world with a large state.
    package internal(set) var hasLargeWorlds = false
    /// Scenarios that `main` starts with, and that a reset switches on again.
    package var startScenarios: [String] = []
    /// Faults and the latency that `main` starts with, and that a reset brings back.
    package var startFaults: [FaultSpec] = []
    package var startLatency: Latency?
    /// Names in order of creation, `main` first.
    package private(set) var worldNames: [String]
    let mainWorld: HostedWorld
    private(set) var hostedWorlds: [String: HostedWorld]
    private var worldsByKey: [Int: HostedWorld]
    /// What leads from a short token to its world.
    private(set) var marks = WorldMarks()
    var credentialWorlds: [String: String] = [:]
    var pending: [UInt64: Pending] = [:]
    /// Requests whose head has been decided on and whose content is still coming.
    var admitted: [UInt64: Visit] = [:]
    /// Requests whose answer somebody else is asked for.
    var asking: [UInt64: AskedVisit] = [:]
    /// Requests that a real backend is asked about.
    var away: [UInt64: AwayVisit] = [:]
    /// The keys of the worlds that are in use, and whose turn it is to rest.
    var awake: [Int] = []
    var nextToRest = 0
    /// The field lines that the packed journals of all worlds share.
    let shelf = HeaderLinePool()
    /// The last key given to a world or a snapshot.
    private(set) var lastKey = 0
    /// No world's time without use is over before; nil if none has such a time.
    private var nextExpiry: Instant?
    private(set) var lastMadeUpName: UInt64 = 0
    /// The worlds that control calls have chosen or made since their owner last looked.
    package var chosen: Set<Int> = []
    /// Whether a store is told of everything.
    package var isKept = false
    /// What the store has to write before what the worlds hold now.
    var steps: [StoreStep] = []
    /// The worlds in those steps: answers may tell of what was taken of them.
    var stepKeys: Set<Int> = []
    let apiNames: [String]
    /// Longer credentials are read anew each time, so that the memory of them stays small.
    static let longestKnownCredential = 2_048

    package init(apis: [AnyAPI], configuration: EmulatorConfiguration, at hostTime: HostTime) {
        self.apis = apis
        self.configuration = configuration
        apiNames = apis.map(\.identity.name)
        metrics = Metrics(routes: apis.map(\.routes.count))
        let main = World(
            name: WorldName.main,
            seed: configuration.seed,
            clock: configuration.clock,
            apis: apis,
            journalBytes: configuration.journalBytes,
            outboxMessages: configuration.outboxMessages,
            crossOrigin: configuration.crossOrigin,
            issued: configuration.issued,
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

    // MARK: Worlds

    package subscript(world name: String) -> HostedWorld? { hostedWorlds[name] }

    /// An order for a new world.
    package struct WorldOrder: Sendable {
        package var name: String?
        package var from: String?
        package var seed: UInt64?
        package var clock: WorldClock.Setting?
        package var timeToLive: Interval?
        /// The world whose snapshots `from` may name beside the worlds.
        package var snapshotsOf: String?

        package init() {}
    }

    /// A copy of the world that an order names, or of the snapshot.
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
                "A world's name is 1 to 64 of a-z 0-9 . _ -",
                items: [Problem.Item(path: "$.name", reason: "must be 1 to 64 of a-z 0-9 . _ -")]
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
                issued: configuration.issued,
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
        noteLife(of: hosted, action: order.from == nil ? "created" : "forked", from: order.from)
        wake(hosted)
        return name
    }

    /// A clock that is to stand at the present stands at what a world of this server would show, as after `PUT clock`.
    private func started(_ clock: WorldClock.Setting, at hostTime: HostTime) -> WorldClock.Setting {
        guard case .frozen(nil) = clock else { return clock }
        return .frozen(WorldClock(configuration.clock, at: hostTime).now(hostTime))
    }

    /// Removes a world and answers the key its exchanges carry.
    package func deleteWorld(_ name: String) throws(Problem) -> Int {
        guard name != WorldName.main else {
            throw Problem(
                .protectedWorld,
                "The world main can't be deleted; POST /__admin/reset returns it to its seed."
            )
        }
        guard let hosted = hostedWorlds.removeValue(forKey: name) else { throw Self.unknownWorld(name) }
        noteLife(of: hosted, action: "deleted")
        worldsByKey[hosted.key] = nil
        marks.remove(name, key: hosted.key)
        worldNames.removeAll { $0 == name }
        discard(hosted.world)
        discard(hosted.snapshots)
        return hosted.key
    }

    /// Removes the worlds whose time without use is over, and answers their keys.
    ///
    /// Worlds with answers under way stay.
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
            let keys = busy ?? Set(pending.values.map(\.hosted.key) + away.values.map(\.hosted.key))
            busy = keys
            if keys.contains(hosted.key) {
                // Looked at again by and by, not with every request.
                let later = hostTime.monotonic + .seconds(1)
                nextExpiry = min(nextExpiry ?? later, later)
            } else {
                expired.append((name, hosted.key))
            }
        }
        guard !expired.isEmpty else { return [] }
        for (name, key) in expired {
            if let hosted = hostedWorlds[name] {
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

    /// Whether a world's time may be over; false as long as there is nothing to look for.
    package func mayExpire(at hostTime: HostTime) -> Bool { nextExpiry.map { hostTime.monotonic > $0 } ?? false }

    /// Use only ever puts off the end of a world, so that none ends before the earliest that was noted.
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
                    ? "Make it with POST /__admin/worlds {\"name\":\"\(name)\"}."
                    : "A world's name is 1 to 64 of a-z 0-9 . _ -")
        )
    }

    /// A number that no world and no snapshot has had.
    func newKey() -> Int {
        lastKey += 1
        return lastKey
    }

    private func unusedName() -> String {
        repeat { lastMadeUpName += 1 } while hostedWorlds["world-\(lastMadeUpName)"] != nil
        return "world-\(lastMadeUpName)"
    }

    // MARK: Requests

    /// How much of a request's body is kept, decided at its head.
    package func bodyLimit(for head: RequestHead, address: Address) -> Int? {
        guard case .api(let index) = address.destination,
            case .endpoint(let place, _) = apis[index].match(head.method, address.path)
        else { return nil }
        return apis[index].bodyLimits[place]
    }

    /// Answers a request to one of the APIs.
    ///
    /// `exchange` is a number of the caller's that `perform` and `finish` will name. `clock` is read before and after, for
    /// the journal's timings.
    package func answer(
        _ request: HTTPRequest,
        address: Address,
        api index: Int,
        peer: String,
        exchange: UInt64,
        at hostTime: HostTime,
        prepared: (any Sendable)? = nil,
        standIn: StandIn? = nil,
        foreseen: Foresight? = nil,
        clock: (() -> Instant)? = nil
    ) -> Answer {
        let began = clock?() ?? hostTime.monotonic
        let match = apis[index].match(request.head.method, address.path)
        let name: String
        do throws(Problem) {
            name = try chooseWorld(address, api: index, credential: worldHint(of: request, api: index, match: match))
        } catch {
            return Answer(response: error.response, now: hostTime.wall)
        }
        let hosted = hostedWorlds[name] ?? mainWorld
        return answer(request, address, index, match, peer, exchange, hostTime, hosted, prepared, standIn, foreseen) {
            clock.map { $0() - began } ?? .zero
        }
    }

    private func answer(
        _ request: HTTPRequest,
        _ address: Address,
        _ index: Int,
        _ match: RouteMatch,
        _ peer: String,
        _ exchange: UInt64,
        _ hostTime: HostTime,
        _ hosted: HostedWorld,
        _ prepared: (any Sendable)?,
        _ standIn: StandIn?,
        _ foreseen: Foresight?,
        _ elapsed: () -> Interval
    ) -> Answer {
        var visit: Visit
        if !admitted.isEmpty, let early = admitted.removeValue(forKey: exchange), early.isOf(hosted) {
            visit = early
            visit.request = request
        } else {
            visit = Visit(request, address, match, api: index, peer: peer, exchange: exchange, hosted: hosted)
        }
        visit.request.bounds = configuration.bounds
        if let prepared = prepared as? PreparedRequest {
            visit.prepared = prepared.own
            visit.request.reading = prepared.reading
            visit.forecast = prepared.forecast
        }
        visit.standIn = standIn
        visit.foreseen = foreseen
        visit.hosted.lastUsed = max(visit.hosted.lastUsed, hostTime.monotonic)
        if !visit.hosted.isAwake { wake(visit.hosted) }
        if let whole = standIn?.whole {
            // Answered elsewhere: nothing here acts on it.
            var call = visit.call(at: hosted.world.tick(to: hostTime))
            call.isTakenElsewhere = standIn?.isMiss == false
            return conclude(visit, call, whole, at: hostTime, elapsed())
        }
        guard visit.hasNoFaults else { return pass(visit, at: hostTime, elapsed) }
        let now = hosted.world.tick(to: hostTime)
        var call = visit.lastCall(at: now)
        let response = Self.answer(&call, match, apis[index], index, &hosted.world, standIn)
        return conclude(visit, call, response, at: hostTime, elapsed())
    }

    /// Puts an exchange into the journal and hands its answer out.
    ///
    /// `isOpening`: it is not answered yet, and its entry will be filled in later. The request is the call's: the visit may
    /// have given its own away.
    func conclude(
        _ visit: Visit,
        _ call: Call,
        _ answer: consuming Response,
        at hostTime: HostTime,
        _ handled: Interval,
        isOpening: Bool = false
    ) -> Answer {
        var call = call
        if let shown = visit.standIn?.shown?.text, let user = call.user {
            call.user = CallUser(id: shown(user.id), email: user.email.map(shown))
        }
        let hosted = visit.hosted
        let address = visit.address
        var response = consume answer
        // An API's own rule for the id wins, and the journal goes by what the client was told.
        let ruled = response.fields[.requestID]
        // So it does in a recorded answer to a preflight, which nobody but the browser reads.
        let isRecordedPreflight =
            visit.standIn?.isEmulated == false && call.request.head.method == .options
            && response.fields.contains("Access-Control-Allow-Methods")
        if ruled == nil, !call.hidesRequestID, !isRecordedPreflight {
            response.fields.append(.requestID, call.requestID)
        }
        hosted.world.crossOrigin.open(&response, to: call.request)
        let shown = visit.standIn?.shown
        let told = ruled ?? call.requestID
        let shownID = shown?.text?(told) ?? told
        let journalID: String
        if let entry = visit.entry {
            journalID = entry.id
        } else {
            hosted.world.requestCount += 1
            if hosted.world.requestCount.isMultiple(of: Self.requestsToWeigh) { weigh(hosted, visit.api) }
            journalID = hosted.world.journal.key(
                for: shownID,
                isOwn: visit.isOwnID && ruled == nil,
                of: apiNames[visit.api]
            )
        }
        // What is never sent is not in the journal either, whatever the endpoint made.
        let isHead = call.request.head.method == .head
        let content = isHead || response.status.forbidsBody ? [] : response.body.content
        let path = shown?.path ?? (address.isWholeAndPlain ? call.request.head.target.rawPath : address.path.text)
        let seq = visit.entry?.seq ?? hosted.world.journal.nextSeq
        if visit.entry == nil {
            hosted.world.journal.append(
                entry(visit, call, response, content, ruled, shownID, journalID, seq, path, at: hostTime)
            )
        } else {
            hosted.world.journal.replace(
                seq,
                with: entry(visit, call, response, content, ruled, shownID, journalID, seq, path, at: hostTime)
            )
        }
        let length = shown?.length ?? call.request.body.length
        if length > JournalEntry.Body.wholeLimit, !call.request.body.exceedsLimit {
            postpone(call.request.body.bytes, isRequest: true, of: seq, in: hosted, api: visit.api)
        }
        if content.count > JournalEntry.Body.wholeLimit {
            postpone(content, isRequest: false, of: seq, in: hosted, api: visit.api)
        }
        if !away.isEmpty, !isOpening { away[visit.exchange] = nil }
        if !isOpening, !visit.isAnnounced { announce(visit, call, id: journalID, path: path, response.status) }
        pending[visit.exchange] = Pending(
            hosted: hosted,
            api: visit.api,
            generation: hosted.world.parts[visit.api].generation,
            seq: seq,
            effects: call.effects,
            handled: handled,
            held: visit.held
        )
        return Answer(
            response: response,
            group: ExchangeGroup(world: hosted.key, api: visit.api),
            now: call.now,
            speed: hosted.world.core.clock.speed
        )
    }

    /// The endpoint's answer, or that of an intervention in its place, as the interventions let it pass.
    static func answer(
        _ call: inout Call,
        _ match: RouteMatch,
        _ api: AnyAPI,
        _ index: Int,
        _ world: inout World,
        _ standIn: StandIn?
    ) -> Response {
        if let preflight = world.crossOrigin.preflight(call.request) { return preflight }
        // What was found out elsewhere takes the endpoint's place, if it is what the endpoint would do now.
        let foreseen = world.interventions.isEmpty ? call.foreseen.take() : nil
        if standIn == nil, let response = foreseen?.come(true: &world, index, &call) { return response }
        guard !world.interventions.isEmpty || standIn != nil else { return api.answer(&world, index, &call, match) }
        if case .endpoint(let place, let parameters) = match {
            call.route = api.routes[place].template
            call.parameters = parameters
        }
        call.user = call.bearerToken.flatMap { api.user(world, index, $0) }
        // Those that are there when the request comes act on it, whatever they do to the list.
        let interventions = world.interventions
        var response: Response?
        for intervention in interventions {
            response = intervention.before(call, &world)
            if response != nil { break }
        }
        // Replay takes the endpoint's place: what acts on its answer acts on a recorded one alike.
        if response == nil, let inPlace = standIn?.inPlace {
            let reply = world.withStandInState(index) { inPlace(call, &$0) }
            response = reply?.response
            call.isTakenElsewhere = reply?.isMiss == false
            // No endpoint runs where a miss has an answer of its own.
            if reply?.isMiss == true { call.route = nil }
        }
        let answer =
            response ?? foreseen?.come(true: &world, index, &call) ?? api.answer(&world, index, &call, match)
        return interventions.reduce(answer) { answer, intervention in
            intervention.after(answer, call, &world)
        }
    }

    package func hosted(key: Int) -> HostedWorld? { worldsByKey[key] }

    /// Puts a world that is there already into the registry; `main` takes the place of the fresh one.
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

    /// Goes on with keys and made-up names where an earlier process stopped.
    func resume(lastKey: Int, lastMadeUpName: UInt64) {
        self.lastKey = max(self.lastKey, lastKey)
        self.lastMadeUpName = lastMadeUpName
    }
}
