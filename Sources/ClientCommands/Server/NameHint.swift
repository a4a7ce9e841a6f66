import Basics
package import CivilTime
import Conditions
import JSON
import Traffic

/// The names that a misspelt one probably means (clients contract, section 1).
package enum NameHint {
    /// The known name nearest to a text, full or by its part after the API: `stream-cut` is
    /// `omnichat/stream-cut-midway`.
    static func nearest(to text: String, among names: [String]) -> String? {
        let tails = names.map { $0.split(separator: "/", maxSplits: 1).last.map(String.init) ?? $0 }
        let wanted = text.lowercased()
        guard !wanted.isEmpty else { return nil }
        // Settings have capitals, and a shell's user leaves them out.
        let (whole, ends) = (names.map { $0.lowercased() }, tails.map { $0.lowercased() })
        if let place = ends.firstIndex(of: wanted) { return names[place] }
        if wanted.utf8.count >= 2 {
            let starts = names.indices.first { whole[$0].hasPrefix(wanted) || ends[$0].hasPrefix(wanted) }
            if let place = starts ?? whole.firstIndex(where: { $0.contains(wanted) }) { return names[place] }
        }
        if let found = Suggestion.nearest(to: wanted, among: names) { return found }
        return Suggestion.nearest(to: wanted, among: tails).flatMap { tails.firstIndex(of: $0) }.map { names[$0] }
    }

    /// The number of known names that a refusal lists.
    private static let mostListed = 8

    /// The refusal of a name that the server does not have.
    ///
    /// With `listsKnown` they are listed even where one of them is near, with `mayMeanFault` a fault is named that the word
    /// means.
    package static func unknown(
        _ what: String,
        _ name: String,
        among known: [String],
        in world: String?,
        listsKnown: Bool = false,
        mayMeanFault: Bool = false
    ) -> CommandFailure {
        var text = "there is no \(what) \"\(VisibleText.escaped(name))\"" + (world.map { " in the world \($0)" } ?? "")
        let near = nearest(to: name, among: known)
        text += Suggestion.hint(near.map(VisibleText.escaped))
        let word = name.split(separator: "/").last.map(String.init) ?? name
        if mayMeanFault, let fault = fault(word) { return .failed(text + (near == nil ? ". " : " ") + fault) }
        if known.isEmpty {
            text += "; there are none"
        } else if near == nil || listsKnown {
            // Of scenarios those of the named API are meant.
            let start = name.prefix { $0 != "/" } + "/"
            let alike = known.filter { $0.hasPrefix(start) }
            text += (near == nil ? "; known: " : " Known: ") + list(alike.isEmpty ? known : alike)
        }
        return .failed(text)
    }

    /// The sentence with the fault that words of other tools or bug reports mean; nil for other words.
    static func fault(_ text: String) -> String? {
        FaultSymptom.of(text).map { "Use a fault instead: \($0.effect.text), \($0.meaning)" }
    }

    /// The first of the known names, and how many more there are.
    static func list(_ known: [String]) -> String {
        // One more takes no more room than the words that leave it out.
        let count = known.count <= mostListed + 1 ? known.count : mostListed
        let shown = known.prefix(count).map(VisibleText.escaped).joined(separator: ", ")
        return shown + (known.count > count ? " and \(known.count - count) more" : "")
    }
}

extension RunningServer {
    /// Makes a call about a named thing; where the server does not have it, the names that it has are looked up.
    func call(
        naming what: String,
        _ name: String,
        listedAt list: String,
        by member: String = "name",
        mayMeanFault: Bool = false,
        _ call: () throws(CommandFailure) -> JSON
    ) throws(CommandFailure) -> JSON {
        do throws(CommandFailure) {
            return try call()
        } catch {
            guard case .problem(let answer) = error, answer.status == 404, !printsJSON else { throw error }
            let known = (try names(at: list, by: member)).compactMap { $0 }
            guard !known.contains(name) else { throw error }
            throw NameHint.unknown(what, name, among: known, in: world, mayMeanFault: mayMeanFault)
        }
    }

    /// The names of a list of the server.
    package func names(at list: String, by member: String = "name", within limit: Interval = .seconds(15))
        throws(CommandFailure) -> [String]
    {
        try call("GET", list, within: limit)["items"]?.arrayValue?.compactMap { $0[member]?.stringValue } ?? []
    }
}
