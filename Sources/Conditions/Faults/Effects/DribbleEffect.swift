import Backend
import CivilTime
import HTTPMessage
import JSON

/// A body in pieces that are spread over a time.
struct DribbleEffect: FaultEffect {
    let chunks: Int
    let time: Interval

    var behavior: FaultBehavior { .shapesDelivery(.layout) }

    static let declaration = EffectDeclaration(
        "dribble",
        forms: [
            .closed([
                (
                    "dribble",
                    .closed([
                        ("chunks", .integer(minimum: 1, maximum: 10_000)), ("overMs", EffectNumbers.millisecondsSchema),
                    ])
                )
            ])
        ],
        examples: [["dribble": ["chunks": 4, "overMs": 400]]],
        rows: [
            EffectDeclaration.Row(
                #"`{"dribble":{"chunks":n,"overMs":n}}`"#,
                "the body in n chunks, evenly over this time; the chunks of a stream cut across its events"
            )
        ],
        builders: [
            EffectBuilder(
                "dribble",
                "Sends the response body in chunks, evenly over a time.",
                [.integer("chunks", "dribble.chunks"), .integer("over milliseconds", "dribble.overMs")]
            )
        ]
    )

    static func read(_ check: inout BodyCheck) -> DribbleEffect? {
        check.inner("dribble") { inner in
            let chunks = inner.requiredInteger("chunks", in: 1...10_000)
            let time = inner.requiredInteger("overMs", in: EffectNumbers.milliseconds)
            guard let chunks, let time else { return nil }
            return DribbleEffect(chunks: chunks, time: .milliseconds(Int64(time)))
        }
    }

    func apply(to response: Response, _ context: inout EffectContext) -> Response {
        response.dribbled(chunks, over: time, context.waiting)
    }
}
