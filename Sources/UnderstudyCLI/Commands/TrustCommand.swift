import Basics
import Certificates
import ClientCommands
import Control
import JSON
import Transport
import Understudy

/// `trust`: makes the authority, and has the stores of this machine trust its root (transport contract, section 5).
enum TrustCommand: Command {
    static let name = "trust"
    static let summary = "makes the clients of this machine trust the certificates of serve --tls"
    static let usage = "[--yes] [--store NAME…] [--renew] | --check | --bundle"
    static let stores = Option(
        name: "store",
        kind: .list("NAME…"),
        values: .names(TrustStore.allCases.map(\.rawValue)),
        help: "only these stores: \(TrustStore.allCases.map(\.rawValue).joined(separator: ", "))",
        default: "all that exist"
    )
    static let yes = Option(name: "yes", kind: .toggle, help: "also runs the commands that it prints", default: "off")
    static let options = [
        yes, stores,
        Option(
            name: "check",
            kind: .toggle,
            help: "connects with curl, python3, node and openssl, and reports which of them trust the root",
            default: "off"
        ),
        Option(
            name: "bundle",
            kind: .toggle,
            help: "writes the system's roots and Understudy's into one file, and prints its path",
            default: "off"
        ),
        Option(
            name: "allow-name",
            kind: .list("NAME…"),
            help: "more DNS names that the authority may sign; only when it is created",
            default: "none"
        ),
        Option(
            name: "renew",
            kind: .toggle,
            help: "creates a new authority in place of the one that exists, with its names and those of --allow-name",
            default: "off"
        ),
        Option(
            name: "unconstrained",
            kind: .toggle,
            help: "lets the authority sign every name; only when it is created",
            default: "off"
        ),
    ]
    static let settings = [TLSOptions.folder]
    static let discussion = """
        Without --yes the authority is created if there is none, and nothing else is changed: the commands that would run
        are printed, with the stores that only root may change. `understudy exec --tls -- CMD` needs no store at all.
        """
    static let examples = [
        Example("understudy trust --yes", "every store that exists"),
        Example("export SSL_CERT_FILE=$(understudy trust --bundle)", "one shell, without changing a store"),
        Example("understudy trust --check", "which clients trust the root"),
    ]

    static func run(_ arguments: Arguments) throws(UsageError) -> Int32 {
        let chosen = try chosenStores(arguments)
        let ways = ["check", "bundle"].filter(arguments.isOn)
        guard ways.isEmpty || !arguments.isOn("renew") else {
            throw UsageError(message: "--renew and --\(ways[0]) can't be combined")
        }
        guard ways.count < 2, ways.isEmpty || !arguments.isOn("yes") && arguments.values["store"] == nil else {
            throw UsageError(message: "--check, --bundle and the stores (--yes, --store) can't be combined")
        }
        guard arguments.values["allow-name"]?.isEmpty != true else {
            throw UsageError(message: "--allow-name: names no host")
        }
        let ports = try ports(arguments)
        do throws(CertificateError) {
            let folder = try AuthorityFolder.place(ports.folder)
            let (options, now) = (try options(arguments), TimeSource.system.wall())
            let owner = AuthorityFolder.owner()
            let opened =
                arguments.isOn("renew")
                ? try AuthorityFolder.renew(folder, options: options, owner: owner, now: now)
                : try AuthorityFolder.open(folder, options: options, owner: owner, now: now)
            Terminal.warn(opened.warnings)
            if arguments.isOn("check") { return check(ports) }
            if arguments.isOn("bundle") { return try bundle(opened.authority, in: folder) }
            if opened.wasMade { Terminal.out("created a certificate authority in \(folder)") }
            if arguments.isOn("renew") {
                Terminal.out("devices and stores that trusted the former root have to trust this one")
            }
            Terminal.out("root  \(opened.authority.root.subject)\n      \(folder)/root.pem")
            return TrustPlan.carryOut(
                chosen.map { ($0, $0.additions(of: "\(folder)/root.pem")) },
                runs: arguments.isOn("yes"),
                command: "understudy trust --yes"
            )
        } catch {
            Terminal.error("understudy: \(error.description)")
            return ExitCode.usage
        }
    }

    /// The stores of the command line, in their own order.
    static func chosenStores(_ arguments: Arguments) throws(UsageError) -> [TrustStore] {
        guard let names = arguments.values[stores.name] else { return TrustStore.allCases }
        guard !names.isEmpty else { throw UsageError(message: "--store: names no store") }
        for name in names where TrustStore(rawValue: name) == nil {
            let known = TrustStore.allCases.map(\.rawValue)
            let hint = Suggestion.hint(NearestName.nearest(to: name, among: known))
            throw UsageError(
                message: "--store: there is no store \"\(name)\" (known: \(known.joined(separator: ", ")))\(hint)"
            )
        }
        return TrustStore.allCases.filter { names.contains($0.rawValue) }
    }

    /// The ports as `serve` would have them speak TLS: with the authority of the same folder.
    static func ports(_ arguments: Arguments) throws(UsageError) -> SecurePorts {
        let settings = try Settings(ServeOptions.serve, arguments: arguments, environment: Environment.variables)
        Terminal.warn(settings.warnings)
        var ports = try TLSOptions.read(settings)
        ports.mode = .on
        ports.pairs = []
        return ports
    }

    private static func options(_ arguments: Arguments) throws(CertificateError) -> Authority.Options {
        var options = Authority.Options()
        options.isUnconstrained = arguments.isOn("unconstrained")
        for text in arguments.values["allow-name"] ?? [] { options.names.append(try Authority.Options.name(text)) }
        return options
    }

    private static func check(_ ports: SecurePorts) -> Int32 {
        switch TrustCheck.run(ports) {
        case .failure(let error): return EmulatorRun.report(error)
        case .success(let lines):
            if lines.isEmpty { Terminal.out("none of curl, python3, node and openssl is on this machine") }
            for line in lines { Terminal.out(line.line) }
            return lines.allSatisfy(\.isTrusted) ? ExitCode.ok : ExitCode.failed
        }
    }

    private static func bundle(_ authority: Authority, in folder: String) throws(CertificateError) -> Int32 {
        let place = "\(folder)/\(AuthorityFolder.bundle)"
        // The variable may name the bundle that is written here.
        guard let roots = Environment["SSL_CERT_FILE"] == place ? TrustBundle.systemRoots() : TrustBundle.roots() else {
            Terminal.error(
                "understudy: the system's roots were not found; set SSL_CERT_FILE to a file with the roots to keep"
            )
            return ExitCode.failed
        }
        let text = String(decoding: TrustBundle.joined([roots]), as: UTF8.self)
        let root = authority.root.pem
        let whole =
            text.contains(root) ? text : String(decoding: TrustBundle.joined([roots, Array(root.utf8)]), as: UTF8.self)
        Terminal.out(try AuthorityFolder.writeBundle(whole, in: folder))
        return ExitCode.ok
    }
}
