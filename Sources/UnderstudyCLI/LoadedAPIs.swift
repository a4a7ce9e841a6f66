import Emulation
import JSON
import Understudy

/// The APIs that a command lists or prints, loaded without a server.
enum LoadedAPIs {
    /// Loads the named APIs, or all of them; an unknown name is answered with the nearest known one.
    static func load(_ names: [String]?, from seeds: SeedSource = .builtIn) throws(UsageError) -> [AnyAPI] {
        for name in names ?? [] where !APICatalogue.names.contains(name) {
            let hint = Suggestion.nearest(to: name, among: APICatalogue.names).map { "; did you mean \($0)?" } ?? ""
            let known = APICatalogue.names.joined(separator: ", ")
            throw UsageError(message: "there is no API \"\(name)\" (there is \(known))\(hint)")
        }
        do throws(SeedError) {
            return try APICatalogue.load(names ?? APICatalogue.names, from: seeds)
        } catch {
            throw UsageError(message: error.items.map(\.text).joined(separator: "\n"))
        }
    }

    /// The flag that narrows a listing to some APIs.
    static let option = Option(
        name: "api",
        kind: .list("NAME…"),
        values: .names(APICatalogue.names),
        help: "only these APIs",
        default: "all"
    )
}
