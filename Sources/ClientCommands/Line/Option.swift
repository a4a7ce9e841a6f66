/// A setting with its flag, environment variable, configuration key, default and description.
///
/// Parsing, help, completions, the man page and `understudy config` follow from the declaration.
///
/// The texts for people are put together when they are shown: every start declares all options, and shows none.
package struct Option: Sendable {
    package enum Kind: Equatable, Sendable {
        /// Takes no value.
        case toggle
        case value(String)
        /// Takes a value unless the next word begins with a hyphen; the flag alone means the second text.
        case optional(String, alone: String)
        /// Takes several values after one flag, or the flag several times.
        case list(String)
        /// Takes one value after each flag; the flag may stand several times.
        case repeated(String)
    }

    /// The groups in which the help shows flags, in its order.
    package enum Group: String, CaseIterable, Sendable {
        /// The command's own.
        case own = "Flags"
        case addresses = "Addresses"
        case devices = "TLS and phones"
        case world = "World and time"
        case state = "State"
        case safety = "Safety"
        case logging = "Logging"
    }

    /// The values that completion offers.
    package enum Values: Equatable, Sendable {
        case anything
        case files
        case folders
        case names([String])
        /// The names of scenarios, which `understudy scenarios` lists.
        case scenarios
        /// The names of the built-in APIs and of the custom ones that are found, which `understudy routes` lists.
        case apis
        /// Names of things that a running server has.
        case running(RunningNames)
    }

    /// The placeholder of a list of names with a number each.
    package static let pairs = "NAME=N…"

    /// The name without dashes: `world-required`.
    package let name: String
    package let kind: Kind
    /// The letter of the short form, without its dash.
    package let letter: Character?
    package private(set) var group = Group.own
    /// The actions of the command that take it; empty for one that all take.
    private(set) var actions: [String] = []
    private let declaredValues: @Sendable () -> Values
    private let declaredHelp: @Sendable () -> String
    private let declaredDefault: @Sendable () -> String

    package init(
        name: String,
        kind: Kind,
        letter: Character? = nil,
        values: @autoclosure @escaping @Sendable () -> Values = .anything,
        help: @autoclosure @escaping @Sendable () -> String,
        default: @autoclosure @escaping @Sendable () -> String
    ) {
        self.name = name
        self.kind = kind
        self.letter = letter
        declaredValues = values
        declaredHelp = help
        declaredDefault = `default`
    }

    package var values: Values { declaredValues() }
    package var help: String { declaredHelp() }
    /// The default as text for people.
    package var `default`: String { declaredDefault() }

    package var flag: String { "--" + name }

    /// Tells whether it may have several values.
    package var takesMany: Bool {
        switch kind {
        case .list, .repeated: true
        case .toggle, .value, .optional: false
        }
    }

    /// The flag with the placeholder of its value.
    var usage: String { flag + (placeholder.map { " \($0)" } ?? "") }

    /// The usage with the short form in front, as the help shows it.
    package var usageInHelp: String { (letter.map { "-\($0), " } ?? "") + usage }

    /// The placeholder of the value; nil for a toggle.
    package var placeholder: String? {
        switch kind {
        case .toggle: nil
        case .optional(let placeholder, _): "[\(placeholder)]"
        case .value(let placeholder), .list(let placeholder), .repeated(let placeholder): placeholder
        }
    }

    /// Returns the option as one of a group of the help.
    package func grouped(_ group: Group) -> Option {
        var copy = self
        copy.group = group
        return copy
    }

    /// Returns the option as one that only some actions of the command take.
    func only(for actions: String...) -> Option {
        var copy = self
        copy.actions = actions
        return copy
    }

    /// Tells whether it has the flag: the name with two dashes, or the letter with one.
    package func isMeant(by flag: String) -> Bool { self.flag == flag || letter.map { "-\($0)" == flag } ?? false }

    /// The environment variable: `UNDERSTUDY_WORLD_REQUIRED`.
    package var variable: String { "UNDERSTUDY_" + String(name.map { $0 == "-" ? "_" : Character($0.uppercased()) }) }

    /// The name in `understudy.json`: `worldRequired`.
    package var key: String {
        let words = name.split(separator: "-")
        return String(words[0]) + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// A toggle that makes a command print JSON.
    package static let json = Option(name: "json", kind: .toggle, help: "prints JSON", default: "off")
}

extension [Option] {
    /// Returns the options as those of a group of the help.
    package func grouped(_ group: Option.Group) -> [Option] { map { $0.grouped(group) } }
}

/// Names that a running server has, for completion.
package enum RunningNames: String, CaseIterable, Sendable {
    case apis, scenarios, worlds, snapshots, faults, gates, settings, latencies
    /// The things that a command acts on: scenarios and faults that are on or off, worlds beside `main`.
    case activeScenarios, inactiveScenarios, activeFaults, inactiveFaults, otherWorlds
    /// The newest exchanges, and those that the gate of the line holds.
    case exchanges, heldExchanges
    /// The users of the line's API, and the values of its setting where there are two.
    case users, settingValues

    /// Tells whether the address of a call ends with the name.
    var areSegments: Bool {
        switch self {
        case .scenarios, .activeScenarios, .inactiveScenarios, .snapshots, .faults, .activeFaults, .inactiveFaults,
            .gates,
            .otherWorlds, .exchanges:
            true
        case .apis, .worlds, .settings, .latencies, .heldExchanges, .users, .settingValues: false
        }
    }
}
