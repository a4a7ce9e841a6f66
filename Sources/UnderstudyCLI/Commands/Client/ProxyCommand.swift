import Basics
import Certificates
import ClientCommands
import JSON
import Transport
import Understudy

/// `proxy`: leads programs and devices to the forward proxy of a running server (proxy contract, section 8).
enum ProxyCommand: Command {
    static let name = "proxy"
    static let summary = "leads programs and devices to the forward proxy of a running server"
    static let part: CommandPart? = .steering
    static let usage = "env | on | off | status"
    static let operands = Operands.actions([
        Action("env", "", "prints the variables for a shell, as export lines"),
        Action("on", "", "prints the commands that set the proxy; --yes runs them"),
        Action("off", "", "prints the commands that put back what was there before; --yes runs them"),
        Action("status", "", "prints the address and the hosts of the server's proxy, and the machine's setting"),
    ])
    private static let target = Option(
        name: "for",
        kind: .value("system|android"),
        values: .names(ProxySetting.Target.allCases.map(\.rawValue)),
        help: "what on and off set: this machine, or the Android device of adb",
        default: "system"
    )
    private static let yes = Option(
        name: "yes",
        kind: .toggle,
        help: "also runs the commands of on and off",
        default: "off"
    )
    private static let token = Option(
        name: "proxy-token",
        kind: .value("TOKEN"),
        help: "the proxy's password, for env",
        default: "UNDERSTUDY_PROXY_TOKEN"
    )
    static let options = [target, yes, token]
    static var serverFlags: [Option] { ServerOptions.all }
    static let discussion = """
        The proxy is started by `understudy serve --proxy --map HOST=API`. Of serve's flags --map HOST[=API]… names hosts
        that an API answers for (*.NAME: all below a name), --unmapped refuse|tunnel says what becomes of others, --tunnel
        HOST[:PORT]… names hosts that are passed on in any case, and --proxy-token TOKEN|auto sets a password.
        --upstream-proxy URL|none names the company's proxy, with or without --proxy: connections to real backends and
        other hosts go through it, else through those of HTTPS_PROXY and HTTP_PROXY, but not to hosts in NO_PROXY.
        """
    static let examples = [
        Example(
            "eval \"$(understudy proxy env --world checkout)\"",
            "this shell's programs come by the proxy, in one world"
        )
    ]

    static func run(_ arguments: Arguments) throws(UsageError) -> Int32 {
        let server = try RunningServer(arguments)
        var kind = ProxySetting.Target.system
        if let word = arguments[target.name] {
            guard let known = ProxySetting.Target(rawValue: word) else {
                throw UsageError(message: "--for: \"\(word)\" is neither system nor android")
            }
            kind = known
        }
        do throws(CommandFailure) {
            let answer = try server.call("GET", "/proxy")
            guard let url = answer["url"]?.stringValue, let pac = answer["pac"]?.stringValue else {
                return arguments.isOn("explain") ? ExitCode.ok : ExitCode.failed
            }
            switch arguments.action?.name {
            case "env": printVariables(url, answer, world: server.world, token: arguments[token.name])
            case "on", "off":
                let setting = ProxySetting(kind, url: url, pac: pac, isOn: arguments.action?.name == "on")
                return setting.carryOut(runs: arguments.isOn(yes.name))
            default: show(answer, arguments.isOn("json"))
            }
            return ExitCode.ok
        } catch {
            // A machine whose server is gone needs its setting back most of all.
            if case .noServer = error, arguments.action?.name == "off", let setting = ProxySetting(takingAway: kind) {
                return setting.carryOut(runs: arguments.isOn(yes.name))
            }
            return try server.report(error)
        }
    }

    private static func printVariables(_ url: String, _ answer: JSON, world: String?, token: String?) {
        let password = token ?? Environment["UNDERSTUDY_PROXY_TOKEN"].flatMap { $0.isEmpty || $0 == "auto" ? nil : $0 }
        if password == nil, answer["needsToken"]?.boolValue == true {
            Terminal.warn(["the proxy needs its token, which these lines lack; --proxy-token TOKEN adds it"])
        }
        var address = url
        if world != nil || password != nil, let start = url.firstRange(of: "://")?.upperBound {
            let user = "\(world ?? "main"):\(ProxyURL.escaped(password ?? "x"))@"
            address = String(url[..<start]) + user + String(url[start...])
        }
        var lines = ProxyVariables.all(url: address).map { ($0.name, $0.value) }
        if let root = answer["ca"]?.stringValue { lines += authority(root) }
        for (name, value) in lines { Terminal.out("export \(name)=\(quoted(value))") }
    }

    /// The variables by which programs trust the root; none where its file is not on this machine.
    private static func authority(_ root: String) -> [(String, String)] {
        guard let content = try? FolderReader.contents(ofFile: root), let slash = root.lastIndex(of: "/") else {
            Terminal.warn(["\(root) can't be read here; GET /__admin/ca.pem has the root that programs have to trust"])
            return []
        }
        let lines = [(ExecTrust.rootVariable, root), ("NODE_EXTRA_CA_CERTS", root)]
        let text = String(decoding: TrustBundle.joined([TrustBundle.systemRoots() ?? [], content]), as: UTF8.self)
        guard let bundle = try? AuthorityFolder.writeBundle(text, in: String(root[..<slash])) else {
            Terminal.warn(["no bundle of roots can be written beside \(root)"])
            return lines
        }
        return lines + ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"].map { ($0, bundle) }
    }

    private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }

    private static func show(_ answer: JSON, _ printsJSON: Bool) {
        guard !printsJSON else { return Terminal.out(answer.text) }
        Terminal.out("proxy     \(answer["url"]?.stringValue ?? "")")
        Terminal.out("script    \(answer["pac"]?.stringValue ?? "")")
        Terminal.out("others    \(answer["unmapped"]?.stringValue ?? "")")
        for entry in answer["map"]?.arrayValue ?? [] {
            Terminal.out("map       \(entry["host"]?.stringValue ?? "") -> \(entry["api"]?.stringValue ?? "")")
        }
        for entry in answer["tunnel"]?.arrayValue ?? [] { Terminal.out("tunnel    \(entry.stringValue ?? "")") }
        for line in ProxySetting.status() { Terminal.out("machine   \(line)") }
    }
}
