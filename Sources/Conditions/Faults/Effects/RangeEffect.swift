import Backend
import HTTPMessage
import JSON

/// Ranges that a server takes otherwise than it should (wire contract, section 1).
enum RangeEffect: String, FaultEffect, CaseIterable {
    case none
    case ignored
    case changed
    case weak
    case shifted

    var behavior: FaultBehavior {
        switch self {
        case .ignored, .changed, .shifted: .shapesAnswer(.contents(needsRange: true))
        case .none, .weak: .shapesAnswer(.contents(needsRange: false))
        }
    }

    static let declaration = EffectDeclaration(
        "range",
        forms: [.closed([("range", .words(RangeEffect.self))])],
        examples: [["range": "ignored"]],
        rows: [
            EffectDeclaration.Row(#"`{"range":"none"}`"#, "`Accept-Ranges: none`; whole responses only"),
            EffectDeclaration.Row(
                #"`{"range":"ignored"}`"#,
                "`Accept-Ranges: bytes`, and yet 200 with the whole content"
            ),
            EffectDeclaration.Row(
                #"`{"range":"changed"}`"#,
                "another tag at a request with `Range`: 200 with the whole content if `If-Range` has the old one, else 206"
            ),
            EffectDeclaration.Row(#"`{"range":"weak"}`"#, "a weak tag, which no range can rely on"),
            EffectDeclaration.Row(
                #"`{"range":"shifted"}`"#,
                "206 with the right bytes and a `Content-Range` one byte further on"
            ),
        ],
        words: [],
        builders: [
            EffectBuilder(
                "range",
                "Takes ranges of a file otherwise than a server should.",
                [
                    .choice(
                        "_ kind",
                        "range",
                        EffectBuilder.Choice(
                            "Range",
                            "A way to take ranges that a server should not.",
                            RangeEffect.self
                        )
                    )
                ]
            )
        ]
    )

    static func read(_ check: inout BodyCheck) -> RangeEffect? { check.choice("range", RangeEffect.self) }

    private var manner: ContentSelection.Manner {
        switch self {
        case .none: .withoutRanges
        case .ignored: .ignoringRange
        case .changed: .changed
        case .weak: .weak
        case .shifted: .shifted
        }
    }

    func obstacle(in response: Response, _ context: EffectContext) -> String? {
        guard let selection = context.reading.selection(of: response) else { return "no content" }
        switch self {
        case .ignored, .changed, .shifted:
            return selection.asksForRange && selection.isChanged(manner) ? nil : "no range"
        case .none, .weak:
            return selection.isChanged(manner) ? nil : "no content"
        }
    }

    func apply(to response: Response, _ context: inout EffectContext) -> Response {
        context.reading.selection(of: response)?.response(manner) ?? response
    }
}
