import Backend
import HTTPMessage
import JSON

/// A body that is sent at a limited rate.
struct ThrottleEffect: FaultEffect {
    let bytesPerSecond: Int

    var behavior: FaultBehavior { .shapesDelivery(.rate(bytesPerSecond: bytesPerSecond)) }

    static let declaration = EffectDeclaration(
        "throttle",
        forms: [.closed([("throttle", .closed([("bytesPerSecond", EffectNumbers.positiveSchema)]))])],
        examples: [["throttle": ["bytesPerSecond": 1_000]]],
        rows: [EffectDeclaration.Row(#"`{"throttle":{"bytesPerSecond":n}}`"#, "a body at this rate")],
        builders: [
            EffectBuilder(
                "throttle",
                "Limits the rate of the response body.",
                [.integer("bytesPerSecond", "throttle.bytesPerSecond")]
            )
        ]
    )

    static func read(_ check: inout BodyCheck) -> ThrottleEffect? {
        check.inner("throttle") { $0.requiredInteger("bytesPerSecond", in: EffectNumbers.rate) }
            .map { ThrottleEffect(bytesPerSecond: $0) }
    }

    func apply(to response: Response, _ context: inout EffectContext) -> Response {
        response.throttled(to: bytesPerSecond, context.waiting)
    }
}
