import CivilTime
package import ConductKit
import HTTPMessage
package import Recording

/// The exchanges of archives, gathered to be judged as one history (conduct contract, section 13).
package struct FileTraffic: Sendable {
    /// An entry that is left out or read with care, for standard error.
    package struct Oddity: Sendable, Equatable {
        package var file: String
        package var index: Int
        package var note: String

        /// `file: $.log.entries[3]: note`.
        package var text: String { "\(file): $.log.entries[\(index)]: \(note)" }
    }

    private struct Held: Sendable {
        var exchange: ConductExchange
        var host: String
        var place: FileAPI.Place
        var index: Int
        /// Another source than the emulation answered, which may have routes that the contract does not.
        var isTakenElsewhere: Bool
    }

    private let rules: RuleRegistry
    private let api: FileAPI?
    private var hosts: HostFilter
    private let namesFiles: Bool
    private var files: [String] = []
    private var creator: String?
    private var held: [Held] = []
    private var connections: [String: Int] = [:]
    /// The name by which each backend of this machine was met first, by its port.
    private var ownMachine: [String: String] = [:]
    /// The number of entries of the present file that went to one of the hosts.
    private var seenInFile = 0
    /// The number of entries of all files without a usable time.
    private var timeless = 0
    /// Credentials were taken out of a file.
    private var isMasked = false
    /// The present file has a credential.
    private var hasCredential = false
    package private(set) var oddities: [Oddity] = []

    /// Creates an empty history of so many files.
    ///
    /// - Parameters:
    ///   - rules: The rules by which it is judged.
    ///   - api: The API as whose traffic the files are read.
    ///   - hosts: Globs; empty for all hosts.
    ///   - count: The number of files.
    package init(_ rules: RuleRegistry, api: FileAPI?, hosts: [String], files count: Int) {
        self.rules = rules
        self.api = api
        self.hosts = HostFilter(hosts)
        namesFiles = count > 1
    }

    /// Begins the next file.
    package mutating func begin(_ name: String) {
        files.append(name.split(separator: "/").last.map(String.init) ?? name)
        (hasCredential, seenInFile) = (false, 0)
    }

    /// Ends the file, and says what program wrote it.
    package mutating func end(creator: String?) {
        if creator == "WebInspector", !hasCredential, seenInFile > 0 { isMasked = true }
    }

    /// Adds an entry of the present file.
    package mutating func add(_ entry: HAREntry, _ index: Int) {
        let file = files.count - 1
        let id = namesFiles ? "\(files[file])#entries[\(index)]" : "entries[\(index)]"
        guard hosts.takes(entry.request.url) else { return }
        seenInFile += 1
        noteCredentials(entry)
        switch FileEntry.read(entry, id: id, file: file) {
        case .noExchange: return
        case .oddity(let note):
            if entry.started == .epoch { timeless += 1 }
            oddities.append(Oddity(file: files[file], index: index, note: note))
        case .exchange(var exchange, let given):
            let host = backend(given)
            exchange.api = host
            if let name = FileEntry.connection(entry) { exchange.connection = number(of: "\(file) \(name)") }
            var place = FileAPI.Place.unknown
            if let api {
                let found = api.place(of: exchange.method, exchange.path)
                (place, exchange.path) = (found.place, found.path)
                exchange.world = exchange.world ?? found.world
            }
            let isTakenElsewhere = entry.source == "upstream" || entry.source == "recording"
            held.append(
                Held(
                    exchange: exchange,
                    host: host,
                    place: place,
                    index: index,
                    isTakenElsewhere: isTakenElsewhere
                )
            )
        }
    }

    /// The reason why nothing of the files is judged, if that is the choice of hosts.
    package var reasonOfNone: String? { hosts.refusal }

    /// The host of a backend, which is the same one by each name of the loopback interface.
    private mutating func backend(_ host: String) -> String {
        guard let name = ["localhost", "127.0.0.1", "[::1]"].first(where: { host == $0 || host.hasPrefix($0 + ":") })
        else { return host }
        let port = String(host.dropFirst(name.count))
        let known = ownMachine[port] ?? host
        ownMachine[port] = known
        return known
    }

    private mutating func number(of connection: String) -> Int {
        if let known = connections[connection] { return known }
        connections[connection] = connections.count + 1
        return connections.count
    }

    // MARK: Credentials

    private mutating func noteCredentials(_ entry: HAREntry) {
        for pair in entry.request.headers where ["authorization", "cookie"].contains(pair.name.lowercased()) {
            hasCredential = true
            if pair.name.lowercased() == "authorization", CredentialMask.stands(in: pair.value) { isMasked = true }
        }
        if entry.response.headers.value("set-cookie") != nil { hasCredential = true }
    }

    // MARK: Judging

    /// Judges the history.
    package func report(
        _ settings: ConductSettings,
        filter: ReportFilter,
        change: (inout ReportContext) -> Void
    ) -> JudgementReport {
        var engine = ConductEngine(rules, settings: settings, knowledge: api.map { [$0.knowledge] } ?? []) {
            [rules] api, token in
            TokenForms.recognise(token, of: api, rules)
        }
        let exchanges = exchanges
        for exchange in exchanges { engine.take(exchange) }
        let count = UInt64(exchanges.count)
        var context = ReportContext(
            world: nil,
            files: files,
            journal: JudgementReport.JournalRange(
                from: count > 0 ? 1 : nil,
                to: count > 0 ? count : nil,
                entries: exchanges.count
            )
        )
        context.lacksContract = api == nil
        context.lacksCredentials = isMasked
        context.lacksTimes = exchanges.isEmpty && timeless > 0
        change(&context)
        var filter = filter
        filter.api = api?.name
        return engine.report(filter, context)
    }

    /// The exchanges of one world after the other, as those of two are never compared, in the order of their begins, each of
    /// its API.
    private var exchanges: [ConductExchange] {
        let own = ownHosts
        let twins = twins(own)
        var worlds: [String: Int] = [:]
        let answered = Set(
            held.filter { $0.exchange.outcome == .delivered && (200..<400).contains($0.exchange.status) }
                .map(Self.routeName)
        )
        let ordered = held.sorted {
            ($0.exchange.startedAt, $0.exchange.file, $0.index) < ($1.exchange.startedAt, $1.exchange.file, $1.index)
        }
        let exchanges = ordered.enumerated().map { place, held in
            var exchange = held.exchange
            exchange.seq = UInt64(place + 1)
            let world = exchange.world ?? "main"
            exchange.epoch = worlds[world] ?? worlds.count
            worlds[world] = exchange.epoch
            guard let api, own.contains(held.host) else { return exchange }
            exchange.api = api.name
            if case .operation(let template) = held.place { exchange.route = template }
            // A backend that has answered has the route, whatever the contract says.
            let hasRoute = exchange.route == nil && answered.contains(Self.routeName(held))
            exchange.isEmulated = !hasRoute && !held.isTakenElsewhere
            if twins.contains(held.host) { exchange.peer = (exchange.peer ?? "") + " " + held.host }
            return exchange
        }
        return worlds.count < 2 ? exchanges : exchanges.sorted { ($0.epoch, $0.seq) < ($1.epoch, $1.seq) }
    }

    /// The hosts of which another one has an operation, too: several backends of one API, such as one to try things and the
    /// real one.
    private func twins(_ own: Set<String>) -> Set<String> {
        guard own.count > 1 else { return [] }
        var hosts: [String: Set<String>] = [:]
        for held in held where own.contains(held.host) {
            guard case .operation(let template) = held.place else { continue }
            hosts["\(held.exchange.method.rawValue) \(template)", default: []].insert(held.host)
        }
        return hosts.values.filter { $0.count > 1 }.reduce(into: []) { $0.formUnion($1) }
    }

    /// The route of an exchange as far as its path tells it.
    private static func routeName(_ held: Held) -> String {
        "\(held.host) \(held.exchange.method.rawValue) \(Content.route(of: held.exchange.path))"
    }

    /// The hosts of the API: those with an operation of it, or the only one.
    private var ownHosts: Set<String> {
        let all = Set(held.map(\.host))
        if all.count <= 1 { return all }
        return Set(held.filter { $0.place != .unknown }.map(\.host))
    }
}
