import Backend
import CivilTime
import HTTPMessage
import JSON

/// Interim responses before the response (RFC 9110, section 15.2; wire contract, section 4).
struct InterimEffect: FaultEffect {
    private struct Interim: Sendable {
        var status: Status
        var fields: Fields
        var pause: Interval
    }

    private let responses: [Interim]

    var behavior: FaultBehavior { .shapesDelivery(.interim) }

    private static let most = 10
    private static let statuses: ClosedRange<Int64> = 100...199
    /// It would end HTTP on the connection.
    private static let switchingProtocols = 101

    /// Fields as `AnswerRules` reads them.
    private static let headers = JSONSchema.oneOf([
        .array(.array(.string(), minItems: 2, maxItems: 2)),
        .object(JSONSchema.Object(additionalProperties: .schema(.oneOf([.string(), .array(.string())])))),
    ])

    static let declaration = EffectDeclaration(
        "interim",
        forms: [
            .closed([
                (
                    "interim",
                    .array(
                        .closed(
                            [
                                (
                                    "status",
                                    .oneOf([.integer(minimum: 100, maximum: 100), .integer(minimum: 102, maximum: 199)])
                                )
                            ],
                            optional: [("headers", headers), ("afterMs", EffectNumbers.millisecondsSchema)]
                        ),
                        minItems: 1,
                        maxItems: most
                    )
                )
            ])
        ],
        examples: [
            ["interim": [["status": 103, "headers": [["Link", "</app.css>; rel=preload"]], "afterMs": 100]]],
            ["interim": [["status": 102], ["status": 103]]],
        ],
        rows: [
            EffectDeclaration.Row(
                #"`{"interim":[{"status":103,"headers":[["Link","…"]],"afterMs":n},…]}`"#,
                "1 to 10 interim responses (100 to 199, but not 101), each n ms after the one before, then the response; adds"
                    + " up with another effect. Not for HTTP/1.0"
            )
        ],
        builders: [
            EffectBuilder(
                "interim",
                "Sends interim responses before the response.",
                [.interims("_ responses", "interim")]
            )
        ]
    )

    static func read(_ check: inout BodyCheck) -> InterimEffect? {
        guard let list = check.value("interim")?.arrayValue else {
            check.fault("interim", "must be a list of 1 to \(most) interim responses")
            return nil
        }
        guard (1...most).contains(list.count) else {
            check.fault("interim", "must have 1 to \(most) interim responses")
            return nil
        }
        var responses: [Interim] = []
        for (place, item) in list.enumerated() {
            guard let object = item.objectValue else {
                check.fault("interim[\(place)]", "must be an object")
                continue
            }
            var inner = BodyCheck(object, at: "\(check.path).interim[\(place)]")
            if let response = readOne(&inner) { responses.append(response) }
            inner.refuseUnknown()
            check.add(inner.items)
        }
        return responses.count == list.count ? InterimEffect(responses: responses) : nil
    }

    private static func readOne(_ check: inout BodyCheck) -> Interim? {
        let status = check.requiredInteger("status", in: statuses)
        if status == switchingProtocols { check.fault("status", "must not be 101, after which no response follows") }
        var fields = Fields()
        for line in AnswerRules.lines(&check) { fields.append(line.name, line.value) }
        let pause = check.count("afterMs", in: EffectNumbers.milliseconds) ?? 0
        return status.map { Interim(status: Status($0), fields: fields, pause: .milliseconds(Int64(pause))) }
    }

    func obstacle(to request: MatchSubject) -> String? {
        request.version == .http10 ? "no interim answers" : nil
    }

    func apply(to response: Response, _ context: inout EffectContext) -> Response {
        var late = response
        let steps = responses.flatMap { interim -> [Step] in
            let step = Step.interim(interim.status, interim.fields)
            return interim.pause > .zero ? [.wait(interim.pause, context.waiting), step] : [step]
        }
        late.prelude.insert(contentsOf: steps, at: 0)
        return late
    }
}
