import Backend
import HTTPMessage
import JSON

/// Delays the first byte.
struct DelayEffect: FaultEffect {
    let distribution: DelayDistribution

    var behavior: FaultBehavior { .shapesDelivery(.firstByte) }

    static let declaration = EffectDeclaration(
        "delay",
        forms: [.closed([("delay", DelayDistribution.schema)])],
        examples: [
            ["delay": ["ms": 800]], ["delay": ["uniform": [10, 50], "max": 40]],
            ["delay": ["lognormal": ["median": 40, "p95": 90]]], ["delay": ["exponential": ["mean": 20]]],
        ],
        rows: [
            EffectDeclaration.Row(
                #"`{"delay":{"ms":800}}`"#,
                "a delay before the first byte; any [distribution](#latency)"
            )
        ],
        builders: [
            EffectBuilder("delay", "Delays the first byte.", [.delay("_ distribution", "delay")])
        ]
    )

    static func read(_ check: inout BodyCheck) -> DelayEffect? {
        check.inner("delay", DelayDistribution.read).map { DelayEffect(distribution: $0) }
    }

    func apply(to response: Response, _ context: inout EffectContext) -> Response {
        response.delayed(by: distribution.draw(&context.random), context.waiting)
    }
}
