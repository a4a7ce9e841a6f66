import Backend
import Basics
import JSON

/// A name that no rule and no instance has, with the nearest one.
package struct UnknownRule: Error, Equatable {
    package var name: String
    package var nearest: String?
}

/// The choice of rules by ids, names of instances and globs (conduct contract, section 9).
extension RuleRegistry {
    /// All ids and names.
    package var names: [String] { declarations.map(\.id) + instances.map(\.id) }

    /// Adds the rules that a name or glob means to a filter.
    package func add(_ name: String, to filter: inout ReportFilter) throws(UnknownRule) {
        var rules = filter.rules ?? []
        if declaration(name) != nil {
            rules.insert(name)
        } else if let instance = instance(name) {
            for part in instance.parts {
                rules.insert(part.rule)
                filter.instances.insert("\(part.rule) \(name)")
            }
        } else if name.contains("*") {
            let found = declarations.map(\.id).filter { Glob.matches(name, $0) }
            let named = instances.filter { Glob.matches(name, $0.id) }
            guard !found.isEmpty || !named.isEmpty else { throw unknown(name) }
            rules.formUnion(found)
            for instance in named {
                for part in instance.parts where !rules.contains(part.rule) || Self.hasInstance(part.rule, filter) {
                    rules.insert(part.rule)
                    filter.instances.insert("\(part.rule) \(instance.id)")
                }
            }
        } else {
            throw unknown(name)
        }
        filter.rules = rules
    }

    private static func hasInstance(_ rule: String, _ filter: ReportFilter) -> Bool {
        filter.instances.contains { $0.hasPrefix(rule + " ") }
    }

    package func unknown(_ name: String) -> UnknownRule {
        UnknownRule(name: name, nearest: Suggestion.closest(to: name, among: names))
    }
}
