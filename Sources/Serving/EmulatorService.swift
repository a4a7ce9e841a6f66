import Backend
package import CivilTime
package import ConductKit
import Console
package import Control
package import Engine
package import ForwardProxy
package import HTTPMessage
package import HTTPWire
import JSON
import Journal
import Persistence
package import Proxying
package import Transport
import Worlds

/// Connects the core to the event loop: takes requests, returns responses, and holds or cuts exchanges by world.
///
/// Belongs to the loop's thread.
package final class EmulatorService: Application {
    /// The number of bytes of a refused body that are still read, so that the client receives the response (CarbScan
    /// contract, section 2).
    static let drainLimit = 64 * 1024 * 1024
    /// The number of bytes that are kept of a body that no API takes.
    private static let unroutedBodyLimit = 1024 * 1024
    /// Understudy's own answers belong to no world.
    static let noGroup = -1

    let emulator: Emulator
    let control: ControlAPI
    let log: AccessLog
    let limits: ServingLimits
    /// The call that imports a world; there is one at a time.
    var importing: Exchange?
    package var origins = Origins(hub: "", apis: [], ports: [])
    package weak var server: Server? {
        didSet {
            lines = server.map { WorkLines($0, capacity: limits.jobs) }
            clock = server?.clock
        }
    }

    /// The loop's times, which are asked for several times a request: the weak reference would cost more.
    private var clock: LoopClock?

    /// Control calls that wait for something to happen.
    var waiting: WaitingCalls
    /// The lines for work that takes too long for the loop.
    package private(set) var lines: WorkLines? {
        didSet { lines?.answers.mayBegin = { [weak self] in self?.answersUnderWay.hasRoom ?? false } }
    }
    /// Long answers that are on their way.
    var answersUnderWay = AnswersUnderWay()
    /// The last `Date` field, for the second in which it holds.
    var dateCache: (second: Int64, text: [UInt8]) = (.min, [])
    /// The number of own responses that have been given an id.
    var controlCount: UInt64 = 0
    /// The open event streams.
    var watchers = Watchers() {
        didSet { emulator.isWatched = !watchers.isEmpty }
    }
    /// The live judgements of worlds by their keys.
    var judging: [Int: LiveJudgement] = [:]
    /// The rules by which clients are judged while somebody listens to the events; nil where nobody is.
    package var rules: (() -> RuleRegistry)?
    /// The requests that are being sent again, by the numbers of their connections.
    var replays: [UInt64: ReplayedRequest] = [:]
    /// Records, replays and compares.
    package let proxy: ProxyController
    /// Holds responses back until they are on disk; nil without `--state`.
    package var storedAnswers: StoredAnswers? {
        didSet { emulator.persistence = storedAnswers == nil ? nil : self }
    }
    /// The lines of work on parts of worlds.
    var partQueues = PartQueues()
    /// The files of the console, unpacked when the first is read.
    lazy var console = ConsoleSite()

    /// `preciseNow` reads the monotonic clock, for timing the responses.
    package init(
        emulator: Emulator,
        control: ControlAPI,
        log: AccessLog,
        limits: ServingLimits,
        proxy: ProxyController,
        preciseNow: @escaping () -> Instant
    ) {
        self.proxy = proxy
        self.preciseNow = preciseNow
        self.limits = limits
        waiting = WaitingCalls(most: limits.waitingCalls)
        self.emulator = emulator
        self.control = control
        self.log = log
        proxy.host = self
        emulator.isWatched = false
        emulator.accessLog = log.showsRequests ? self : nil
        emulator.stopwatch = preciseNow
        emulator.onEvent = { [weak self] hosted in self?.publish(hosted) }
    }

    var hostTime: HostTime {
        guard let clock else { return HostTime(wall: .epoch, monotonic: .epoch) }
        return HostTime(wall: clock.wall, monotonic: clock.monotonic)
    }

    let preciseNow: () -> Instant
    /// The TLS of the ports; nil where none speaks it.
    package var secure: SecureTransport?
    /// The forward proxy; nil without `--proxy`.
    package var forwardProxy: ForwardProxyState?
    /// The requests that the forward proxy passes on, by the numbers of their exchanges.
    var passed: [UInt64: PassedExchange] = [:]
    /// The addresses that we listen on, beside the loopback ones.
    package var proxyHosts: Set<String> = []
    /// Offers to phones on the network, and the page for them; nil without TLS and device mode.
    package var device: DeviceMode?
    /// The paired devices; nil without `--pair`.
    package var pairing: DevicePairing?
    /// The page for devices, unpacked when the first is asked for.
    lazy var devicePage = DevicePage()

    private func arrival(of id: ExchangeID, _ peer: Peer) -> Arrival {
        let arrival = server?.arrival(of: id)
        return Arrival(
            peer: peer.host.isEmpty ? nil : peer.label,
            connection: peer.connection,
            isOnReused: arrival?.isOnReused ?? false,
            firstByte: arrival?.firstByte ?? hostTime.monotonic
        )
    }

    func entryPoint(_ peer: Peer) -> EntryPoint { peer.listener == 0 ? .hub : .api(peer.listener - 1) }

    // MARK: Application

    package func isUrgent(_ head: RequestHead, from peer: Peer) -> Bool {
        switch emulator.address(of: head, entryPoint: entryPoint(peer))?.destination {
        case .control, .hub: true
        case .api, nil: false
        }
    }

    package func admit(_ head: RequestHead, on id: ExchangeID, from peer: Peer) -> AdmissionDecision {
        if head.proxied?.isPassedOn == true { return .read(Self.admission(limits.body)) }
        if head.isSecure == false, let refusal = refusalWithoutTLS(head, isSecure: false, peer) {
            return .answer(refusal)
        }
        var limit = Self.unroutedBodyLimit
        guard let address = emulator.address(of: head, entryPoint: entryPoint(peer)) else {
            return .read(Self.admission(min(limit, limits.body)))
        }
        if let refusal = refusalOfWorker(head, address, peer) { return .answer(refusal) }
        let exchange = emulator.open(
            head,
            address: address,
            peer: peer.host,
            id: id.serial,
            connection: id.connectionNumber,
            channel: id.channelNumber,
            arrival: arrival(of: id, peer),
            transport: transport(of: id, head),
            at: hostTime
        )
        if !replays.isEmpty, let replayed = replays[peer.connection] { exchange.replayOf = replayed.order.original }
        var isCounting = false
        switch address.destination {
        case .control: return admitControl(exchange)
        // A real backend has limits of its own.
        case .api(let index) where proxy.isProxied(index):
            limit = limits.body
            exchange.discloseAtHead = proxy.disclosureAtHead(of: index, address)
        case .api:
            limit = emulator.bodyLimit(of: exchange) ?? limits.body
            isCounting = emulator.countsContent(of: exchange)
        case .hub where isDevice(address):
            limit = limits.controlBody
            if let refusal = refusalOfDevice(head) { return .refuse(own(refusal, head, hostTime, address)) }
        case .hub: break
        }
        let admission = isCounting ? .counting : Self.admission(min(limit, limits.body))
        guard let intake = emulator.admit(exchange, at: hostTime) else { return .read(admission) }
        switch intake {
        case .refuse: return .answer(played(exchange))
        case .slow(let rate, let group):
            return .pace(admission, Intake(rate), world: Self.key(group))
        case .stop(let count, let rate, let group):
            let intake = Intake(rate, ending: .stop(afterBytes: count))
            return .pace(admission, intake, world: Self.key(group))
        case .withoutContinue(let pause, let waiting, let rate, let group):
            var quiet = admission
            quiet.sendsContinue = false
            guard rate != nil || pause != nil else { return .read(quiet) }
            let late = pause.map { Intake.LateContinue(delay: $0, waiting) }
            return .pace(quiet, Intake(rate, lateContinue: late), world: Self.key(group))
        case .reset(let count, let rate, let group):
            let intake = Intake(rate, ending: .reset(afterBytes: count))
            return .pace(admission, intake, world: Self.key(group))
        }
    }

    private static func admission(_ limit: Int) -> ConnectionMachine.Admission {
        ConnectionMachine.Admission(bodyLimit: limit, drainLimit: max(limit, drainLimit))
    }

    package func respond(to request: consuming HTTPRequest, on id: ExchangeID, from peer: Peer) -> ResponseDecision {
        if request.head.proxied?.isPassedOn == true { return passOn(request, id, peer) }
        let hostTime = hostTime
        // An expired world is gone for this request too, however long ago the last sweep was.
        if emulator.mayExpire(at: hostTime) { sweep() }
        if request.head.form == .asterisk {
            return .now(own(Self.serverOptions, request.head, hostTime))
        }
        guard let exchange = emulator[exchange: id.serial] else {
            return .now(own(malformedPath(entryPoint(peer)), request.head, hostTime))
        }
        if case .api(let index) = exchange.context.address.destination {
            emulator.receive(consume request, of: exchange)
            if exchange.call.request.isCoded, !exchange.call.request.contentCodings.isEmpty {
                return decode(exchange, of: index)
            }
            return begin(exchange, of: index)
        }
        return respond(to: request, exchange, on: id, from: peer)
    }

    private func begin(_ exchange: Exchange, of index: Int) -> ResponseDecision {
        readFirst(exchange, of: index) ?? answer(exchange, of: index)
    }

    /// Has a worker take the coding off the content of a request, then answers it: a few coded bytes may be millions.
    private func decode(_ exchange: Exchange, of index: Int) -> ResponseDecision {
        let limit = min(emulator.bodyLimit(of: exchange) ?? limits.body, limits.body)
        guard let line = lines?.bodies else {
            emulator.decode(exchange, limit: limit)
            return begin(exchange, of: index)
        }
        return queueRequest(exchange, in: line) { [request = exchange.request] in
            request.withoutCoding(limit: limit)
        } then: { service, request in
            // The limit is ours, and not that of a real backend.
            if !service.proxy.isProxied(index) || request.coded?.outcome != .tooLong {
                service.emulator.take(request, of: exchange)
            }
            return service.begin(exchange, of: index)
        }
    }

    /// Answers a request that no API takes.
    private func respond(
        to request: HTTPRequest,
        _ exchange: Exchange,
        on id: ExchangeID,
        from peer: Peer
    ) -> ResponseDecision {
        let hostTime = hostTime
        let address = exchange.context.address
        switch address.destination {
        case .control where Self.isConsole(address):
            let answer = consoleAnswer(request, address, entryPoint(peer))
            log.note(request.head, answer.status, peer.host, hostTime, isControl: true)
            return .now(own(answer, request.head, hostTime, address))
        case .control:
            if let decision = readOnWorker(request, exchange, id, peer) { return decision }
            emulator.chosen.removeAll(keepingCapacity: true)
            let reply = control.reply(
                request,
                address: address,
                entryPoint: entryPoint(peer),
                emulator: emulator,
                host: self,
                origins: origins,
                at: hostTime
            )
            return carryOut(reply, exchange)
        case .hub where isDevice(address):
            return .now(own(deviceAnswer(request, address, on: id), request.head, hostTime, address))
        case .api, .hub:
            return .now(own(hubAnswer(request, address), request.head, hostTime, address))
        }
    }

    /// Has a worker read the seed of an API for the first request that needs it; nil for others.
    private func readFirst(_ exchange: Exchange, of index: Int) -> ResponseDecision? {
        // With one connection nobody else waits, and to hand the request over would only make the first answer later.
        guard emulator.isFirst(exchange), openConnections > 1, proxy.answersByEmulation(index),
            let line = lines?.bodies, line.hasRoom
        else { return nil }
        let api = emulator.apis[index]
        return queueRequest(exchange, in: line) {
            api.read(.seed)
        } then: { service, _ in
            service.answer(exchange, of: index)
        }
    }

    /// Answers a request to an API, or has a worker do what takes long before.
    private func answer(_ exchange: Exchange, of index: Int) -> ResponseDecision {
        let hostTime = hostTime
        if let keys = control.appleKeys(for: exchange, api: index, emulator: emulator, at: hostTime) {
            let head = exchange.call.request.head
            log.note(head, keys.status, exchange.context.peer, hostTime)
            return .now(own(keys, head, hostTime, exchange.context.address))
        }
        if let preparation = emulator.preparation(
            for: exchange,
            isEmulated: proxy.answersByEmulation(index),
            isTried: !proxy.isProxied(index),
            at: hostTime
        ) {
            return prepare(exchange, preparation)
        }
        return answer(exchange)
    }

    /// Carries out the decision on a control call.
    func carryOut(_ reply: ControlDecision, _ exchange: Exchange) -> ResponseDecision {
        switch reply {
        case .now(let response): finishCall(exchange, with: response, hostTime)
        case .later(let call): postpone(call, exchange)
        case .job(.work(let work)): run(work, for: exchange)
        case .job(.importing(let document)): run(document, for: exchange)
        case .job(.reading(let order)): run(order, for: exchange)
        case .job(.partWork(let work)): run(work, for: exchange)
        case .job(.steps(let steps)): run(steps, for: exchange)
        case .job(.replay(let order)): run(order, for: exchange)
        }
    }

    /// Answers a control call, or defers the answer until the change that it reports is on disk.
    func finishCall(_ exchange: Exchange, with response: Response, _ hostTime: HostTime) -> ResponseDecision {
        // Many calls of one turn may each discard something.
        if emulator.discarded.count > 8 { freeLater() }
        let (head, address, id) = (exchange.request.head, exchange.context.address, exchange.serverID)
        log.note(head, response.status, exchange.context.peer, hostTime, isControl: true)
        if let prepare = proxy.takePending() {
            return changeMode(prepare, exchange)
        }
        var answer = own(response, head, hostTime, address)
        answer.staysOpen = watchers.admit(exchange)
        if answer.staysOpen {
            if let watcher = watchers.all.last { beginJudging(watcher.world) }
            catchUp()
        }
        if let storedAnswers, !answer.staysOpen,
            storedAnswers.takesControl(answer, to: id, isReading: Self.isReading(head, address))
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
    func proceed(_ exchange: Exchange, _ speculative: SpeculativeResponse?, _ hostTime: HostTime) -> ResponseDecision {
        emulator.answer(exchange, speculative: speculative, at: hostTime)
        return decision(exchange)
    }

    /// Returns the loop's next action for an exchange that has advanced as far as possible for now.
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
        if exchange.context.address.isMounted { confine(&exchange.response, of: exchange) }
        return PlayableResponse(
            response: exchange.takeResponse(),
            date: date(exchange.call.now),
            world: Self.key(of: exchange),
            staysOpen: exchange.isOpen
        )
    }

    package func refuse(
        _ refusal: WireRefusal,
        head: RequestHead?,
        on id: ExchangeID,
        from peer: Peer
    ) -> PlayableResponse {
        let hostTime = hostTime
        let isSecure = head.map { $0.isSecure == true } ?? (server?.isSecure(id) ?? false)
        if emulator[exchange: id.serial] == nil,
            let refusal = refusalWithoutTLS(head, isSecure: isSecure, peer)
        {
            return refusal
        }
        log.note(refusal, peer.host, hostTime)
        let entryPoint = entryPoint(peer)
        var exchange = emulator[exchange: id.serial]
        if exchange == nil, let head, let address = emulator.address(of: head, entryPoint: entryPoint) {
            exchange = emulator.open(
                head,
                address: address,
                peer: peer.host,
                id: id.serial,
                connection: id.connectionNumber,
                channel: id.channelNumber,
                arrival: arrival(of: id, peer),
                transport: transport(of: id, head),
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
        switch (address?.destination, entryPoint) {
        case (.api(let index), _), (nil, .api(let index)):
            response = emulator.apis[index].refusal(refusal.status, refusal.detail, now(address, hostTime), nil)
        case (.control, _), (.hub, _), (nil, .hub): response = Self.problem(refusal.status, refusal.detail)
        }
        response.closesConnection = refusal.reason != .overload
        if refusal.reason == .overload { response.fields.set(.retryAfter, "1") }
        return own(response, head, hostTime, address)
    }

    package func perform(effect: Int, of id: ExchangeID) -> Bool {
        if !passed.isEmpty, let own = passed[id.serial] { return own.consumed(effect) }
        if let upstream = emulator[exchange: id.serial]?.upstream, upstream.consumed(effect) { return true }
        guard let group = emulator.perform(effect: effect, of: id.serial, at: hostTime), let storedAnswers else {
            return true
        }
        return !storedAnswers.holds(id, world: group.world, api: group.api)
    }

    package func turnEnded() {
        storedAnswers?.coordinator.turnEnded()
        if emulator.hasDiscarded { freeLater() }
    }

    /// Has a worker free discarded worlds and journals.
    private func freeLater() {
        for item in emulator.takeDiscarded().map(DeferredDeallocation.init) {
            _ = lines?.chores.submit(mustRun: true, { item.free() }, then: {})
        }
    }

    package func finished(_ id: ExchangeID, _ record: ExchangeRecord) {
        lines?.ended(id.serial)
        if !passed.isEmpty { passed.removeValue(forKey: id.serial)?.cancel() }
        guard let exchange = emulator[exchange: id.serial] else { return }
        if watchers.forget(exchange) { endJudging() }
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
            unread: record.unread,
            hostTime: hostTime
        )
        if record.unread != nil { settleSoon() }
        if !judging.isEmpty, exchange.journalEntry != nil { judgeSoon(exchange.hosted.key) }
        if !replays.isEmpty { replayEnded(exchange) }
    }

    package func clock(of world: Int) -> ClockReading {
        let key = world >> 8
        return ClockReading(
            now: emulator.now(worldKey: key, at: hostTime) ?? hostTime.wall,
            rate: emulator.speed(worldKey: key) ?? 1
        )
    }

    /// Tells whether no request is remembered anywhere.
    package var isIdle: Bool {
        emulator.isIdle && waiting.isEmpty && watchers.isEmpty && importing == nil && answersUnderWay.isEmpty
    }

    static func key(_ group: ExchangeGroup) -> Int { group.world << 8 | group.api }

    static func key(of exchange: Exchange) -> Int { exchange.group.map { key($0) } ?? noGroup }

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

    private static func milliseconds(_ interval: Interval) -> Double { Double(interval.microseconds) / 1_000 }
}

extension Intake {
    /// Creates an intake at a rate.
    fileprivate init(_ rate: UploadRate?, ending: Ending? = nil, lateContinue: LateContinue? = nil) {
        self.init(bytesPerSecond: rate?.bytesPerSecond, ending: ending, lateContinue: lateContinue)
        if let rate { pace = rate.waiting }
    }
}
