import Backend
import CivilTime
import HTTPMessage
import JSON

/// Server-sent events that misbehave.
///
/// Other responses are left unchanged.
enum StreamEffect: FaultEffect, Equatable {
    case cut(afterEvents: Int)
    case error(afterEvents: Int)
    /// After that many events, or after each one.
    case gap(milliseconds: Int, afterEvents: Int?)
    case duplicate(event: Int)
    case splitUTF8

    var behavior: FaultBehavior { .shapesAnswer(.eventStreams) }

    static let declaration = EffectDeclaration(
        "stream",
        forms: [
            .closed([
                (
                    "stream",
                    .oneOf([
                        .closed([("cutAfterEvents", EffectNumbers.countSchema)]),
                        .closed([("errorAfterEvents", EffectNumbers.countSchema)]),
                        .closed(
                            [("gapMs", EffectNumbers.millisecondsSchema)],
                            optional: [("afterEvents", EffectNumbers.countSchema)]
                        ),
                        .closed([("duplicate", EffectNumbers.positiveSchema)]),
                        .closed([("splitUtf8", .boolean)]),
                    ])
                )
            ])
        ],
        examples: [
            ["stream": ["cutAfterEvents": 2]], ["stream": ["errorAfterEvents": 2]],
            ["stream": ["gapMs": 500, "afterEvents": 1]], ["stream": ["duplicate": 1]], ["stream": ["splitUtf8": true]],
        ],
        rows: [
            EffectDeclaration.Row(
                #"`{"stream":{"cutAfterEvents":n}}`, `{"errorAfterEvents":n}`, `{"gapMs":n,"afterEvents":n}`, "#
                    + #"`{"duplicate":n}`, `{"splitUtf8":true}`"#,
                "server-sent events that stop, fail with the API's own error event, pause once (after each one without"
                    + " `afterEvents`), repeat event n, or are split inside characters"
            )
        ],
        builders: [
            EffectBuilder(
                "streamCut",
                "Cuts a stream off after a number of events.",
                [.integer("afterEvents count", "stream.cutAfterEvents")]
            ),
            EffectBuilder(
                "streamError",
                "Ends a stream with an error event after a number of events.",
                [.integer("afterEvents count", "stream.errorAfterEvents")]
            ),
            EffectBuilder(
                "streamGap",
                "Pauses a stream: once after a number of events, or after each one if no count is given.",
                [
                    .integer("milliseconds", "stream.gapMs"),
                    .integer("afterEvents count", "stream.afterEvents", isOptional: true),
                ]
            ),
            EffectBuilder("streamDuplicate", "Sends an event twice.", [.integer("event", "stream.duplicate")]),
            EffectBuilder(
                "streamSplitUTF8",
                "Splits characters across the chunks of a stream.",
                flag: "stream.splitUtf8"
            ),
        ]
    )

    static func read(_ check: inout BodyCheck) -> StreamEffect? { check.inner("stream", readChange) }

    private static func readChange(_ check: inout BodyCheck) -> StreamEffect? {
        let names = ["cutAfterEvents", "errorAfterEvents", "gapMs", "duplicate", "splitUtf8"]
        let events = EffectNumbers.events
        switch check.exactlyOne(of: names, companions: ["afterEvents"]) {
        case "cutAfterEvents": return check.requiredInteger("cutAfterEvents", in: events).map { .cut(afterEvents: $0) }
        case "errorAfterEvents":
            return check.requiredInteger("errorAfterEvents", in: events).map { .error(afterEvents: $0) }
        case "gapMs":
            let after = check.count("afterEvents", in: events)
            return check.requiredInteger("gapMs", in: EffectNumbers.milliseconds)
                .map { .gap(milliseconds: $0, afterEvents: after) }
        case "duplicate":
            return check.requiredInteger("duplicate", in: 1...events.upperBound).map { .duplicate(event: $0) }
        case .some:
            guard let flag = check.boolean("splitUtf8") else { return nil }
            guard flag else {
                check.fault("splitUtf8", "must be true; leave the fault out instead")
                return nil
            }
            return .splitUTF8
        case nil: return nil
        }
    }

    func apply(to response: Response, _ context: inout EffectContext) -> Response {
        guard response.isEventStream, case .steps(let steps) = response.body else { return response }
        let timeline = SSETimeline(steps)
        var changed = response
        switch self {
        case .cut(let count): changed.body = .steps(timeline.head(events: count) + [.close])
        case .error(let count):
            changed.body = .steps(timeline.head(events: count) + [.bytes(context.streamError), .end])
        case .gap(let milliseconds, let after):
            let gap = Step.wait(.milliseconds(Int64(milliseconds)), context.waiting)
            changed.body = .steps(timeline.steps(with: gap, after: after))
        case .duplicate(let number): changed.body = .steps(timeline.steps(repeating: number))
        case .splitUTF8: changed.body = .steps(SSETimeline.split(steps))
        }
        return changed
    }

    func obstacle(in response: Response, _ context: EffectContext) -> String? {
        response.isEventStream ? nil : "no stream"
    }

    func flow(_ context: EffectContext) -> EventFlow? {
        EventFlow(self, context.waiting, error: context.streamError)
    }
}
