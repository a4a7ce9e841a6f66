import Backend
import ClientCommands
import JSON
import Understudy
import Worlds

/// The APIs that a command lists or prints, loaded without a server.
enum LoadedAPIs {
    /// Loads the named APIs, or all of them; an unknown name is answered with the nearest known one.
    static func load(
        _ names: [String]?,
        own: CustomAPICatalogue,
        from seeds: SeedSource = .builtIn
    ) throws(UsageError) -> [AnyAPI] {
        let known = APICatalogue.names + own.names
        for name in names ?? [] where !known.contains(name) { throw UsageError(message: unknown(name, among: known)) }
        do throws(SeedError) {
            let builtIn = (names ?? APICatalogue.names).filter(APICatalogue.names.contains)
            let places = own.places.filter { names?.contains($0.name) ?? true }
            return try APICatalogue.load(builtIn, from: seeds) + (try CustomAPILoad(places).apis as [AnyAPI])
        } catch {
            throw UsageError(message: error.items.map(\.text).joined(separator: "\n"), isAboutLine: false)
        }
    }

    /// The refusal of a name that no API has.
    static func unknown(_ name: String, among known: [String]) -> String {
        var hint = Suggestion.hint(to: name, among: known)
        if hint.isEmpty, known.count == APICatalogue.names.count {
            hint = "; own APIs are folders in ./apis, or in --apis DIR"
        }
        return "there is no API \"\(name)\" (known: \(known.joined(separator: ", ")))\(hint)"
    }

    /// The flag that narrows a listing to some APIs.
    static let option = Option(
        name: "api",
        kind: .list("NAME…"),
        values: .apis,
        help: "only these APIs",
        default: "all"
    )

    /// Reads the settings of a command that lists APIs.
    ///
    /// All settings of `serve` are read, so that a mistake in the configuration file is reported here as there.
    static func settings(of command: any Command.Type, _ arguments: Arguments) throws(UsageError) -> Settings {
        let settings = try Settings(
            ServeOptions.adding(to: command.flags),
            arguments: arguments,
            environment: Environment.variables
        )
        Terminal.warn(settings.warnings)
        return settings
    }
}
