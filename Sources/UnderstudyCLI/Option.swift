/// A setting with its flag, environment variable, configuration key, default and description.
///
/// Parsing, help, completions, the man page and `understudy config` follow from the declaration.
///
/// The texts for people are put together when they are shown: every start declares all options, and shows none.
struct Option: Sendable {
    enum Kind: Equatable, Sendable {
        /// Takes no value.
        case toggle
        case value(String)
        /// Takes several values after one flag, or the flag several times.
        case list(String)
    }

    /// The values that completion offers.
    enum Values: Equatable, Sendable {
        case anything
        case files
        case folders
        case names([String])
        /// The names of scenarios, which `understudy scenarios` lists.
        case scenarios
    }

    /// The placeholder of a list of names with a number each.
    static let pairs = "NAME=N…"

    /// The name without dashes: `world-required`.
    let name: String
    let kind: Kind
    private let declaredValues: @Sendable () -> Values
    private let declaredHelp: @Sendable () -> String
    private let declaredDefault: @Sendable () -> String

    init(
        name: String,
        kind: Kind,
        values: @autoclosure @escaping @Sendable () -> Values = .anything,
        help: @autoclosure @escaping @Sendable () -> String,
        default: @autoclosure @escaping @Sendable () -> String
    ) {
        self.name = name
        self.kind = kind
        declaredValues = values
        declaredHelp = help
        declaredDefault = `default`
    }

    var values: Values { declaredValues() }
    var help: String { declaredHelp() }
    /// The default as text for people.
    var `default`: String { declaredDefault() }

    var flag: String { "--" + name }

    /// The flag with the placeholder of its value.
    var usage: String {
        switch kind {
        case .toggle: flag
        case .value(let placeholder), .list(let placeholder): "\(flag) \(placeholder)"
        }
    }

    /// The environment variable: `UNDERSTUDY_WORLD_REQUIRED`.
    var variable: String { "UNDERSTUDY_" + String(name.map { $0 == "-" ? "_" : Character($0.uppercased()) }) }

    /// The name in `understudy.json`: `worldRequired`.
    var key: String {
        let words = name.split(separator: "-")
        return String(words[0]) + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// A toggle that makes a command print JSON.
    static let json = Option(name: "json", kind: .toggle, help: "prints JSON", default: "off")
}
