import Backend
package import JSON

/// The effects that a fault can have.
package enum FaultEffects {
    /// Every effect, in the order in which schemas, tables and refusals name them.
    static let all: [any FaultEffect.Type] = [
        StatusEffect.self,
        RespondEffect.self,
        DelayEffect.self,
        ThrottleEffect.self,
        DribbleEffect.self,
        ConnectionEffect.self,
        BodyEffect.self,
        DriftEffect.self,
        RangeEffect.self,
        CodingEffect.self,
        StreamEffect.self,
        UploadEffect.self,
        TokensEffect.self,
        FramingEffect.self,
        RawEffect.self,
        InterimEffect.self,
    ]

    package static let declarations = all.map { $0.declaration }

    private static let names = declarations.map(\.name)

    /// The schema of an `effect` object.
    package static let schema = JSONSchema.oneOf(declarations.flatMap(\.forms))

    /// The words of `Prefer: fault=WORD`.
    package static let words = declarations.flatMap(\.words)

    /// Reads an `effect` object; mistakes are noted in `check`.
    static func read(_ check: inout BodyCheck) -> (any FaultEffect)? {
        let named = check.named(names)
        guard named.count == 1, let place = names.firstIndex(of: named[0]) else {
            // A companion of an effect is not unknown by itself.
            for name in names + declarations.flatMap(\.companions) { _ = check.present(name) }
            check.fault(
                "must have exactly one of \(names.joined(separator: ", "))"
                    + (named.isEmpty ? "" : "; found \(named.joined(separator: " and "))")
            )
            return nil
        }
        return all[place].read(&check)
    }

    /// Returns an order without the content of its effect, which has a limit of its own (control contract, section 17).
    static func withoutContent(_ order: JSONObject) -> JSONObject {
        guard case .object(var effect)? = order["effect"], let declaration = declaration(ofContentIn: effect),
            case .object(var inner)? = effect[declaration.name]
        else { return order }
        for name in declaration.contents { inner[name] = nil }
        effect[declaration.name] = .object(inner)
        var order = order
        order["effect"] = .object(effect)
        return order
    }

    /// Returns the declaration of an effect that has such content; nil for an order of another one.
    static func declaration(ofContentIn effect: JSONObject) -> EffectDeclaration? {
        withContents.first { effect[$0.name] != nil }
    }

    private static let withContents = declarations.filter { !$0.contents.isEmpty }

    /// Returns whether null is a value in the effect of that name.
    static func takesNull(_ name: String) -> Bool { declarations.first { $0.name == name }?.takesNull ?? false }
}
