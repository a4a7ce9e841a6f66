import Basics
import JSON

/// The choice of rules by ids, names of instances and globs (conduct contract, section 9).
package enum RuleSelection {
    /// A name that nothing has, with the nearest one.
    package struct Unknown: Error, Equatable {
        package var name: String
        package var nearest: String?
    }

    /// All ids and names.
    package static let names: [String] = RuleRegistry.declarations.map(\.id) + RuleInstances.all.map(\.id)

    /// Adds the rules that a name or glob means to a filter.
    package static func add(_ name: String, to filter: inout ReportFilter) throws(Unknown) {
        var rules = filter.rules ?? []
        if RuleRegistry.declaration(name) != nil {
            rules.insert(name)
        } else if let instance = RuleInstances.instance(name) {
            for part in instance.parts {
                rules.insert(part.rule)
                filter.instances.insert("\(part.rule) \(name)")
            }
        } else if name.contains("*") {
            let found = RuleRegistry.declarations.map(\.id).filter { Glob.matches(name, $0) }
            let instances = RuleInstances.all.filter { Glob.matches(name, $0.id) }
            guard !found.isEmpty || !instances.isEmpty else { throw unknown(name) }
            rules.formUnion(found)
            for instance in instances {
                for part in instance.parts where !rules.contains(part.rule) || hasInstance(part.rule, filter) {
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

    package static func unknown(_ name: String) -> Unknown {
        Unknown(name: name, nearest: Suggestion.closest(to: name, among: names))
    }
}
