import Backend
import Crypto
import HTTPMessage
import JSON
import Templates

/// An answer that is written out (console contract, section 6): the client gets exactly this.
struct RespondEffect: FaultEffect {
    private let response: Response
    /// The answer with its placeholders; nil where it is sent as it is written.
    let template: StubResponse?

    package var behavior: FaultBehavior { .replacesEndpoint(.ownAnswer) }

    package var answersRequest: Bool { true }

    var ownLength: Int { response.body.content.count }

    /// The members that hold the content; an answer has one of them at most.
    static let contents = ["body", "text", "base64"]
    /// The maximum length of the content in bytes.
    static let largestContent = 1 << 20

    private static let pairs = JSONSchema.array(.array(.string(), minItems: 2, maxItems: 2))

    private static let placeholders = EffectBuilder.Parameter.boolean("template", "respond.template", isOptional: true)
    private static let headers = EffectBuilder.Parameter.pairs("headers", "respond.headers", isOptional: true)

    package static let declaration = EffectDeclaration(
        "respond",
        forms: [
            .closed([
                (
                    "respond",
                    .closed(
                        [
                            (
                                "status",
                                .integer(
                                    minimum: AnswerRules.statuses.lowerBound,
                                    maximum: AnswerRules.statuses.upperBound
                                )
                            )
                        ],
                        optional: [
                            ("headers", pairs), ("body", .any), ("text", .string()), ("base64", .string()),
                            ("template", .boolean),
                        ]
                    )
                )
            ])
        ],
        examples: [
            ["respond": ["status": 200, "headers": [["X-A", "b"]], "body": ["items": []]]],
            ["respond": ["status": 503, "text": "Down for maintenance"]],
            [
                "respond": [
                    "status": 200, "headers": [["Content-Type", "image/gif"]], "base64": "R0lGODlhAQABAAAAADs=",
                ]
            ],
            ["respond": ["status": 204]],
            ["respond": ["status": 307, "headers": [["Location", "{{request.path}}/"]], "template": true]],
        ],
        rows: [
            EffectDeclaration.Row(
                #"`{"respond":{"status":200,"headers":[["X-A","b"]],"body":{…}}}`, with `"text"` or `"base64"` instead of `"body"`"#,
                "exactly this response; content of at most 1 MiB. With `\"template\":true` the placeholders of stubs are"
                    + " filled in"
            )
        ],
        builders: [
            EffectBuilder(
                "respond",
                "Responds with a status without content.",
                [.integer("_ status", "respond.status"), headers, placeholders]
            ),
            EffectBuilder(
                "respond",
                "Responds with a status and JSON.",
                [.integer("_ status", "respond.status"), headers, .json("body", "respond.body"), placeholders]
            ),
            EffectBuilder(
                "respond",
                "Responds with a status and text.",
                [.integer("_ status", "respond.status"), headers, .string("text", "respond.text"), placeholders]
            ),
            EffectBuilder(
                "respond",
                "Responds with a status and bytes, given in base64.",
                [.integer("_ status", "respond.status"), headers, .string("base64", "respond.base64")]
            ),
        ],
        takesNull: true,
        contents: contents
    )

    package static func read(_ check: inout BodyCheck) -> RespondEffect? { check.inner("respond", readAnswer) }

    private static func readAnswer(_ check: inout BodyCheck) -> RespondEffect? {
        if check.value("status") == nil { check.fault("status", "is required") }
        let status = check.integer("status", in: AnswerRules.statuses).map { Status(Int($0)) }
        if let headers = check.value("headers"), headers.arrayValue == nil {
            check.fault("headers", "must be a list of pairs, each of a name and a value")
            return nil
        }
        if check.boolean("template") == true { return readTemplate(&check) }
        var response = Response(status: status ?? .ok)
        for line in AnswerRules.lines(&check) { response.fields.append(line.name, line.value) }
        // Null is content in JSON only.
        let given = contents.filter { $0 == "body" ? check.present($0) != nil : check.value($0) != nil }
        if given.count > 1 { check.fault("must have at most one of \(contents.joined(separator: ", "))") }
        guard let form = given.first, given.count == 1 else { return status.map { _ in RespondEffect(response) } }
        if let status, AnswerRules.forbidsContent(status) { check.fault(form, "a \(status.code) has no content") }
        guard let (bytes, type) = content(form, &check) else { return nil }
        if bytes.count > largestContent { check.fault(form, "must be at most \(largestContent) bytes") }
        response.body = .bytes(bytes)
        if !response.fields.contains(.contentType) { response.fields.append(.contentType, type) }
        return status.map { _ in RespondEffect(response) }
    }

    /// Reads an answer with placeholders, which is written as that of a stub.
    private static func readTemplate(_ check: inout BodyCheck) -> RespondEffect? {
        let source = check.object
        for member in source.members where StubResponse.ownMembers.contains(member.name) {
            check.fault(member.name, MemberReason.unknown(member.name, among: ["status", "headers"] + contents))
        }
        for form in contents
        where source[form].map({ $0.text(upTo: largestContent + 3).utf8.count > largestContent + 2 }) == true {
            check.fault(form, "must be at most \(largestContent) bytes")
        }
        let template = StubResponse.read(&check, source, names: TemplateNames(), StubContext(api: ""))
        guard check.items.isEmpty else { return nil }
        return RespondEffect(Response(status: template.status), template)
    }

    private static func content(_ form: String, _ check: inout BodyCheck) -> (bytes: [UInt8], type: String)? {
        switch form {
        case "body": return (check.present("body") ?? .null).serialized(upTo: largestContent)
        case "text": return check.string("text").map { (Array($0.utf8), "text/plain; charset=utf-8") }
        default:
            guard let text = check.string("base64") else { return nil }
            guard let bytes = Base64.decode(text.utf8) else {
                check.fault("base64", "is not base64 with padding (RFC 4648 section 4)")
                return nil
            }
            return (bytes, "application/octet-stream")
        }
    }

    private init(_ response: Response, _ template: StubResponse? = nil) {
        self.response = response
        self.template = template
    }

    package func apply(to response: Response, _ context: inout EffectContext) -> Response { self.response }
}

extension JSON {
    /// Returns the text of a value as content, with its media type.
    fileprivate func serialized(upTo limit: Int) -> (bytes: [UInt8], type: String) {
        (Array(text(upTo: limit + 1).utf8), "application/json")
    }
}
