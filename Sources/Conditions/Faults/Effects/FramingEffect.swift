import Backend
import HTTPMessage
import JSON

/// Content that is framed in another way than usual, or in a wrong one (wire contract, section 4).
enum FramingEffect: String, FaultEffect, CaseIterable {
    /// Chunks, without `Content-Length`.
    case chunked
    /// Content that ends with the connection.
    case close
    /// More bytes than `Content-Length` says, on a connection that stays.
    case longer

    var behavior: FaultBehavior { .shapesAnswer(.withContent) }

    static let declaration = EffectDeclaration(
        "framing",
        forms: [.closed([("framing", .words(FramingEffect.self))])],
        examples: [["framing": "chunked"], ["framing": "close"], ["framing": "longer"]],
        rows: [
            EffectDeclaration.Row(
                #"`{"framing":"chunked"}`, `"close"`"#,
                "no `Content-Length`: the content in chunks, or content that ends with the connection. HTTP/1.1 only"
            ),
            EffectDeclaration.Row(
                #"`{"framing":"longer"}`"#,
                "16 bytes more than `Content-Length` says, and the connection stays. HTTP/1.1 only"
            ),
        ],
        builders: [
            EffectBuilder(
                "framing",
                "Frames the response body in another way, or in a wrong one.",
                [
                    .choice(
                        "_ kind",
                        "framing",
                        EffectBuilder.Choice("Framing", "A way to frame a response body.", FramingEffect.self)
                    )
                ]
            )
        ]
    )

    static func read(_ check: inout BodyCheck) -> FramingEffect? { check.choice("framing", FramingEffect.self) }

    func obstacle(to request: MatchSubject) -> String? {
        request.version == .http11 ? nil : EffectObstacle.otherVersion
    }

    func obstacle(in response: Response, _ context: EffectContext) -> String? {
        switch self {
        // There is no length that content could exceed.
        case .chunked, .longer: response.hasKnownLength ? nil : EffectObstacle.noChange
        case .close: nil
        }
    }

    func apply(to response: Response, _ context: inout EffectContext) -> Response {
        var framed = response
        let count = response.body.content.count
        var steps: [Step] =
            if case .steps(let steps) = response.body { steps } else { [.bytes(response.body.content), .end] }
        switch self {
        case .chunked: framed.framing = .chunked
        case .close:
            framed.framing = .untilClose
            framed.fields.set(.connection, "close")
        case .longer:
            framed.framing = .length(count)
            steps.insert(.stray(Self.surplus), at: steps.lastIndex(of: .end) ?? steps.endIndex)
        }
        framed.fields.remove(.contentLength)
        framed.fields.remove(.transferEncoding)
        framed.body = .steps(steps)
        return framed
    }

    /// The bytes behind the content.
    private static let surplus = Array("understudy extra".utf8)
}

extension Response {
    /// Tells whether `Content-Length` is sent with it.
    fileprivate var hasKnownLength: Bool {
        guard case .steps = body else { return true }
        if case .length = framing { return true }
        return false
    }
}
