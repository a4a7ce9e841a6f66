package import Backend
import Basics
import CivilTime
package import Engine
package import ForwardProxy
package import HTTPMessage
import JSON
package import Recording
import Secrets
package import Transport
package import Worlds

/// Controls the mode of each API and finds the source of its responses.
///
/// Modes belong to the process, not to a world (control contract, section 13).
///
/// Belongs to the loop's thread.
package final class ProxyController {
    /// A mode other than `emulate`, with the objects that it needs.
    package struct Active {
        package internal(set) var order: ModeOrder
        package internal(set) var player: ReplayPlayer?
        var recorder: Recorder?
        var origin: UpstreamOrigin?
        package internal(set) var redactor: Redactor
        let correspondence = LearnedIDs()
        /// Prints of the credentials that the real backend has issued in this mode in the emulator's form.
        var foreign: Set<UInt64> = []
        /// The number of secrets that were known when the journal was last searched for them.
        var sweptSecrets = 0

        var rules: MatchRules { order.rules }
    }

    /// A mode in its place, where it is read and changed without a copy.
    final class ActiveMode {
        var value: Active

        init(_ value: Active) { self.value = value }
    }

    let emulator: Emulator
    private let version: String
    /// A file of additional certificate authorities for upstreams.
    private let authorities: String?
    let limits: UpstreamLimits
    package weak var server: Server?
    package weak var host: (any ProxyHost)?
    /// Searches requests and short responses, which must not wait for long ones.
    package private(set) lazy var searches = server?.makePool()
    /// The ports of this server, which can't be upstreams.
    package var ownPorts: Set<UInt16> = []
    /// The proxies that connections to backends and other hosts go through; set before the first is made.
    package var companyProxies = CompanyProxies()
    /// The modes other than `emulate`, by the index of their API.
    var active: [Int: ActiveMode] = [:]
    /// The recordings of custom APIs' folders, which answer where an API has no other mode.
    private var standing: [Int: ReplayPlayer] = [:]
    /// The folders of recordings of custom APIs.
    package var folders: [Int: String] = [:]
    /// The names of the files that recorders of this process write.
    package var recorded: Set<String> {
        Set(active.values.compactMap { $0.value.recorder?.file.name })
    }
    /// Tells whether an API may have another source than its endpoints.
    package var hasModes: Bool { !active.isEmpty || !standing.isEmpty }
    /// The one client, which is made when the first mode that needs it begins.
    private(set) var client: UpstreamClient?
    /// The client for hosts that the forward proxy passes on, made when the first is asked for.
    lazy var passing = UpstreamClient(trust: nil, ownPorts: ownPorts, limits: limits, proxies: companyProxies)
    /// The number of credentials of another Understudy that are remembered in a mode.
    static let mostForeign = 100_000

    let captureBudget = CaptureBudget()
    /// Tells whether the secrets of the built-in seeds have been noted.
    private var knowsSeeds = false
    /// The APIs with the built-in seeds, which are read on first use.
    private lazy var seedsOfBuild: [AnyAPI] = {
        let own = emulator.apis.filter(\.isOfBuild)
        return own + otherBuiltInAPIs(own.map(\.identity.name))
    }()
    /// Reads the APIs of the build but those of these names, with their built-in seeds.
    private let otherBuiltInAPIs: (_ known: [String]) -> [AnyAPI]
    /// A mode for which recordings have to be read or written first, requested by the current control call.
    private var pending: (order: ModeOrder, places: [RecordingPlace], recorders: [Recorder])?
    /// Called on a worker for each entry that was recorded.
    package var onProgress: @Sendable (RecordingProgress) -> Void = { _ in }

    package init(
        _ emulator: Emulator,
        version: String,
        authorities: String?,
        limits: UpstreamLimits,
        otherBuiltInAPIs: @escaping (_ known: [String]) -> [AnyAPI]
    ) {
        self.emulator = emulator
        self.version = version
        self.authorities = authorities
        self.limits = limits
        self.otherBuiltInAPIs = otherBuiltInAPIs
        for mark in IssuedPseudonym.beginnings + Pseudonyms.marks { emulator.issued.note(known: mark) }
    }

    /// The player of an API's mode or, without one, of its folder.
    package func player(of api: Int) -> ReplayPlayer? { active[api] != nil ? active[api]?.value.player : standing[api] }

    /// Has the recordings of a custom API's folder answer while it has no other mode; none ends that.
    package func stand(_ made: ModePreparation?, api: Int) {
        standing[api] = made.flatMap { made in
            made.book.map { ReplayPlayer($0, files: made.files, order: made.order) }
        }
    }

    /// The mode of an API; nil if that is `emulate`.
    package subscript(api: Int) -> Active? { active[api]?.value }

    /// Tells whether an API has a mode other than `emulate`.
    package func isProxied(_ api: Int) -> Bool { hasModes && active[api] != nil }

    /// Tells whether the emulation may answer requests to an API.
    package func answersByEmulation(_ api: Int) -> Bool {
        guard hasModes, let mode = active[api] else { return true }
        return switch mode.value.order.mode {
        case .emulate, .spy, .diff: true
        case .replay, .recordMissing: mode.value.order.miss == .emulate
        case .record: false
        }
    }

    package func orders(of apis: [Int]) -> [ModeOrder] {
        apis.map { active[$0]?.value.order ?? ModeOrder(api: $0, mode: .emulate) }
    }

    var hostTime: HostTime {
        guard let server else { return HostTime(wall: .epoch, monotonic: .epoch) }
        return HostTime(wall: server.realTime, monotonic: server.now)
    }

    // MARK: Changing

    /// Checks an order and begins it: at once, or after its recording has been read.
    package func set(_ order: ModeOrder) throws(Problem) -> ModeChange {
        var order = order
        if let upstream = order.upstream {
            guard let origin = UpstreamOrigin(upstream) else {
                throw Self.problem(
                    "upstream",
                    "must be an http or https address without a path, such as https://api.example.com"
                )
            }
            order.upstream = origin.text
            if origin.isSecure { try makeClient() }
        }
        var places: [RecordingPlace] = []
        if [.record, .replay, .recordMissing].contains(order.mode) {
            let name = order.recording ?? emulator.apis[order.api].identity.name + ".har"
            let isRead = order.mode == .replay
            guard let place = RecordingPlace(name: name, exists: { isRead && exists($0, api: order.api) }) else {
                throw Self.problem(
                    "recording",
                    "must be the name of a .har file in recordings/: letters, digits, . _ -"
                )
            }
            order.recording = place.text
            places = [located(place, api: order.api, isRead: isRead)]
        }
        // The recording that is read may be one that is still being written.
        let ending = places.isEmpty ? [active[order.api]].compactMap(\.self) : Array(active.values)
        let recorders = ending.compactMap(\.value.recorder).filter { !$0.isSettled }
        let isFirst = order.mode != .emulate && order.reachesUpstream && !knowsSeeds
        guard !places.isEmpty || isFirst || !recorders.isEmpty else {
            try begin(ModePreparation(order: order))
            return .done(document(of: order.api))
        }
        pending = (order, places, recorders)
        return .later
    }

    /// Tells whether a recording exists, in the folder of the API or in the usual one.
    private func exists(_ path: String, api: Int) -> Bool {
        let name = path.split(separator: "/").last ?? ""
        return FolderReader.exists(path) || folders[api].map { FolderReader.exists("\($0)/\(name)") } ?? false
    }

    /// Returns the place of a recording: that in the API's folder, unless only the usual folder has one to be read.
    private func located(_ place: RecordingPlace, api: Int, isRead: Bool) -> RecordingPlace {
        guard let folder = folders[api], !isRead || FolderReader.exists("\(folder)/\(place.text)") else { return place }
        return place.moved(to: folder)
    }

    /// Returns the preparation that the current control call has requested, to be run on a worker.
    package func takePending() -> (@Sendable () -> Result<ModePreparation, RecordingError>)? {
        guard let (order, places, recorders) = pending else { return nil }
        pending = nil
        let seeds = !order.reachesUpstream || knowsSeeds ? [] : seedsOfBuild
        return {
            for recorder in recorders { recorder.settle() }
            // Reading the seeds takes some milliseconds, so it is done before the mode begins.
            for seed in seeds { _ = seed.seedSecrets() }
            do throws(RecordingError) {
                return .success(try ModePreparation.make(order, places))
            } catch {
                return .failure(error)
            }
        }
    }

    /// The document of `GET mode`, in which `emulate` has none of the other members.
    private func document(of api: Int) -> JSON {
        orders(of: [api])[0].json(name: emulator.apis[api].identity.name)
    }

    /// Begins a mode whose recording was read for a control call, and returns the response to the call.
    package func begun(_ result: Result<ModePreparation, RecordingError>) throws(Problem) -> Response {
        switch result {
        case .success(let made):
            if let previous = try begin(made), let path = made.order.recording {
                host?.tell("recording", "moved the previous recording from \(path) to \(previous)")
            }
            return Response(
                status: .ok,
                fields: [.contentType: "application/json; charset=utf-8"],
                body: .bytes(document(of: made.order.api).serialized())
            )
        case .failure(let error): throw Self.problem("recording", "can't be used: \(error.text)")
        }
    }

    /// Replaces the mode of an API with a prepared one; returns the new path of an earlier recording of the same name.
    @discardableResult
    package func begin(_ made: ModePreparation) throws(Problem) -> String? {
        let api = made.order.api
        let old = active[api]?.value.recorder
        guard made.order.mode != .emulate else {
            active[api] = nil
            release(old)
            return nil
        }
        var next = Active(order: made.order, redactor: Redactor())
        next.origin = made.order.upstream.flatMap { UpstreamOrigin($0) }
        if made.order.reachesUpstream { try makeClient() }
        if let book = made.book { next.player = ReplayPlayer(book, files: made.files, order: made.order) }
        var previous: String?
        if var output = made.output {
            let handle = server?.handle
            let progress = onProgress
            let controller = HandedOver(WeakReference(self))
            // The recorder of the same file goes on, with the entries that it has still to write.
            var same = old.flatMap { $0.file.isSame(as: output) ? $0 : nil }
            guard same != nil || output.lock() else {
                throw Self.problem("recording", "is already being recorded into")
            }
            let renewed: (file: DataFile, previous: String)?
            do throws(RecordingError) {
                renewed = try made.renewed()
            } catch {
                throw Problem(.invalidBody, error.text)
            }
            if let renewed {
                // What the previous mode has still to write goes to the file of that mode, which was moved.
                if same == nil { output.unlock() }
                same = nil
                output = renewed.file
                previous = renewed.previous
                guard output.lock() else { throw Self.problem("recording", "is already being recorded into") }
            }
            let use = Recorder.Use(redacts: made.redacts, fingerprinter: made.book?.recordedFingerprinter) {
                state,
                written in
                progress(state)
                guard let written, written.print != nil || written.isLone || !written.entry.omissions.isEmpty else {
                    return
                }
                handle?.post { _ in controller.value.get?.noteWritten(written, api: api) }
            }
            do throws(Errno) {
                let recorder: Recorder
                if let same {
                    recorder = same
                    recorder.serve(use)
                } else {
                    recorder = try Recorder(
                        output,
                        end: made.end,
                        entries: made.entries,
                        cached: made.read.first?.cached ?? CachedAnswers(),
                        pseudonyms: Pseudonyms(from: made.numbersFrom),
                        version: version,
                        for: use
                    )
                }
                next.recorder = recorder
                next.redactor = recorder.redactor
            } catch {
                throw Problem(.invalidBody, "\(made.order.recording ?? "the recording"): \(error)")
            }
        }
        next.redactor.pseudonyms.learn(from: emulator.issued)
        if made.order.reachesUpstream { noteSeeds() }
        active[api] = ActiveMode(next)
        if old !== next.recorder { release(old) }
        return previous
    }

    /// Notes the secrets of the seeds of every API, not only of the one with the upstream.
    ///
    /// The secrets of seeds from files were noted when the files were read. The built-in seeds are read here, so that
    /// no start has to wait for them, even if files have replaced them: a stored world may have begun with them.
    func noteSeeds() {
        guard !knowsSeeds else { return }
        knowsSeeds = true
        emulator.note(seeds: seedsOfBuild)
    }

    /// Ends a recording, for which a worker writes what has come while the mode was being changed.
    private func release(_ recorder: Recorder?) {
        guard let recorder else { return }
        guard !recorder.isSettled, server?.workers.submit(mustRun: true, { recorder.release() }, then: {}) == true
        else { return recorder.release() }
    }

    /// Logs what was left out of a recorded entry, and adds it to the replay: a request without a recording is recorded
    /// once.
    private func noteWritten(_ written: Recorder.Written, api: Int) {
        let request = "\(written.entry.request.method) \(written.entry.request.url)"
        for omission in written.entry.omissions { host?.tell("recording", "\(request): \(omission)") }
        if written.isLone {
            host?.tell("recording", "\(request): \(CachedAnswers.words) recording; --fresh records the 200")
        }
        if written.print != nil { active[api]?.value.player?.add(written) }
    }

    static func problem(_ member: String, _ reason: String) -> Problem {
        Problem(
            .invalidBody,
            "$.\(member) \(reason). Nothing was changed.",
            items: [Problem.Item(path: "$.\(member)", reason: reason)]
        )
    }

    private func makeClient() throws(Problem) {
        guard client == nil else { return }
        do throws(UpstreamFailure) {
            client = UpstreamClient(
                trust: try TLSContext(authorities: authorities),
                ownPorts: ownPorts,
                limits: limits,
                proxies: companyProxies
            )
        } catch {
            throw Self.problem("upstream", error.detail)
        }
    }

    /// Writes the remaining entries within the time limit of a stop (control contract, section 2).
    package func close() {
        for mode in active.values { mode.value.recorder?.finish(within: .seconds(1)) }
    }

    // MARK: Credentials

    /// The screen that makes a request to a real backend and keeps the emulator's own credentials out of it.
    package func screen(_ exchange: Exchange, _ mode: Active) -> CredentialScreen? {
        guard let origin = origin(of: exchange, mode) else { return nil }
        let address = exchange.context.address
        return CredentialScreen(
            check: OutgoingCheck(emulator.issued, foreign: mode.foreign),
            origin: origin,
            path: address.path,
            linkPrefix: address.linkPrefix,
            leadsLinksHere: mode.order.leadsLinksHere && mode.order.mode != .diff,
            correspondence: mode.order.mode == .diff ? mode.correspondence.value : nil,
            redactor: mode.redactor
        )
    }

    /// The real backend of an exchange: the one that the mode names, else the origin that the client asked the forward proxy
    /// for (proxy contract, section 6).
    func origin(of exchange: Exchange, _ mode: Active) -> UpstreamOrigin? {
        mode.origin ?? exchange.request.head.proxied.flatMap { UpstreamOrigin($0.origin) }
    }

    /// Remembers the credentials of the emulator's form that a real backend has issued.
    ///
    /// They are another Understudy's, for as long as the mode lasts.
    func note(foreign prints: [UInt64], api: Int) {
        guard !prints.isEmpty, active[api] != nil else { return }
        for print in prints where active[api]?.value.foreign.count ?? 0 < Self.mostForeign {
            active[api]?.value.foreign.insert(print)
        }
    }
}

/// A weak reference to a controller, for other threads.
private struct WeakReference {
    weak var get: ProxyController?

    init(_ controller: ProxyController) { get = controller }
}
