import Backend
import HTTPMessage
import JSON

/// Content in a coding, or in one that it does not have (wire contract, section 3).
enum CodingEffect: FaultEffect {
    /// Coded so, whatever the client accepts.
    case coded(CodingName)
    /// Plain content that is said to be in a coding.
    case wrong(name: String)
    /// gzip of which nothing is said.
    case missing
    /// gzip without its last bytes.
    case cut

    private enum Word: String, CaseIterable { case gzip, deflate, wrong, missing, cut }

    var behavior: FaultBehavior { .shapesAnswer(.byContent) }

    var readsContent: Bool { true }

    var setsCoding: Bool { true }

    static let declaration = EffectDeclaration(
        "coding",
        forms: [
            .closed([("coding", .string(enumeration: ["gzip", "deflate", "missing", "cut"]))]),
            .closed(
                [("coding", .string(enumeration: ["wrong"]))],
                optional: [("as", .string(pattern: "^[-!#$%&'*+.^_`|~0-9A-Za-z]{1,\(longestName)}$"))]
            ),
        ],
        examples: [["coding": "gzip"], ["coding": "cut"], ["coding": "wrong", "as": "br"]],
        rows: [
            EffectDeclaration.Row(
                #"`{"coding":"gzip"}`, `"deflate"`"#,
                "the content in that coding, whether the client accepts it or not"
            ),
            EffectDeclaration.Row(
                #"`{"coding":"wrong"}`, with `"as":"br"`"#,
                "plain content with `Content-Encoding: gzip`, or with the coding that `as` names"
            ),
            EffectDeclaration.Row(#"`{"coding":"missing"}`"#, "gzip without `Content-Encoding`"),
            EffectDeclaration.Row(
                #"`{"coding":"cut"}`"#,
                "gzip without its last bytes; `Content-Length` is right"
            ),
        ],
        builders: [
            EffectBuilder(
                "coding",
                "Sends the response body in a content coding, or with a wrong one; `as` is for `wrong`.",
                [
                    .choice(
                        "_ kind",
                        "coding",
                        EffectBuilder.Choice("Coding", "A content coding, right or wrong.", Word.self)
                    ),
                    .string("as name", "as", isOptional: true),
                ]
            )
        ]
    )

    private static let longestName = 64

    static func read(_ check: inout BodyCheck) -> CodingEffect? {
        guard let word = check.choice("coding", Word.self) else {
            _ = check.present("as")
            return nil
        }
        switch word {
        case .gzip: return .coded(.gzip)
        case .deflate: return .coded(.deflate)
        case .missing: return .missing
        case .cut: return .cut
        case .wrong:
            guard let name = check.string("as") else { return .wrong(name: CodingName.gzip.rawValue) }
            guard (1...longestName).contains(name.utf8.count), name.utf8.allSatisfy(\.isTokenByte) else {
                check.fault("as", "must be the name of a coding, such as br, of 1 to \(longestName) characters")
                return nil
            }
            return .wrong(name: name)
        }
    }

    func obstacle(in response: Response, _ context: EffectContext) -> String? {
        if response.isEventStream { return "a stream" }
        // A part is one of content that was not coded.
        if response.status == Status(206) || response.fields.contains(.contentRange) { return EffectObstacle.noChange }
        guard case .coded(let coding) = self, context.codings.count == 1 else { return nil }
        return CodingName(named: context.codings[0]) == coding ? EffectObstacle.noChange : nil
    }

    func apply(to response: Response, _ context: inout EffectContext) -> Response {
        var changed = response
        let content = response.body.content
        switch self {
        case .wrong(let name): changed.describeCoded(as: name)
        case .coded(let coding):
            guard let bytes = context.reading.encoded(content, coding) else { return response }
            changed.replaceContent(bytes)
            changed.describeCoded(as: coding.rawValue)
        case .missing, .cut:
            guard var bytes = context.reading.encoded(content, .gzip) else { return response }
            if case .cut = self { bytes.removeLast(min(Self.cutBytes, bytes.count - Self.headBytes - 1)) }
            changed.replaceContent(bytes)
            if case .cut = self { changed.describeCoded(as: CodingName.gzip.rawValue) }
        }
        return changed
    }

    /// The trailer of gzip and some of what precedes it.
    private static let cutBytes = 16
    /// The head of gzip.
    private static let headBytes = 10
}
