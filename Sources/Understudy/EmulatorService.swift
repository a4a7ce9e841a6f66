import CivilTime
import Control
import Emulation
import HTTPMessage
import HTTPWire
import JSON
import Persistence
import Transport

/// Connects the core to the event loop: takes requests, returns responses, and holds or cuts exchanges by world.
///
/// Belongs to the loop's thread.
final class EmulatorService: Application, ControlHost {
    /// The number of bytes of a refused body that are still read, so that the client receives the response (CarbScan
    /// contract, section 2).
    static let drainLimit = 64 * 1024 * 1024
    /// The number of bytes that are kept of a body without an endpoint.
    private static let unroutedBodyLimit = 1024 * 1024
    /// Understudy's own answers belong to no world.
    static let noGroup = -1

    let emulator: Emulator
    let control: ControlAPI
    let log: AccessLog
    let limits: Limits
    /// The call that imports a world; there is one at a time.
    var importing: Exchange?
    var origins = Origins(hub: "", apis: [], ports: [])
    weak var server: Server? {
        didSet { lines = server.map { WorkLines($0, capacity: limits.jobs) } }
    }

    /// Control calls that wait for something to happen.
    var waiting: WaitingCalls
    /// The lines for work that takes too long for the loop.
    private(set) var lines: WorkLines? {
        didSet { lines?.answers.mayBegin = { [weak self] in self?.answersUnderWay.hasRoom ?? false } }
    }
    /// Long answers that are on their way.
    var answersUnderWay = AnswersUnderWay()
    private var dateCache: (second: Int64, text: [UInt8]) = (.min, [])
    private var controlCount: UInt64 = 0
    private var watchers = Watchers() {
        didSet { emulator.isWatched = !watchers.isEmpty }
    }
    /// Records, replays and compares.
    let desk: ProxyController
    /// Holds responses back until they are on disk; nil without `--state`.
    var keeper: StoredAnswers? {
        didSet { emulator.persistence = keeper == nil ? nil : self }
    }
    /// The lines of requests to large worlds.
    var largeLines = LargeLines()
    /// Watches for changed seeds; nil without `--watch`.
    var watch: SeedWatch?

    /// `preciseNow` reads the monotonic clock, for timing the responses.
    init(
        emulator: Emulator,
        control: ControlAPI,
        log: AccessLog,
        limits: Limits,
        desk: ProxyController,
        preciseNow: @escaping () -> Instant
    ) {
        self.desk = desk
        self.preciseNow = preciseNow
        self.limits = limits
        waiting = WaitingCalls(most: limits.waiting)
        self.emulator = emulator
        self.control = control
        self.log = log
        desk.service = self
        emulator.isWatched = false
        emulator.accessLog = log.showsRequests ? self : nil
        emulator.stopwatch = preciseNow
        emulator.onEvent = { [weak self] world, event in self?.publish(world, event) }
    }

    var hostTime: HostTime {
        guard let server else { return HostTime(wall: .epoch, monotonic: .epoch) }
        return HostTime(wall: server.realTime, monotonic: server.now)
    }

    let preciseNow: () -> Instant

    func door(_ peer: Peer) -> EntryPoint { peer.listener == 0 ? .hub : .api(peer.listener - 1) }

    // MARK: Application

    func isUrgent(_ head: RequestHead, from peer: Peer) -> Bool {
        switch emulator.address(of: head, door: door(peer))?.destination {
        case .control, .hub: true
        case .api, nil: false
        }
    }

    func admit(_ head: RequestHead, on id: ExchangeID, from peer: Peer) -> AdmissionDecision {
        var limit = Self.unroutedBodyLimit
        guard let address = emulator.address(of: head, door: door(peer)) else {
            return .read(Self.admission(min(limit, limits.body)))
        }
        let exchange = emulator.open(
            head,
            address: address,
            peer: peer.host,
            id: id.serial,
            connection: id.connectionNumber,
            channel: id.channelNumber,
            at: hostTime
        )
        switch address.destination {
        case .control: return admitControl(exchange)
        // A real backend has limits of its own.
        case .api(let index) where desk[index] != nil: limit = limits.body
        case .api: limit = emulator.bodyLimit(of: exchange) ?? limit
        case .hub: break
        }
        let admission = Self.admission(min(limit, limits.body))
        guard let intake = emulator.admit(exchange, at: hostTime) else { return .read(admission) }
        switch intake {
        case .refuse: return .answer(played(exchange))
        case .slow(let rate, let group):
            return .pace(admission, Intake(bytesPerSecond: rate), world: Self.key(group))
        case .stop(let count, let rate, let group):
            let intake = Intake(bytesPerSecond: rate, ending: .stop(afterBytes: count))
            return .pace(admission, intake, world: Self.key(group))
        case .reset(let count, let rate, let group):
            let intake = Intake(bytesPerSecond: rate, ending: .reset(afterBytes: count))
            return .pace(admission, intake, world: Self.key(group))
        }
    }

    private static func admission(_ limit: Int) -> ConnectionMachine.Admission {
        ConnectionMachine.Admission(bodyLimit: limit, drainLimit: max(limit, drainLimit))
    }

    func respond(to request: HTTPRequest, on id: ExchangeID, from peer: Peer) -> ResponseDecision {
        let hostTime = hostTime
        // An expired world is gone for this request too, however long ago the last sweep was.
        if emulator.mayExpire(at: hostTime) { sweep() }
        if request.head.target.form == .asterisk {
            return .now(own(Self.serverOptions, request.head, hostTime))
        }
        guard let exchange = emulator[exchange: id.serial] else {
            return .now(own(malformedPath(door(peer)), request.head, hostTime))
        }
        let address = exchange.context.address
        switch address.destination {
        case .api(let index):
            emulator.receive(request, of: exchange)
            if let keys = control.appleKeys(
                for: request.head,
                address: address,
                api: index,
                emulator: emulator,
                at: hostTime
            ) {
                log.note(request.head, keys.status, peer.host, hostTime)
                return .now(own(keys, request.head, hostTime, address))
            }
            if let preparation = emulator.preparation(
                for: exchange,
                isEmulated: desk.answersByEmulation(index),
                isTried: desk[index] == nil,
                at: hostTime
            ) {
                return preparing(preparation, exchange)
            }
            return answer(exchange)
        case .control:
            if let decision = readingControl(request, exchange, id, peer) { return decision }
            emulator.chosen.removeAll(keepingCapacity: true)
            let reply = control.reply(
                request,
                address: address,
                door: door(peer),
                emulator: emulator,
                conductor: self,
                origins: origins,
                at: hostTime
            )
            return answering(reply, exchange)
        case .hub:
            return .now(own(hubAnswer(request, address), request.head, hostTime, address))
        }
    }

    /// Carries out the decision on a control call.
    func answering(_ reply: ControlDecision, _ exchange: Exchange) -> ResponseDecision {
        switch reply {
        case .now(let response): told(response, exchange, hostTime)
        case .later(let call): putOff(call, exchange)
        case .job(.work(let work)): doing(work, exchange)
        case .job(.importing(let document)): reading(document, exchange)
        case .job(.reading(let order)): reading(order, exchange)
        case .job(.partWork(let work)): doing(work, exchange)
        case .job(.steps(let steps)): stepping(steps, exchange)
        }
    }

    /// Answers a control call, or defers the answer until the change that it reports is on disk.
    func told(_ response: Response, _ exchange: Exchange, _ hostTime: HostTime) -> ResponseDecision {
        // Many calls of one turn may each discard something.
        if emulator.discarded.count > 8 { freeLater() }
        let (head, address, id) = (exchange.request.head, exchange.context.address, exchange.serverID)
        log.note(head, response.status, exchange.context.peer, hostTime, isControl: true)
        if let prepare = desk.takePending() {
            return changeMode(prepare, exchange)
        }
        var answer = own(response, head, hostTime, address)
        answer.staysOpen = watchers.admit(exchange)
        if let keeper, !answer.staysOpen,
            keeper.takesControl(answer, to: id, isReading: Self.isReading(head, address))
        {
            return .later(world: Self.noGroup)
        }
        return .now(answer)
    }

    /// Tells whether a control call changes nothing.
    private static func isReading(_ head: RequestHead, _ address: Address) -> Bool {
        [.get, .head].contains(head.method) || [["verify"], ["requests", "count"]].contains(address.path.segments)
    }

    /// Takes an exchange through its stages, with the result of the work that a worker has done for it.
    func proceed(_ exchange: Exchange, _ foreseen: Foresight?, _ hostTime: HostTime) -> ResponseDecision {
        emulator.answer(exchange, foreseen: foreseen, at: hostTime)
        return decision(exchange)
    }

    /// Returns the loop's next action for an exchange that has come as far as it can for now.
    func decision(_ exchange: Exchange) -> ResponseDecision {
        hashLater()
        // A gate may hold another request, or the journal have another entry.
        settleSoon()
        if exchange.state == .delivering { return .now(played(exchange)) }
        if exchange.isHeld { hold(exchange) }
        return .later(world: Self.key(of: exchange))
    }

    /// The response of an exchange, to be handed to the loop.
    func played(_ exchange: Exchange) -> PlayableResponse {
        // No world was selected for the exchange, so it has no request id of a world.
        guard exchange.hasWorld else { return own(exchange.takeResponse(), exchange.request.head, hostTime) }
        return PlayableResponse(
            response: exchange.takeResponse(),
            date: date(exchange.call.now),
            world: Self.key(of: exchange),
            staysOpen: exchange.isOpen
        )
    }

    func refuse(
        _ refusal: WireRefusal,
        head: RequestHead?,
        on id: ExchangeID,
        from peer: Peer
    ) -> PlayableResponse {
        let hostTime = hostTime
        log.note(refusal, peer.host, hostTime)
        let door = door(peer)
        var exchange = emulator[exchange: id.serial]
        if exchange == nil, let head, let address = emulator.address(of: head, door: door) {
            exchange = emulator.open(
                head,
                address: address,
                peer: peer.host,
                id: id.serial,
                connection: id.connectionNumber,
                channel: id.channelNumber,
                at: hostTime
            )
        }
        if let exchange, emulator.refuse(exchange, refusal.status, refusal.detail, isLogged: false, at: hostTime) {
            settleSoon()
            var answer = played(exchange)
            answer.response.closesConnection = refusal.reason != .overload
            if refusal.reason == .overload { answer.response.fields.set(.retryAfter, "1") }
            return answer
        }
        let address = exchange?.context.address
        var response: Response
        // Without a readable path the port determines the source of the response.
        switch (address?.destination, door) {
        case (.api(let index), _), (nil, .api(let index)):
            response = emulator.apis[index].timedRefusal(refusal.status, refusal.detail, now(address, hostTime))
        case (.control, _), (.hub, _), (nil, .hub): response = Self.problem(refusal.status, refusal.detail)
        }
        response.closesConnection = refusal.reason != .overload
        if refusal.reason == .overload { response.fields.set(.retryAfter, "1") }
        return own(response, head, hostTime, address)
    }

    func perform(effect: Int, of id: ExchangeID) -> Bool {
        if let upstream = emulator[exchange: id.serial]?.upstream, upstream.consumed(effect) { return true }
        guard let group = emulator.perform(effect: effect, of: id.serial, at: hostTime), let keeper else {
            return true
        }
        return !keeper.holds(id, world: group.world, api: group.api)
    }

    func turnEnded() {
        keeper?.coordinator.turnEnded()
        if emulator.hasDiscarded { freeLater() }
    }

    /// Has a worker free discarded worlds and journals.
    private func freeLater() {
        for item in emulator.takeDiscarded().map(DeferredDeallocation.init) {
            _ = lines?.chores.submit(mustRun: true, { item.free() }, then: {})
        }
    }

    func finished(_ id: ExchangeID, _ record: ExchangeRecord) {
        lines?.ended(id.serial)
        guard let exchange = emulator[exchange: id.serial] else { return }
        watchers.forget(exchange)
        if importing === exchange { importing = nil }
        if let upstream = exchange.upstream.take() { upstream.ended(isCut: record.outcome == .cut) }
        if answersUnderWay.finished(exchange) { lines?.answers.begin() }
        if exchange.control.take() != nil { waiting.remove(id.serial) }
        if waiting.isEmpty, !waiting.kept.isEmpty { keepUnseen() }
        let answered = record.answered ?? record.ended
        let outcome: JournalEntry.Outcome =
            switch record.outcome {
            case .delivered: .delivered
            case .interrupted: .interrupted
            case .cut: .cut
            }
        emulator.end(
            exchange,
            outcome: outcome,
            timings: JournalEntry.Timings(
                receive: Self.milliseconds(answered - record.began),
                wait: Self.milliseconds(record.waited),
                send: Self.milliseconds(max(record.ended - answered - record.waited, .zero))
            ),
            contentSent: outcome == .delivered ? nil : record.contentPlayed,
            at: record.ended,
            wasAnswered: record.answered != nil,
            hostTime: hostTime
        )
    }

    func clock(of world: Int) -> ClockReading {
        let key = world >> 8
        return ClockReading(
            now: emulator.now(worldKey: key, at: hostTime) ?? hostTime.wall,
            rate: emulator.speed(worldKey: key) ?? 1
        )
    }

    /// Tells whether no request is remembered anywhere.
    var isIdle: Bool {
        emulator.isIdle && waiting.isEmpty && watchers.isEmpty && importing == nil && answersUnderWay.isEmpty
    }

    // MARK: ControlHost

    func cut(world: Int, api: Int?) -> Int {
        defer {
            // The cut may have removed the object of a waiting call, which is checked after the call that cuts has run.
            settleSoon()
        }
        return keys(world, api).reduce(0) { $0 + (server?.cancel(world: $1) ?? 0) }
    }

    func clockMoved(world: Int, now: Instant, speed: Double) -> Int {
        keys(world, nil).reduce(0) {
            $0 + (server?.clockChanged(world: $1, to: ClockReading(now: now, rate: speed)) ?? 0)
        }
    }

    func watch(world: Int, api: Int?) {
        watchers.expect(world: world, api: api.map { emulator.apis[$0].identity.name })
    }

    func modes(of apis: [Int]) -> [ModeOrder] { desk.orders(of: apis) }

    func setMode(_ order: ModeOrder) throws(Problem) -> ModeChange { try desk.set(order) }

    func nearestRecorded(api: Int) -> NearestRecorded? { desk[api]?.player?.nearestRecorded }

    var openConnections: Int { server?.openConnections ?? 0 }

    /// Passes an event on to the exchanges that watch its world.
    private func publish(_ world: Int, _ event: WorldEvent) {
        let exchanges = watchers.exchanges(of: world, event)
        guard !exchanges.isEmpty, let server else { return }
        let steps: [Step] = [.bytes(event.frame)] + (event.isLast ? [.end] : [])
        for exchange in exchanges { server.push(exchange.serverID, steps: steps) }
    }

    /// Sends a comment to every watcher, so that no intermediary takes the silence for an end.
    func beat() {
        guard let server else { return }
        for exchange in watchers.all { server.push(exchange.serverID, steps: [.bytes(Self.heartbeat)]) }
    }

    private static let heartbeat = Array(": heartbeat\n\n".utf8)

    func resumed(_ exchanges: [Exchange]) {
        for exchange in exchanges {
            server?.endWithPeer(exchange.serverID, false)
            if exchange.wantsUpstream {
                exchange.upstream?.proceed()
            } else {
                complete(exchange, decision(exchange))
            }
        }
        hashLater()
        settleSoon()
    }

    /// Deletes the worlds that have been unused for too long.
    func sweep() {
        // A waiting call counts as a use of its world.
        for exchange in waiting.exchanges { _ = waiting[exchange]?.call.hosted(at: hostTime) }
        let expired = emulator.expireWorlds(at: hostTime)
        for key in expired { _ = cut(world: key, api: nil) }
        if !expired.isEmpty { keeper?.coordinator.noteStructure() }
        keeper?.coordinator.noteNews()
    }

    static func key(_ group: ExchangeGroup) -> Int { group.world << 8 | group.api }

    static func key(of exchange: Exchange) -> Int { exchange.group.map { key($0) } ?? noGroup }

    private func keys(_ world: Int, _ api: Int?) -> [Int] {
        (api.map { [$0] } ?? Array(emulator.apis.indices)).map { Self.key(ExchangeGroup(world: world, api: $0)) }
    }

    /// Has a worker compute the digests of long content.
    func hashLater() {
        for item in emulator.takeUnhashed() {
            _ = lines?.chores.submit(mustRun: true) {
                item.digest
            } then: { [emulator] digest in
                emulator.note(digest, of: item)
            }
        }
    }

    // MARK: Own answers

    /// Completes one of Understudy's own responses: adds the caller's request id, or one that no world counts.
    func own(
        _ response: Response,
        _ head: RequestHead?,
        _ hostTime: HostTime,
        _ address: Address? = nil
    ) -> PlayableResponse {
        var response = response
        if let sent = head?.fields.bytes(.requestID).flatMap(RequestID.sane) {
            response.fields.append(.requestID, sent)
        } else {
            controlCount += 1
            response.fields.append(.requestID, "ctl_\(controlCount)")
        }
        return PlayableResponse(response: response, date: date(now(address, hostTime)), world: Self.noGroup)
    }

    private func malformedPath(_ door: EntryPoint) -> Response {
        let detail = "The path has a broken percent escape, or does not decode to UTF-8."
        return switch door {
        case .api(let index): emulator.apis[index].timedRefusal(.badRequest, detail, now(nil, hostTime))
        case .hub: Self.problem(.badRequest, detail)
        }
    }

    private func hubAnswer(_ request: HTTPRequest, _ address: Address) -> Response {
        do throws(Problem) {
            try control.safety.checkHost(request.head)
            if !address.namedWorlds.isEmpty { _ = try emulator.chooseWorld(address, credential: nil) }
        } catch {
            return error.response
        }
        let documentation = control.documentationPage(address, emulator)
        guard address.path.segments.isEmpty || documentation != nil else {
            let names = emulator.apis.map { "/\($0.identity.name)" }.joined(separator: ", ")
            return Problem(
                .notFound,
                "The hub serves \(names), /__admin, /docs and its index page at /. \"\(address.path.text.cut)\" is none of these."
            ).response
        }
        guard [.get, .head].contains(request.head.method) else {
            return Problem(
                .methodNotAllowed,
                "The hub's pages take GET and HEAD.",
                fields: ["Allow": "GET, HEAD"]
            ).response
        }
        return documentation
            ?? IndexPage.response(emulator, origins, showsWorlds: control.safety.adminToken == nil)
    }

    /// The response to `OPTIONS *`, which asks about the whole server (RFC 9110 section 9.3.7).
    private static let serverOptions = Response(
        status: .noContent,
        fields: [.allow: "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"]
    )

    /// A refusal of the HTTP layer outside any API.
    private static func problem(_ status: Status, _ detail: String) -> Response {
        switch status {
        case .badRequest: Problem(.badRequest, detail).response
        case .contentTooLarge: Problem(.payloadTooLarge, detail).response
        case .requestTimeout: Problem(.requestTimeout, detail).response
        case .uriTooLong: Problem(.uriTooLong, detail).response
        case .expectationFailed: Problem(.expectationFailed, detail).response
        case .headerFieldsTooLarge: Problem(.headerFieldsTooLarge, detail).response
        case .notImplemented: Problem(.notImplemented, detail).response
        case .serviceUnavailable: Problem(.busy, detail).response
        case .versionNotSupported: Problem(.versionNotSupported, detail).response
        default: Problem.response(status: status, detail: detail)
        }
    }

    /// The time of the world that an address names, or else of `main`.
    private func now(_ address: Address?, _ hostTime: HostTime) -> Instant {
        let named = address?.namedWorlds.first.flatMap { emulator[world: $0] }
        return (named ?? emulator[world: WorldName.main])?.world.now(hostTime) ?? hostTime.wall
    }

    /// The `Date` field of an instant, formatted once a second.
    private func date(_ now: Instant) -> [UInt8] {
        let second = now.seconds
        if dateCache.second != second { dateCache = (second, Array(now.httpDate.utf8)) }
        return dateCache.text
    }

    private static func milliseconds(_ interval: Interval) -> Double { Double(interval.microseconds) / 1_000 }
}
