import CivilTime
import Control
import Emulation
import JSON
import Transport
import Understudy

extension Commands {
    private static let tokenOptions =
        [
            Option(name: "api", kind: .value("NAME"), help: "the API", standard: "required"),
            Option(name: "user", kind: .value("WHO"), help: "an e-mail or an id", standard: "required"),
            Option(
                name: "kind",
                kind: .value(TokenOrder.Kind.allCases.map(\.rawValue).joined(separator: "|")),
                help: "the kind of token",
                standard: "access"
            ),
            Option(
                name: "state",
                kind: .value(TokenOrder.State.allCases.map(\.rawValue).joined(separator: "|")),
                help: "what the API will think of it",
                standard: "valid"
            ),
        ] + ServeOptions.shared

    /// Prints a token that a `serve` with the same seed and clock accepts in its world `main`.
    static func token(_ words: [String]) throws(UsageError) -> Int32 {
        let arguments = try Arguments(words, options: tokenOptions)
        if arguments.wantsHelp {
            Terminal.out(Help.command("token", usage: "--api NAME --user WHO [flags]", options: tokenOptions))
            return ExitCode.ok
        }
        // What `serve` would read beside the flags: the token has to be one that it accepts.
        let others = ServeOptions.serve.filter { option in !tokenOptions.contains { $0.name == option.name } }
        let settings = try Settings(
            tokenOptions + others,
            arguments: arguments,
            environment: Environment.variables
        )
        var configuration = try Configuration(settings)
        Terminal.warn(settings.warnings)
        guard let api = arguments.values["api"]?.last else { throw UsageError(message: "token needs --api NAME") }
        guard let user = arguments.values["user"]?.last else { throw UsageError(message: "token needs --user WHO") }
        let kind = try choice(TokenOrder.Kind.self, "kind", arguments) ?? .access
        let state = try choice(TokenOrder.State.self, "state", arguments) ?? .valid
        configuration.apis = [api]
        let apis: [AnyAPI]
        do throws(SeedError) {
            apis = try APICatalogue.load([api], from: configuration.seeds)
        } catch {
            throw UsageError(message: error.items.map(\.text).joined(separator: "\n"))
        }
        let time = TimeSource.system
        let hostTime = HostTime(wall: time.wall(), monotonic: time.monotonic())
        let emulator = Emulator(apis: apis, configuration: configuration.emulator, at: hostTime)
        guard let slot = emulator[world: WorldName.main], let definition = apis.first else { return ExitCode.failed }
        slot.world.tick(to: hostTime)
        let order = TokenOrder(user: user, kind: kind, state: state, isOffline: true)
        switch definition.mint(&slot.world, 0, order) {
        case .success(let minted):
            Terminal.out(minted.token)
            return ExitCode.ok
        case .failure(let fault):
            Terminal.error("understudy: \(fault.detail)")
            return ExitCode.failed
        }
    }

    private static func choice<Choice: RawRepresentable & CaseIterable>(
        _ type: Choice.Type,
        _ name: String,
        _ arguments: Arguments
    ) throws(UsageError) -> Choice? where Choice.RawValue == String {
        guard let text = arguments.values[name]?.last else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let known = Choice.allCases.map(\.rawValue)
            let hint = Suggestion.nearest(to: text, among: known).map { "; did you mean \($0)?" } ?? ""
            throw UsageError(message: "--\(name): \"\(text)\" is not one of \(known.joined(separator: ", "))\(hint)")
        }
        return choice
    }
}
