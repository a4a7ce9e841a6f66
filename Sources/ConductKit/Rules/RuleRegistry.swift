/// The rules of a build, with the names that stand for them: the generic rules, then those of each API.
package final class RuleRegistry: Sendable {
    /// All rules, in the order in which they are listed.
    package let rules: [any ConductRule.Type]
    /// Their declarations.
    package let declarations: [RuleDeclaration]
    /// The names that stand for generic rules, API by API.
    package let instances: [RuleInstance]
    /// The place of a rule by its id.
    package let places: [String: Int]
    private let apis: [String: APIConduct]

    package init(generic: [any ConductRule.Type], apis: [APIConduct]) {
        rules = generic + apis.flatMap { api in api.rules.map { $0 as any ConductRule.Type } }
        declarations = rules.map { $0.declaration }
        instances = apis.flatMap(\.instances)
        places = Dictionary(uniqueKeysWithValues: declarations.enumerated().map { ($1.id, $0) })
        self.apis = Dictionary(uniqueKeysWithValues: apis.map { ($0.api, $0) })
    }

    /// The part of an API; nil for an API without one, such as a user's.
    package subscript(api name: String) -> APIConduct? { apis[name] }

    /// The declaration of a rule.
    package func declaration(_ id: String) -> RuleDeclaration? { places[id].map { declarations[$0] } }

    /// The instance of a name.
    package func instance(_ id: String) -> RuleInstance? { instances.first { $0.id == id } }

    /// The instances that stand for a rule, with what they change.
    package func instances(of rule: String) -> [(id: String, part: RuleInstance.Part)] {
        instances.flatMap { instance in instance.parts.filter { $0.rule == rule }.map { (instance.id, $0) } }
    }

    /// Tells whether a generic rule does not hold for an API.
    func isOff(_ rule: String, api: String) -> Bool { apis[api]?.switchedOff.contains(rule) ?? false }

    /// Tells whether any API's refresh tokens, which do not say what they are, have such a `jti`.
    package func isRefreshTokenID(_ id: String) -> Bool {
        apis.values.contains { $0.isRefreshTokenID?(id) ?? false }
    }
}
