import Backend
import CivilTime
import ClientCommands
import Control
import Engine
import JSON
import Traffic
import Transport
import Understudy
import Worlds

/// `token`: prints a token of the running server, or without one a token that a `serve` with the same seed and clock
/// accepts in its world `main` (control contract, section 2; clients contract, section 1).
enum TokenCommand: Command {
    static let name = "token"
    static let summary = "prints a token of a running server, or one for a server with the same seed and clock"
    static let part: CommandPart? = .listing
    static let usage = "--api NAME --user WHO [flags]"
    static let options = [
        Option(
            name: "api",
            kind: .value("NAME"),
            values: .apis,
            help: "the API",
            default: "required"
        ),
        Option(
            name: "user",
            kind: .value("WHO"),
            values: .running(.users),
            help: "an e-mail address or an id",
            default: "required"
        ),
        Option(
            name: "kind",
            kind: .value(kinds.joined(separator: "|")),
            values: .names(kinds),
            help: "the kind of token",
            default: "access"
        ),
        Option(
            name: "state",
            kind: .value(states.joined(separator: "|")),
            values: .names(states),
            help: "the validity of the token",
            default: "valid"
        ),
    ]
    static let settings = ServeOptions.shared + [CustomAPIOptions.folders]
    static var serverFlags: [Option] { ServerOptions.all.filter { $0.name != ServerOptions.api.name } }
    static let discussion = """
        With --url, --world or UNDERSTUDY_URL it asks that running server, without them the one at
        http://127.0.0.1:4680. With a flag of serve, such as --seed, and where no server with the API answers there, it
        creates the token offline.
        """
    static let examples = [
        Example(
            "understudy token --api omnichat --user test@icloud.com --state expired",
            "an expired access token of a seeded user"
        )
    ]

    private static let kinds = TokenOrder.Kind.allCases.map(\.rawValue)
    private static let states = TokenOrder.State.allCases.map(\.rawValue)

    static func run(_ arguments: Arguments) throws(UsageError) -> Int32 {
        if asksServer(arguments) { return try ask(arguments) }
        for name in ["admin-token", "explain"] where arguments.isOn(name) {
            throw UsageError(message: "--\(name) is for a running server: add --url HUB")
        }
        if let code = try askUsualServer(arguments) { return code }
        // The token has to be one that `serve` accepts, so all of its settings are read.
        let settings = try Settings(
            ServeOptions.adding(to: options + settings),
            arguments: arguments,
            environment: Environment.variables
        )
        let configuration = try Configuration(settings)
        Terminal.warn(settings.warnings)
        guard let api = arguments["api"] else { throw Self.missingAPI(APICatalogue.names + settings.own.names) }
        guard let user = arguments["user"] else { throw UsageError(message: "token needs --user WHO") }
        let kind = try choice(TokenOrder.Kind.self, "kind", arguments) ?? .access
        let state = try choice(TokenOrder.State.self, "state", arguments) ?? .valid
        let apis = try LoadedAPIs.load([api], own: settings.own, from: configuration.seeds)
        let time = TimeSource.system
        let hostTime = HostTime(wall: time.wall(), monotonic: time.monotonic())
        let emulator = Emulator(apis: apis, configuration: configuration.emulator, at: hostTime)
        guard let hosted = emulator[world: WorldName.main], let definition = apis.first else { return ExitCode.failed }
        hosted.world.tick(to: hostTime)
        let order = TokenOrder(user: user, kind: kind, state: state, isOffline: true)
        switch definition.mint(&hosted.world, 0, order) {
        case .success(let minted):
            Terminal.out(arguments.isOn("json") ? JSON.object(["token": .string(minted.token)]).text : minted.token)
            return ExitCode.ok
        case .failure(let fault):
            // Above all it is the user that is not there.
            let users = definition.ledger(hosted.world, 0).users.map { $0.email ?? $0.id }
            if fault.slug == .unknownUser,
                case .failed(let text) = NameHint.unknown(
                    "user",
                    user,
                    among: users,
                    in: nil,
                    listsKnown: true
                )
            {
                Terminal.error("understudy: \(api): \(text)")
            } else {
                Terminal.error("understudy: \(fault.detail)")
            }
            return ExitCode.failed
        }
    }

    // MARK: A running server

    private static func asksServer(_ arguments: Arguments) -> Bool {
        arguments.isOn("url") || arguments.isOn("world") || !(Environment["UNDERSTUDY_URL"] ?? "").isEmpty
    }

    private static func missingAPI(_ known: [String]) -> UsageError {
        UsageError(message: "token needs --api NAME, one of \(known.joined(separator: ", "))")
    }

    /// Asks the server at the usual address; nil where a token is to be made offline.
    private static func askUsualServer(_ arguments: Arguments) throws(UsageError) -> Int32? {
        guard let api = arguments["api"], arguments["user"] != nil,
            !settings.contains(where: { arguments.isOn($0.name) })
        else { return nil }
        var server = try RunningServer(arguments)
        (server.api, server.world) = (nil, nil)
        var (reason, isThere) = (String?.none, false)
        do throws(CommandFailure) {
            let isServed = try server.names(at: "/apis", within: .seconds(2)).contains(api)
            reason = isServed ? nil : "the server at \(server.address) has no API \"\(VisibleText.escaped(api))\""
            isThere = isServed
        } catch {
            switch error {
            // Scripts that make tokens offline need no word about it.
            case .noServer(let address, _, _, _):
                reason = Terminal.isErrorTerminal ? "no server answers at \(address)" : nil
            case .problem: reason = "the server at \(server.address) refuses the call; --url and --admin-token ask it"
            default: reason = "what answers at \(server.address) is no server of Understudy"
            }
        }
        if isThere { return try ask(arguments) }
        if let reason {
            Terminal.error(
                "understudy: \(reason): the token is made offline, for a server with the same seed and clock"
            )
        }
        return nil
    }

    private static func ask(_ arguments: Arguments) throws(UsageError) -> Int32 {
        for option in settings where arguments.isOn(option.name) {
            throw UsageError(message: "\(option.flag) is for a token made offline; a running server has its own")
        }
        let kind = try choice(TokenOrder.Kind.self, "kind", arguments) ?? .access
        let state = try choice(TokenOrder.State.self, "state", arguments) ?? .valid
        var server = try RunningServer(arguments)
        server.api = nil
        do throws(CommandFailure) {
            guard let api = arguments["api"] else {
                throw .usage(missingAPI((try? server.names(at: "/apis")) ?? APICatalogue.names).message)
            }
            guard let user = arguments["user"] else { throw .usage("token needs --user WHO") }
            let body: JSON = [
                "api": .string(api), "user": .string(user), "kind": .string(kind.rawValue),
                "state": .string(state.rawValue),
            ]
            let answer = try mint(body, api, server)
            server.show(answer) { Terminal.out(answer["token"]?.stringValue ?? "") }
            return ExitCode.ok
        } catch {
            return try server.report(error)
        }
    }

    /// Makes the token; where the server does not have the API or the user, those that it has are named.
    private static func mint(_ body: JSON, _ api: String, _ server: RunningServer) throws(CommandFailure) -> JSON {
        do throws(CommandFailure) {
            return try server.call("POST", "/tokens", body: body)
        } catch {
            guard case .problem(let answer) = error, !server.printsJSON else { throw error }
            let apis = try server.names(at: "/apis")
            guard apis.contains(api) else { throw NameHint.unknown("API", api, among: apis, in: nil) }
            guard answer.json["type"] == "/__admin/problems/unknown-user" else { throw error }
            var narrowed = server
            narrowed.api = api
            guard let users = try? narrowed.call("GET", "/users", query: [(name: "limit", value: "1000")]) else {
                throw error
            }
            let labels = (users["items"]?.arrayValue ?? []).compactMap { ($0["email"] ?? $0["id"])?.stringValue }
            let user = body["user"]?.stringValue ?? ""
            throw NameHint.unknown("user", user, among: labels, in: server.world, listsKnown: true)
        }
    }

    private static func choice<Choice: RawRepresentable & CaseIterable>(
        _ type: Choice.Type,
        _ name: String,
        _ arguments: Arguments
    ) throws(UsageError) -> Choice? where Choice.RawValue == String {
        guard let text = arguments[name] else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let known = Choice.allCases.map(\.rawValue)
            let hint = Suggestion.hint(to: text, among: known)
            throw UsageError(message: "--\(name): \"\(text)\" is not one of \(known.joined(separator: ", "))\(hint)")
        }
        return choice
    }
}
