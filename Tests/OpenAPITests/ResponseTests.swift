import HTTPMessage
import JSON
import OpenAPI
import TestSupport
import Testing

/// The response that an operation gives (own-API contract, section 16).
@Suite struct ResponseTests {
    private func responses(_ yaml: String) throws -> OpenAPIOperation {
        let lines = yaml.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n")
        return try Fixture.operation("/a", "get:\n  responses:\n\(lines)")
    }

    @Test(arguments: [
        ("'201': {}\n'200': {}\n'404': {}", "200"), ("'404': {}\n'204': {}", "204"), ("'404': {}\n2XX: {}", "200"),
        ("'404': {}\ndefault: {}", "200"), ("'500': {}\n'404': {}", "404"), ("5XX: {}\n4xx: {}", "400"),
        ("'101': {}\n'301': {}", "301"),
        ("x-none: {}", "200"),
    ])
    func `16 the smallest status that is declared is sent, successes first`(yaml: String, expected: String) throws {
        try expectEqual(responses(yaml).reply(), "\(expected) - ")
    }

    @Test func `16 Prefer chooses the status, else the error form has it`() throws {
        let operation = try responses("'200': {}\n'404': {content: {application/json: {example: {a: 1}}}}\n5XX: {}")
        expectEqual(operation.reply(prefer: "code=404"), #"404 application/json {"a":1}"#)
        expectEqual(operation.reply(query: "__code=404"), #"404 application/json {"a":1}"#)
        expectEqual(operation.reply(query: "__code=404", prefer: "code=503"), "503 - ")
        expectEqual(operation.reply(prefer: "code=418"), "undeclared 418 code=418")
        expectEqual(operation.reply(prefer: "code=abc"), "200 - ")
        try expectEqual(responses("default: {}").reply(prefer: "code=418"), "418 - ")
    }

    @Test func `16 Preference-Applied echoes what was followed`() throws {
        let operation = try responses(
            "'200': {content: {application/json: {examples: {a: {value: 1}, 'b c': {value: 2}}}}}"
        )
        func applied(_ prefer: String?, query: String? = nil) -> String? {
            guard case .answer(let answer) = operation.outcome(query: query, prefer: prefer) else { return "no answer" }
            return answer.fields["Preference-Applied"]
        }
        expectNil(applied(nil))
        expectNil(applied("respond-async"))
        expectEqual(applied("code=200, example=\"b c\""), "code=200, example=\"b c\"")
        expectEqual(applied("example=a; x=y, wait=5"), "example=a")
        expectEqual(applied(nil, query: "__code=200&__dynamic=true"), "code=200, dynamic=true")
    }

    @Test func `16 examples come by name, else the example, the first of examples, or a sample`() throws {
        let operation = try Fixture.document(
            """
            openapi: 3.1.0
            paths:
              /a:
                get:
                  responses:
                    '200':
                      content:
                        application/json:
                          schema: {const: sampled}
                          examples: {far: {externalValue: 'http://x'}, cat: {$ref: '#/components/examples/Cat'}, dog: {value: D}}
            components: {examples: {Cat: {value: C}}}
            """
        ).operations[0]
        expectEqual(operation.reply(), #"200 application/json "C""#)
        expectEqual(operation.reply(prefer: "example=dog"), #"200 application/json "D""#)
        expectEqual(operation.reply(query: "__example=dog"), #"200 application/json "D""#)
        expectEqual(operation.reply(prefer: "example=cow"), "no example cow; cat, dog")
        expectEqual(operation.reply(prefer: "example=far"), "no example far; cat, dog")
        expectEqual(operation.reply(prefer: "dynamic=true"), #"200 application/json "sampled""#)
        let one = try responses("'200': {content: {application/json: {schema: {const: s}, example: e}}}")
        expectEqual(one.reply(), #"200 application/json "e""#)
        expectEqual(one.reply(query: "__dynamic=true"), #"200 application/json "s""#)
        expectEqual(one.reply(prefer: "dynamic=false"), #"200 application/json "e""#)
        expectEqual(one.reply(prefer: "example=x"), "no example x; ")
    }

    @Test(arguments: [
        (nil, "application/json"), ("*/*", "application/json"), ("text/plain", "text/plain"), ("text/*", "text/plain"),
        ("application/json;q=0.5, text/plain", "text/plain"), ("application/*", "application/json"),
        ("application/vnd.b+json", "application/vnd.b+json"), ("image/png", "application/json"),
        ("image/png, text/plain;q=0", "application/json"),
        ("text/plain;q=0.1, */*;q=0", "text/plain"),
    ])
    func `16 Accept chooses the media type, JSON first`(accept: String?, expected: String) throws {
        let operation = try responses(
            "'200': {content: {text/plain: {example: x}, application/json: {example: x}, application/vnd.b+json: {example: x}}}"
        )
        let content = expected == "text/plain" ? "x" : #""x""#
        expectEqual(operation.reply(accept: accept), "200 \(expected) \(content)")
    }

    @Test(arguments: ["nan", "-nan", "inf", "1e300", "1.001", "x"])
    func `16 a weight above 1, or that is no number, counts as 1`(weight: String) throws {
        let operation = try responses("'200': {content: {text/plain: {example: x}, application/json: {example: x}}}")
        expectEqual(operation.reply(accept: "text/plain;q=\(weight), */*;q=0.999"), "200 text/plain x")
        expectEqual(operation.reply(accept: "text/plain;q=\(weight), */*;q=1"), #"200 application/json "x""#)
    }

    @Test func `16 a weight below 0 counts as 0`() throws {
        let operation = try responses("'200': {content: {text/plain: {example: x}}}")
        expectEqual(operation.reply(accept: "text/plain;q=-1e300", isEnforced: true), "406 text/plain")
        expectEqual(operation.reply(accept: "text/plain;q=0", isEnforced: true), "406 text/plain")
        expectEqual(operation.reply(accept: "text/plain;q=0.001", isEnforced: true), "200 text/plain x")
    }

    @Test(arguments: [
        (nil, "application/json"), ("*/*", "application/json"), ("text/html", "text/html"),
        ("text/html;q=0, application/json", "application/json"),
        ("application/xml;q=0.2, application/json", "application/json"), ("image/png;q=0, */*", "application/json"),
        ("application/xml;q=0.5, application/*;q=0.5", "application/json"),
        ("application/xml;q=0.501, application/*;q=0.5", "application/xml"),
        ("application/xml;q=0.5, application/json;q=0.4, */*", "application/xml"),
        ("text/html, application/xhtml+xml, */*;q=0.8", "text/html"),
        ("text/html;q=0.2, application/xml;q=0.3", "application/xml"),
        ("text/html;q=0.001, application/json;q=0", "text/html"), ("image/*", "application/json"),
        ("text/html;q=0", "application/json"),
    ])
    func `16 for a declared range the usual type is sent unless another weighs more`(
        accept: String?,
        expected: String
    ) throws {
        let text = try responses("'200': {content: {'*/*': {example: x}}}")
        let content = expected == "application/json" ? #""x""# : "x"
        expectEqual(text.reply(accept: accept), "200 \(expected) \(content)")
        // What is more than a text is JSON, whatever the client would rather have.
        let value = try responses("'200': {content: {'*/*': {example: {a: 1}}}}")
        expectEqual(value.reply(accept: accept), #"200 application/json {"a":1}"#)
    }

    @Test func `16 examples are held against their schema once, and what takes long is left to a worker`() throws {
        let broken = (0..<400).map { "{a: \($0)}" }.joined(separator: ", ")
        let operation = try responses(
            "'200': {content: {application/json: {schema: {type: array, minItems: 401, items: {type: object, required: [a]}}, examples: {x: {value: [\(broken)]}, y: {value: [\(broken), {a: 400}]}}}}}"
        )
        let call = OpenAPICall(path: "/", seed: 1, start: Fixture.start, omitsBrokenExamples: true)
        expectNil(operation.answer(call, within: 300))
        guard case .answer(let answer) = operation.answer(call) else { throw NoSample() }
        expectEqual(try JSONReader.read(answer.content).arrayValue?.count, 401)
        guard case .answer(let again)? = operation.answer(call, within: 300) else { throw NoSample() }
        expectEqual(again.content, answer.content)
    }

    @Test func `16 each range has its usual type, and is refused where the client takes none of it`() throws {
        let text = try responses("'200': {content: {'text/*': {example: x}}}")
        expectEqual(text.reply(), "200 text/plain x")
        expectEqual(text.reply(accept: "text/html;q=0.9, text/plain"), "200 text/plain x")
        expectEqual(text.reply(accept: "text/html, text/*;q=0.9, image/png"), "200 text/html x")
        expectEqual(text.reply(accept: "image/png", isEnforced: true), "406 text/*")
        let any = try responses("'200': {content: {'*/*': {example: 1}}}")
        expectEqual(any.reply(accept: "image/*", isEnforced: true), "200 application/json 1")
        expectEqual(any.reply(accept: "application/json;q=0, */*", isEnforced: true), "406 */*")
        expectEqual(any.reply(accept: "text/html;q=0", isEnforced: true), "406 */*")
        let image = try responses("'200': {content: {'image/*': {example: x}}}")
        expectEqual(image.reply(accept: "image/png;q=0.1", isEnforced: true), "200 image/png x")
        expectEqual(image.reply(), "200 image/png x")
        let both = try responses("'200': {content: {'text/*': {example: x}, application/json: {example: 1}}}")
        expectEqual(both.reply(accept: "text/html;q=0, application/json;q=0.1"), "200 application/json 1")
        expectEqual(both.reply(accept: "text/csv, application/json;q=0.9"), "200 text/csv x")
    }

    @Test func `16 where no media type fits, 406 is for enforcement`() throws {
        let operation = try responses("'200': {content: {application/json: {example: x}, text/csv: {example: x}}}")
        expectEqual(operation.reply(accept: "image/png", isEnforced: true), "406 application/json, text/csv")
        expectEqual(operation.reply(accept: "image/png"), #"200 application/json "x""#)
        expectEqual(operation.reply(accept: "text/csv", isEnforced: true), "200 text/csv x")
    }

    @Test func `16 content that is not JSON is a text example, a text sample, or empty`() throws {
        func reply(_ type: String, _ content: String) throws -> String {
            try responses("'200': {content: {'\(type)': {\(content)}}}").reply()
        }
        try expectEqual(reply("application/xml", "example: <a/>"), "200 application/xml <a/>")
        try expectEqual(reply("application/xml", "schema: {type: object}"), "200 application/xml ")
        try expectEqual(reply("text/csv", "schema: {const: 'a,b'}"), "200 text/csv a,b")
        try expectEqual(reply("text/plain", "schema: {const: 5}"), "200 text/plain 5")
        try expectEqual(reply("text/xml", "schema: {const: a}"), "200 text/xml ")
        try expectEqual(reply("image/png", "example: {a: 1}"), "200 image/png ")
        try expectEqual(reply("*/*", "example: {a: 1}"), #"200 application/json {"a":1}"#)
    }

    @Test func `16 headers that are required or have an example are sent`() throws {
        let operation = try responses(
            """
            '200':
              headers:
                X-A: {required: true, schema: {const: 5}}
                X-B: {schema: {type: string}}
                X-C: {example: [1, b]}
                X-D: {schema: {type: string, examples: [d]}}
                X-E: {examples: {e: {value: {k: v, n: 1}}}, explode: true}
                X-F: {example: "a\\r\\nb"}
                Content-Type: {required: true, example: no}
            """
        )
        guard case .answer(let answer) = operation.outcome() else {
            Issue.record("no answer")
            return
        }
        let names: [FieldName] = ["X-A", "X-B", "X-C", "X-D", "X-E", "X-F", "Content-Type"]
        expectEqual(names.map { answer.fields[$0] }, ["5", nil, "1,b", "d", "k=v,n=1", nil, nil])
    }

    @Test func `17 an operation whose schema no sample fits says so`() throws {
        let none = "'200': {content: {application/json: {schema: {type: string, minLength: 3, maxLength: 2}}}}"
        try expectEqual(responses(none).reply(), "no sample")
        try expectEqual(
            responses("'200': {content: {application/json: {schema: false, example: 1}}}").reply(),
            "200 application/json 1"
        )
        func text(_ content: String) throws -> String {
            try responses("'200': {content: {text/plain: {\(content)}}}").reply()
        }
        try expectEqual(text("schema: {type: string, minLength: 5, maxLength: 4}"), "no sample")
        try expectEqual(text("schema: {const: five, minLength: 4, maxLength: 4}"), "200 text/plain five")
        try expectEqual(text("schema: {type: string, minLength: 5, maxLength: 4}, example: e"), "200 text/plain e")
        // Of content that is neither JSON nor text there is no sample.
        try expectEqual(responses("'200': {content: {image/png: {schema: false}}}").reply(), "200 image/png ")
    }
}
