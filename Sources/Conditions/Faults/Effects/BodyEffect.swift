import Backend
import HTTPMessage
import JSON

/// Content that is damaged under a correct head.
enum BodyEffect: String, FaultEffect, CaseIterable {
    case html
    case invalidJSON = "invalid-json"
    case empty
    case truncatedJSON = "truncated-json"
    case wrongContentType = "wrong-content-type"

    var behavior: FaultBehavior { self == .html ? .replacesEndpoint(.ownAnswer) : .shapesAnswer(.withContent) }

    var readsContent: Bool { self == .invalidJSON || self == .truncatedJSON }

    static let declaration = EffectDeclaration(
        "body",
        forms: [.closed([("body", .words(BodyEffect.self))])],
        examples: [["body": "invalid-json"]],
        rows: [
            EffectDeclaration.Row(#"`{"body":"html"}`"#, "200 with the HTML page of a captive portal"),
            EffectDeclaration.Row(
                #"`{"body":"invalid-json"}`, `"truncated-json"`, `"empty"`, `"wrong-content-type"`"#,
                "a corrupted body after a valid head"
            ),
        ],
        words: allCases.map { effect in
            // `empty` alone names the connection that closes without a byte.
            let name = effect == .empty ? "empty-body" : effect.rawValue
            return EffectDeclaration.Word(name, ["body": .string(effect.rawValue)])
        },
        builders: [
            EffectBuilder(
                "body",
                "Corrupts the response body.",
                [
                    .choice(
                        "_ kind",
                        "body",
                        EffectBuilder.Choice("Body", "A kind of corrupted response body.", BodyEffect.self)
                    )
                ]
            )
        ]
    )

    static func read(_ check: inout BodyCheck) -> BodyEffect? {
        check.choice("body", BodyEffect.self, meant: { FaultSymptom.of($0)?.hint(in: "body") })
    }

    func apply(to response: Response, _ context: inout EffectContext) -> Response {
        var damaged = response
        let content = response.body.content
        switch self {
        case .html:
            damaged = Response(status: .ok, fields: response.fields)
            damaged.dropValidators()
            damaged.fields.remove(.contentEncoding)
            damaged.fields.set(.contentType, "text/html; charset=utf-8")
            damaged.body = .bytes(Array(Self.page.utf8))
            damaged.prelude = response.prelude
        case .invalidJSON:
            // A trailing comma and the wrong bracket: no parser accepts that, whatever precedes it.
            damaged.dropValidators()
            damaged.replaceContent(content.dropLast() + Array(",]}".utf8))
        case .empty:
            damaged.dropValidators()
            damaged.fields.remove(.contentEncoding)
            damaged.replaceContent([])
        case .truncatedJSON:
            damaged.dropValidators()
            damaged.replaceContent(Array(content.prefix(max(content.count / 2, min(content.count, 1)))))
        case .wrongContentType:
            let isText = response.fields[.contentType].flatMap { MediaType($0) }?.essence == "text/plain"
            damaged.fields.set(.contentType, isText ? "application/octet-stream" : "text/plain; charset=utf-8")
        }
        return damaged
    }

    private static let page =
        "<!DOCTYPE html>\n<html><head><title>Sign in to the network</title></head>"
        + "<body><h1>Welcome</h1><p>Accept the terms to go online.</p></body></html>\n"
}
