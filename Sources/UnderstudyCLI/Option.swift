/// One thing that can be set by a flag, by the environment, or in the config file.
///
/// Declared once; parsing, help and
/// `understudy config` follow.
struct Option {
    enum Kind: Equatable {
        /// Takes no value.
        case toggle
        case value(String)
        /// May be given several times, or with several values after one flag.
        case list(String)
    }

    /// What a list of names with a number each says that it takes.
    static let pairs = "NAME=N…"

    /// Without the dashes: `world-required`.
    let name: String
    let kind: Kind
    let help: String
    /// What holds when nothing is said, as text for people.
    let standard: String

    var flag: String { "--" + name }

    var variable: String { "UNDERSTUDY_" + String(name.map { $0 == "-" ? "_" : Character($0.uppercased()) }) }

    /// The name in `understudy.json`: `worldRequired`.
    var key: String {
        let words = name.split(separator: "-")
        return String(words[0]) + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}
