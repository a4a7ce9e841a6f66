package import Backend
import Basics
import CivilTime
import Conditions
import Control
import CustomAPIs
import Engine
import ForwardProxy
import HTTPMessage
import HTTPWire
package import JSON
import Persistence
import ProxyControl
import Proxying
import Recording
import Serving
package import Transport
import Worlds

/// A running emulator: configuration in, listeners open, ready to run.
package final class RunningEmulator {
    package static let version = ProgramVersion.number

    let service: EmulatorService
    /// All worlds; only the thread that runs the emulator may use it.
    let emulator: Emulator
    /// Sentences for people about the certificates: what is wrong with them, and what was made.
    package private(set) var warnings: [String]
    package let certificateNotes: [String]
    let server: Server
    /// Device mode as it was asked for; nil without it.
    let localNetworkOptions: LocalNetwork?
    /// The address for phones; nil without device mode and after its time.
    var networkChoice: NetworkChoice?
    /// Called on the loop's thread when device mode changes.
    package var onNetworkChange: ((LocalNetworkChange) -> Void)?
    private let access: AccessLog
    /// Tells that nobody takes the lines of the log, so that nothing more should be written there.
    package private(set) var isLogStuck = false
    /// Watches for changed seeds; nil without `--watch`.
    private let watch: SeedWatch?
    /// Watches for changed folders of custom APIs; nil without any, and with `--no-watch`.
    private let customAPIWatcher: CustomAPIWatcher?
    private let apis: [AnyAPI]
    /// The parts of custom APIs' folders that are understood and not supported, and what their recordings lack.
    package private(set) var notes: [SeedError.Item] = []
    /// False after a run whose last changes could not be written to the state folder.
    package private(set) var isStateWritten = true
    /// The new path of the recording that `record` has moved out of the way.
    package private(set) var keptRecording: String?
    package private(set) var hub = ""
    /// Name and origin of each API, in the order of their ports.
    package private(set) var origins: [(name: String, url: String)] = []

    /// Reads the seeds, makes the world `main`, and opens every listener.
    ///
    /// Nothing is left open when it throws. `log` takes finished lines of the access log and is called on a worker.
    package init(
        _ configuration: Configuration,
        log: @escaping @Sendable ([UInt8]) -> Void
    ) throws(StartError) {
        // The watch begins before anything is read, so that no change in between goes unseen.
        watch = configuration.watchedSeeds.map { SeedWatch($0, apis: configuration.apis) }
        customAPIWatcher =
            configuration.watchesCustomAPIs
            ? CustomAPIWatcher(configuration.customAPIs, in: configuration.customAPIFolders) : nil
        var recordings: [CustomAPIRecordings] = []
        do throws(SeedError) {
            var served = try APICatalogue.load(configuration.apis, from: configuration.seeds)
            if !configuration.customAPIs.isEmpty {
                let own = try CustomAPILoad(configuration.customAPIs, ports: Set(configuration.apiPorts.keys))
                served += own.apis as [AnyAPI]
                notes = own.notes
                recordings = own.recordings
            }
            apis = served
        } catch {
            throw .seeds(error)
        }
        try Self.checkPorts(of: apis, configuration)
        let forwardProxy = try configuration.forwardProxy?.state(apis)
        let time = TimeSource.system
        let secured = try configuration.tls.open(
            seed: configuration.emulator.seed,
            hosts: configuration.hosts,
            mapped: forwardProxy?.map.names ?? [],
            now: time.wall()
        )
        localNetworkOptions = configuration.localNetwork
        warnings = secured?.warnings ?? configuration.tls.unusedWarning.map { [$0] } ?? []
        certificateNotes = secured?.notes ?? []
        let hostTime = HostTime(wall: time.wall(), monotonic: time.monotonic())
        var core = configuration.emulator
        core.maximumWorlds = configuration.limits.worlds
        core.maximumFaults = configuration.limits.faults
        core.maximumGates = configuration.limits.gates
        core.outboxMessages = configuration.limits.outbox
        core.bounds = configuration.limits.bounds
        let emulator = Emulator(apis: apis, configuration: core, at: hostTime)
        self.emulator = emulator
        let store = try configuration.stateFolder.map { (folder) throws(StartError) in try Self.store(folder) }
        let isStored = store?.isNew == false
        try Self.start(configuration, in: emulator, isStored: isStored)
        try Self.activate(configuration.scenarios, in: emulator, isStored: isStored, at: hostTime)
        if let store { try Self.adopt(store, in: emulator, at: hostTime) }
        emulator.noteGivenSeeds(isKept: store != nil)
        if let token = configuration.adminToken {
            // A later start may have another token, and this one stays a credential of the emulator: it is noted first
            // as one to be stored.
            if store != nil { emulator.issued.note(token) }
            emulator.issued.note(known: token)
        }
        if let token = forwardProxy?.token { emulator.issued.note(known: token) }
        let control = ControlAPI(
            safety: ControlSafety(
                hosts: configuration.controlHosts,
                allowedHosts: configuration.allowedHosts,
                adminToken: configuration.adminToken,
                acceptsNumericHosts: configuration.listensEverywhere,
                speaksTLS: configuration.tls.mode != .off
            ),
            version: Self.version,
            startedAt: hostTime.monotonic,
            table: APICatalogue.control
        )
        access = AccessLog(
            format: configuration.logFormat,
            level: configuration.logLevel,
            isColored: configuration.logIsColored,
            nearest: { [apis] name, path, method in
                apis.first { $0.identity.name == name }.flatMap { NearRoute.hint($0, path, method) }
            },
            write: log
        )
        var upstreamLimits = configuration.upstreamLimits
        upstreamLimits.exchanges = configuration.limits.upstreamExchanges
        let proxy = ProxyController(
            emulator,
            version: Self.version,
            authorities: configuration.upstreamAuthorities,
            limits: upstreamLimits,
            otherBuiltInAPIs: { APICatalogue.builtInAPIs(except: $0) }
        )
        service = EmulatorService(
            emulator: emulator,
            control: control,
            log: access,
            limits: configuration.limits.serving,
            proxy: proxy,
            preciseNow: time.monotonic
        )
        do throws(Errno) {
            server = try Server(
                application: service,
                limits: configuration.serverLimits.fittingDescriptors(),
                time: time
            )
        } catch {
            throw .system("\(error)")
        }
        service.rules = { APICatalogue.rules }
        service.server = server
        if let secured {
            secured.server.handshakeTime = .seconds(Int64(configuration.limits.handshakeSeconds))
            Self.secure(server, service, with: secured, mode: configuration.tls.mode, apis: apis)
        }
        watch?.server = server
        watch?.pool = service.lines?.chores
        watch?.changed = { [weak service] in service?.reload($0.apis, files: $0.files) }
        if let customAPIWatcher { watch(customAPIWatcher, proxy) }
        proxy.server = server
        if !recordings.isEmpty { notes += try Self.stand(recordings, of: apis, in: proxy) }
        if let onRecorded = configuration.onRecorded { proxy.onProgress = onRecorded }
        if let store {
            let path = store.path
            let coordinator = PersistenceCoordinator(store, emulator) { error in
                log(Array("understudy: the state could not be written to \(path): \(error)\n".utf8))
            }
            service.storedAnswers = StoredAnswers(coordinator, server)
        }
        try open(configuration)
        if let forwardProxy { try open(forwardProxy, configuration) }
        proxy.ownPorts = Set((0...apis.count + 1).compactMap { server.boundPort($0).map { UInt16($0) } })
        proxy.companyProxies = try configuration.companyProxies(besides: proxy.ownPorts)
        warnings += proxy.companyProxies.warnings
        networkChoice = try Self.bringDevices(
            configuration,
            to: service,
            emulator,
            hubPort: server.boundPort(0) ?? 0,
            at: hostTime
        )
        for mode in [configuration.mode].compactMap(\.self) + configuration.furtherModes { try begin(mode) }
        guard let storedAnswers = service.storedAnswers else { return }
        do throws(WorldStoreError) {
            try storedAnswers.coordinator.begin()
        } catch {
            throw StartError(error)
        }
    }

    private static func store(_ folder: String) throws(StartError) -> any WorldStore {
        do throws(WorldStoreError) {
            return try SQLiteWorldStore(folder: folder)
        } catch {
            throw StartError(error)
        }
    }

    /// Resumes from the content of the store, if the store is not new.
    private static func adopt(_ store: any WorldStore, in emulator: Emulator, at hostTime: HostTime) throws(StartError)
    {
        emulator.issued.keepRecords()
        guard var content = store.takeContent() else { return }
        emulator.issued.adopt(content.issued)
        let hasRegister = !content.issued.isEmpty
        do throws(StoredWorldError) {
            try emulator.adopt(&content, at: hostTime)
            // A file of an earlier version has rows but no register of issued credentials.
            if !hasRegister { emulator.noteStoredSecrets() }
        } catch {
            throw StartError(store.damaged(error.detail))
        }
    }

    /// Has a worker look at the documents of custom APIs, part by part so that a stop waits for none, and hands over
    /// the notes that a start has no time for (own-API contract, section 2).
    package func examine(_ tell: @escaping ([SeedError.Item]) -> Void) {
        guard let pool = service.lines?.chores else { return }
        func look(_ examination: CustomAPIExamination) {
            _ = pool.submit {
                var examination = examination
                examination.advance()
                return examination
            } then: { examination in
                guard examination.isDone else { return look(examination) }
                let notes = examination.notes
                if !notes.isEmpty { tell(notes) }
            }
        }
        for definition in apis.compactMap(\.customAPIDefinition) {
            if let examination = CustomAPIExamination(definition) { look(examination) }
        }
    }

    private func watch(_ customAPIWatcher: CustomAPIWatcher, _ proxy: ProxyController) {
        customAPIWatcher.server = server
        customAPIWatcher.pool = service.lines?.chores
        customAPIWatcher.recordings = { [weak proxy] in proxy?.recorded ?? [] }
        customAPIWatcher.needsRestart = { [weak service] in service?.tellOfRestart($0) }
        customAPIWatcher.changed = { [weak service, weak proxy] reading in
            switch reading.outcome {
            case .success(let loaded):
                let isTaken = service?.reload(api: loaded.api, files: reading.files) { world, copy, index in
                    loaded.succession?.resume(&world, of: copy, at: index) ?? []
                }
                guard isTaken == true else { return }
                proxy?.stand(loaded.recordings, api: reading.index)
            case .failure(let error): service?.refuseReload(of: reading.name, error.items.map(\.text))
            }
        }
    }

    /// Reads the recordings of folders, and has them answer; returns what they have that is not as it should be.
    private static func stand(
        _ recordings: [CustomAPIRecordings],
        of apis: [AnyAPI],
        in proxy: ProxyController
    ) throws(StartError) -> [SeedError.Item] {
        var problems: [String] = []
        var notes: [SeedError.Item] = []
        for (index, api) in apis.enumerated() {
            guard let own = recordings.first(where: { $0.api == api.identity.name }) else { continue }
            proxy.folders[index] = own.folder
            do throws(RecordingError) {
                let made = try own.prepared(api: index)
                proxy.stand(made, api: index)
                notes += made?.notes ?? []
            } catch {
                problems.append(error.text)
            }
        }
        guard problems.isEmpty else { throw .recordings(problems) }
        return notes
    }

    /// Refuses two APIs on one port, and ports that do not exist.
    private static func checkPorts(of apis: [AnyAPI], _ configuration: Configuration) throws(StartError) {
        var taken: [Int: String] = configuration.port > 0 ? [configuration.port: "the hub"] : [:]
        for api in apis {
            let (name, port) = (api.identity.name, configuration.port(of: api))
            guard port > 0 else { continue }
            guard port <= 65_535 else {
                throw .ports(
                    "\(name) would listen on port \(port), but the highest port is 65535; --port-\(name) sets another"
                )
            }
            if let other = taken.updateValue(name, forKey: port) {
                throw .ports("\(other) and \(name) would share port \(port); --port-\(name) sets another")
            }
        }
    }

    private func open(_ configuration: Configuration) throws(StartError) {
        var addresses = [ListenAddress(hosts: configuration.hosts, port: UInt16(configuration.port))]
        for api in apis {
            addresses.append(ListenAddress(hosts: configuration.hosts, port: UInt16(configuration.port(of: api))))
        }
        do throws(BindError) {
            try server.listen(on: addresses)
        } catch {
            throw .bind(error)
        }
        // Nobody can connect to the address that stands for all.
        let host = configuration.listensEverywhere ? "127.0.0.1" : configuration.hosts[0]
        let shown = host.contains(":") ? "[\(host)]" : host
        let scheme = configuration.tls.mode == .required ? "https" : "http"
        func origin(_ listener: Int) -> String { "\(scheme)://\(shown):\(server.boundPort(listener) ?? 0)" }
        hub = origin(0)
        origins = apis.enumerated().map { ($0.element.identity.name, origin($0.offset + 1)) }
        service.origins = Origins(
            hub: hub,
            apis: origins.map(\.url),
            ports: (0...apis.count).compactMap { server.boundPort($0) }
        )
    }

    /// Reads the fault file and applies the conditions that `main` starts with.
    private static func start(
        _ configuration: Configuration,
        in emulator: Emulator,
        isStored: Bool
    ) throws(StartError) {
        if let file = configuration.faults {
            do throws(SeedError) {
                emulator.startFaults = try FaultFile.read(
                    file.bytes,
                    place: file.place,
                    apis: emulator.apis.map(\.identity.name)
                )
            } catch {
                throw .seeds(error)
            }
            guard emulator.startFaults.count <= configuration.limits.faults else {
                let reason = "has \(emulator.startFaults.count) faults; the limit is \(configuration.limits.faults)"
                throw .seeds(SeedError([SeedError.Item(place: file.place, line: 1, path: "$", reason: reason)]))
            }
        }
        emulator.startLatency = configuration.latency.map { Latency($0) }
        // A stored world resumes as it was; a reset applies them.
        if !isStored, let main = emulator[world: WorldName.main] { emulator.bringStartConditions(to: main) }
    }

    private static func activate(
        _ names: [String],
        in emulator: Emulator,
        isStored: Bool,
        at hostTime: HostTime
    ) throws(StartError) {
        guard let main = emulator[world: WorldName.main] else { return }
        for name in names {
            guard let scenario = emulator.scenario(named: name) else {
                throw .unknownScenario(name, Suggestion.nearest(to: name, among: emulator.scenarioNames))
            }
            if let refusal = emulator.refusal(of: [scenario], in: main) { throw .scenario(name, refusal.detail) }
            // A stored world resumes as it was; a reset activates them again.
            if !isStored { emulator.activate(scenario, in: main, at: hostTime) }
        }
        emulator.startScenarios = names
    }

    /// Begins the mode that the command line asked for.
    private func begin(_ mode: ModePreparation) throws(StartError) {
        do throws(Problem) {
            keptRecording = try service.proxy.begin(mode)
        } catch {
            // The command line has flags where a call has members.
            guard let item = error.items.first, item.path == "$.recording" else { throw .mode(error.detail) }
            let file = mode.order.recording ?? "the recording"
            throw .mode("\(file) \(item.reason); --out FILE.har names another file")
        }
    }

    var secureTransport: SecureTransport? { service.secure }

    /// The handle by which other threads stop the server.
    package var handle: ServerHandle { server.handle }

    /// The members of the line that a structured log begins with.
    package func listening(pid: Int) -> JSONObject {
        [
            "version": .string(Self.version), "hub": .string(hub),
            "apis": .object(JSONObject(origins.map { JSONObject.Member(name: $0.name, value: .string($0.url)) })),
            "pid": .integer(Int64(pid)),
        ]
    }

    /// The machine-readable line that reports every listener open (control contract, section 2).
    package func readyLine(pid: Int) -> String {
        var document: JSONObject = [
            "ready": true, "hub": .string(hub),
            "apis": .object(JSONObject(origins.map { JSONObject.Member(name: $0.name, value: .string($0.url)) })),
            "pid": .integer(Int64(pid)),
        ]
        if let tls = Self.readyTLS(service.secure) { document.append("tls", tls) }
        if let network = Self.readyNetwork(localNetwork) { document.append("lan", network) }
        if let proxy = service.forwardProxy { document.append("proxy", proxy.ready) }
        return JSON.object(document).text
    }

    /// Runs until stopped; returns the number of exchanges that the stop cut.
    @discardableResult
    package func run() -> Int {
        scheduleSweep()
        scheduleBeat()
        watch?.begin()
        customAPIWatcher?.begin(apis)
        beginNetwork()
        let cut = server.run()
        assert(service.isIdle, "an exchange has ended and is remembered")
        service.proxy.close()
        isStateWritten = service.storedAnswers?.coordinator.close() ?? true
        isLogStuck = !access.close()
        return cut
    }

    /// Sends a heartbeat to event streams every 15 s (control contract, section 15).
    private func scheduleBeat() {
        server.schedule(after: .seconds(15)) { [weak self] in
            self?.service.beat()
            self?.scheduleBeat()
        }
    }

    /// Expires worlds with a time to live, once a second.
    private func scheduleSweep() {
        server.schedule(after: .seconds(1)) { [weak self] in
            self?.service.sweep()
            self?.scheduleSweep()
        }
    }
}

/// A reason for which an emulator could not start.
package enum StartError: Error, Sendable {
    case seeds(SeedError)
    case bind(BindError)
    /// Recordings of custom APIs' folders can't be used.
    case recordings([String])
    /// Two APIs have one port, or one has none.
    case ports(String)
    case unknownScenario(String, String?)
    /// Certificates or keys can't be used.
    case tls(String)
    /// The hosts of the forward proxy have a mistake.
    case proxy(String)
    /// A scenario can't be switched on, for the given reason.
    case scenario(String, String)
    /// The mode of `record` or `replay` can't begin.
    case mode(String)
    case system(String)
    /// A state folder or its file can't be used, for the given reason.
    case state(path: String, reason: String)
}

extension StartError {
    fileprivate init(_ error: WorldStoreError) { self = .state(path: error.path, reason: error.reason) }
}
