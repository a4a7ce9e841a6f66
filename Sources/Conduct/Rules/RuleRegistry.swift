/// All rules, in the order in which they are shown: the generic ones, then those of each API.
package enum RuleRegistry {
    static let all: [any ConductRule.Type] = generic + own

    static let generic: [any ConductRule.Type] = [
        CredentialMissing.self, MalformedCredential.self, SecretInURL.self, WrongTokenKind.self,
        CredentialWhereNoneAsked.self, RepeatAfter401.self, NoRefreshAfter401.self, RotatedRefreshTokenReused.self,
        ParallelRefresh.self, DeadRefreshRetried.self, RefreshLoop.self,
    ]

    static let own: [any ConductRule.Type] = []

    /// The declarations of all rules.
    package static let declarations: [RuleDeclaration] = all.map { $0.declaration }

    /// The place of a rule by its id.
    static let places = Dictionary(uniqueKeysWithValues: declarations.enumerated().map { ($1.id, $0) })

    /// The declaration of a rule.
    package static func declaration(_ id: String) -> RuleDeclaration? { places[id].map { declarations[$0] } }
}
