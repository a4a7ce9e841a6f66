import CivilTime
import Control
import Emulation
import HTTPMessage
import JSON
import Locking
import Recording
import Transport

/// Controls the mode of each API and finds the source of its responses.
///
/// Modes belong to the process, not to a world (control contract, section 13).
///
/// Belongs to the loop's thread.
final class ProxyController {
    /// A mode other than `emulate`, with the objects that it needs.
    struct Active {
        var order: ModeOrder
        var player: ReplayPlayer?
        var recorder: Recorder?
        var origin: UpstreamOrigin?
        var redactor: Redactor
        var twins = IDCorrespondence()
        /// Prints of the credentials that the real backend has issued in this mode in the emulator's form.
        var foreign: Set<UInt64> = []
        /// The number of secrets that were known when the journal was last searched for them.
        var sweptSecrets = 0

        var rules: MatchRules { order.rules }
    }

    let emulator: Emulator
    private let version: String
    /// A file of additional certificate authorities for upstreams.
    private let authorities: String?
    let limits: UpstreamLimits
    weak var server: Server?
    weak var service: EmulatorService?
    /// The ports of this server, which can't be upstreams.
    var ownPorts: Set<UInt16> = []
    private var active: [Int: Active] = [:]
    private var client: UpstreamClient?
    /// The number of credentials of another Understudy that are remembered in a mode.
    static let mostForeign = 100_000

    let captureBudget = CaptureBudget()
    /// Tells whether the secrets of the built-in seeds have been noted.
    private var knowsSeeds = false
    /// The APIs with the built-in seeds, which are read on first use.
    private lazy var seedsOfBuild: [AnyAPI] = {
        let own = emulator.apis.filter(\.isOfBuild)
        let others = APICatalogue.names.filter { name in !own.contains { $0.identity.name == name } }
        return own + ((try? APICatalogue.load(others, from: .builtIn)) ?? [])
    }()
    /// A mode whose recording has to be read first, requested by the current control call.
    private var pending: (order: ModeOrder, places: [RecordingPlace])?
    /// Called on a worker for each entry that was recorded.
    var onProgress: @Sendable (RecordingProgress) -> Void = { _ in }

    init(_ emulator: Emulator, version: String, authorities: String?, limits: UpstreamLimits) {
        self.emulator = emulator
        self.version = version
        self.authorities = authorities
        self.limits = limits
        for mark in CredentialForms.standInBeginnings + Pseudonyms.marks { emulator.issued.note(known: mark) }
    }

    subscript(api: Int) -> Active? {
        get { active[api] }
        set { active[api] = newValue }
    }

    /// Tells whether the emulation may answer requests to an API.
    func answersByEmulation(_ api: Int) -> Bool {
        guard !active.isEmpty, let order = active[api]?.order else { return true }
        return switch order.mode {
        case .emulate, .spy, .diff: true
        case .replay, .recordMissing: order.miss == .emulate
        case .record: false
        }
    }

    func orders(of apis: [Int]) -> [ModeOrder] { apis.map { active[$0]?.order ?? ModeOrder(api: $0, mode: .emulate) } }

    // MARK: Changing

    /// Checks an order and begins it: at once, or after its recording has been read.
    func set(_ order: ModeOrder) throws(Problem) -> ModeChange {
        var order = order
        if let upstream = order.upstream {
            guard let origin = UpstreamOrigin(upstream) else {
                throw Self.fault(
                    "upstream",
                    "must be an http or https address without a path, such as https://api.example.com"
                )
            }
            order.upstream = origin.text
            if origin.isSecure { _ = try upstreamClient() }
        }
        var places: [RecordingPlace] = []
        if [.record, .replay, .recordMissing].contains(order.mode) {
            let name = order.recording ?? emulator.apis[order.api].identity.name + ".har"
            let isRead = order.mode == .replay
            guard let place = RecordingPlace(name: name, exists: { isRead && FolderReader.exists($0) }) else {
                throw Self.fault("recording", "must be the name of a .har file in recordings/: letters, digits, . _ -")
            }
            order.recording = place.text
            places = [place]
        }
        // The recording that is read may be one that is still being written.
        if !places.isEmpty { for mode in active.values { mode.recorder?.drain() } }
        let isFirst = order.mode != .emulate && order.upstream != nil && !knowsSeeds
        guard !places.isEmpty || isFirst else {
            try begin(ModePreparation(order: order))
            // The same document as `GET` returns: `emulate` keeps none of the other members.
            return .done(orders(of: [order.api])[0].json(name: emulator.apis[order.api].identity.name))
        }
        pending = (order, places)
        return .later
    }

    /// Returns the preparation that the current control call has requested, to be run on a worker.
    func takePending() -> (@Sendable () -> Result<ModePreparation, RecordingError>)? {
        guard let (order, places) = pending else { return nil }
        pending = nil
        let seeds = order.upstream == nil || knowsSeeds ? [] : seedsOfBuild
        return {
            // Reading the seeds takes some milliseconds, so it is done before the mode begins.
            for seed in seeds { _ = seed.seedSecrets() }
            do throws(RecordingError) {
                return .success(try ModePreparation.make(order, places))
            } catch {
                return .failure(error)
            }
        }
    }

    /// Begins a mode whose recording was read for a control call, and returns the response to the call.
    func begun(_ result: Result<ModePreparation, RecordingError>) throws(Problem) -> Response {
        switch result {
        case .success(let made):
            try begin(made)
            let name = emulator.apis[made.order.api].identity.name
            return Response(
                status: .ok,
                fields: [.contentType: "application/json; charset=utf-8"],
                body: .bytes(made.order.json(name: name).serialized())
            )
        case .failure(let fault): throw Self.fault("recording", "can't be used: \(fault.text)")
        }
    }

    /// Replaces the mode of an API with a prepared one; returns the new path of an earlier recording of the same name.
    @discardableResult
    func begin(_ made: ModePreparation) throws(Problem) -> String? {
        let api = made.order.api
        let old = active[api]?.recorder
        old?.drain()
        guard made.order.mode != .emulate else {
            active[api] = nil
            release(old)
            return nil
        }
        var next = Active(order: made.order, redactor: Redactor())
        next.origin = made.order.upstream.flatMap { UpstreamOrigin($0) }
        if next.origin != nil { _ = try upstreamClient() }
        if let book = made.book { next.player = ReplayPlayer(book, files: made.files, order: made.order) }
        var previous: String?
        if var output = made.output {
            let handle = server?.handle
            let progress = onProgress
            let controller = HandedOver(WeakReference(self))
            // Entries written since the file was read are kept: its recorder knows where it ends.
            var same = old.flatMap { $0.file.isSame(as: output) ? $0 : nil }
            same?.release(goesOn: true)
            guard output.lock() else { throw Self.fault("recording", "is being recorded into already") }
            let renewed: (file: DataFile, previous: String)?
            do throws(RecordingError) {
                renewed = try made.renewed()
            } catch {
                throw Problem(.invalidBody, error.text)
            }
            if let renewed {
                // Entries of the previous mode that are still to be written go to the file of that mode, which was
                // moved.
                output.unlock()
                same = nil
                output = renewed.file
                previous = renewed.previous
                guard output.lock() else { throw Self.fault("recording", "is being recorded into already") }
            }
            do throws(Errno) {
                let recorder = try Recorder(
                    output,
                    end: made.end == nil ? nil : same?.end ?? made.end,
                    entries: same?.progress.entries ?? made.entries,
                    pseudonyms: same?.redactor.pseudonyms ?? Pseudonyms(from: made.numbersFrom),
                    redacts: made.redacts,
                    version: version,
                    fingerprinter: made.book?.fingerprinter,
                    continuing: same
                ) { state, written in
                    progress(state)
                    guard let written, written.print != nil else { return }
                    handle?.post { _ in controller.value.get?.noteWritten(written, api: api) }
                }
                next.recorder = recorder
                next.redactor = recorder.redactor
            } catch {
                throw Problem(.invalidBody, "\(made.order.recording ?? "the recording"): \(error)")
            }
        }
        next.redactor.pseudonyms.learn(from: emulator.issued)
        if next.origin != nil { noteSeeds() }
        active[api] = next
        release(old)
        return previous
    }

    /// Notes the secrets of the seeds of every API, not only of the one with the upstream.
    ///
    /// The secrets of seeds from files were noted when the files were read. The built-in seeds are read here, so that
    /// no start has to wait for them, even if files have replaced them: a stored world may have begun with them.
    private func noteSeeds() {
        guard !knowsSeeds else { return }
        knowsSeeds = true
        emulator.note(seeds: seedsOfBuild)
    }

    /// Ends a recording; a long one is searched for secrets on a worker.
    private func release(_ recorder: Recorder?) {
        guard let recorder else { return }
        guard recorder.isLong, server?.workers.submit({ recorder.release() }, then: {}) == true else {
            recorder.release()
            return
        }
    }

    /// Adds a recorded entry to the replay: a request without a recording is recorded once.
    private func noteWritten(_ written: Recorder.Written, api: Int) {
        active[api]?.player?.add(written)
    }

    static func fault(_ member: String, _ reason: String) -> Problem {
        Problem(
            .invalidBody,
            "$.\(member) \(reason). Nothing was changed.",
            items: [Problem.Item(path: "$.\(member)", reason: reason)]
        )
    }

    /// The one client, made when the first mode needs it.
    func upstreamClient() throws(Problem) -> UpstreamClient {
        if let client { return client }
        do throws(UpstreamFailure) {
            let made = UpstreamClient(
                trust: try TLSContext(authorities: authorities),
                ownPorts: ownPorts,
                limits: limits
            )
            client = made
            return made
        } catch {
            throw Self.fault("upstream", error.detail)
        }
    }

    /// Writes the remaining entries within the time limit of a stop (control contract, section 2).
    func close() {
        for mode in active.values { mode.recorder?.finish(within: .seconds(1)) }
    }

    // MARK: Credentials

    /// The screen that makes a request to a real backend and keeps the emulator's own credentials out of it.
    func screen(_ address: Address, _ mode: Active) -> CredentialScreen? {
        guard let origin = mode.origin else { return nil }
        return CredentialScreen(
            check: OutgoingCheck(emulator.issued, foreign: mode.foreign),
            origin: origin,
            path: address.path,
            linkPrefix: address.linkPrefix,
            twins: mode.order.mode == .diff ? mode.twins : nil
        )
    }

    /// Remembers the credentials of the emulator's form that a real backend has issued.
    ///
    /// They are another Understudy's, for as long as the mode lasts.
    func note(foreign prints: [UInt64], api: Int) {
        guard !prints.isEmpty, active[api] != nil else { return }
        for print in prints where active[api]?.foreign.count ?? 0 < Self.mostForeign {
            active[api]?.foreign.insert(print)
        }
    }

    // MARK: Answering

    /// The source of the answer to a request.
    enum Source {
        case endpoint
        case replay(ReplayResponder)
        /// A real backend: alone, or in addition to the endpoint.
        case upstream(Active)
        /// Work has to be done on a worker first; afterwards the source is determined again with its result.
        case reading(ReplayReading, ReplayPlayer, ReplayTurn?)
    }

    /// Finds the source of the answer to a request.
    ///
    /// `turn` is the result of earlier work on the request.
    func source(of exchange: Exchange, _ turn: ReplayTurn? = nil) -> Source {
        let api = exchange.apiIndex
        guard !active.isEmpty, let mode = active[api] else { return .endpoint }
        switch mode.order.mode {
        case .emulate: return .endpoint
        case .record, .spy, .diff: return .upstream(mode)
        case .replay, .recordMissing:
            guard let player = mode.player else { return .endpoint }
            let (request, address) = (exchange.request, exchange.context.address)
            let known = turn.flatMap { $0.player === player ? $0 : nil }
            if known == nil, request.body.bytes.count > ReplayPlayer.longestInPlace {
                let fingerprinter = player.fingerprinter(request.head, address)
                return .reading(.request(fingerprinter, request, address.path), player, nil)
            }
            let turn = known ?? Self.turn(request, address, player)
            let forwards = mode.order.mode == .recordMissing || mode.order.miss == .forward
            let state = { [emulator] in emulator.replayState(of: exchange) }
            if forwards, !player.holds(turn.live, state) { return .upstream(mode) }
            if let reading = player.pending(turn, request, address, state, now: { now(address) }) {
                return .reading(reading, player, turn)
            }
            let (emulator, policy) = (emulator, mode.order.miss)
            return .replay(
                ReplayResponder { call, state, isTrial in
                    switch player.answer(call, turn, &state, isTrial: isTrial) {
                    case .response(let response): .recorded(response)
                    case .miss: Self.miss(call, policy, turn, emulator.apis[api]).map { .miss($0) } ?? .endpoint
                    }
                }
            )
        }
    }

    private static func turn(_ request: HTTPRequest, _ address: Address, _ player: ReplayPlayer) -> ReplayTurn {
        let live = player.fingerprinter(request.head, address).of(request, path: address.path)
        return ReplayTurn(player.known(live, request, address), player)
    }

    /// The time of the world that an address selects.
    private func now(_ address: Address) -> Instant {
        guard let server else { return .epoch }
        return emulator.worldReading(address, at: HostTime(wall: server.realTime, monotonic: server.now)).now
    }

    private static func miss(_ call: Call, _ policy: MissPolicy, _ turn: ReplayTurn, _ api: AnyAPI) -> Response? {
        switch policy {
        case .emulate: return nil
        case .fail, .forward: return turn.player.miss(call, turn.live)
        case .status(let code):
            guard code >= 400 else { return Response(status: Status(code)) }
            return api.refusal(Status(code), "No recording has this request.")
        }
    }
}

/// A weak reference to a controller, for other threads.
private struct WeakReference {
    weak var get: ProxyController?

    init(_ controller: ProxyController) { get = controller }
}
