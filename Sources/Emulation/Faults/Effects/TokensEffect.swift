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
                "the credential that was sent, and no other, stops working; this request fails so"
            )
        ],
        words: TokenEnding.Manner.allCases.map {
            EffectDeclaration.Word("\($0.rawValue)-tokens", ["tokens": .string($0.rawValue)])
        },
        builders: [
            EffectBuilder(
                "tokens",
                "The credential of the request stops working from here on.",
                [
                    .choice(
                        "_ kind",
                        "tokens",
                        EffectBuilder.Choice(
                            "Tokens",
                            "An end of the credential that was sent.",
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
