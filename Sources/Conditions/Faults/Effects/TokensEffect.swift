import Backend
import JSON

/// The end of the credentials that a request carries, and of no others.
struct TokensEffect: FaultEffect {
    let manner: TokenEnding.Manner

    var behavior: FaultBehavior { .actsOnCredentials(manner) }

    static let declaration = EffectDeclaration(
        "tokens",
        forms: [.closed([("tokens", .words(TokenEnding.Manner.self))])],
        examples: [["tokens": "expire"], ["tokens": "revoke"]],
        rows: [
            EffectDeclaration.Row(
                #"`{"tokens":"expire"}`, `"revoke"`"#,
                "the credential of the request, and no other, stops working; this request already fails"
            )
        ],
        words: TokenEnding.Manner.allCases.map {
            EffectDeclaration.Word("\($0.rawValue)-tokens", ["tokens": .string($0.rawValue)])
        },
        builders: [
            EffectBuilder(
                "tokens",
                "Expires or revokes the credential of the request.",
                [
                    .choice(
                        "_ kind",
                        "tokens",
                        EffectBuilder.Choice(
                            "Tokens",
                            "A way to end the credential of the request.",
                            TokenEnding.Manner.self
                        )
                    )
                ]
            )
        ]
    )

    static func read(_ check: inout BodyCheck) -> TokensEffect? {
        check.choice("tokens", TokenEnding.Manner.self).map { TokensEffect(manner: $0) }
    }
}
