import JSON
import Scaffolding
import TestSupport
import Testing

/// The responses of WireMock's mappings (own-API contract, section 20).
@Suite struct Section20ResponseTests {
    private static func response(
        _ response: String,
        request: String = #"{"urlPath":"/a"}"#,
        bodies: [(name: String, text: String)] = []
    ) throws -> (response: String, listed: [String], isEnabled: Bool) {
        let imported = try Imported(mapping(request: request, response: response), bodies: bodies)
        let stub = try imported.stubs[0]
        return (stub["response"]?.text ?? "", imported.omissions, stub["enabled"]?.boolValue ?? true)
    }

    @Test(arguments: [
        (#"{"status":201,"body":"Hi"}"#, #"{"status":201,"text":"Hi"}"#),
        (
            #"{"status":" 201 ","body":2,"fixedDelayMilliseconds":"5"}"#,
            #"{"status":201,"text":"2","delay":{"ms":5}}"#
        ),
        (#"{"status":202.0,"body":true}"#, #"{"status":202,"text":"true"}"#),
        (#"{"jsonBody":{"a":[1,null]}}"#, #"{"status":200,"body":{"a":[1,null]}}"#),
        (#"{"status":200,"base64Body":"AQI="}"#, #"{"status":200,"base64":"AQI="}"#),
        (#"{"status":404,"statusMessage":"Not Found"}"#, #"{"status":404}"#),
        (
            #"{"headers":{"Content-Type":"text/xml","Set-Cookie":["a=1","b=2"]},"body":"<a/>"}"#,
            #"{"status":200,"headers":{"Content-Type":"text/xml","Set-Cookie":["a=1","b=2"]},"text":"<a/>"}"#
        ),
        (
            #"{"headers":{"X-A":5,"X-B":true,"X-C":[1.50,"a",false]}}"#,
            #"{"status":200,"headers":{"X-A":"5","X-B":"true","X-C":["1.50","a","false"]}}"#
        ),
        (#"{"transformerParameters":{},"status":201}"#, #"{"status":201}"#),
        (#"{"fixedDelayMilliseconds":500}"#, #"{"status":200,"delay":{"ms":500}}"#),
        (
            #"{"delayDistribution":{"type":"uniform","lower":15,"upper":25}}"#,
            #"{"status":200,"delay":{"uniform":[15,25]}}"#
        ),
        // 90·e^(1.645·0.1)
        (
            #"{"delayDistribution":{"type":"lognormal","median":90,"sigma":0.1}}"#,
            #"{"status":200,"delay":{"lognormal":{"median":90,"p95":106.092}}}"#
        ),
        (#"{"status":204,"body":""}"#, #"{"status":204}"#),
    ])
    func `20 responses are carried over`(_ wireMock: String, _ own: String) throws {
        let found = try Self.response(wireMock)
        expectEqual(found.response, own)
        expectEqual(found.listed, [])
        #expect(found.isEnabled)
    }

    @Test(arguments: [
        (#"{{request.path.id}}"#, #"{{path.id}}"#),
        (#"{{request.query.q}} {{request.query.q.[0]}}"#, #"{{query.q}} {{query.q}}"#),
        (#"{{request.headers.X-Id}} {{{request.headers.[X-Id]}}}"#, #"{{header.X-Id}} {{header.X-Id}}"#),
        (#"{{request.method}} {{request.path}}"#, #"{{request.method}} {{request.path}}"#),
        (#"{{jsonPath request.body '$.a.b'}}"#, #"{{body.a.b}}"#),
        (#"{{jsonPath request.body '$'}}"#, #"{{body}}"#),
        (#"{{randomValue type='UUID'}}"#, #"{{uuid}}"#),
        (#"{{now}} {{now offset='3 days'}}"#, #"{{now}} {{now+P3D}}"#),
        (#"{{now offset='-24 seconds' format='epoch'}}"#, #"{{now-PT24S | unixms}}"#),
    ])
    func `20 templates become placeholders`(_ template: String, _ placeholders: String) throws {
        let body = JSON.string(template).text
        let found = try Self.response(
            #"{"body":\#(body),"headers":{"X-A":\#(body)},"transformers":["response-template"]}"#,
            request: #"{"urlPathTemplate":"/a/{id}"}"#
        )
        expectEqual(found.response, #"{"status":200,"headers":{"X-A":"\#(placeholders)"},"text":"\#(placeholders)"}"#)
        expectEqual(found.listed, [])
        #expect(found.isEnabled)
    }

    @Test func `20 a template in a JSON body stays a text`() throws {
        let found = try Self.response(
            #"{"jsonBody":{"n":"{{jsonPath request.body '$.n'}}","m":"no. {{request.query.n}}"},"transformers":["response-template"]}"#
        )
        expectEqual(found.response, #"{"status":200,"body":{"n":"{{body.n | text}}","m":"no. {{query.n}}"}}"#)
    }

    @Test(arguments: [
        "{{randomInt lower=1}}", "{{#each request.query.a}}x{{/each}}", "{{request.url}}", "{{now format='HH'}}",
        "{{jsonPath request.body '$..a'}}", "{{request.path.other}}", "{{now offset='3 lightyears'}}", "{{open",
    ])
    func `20 a template without a counterpart disables the stub, whose text stays as it was`(_ template: String) throws
    {
        let found = try Self.response(
            #"{"body":\#(JSON.string(template).text),"transformers":["response-template"]}"#
        )
        expectEqual(found.response, #"{"status":200,"text":\#(JSON.string(template).text),"template":false}"#)
        expectEqual(found.listed.count, 1)
        #expect(found.listed[0].hasPrefix("wm/mappings/a.json:1: $.response.body: has "))
        #expect(!found.isEnabled)
    }

    @Test func `20 files are copied if a mapping names them, and listed if none does`() throws {
        let imported = try Imported(
            [
                ("a.json", mapping(response: #"{"bodyFileName":"deep/a.json"}"#)),
                ("b.json", mapping(response: #"{"bodyFileName":"b.txt","transformers":["response-template"]}"#)),
            ],
            bodies: [("b.txt", "Hi {{request.query.n}}"), ("c.txt", "?"), ("deep/a.json", "{}")]
        )
        try expectEqual(imported.stubs.map(\.text).map { $0.contains("enabled") }, [false, false])
        try expectEqual(imported.stubs[1]["response"]?.text, #"{"status":200,"file":"deep/a.json"}"#)
        try expectEqual(imported.stubs[0]["response"]?.text, #"{"status":200,"text":"Hi {{query.n}}"}"#)
        expectEqual(imported.scaffold.files.map(\.path), ["api.json", "files/deep/a.json", "stubs/wiremock.json"])
        expectEqual(imported.omissions, ["wm/__files/c.txt:1: $: no mapping names this file; left out"])
    }

    @Test(arguments: [
        (#"{"fault":"CONNECTION_RESET_BY_PEER"}"#, "$.response.fault"),
        (#"{"proxyBaseUrl":"http://a.b"}"#, "$.response.proxyBaseUrl"),
        (#"{"chunkedDribbleDelay":{"numberOfChunks":5,"totalDuration":1000}}"#, "$.response.chunkedDribbleDelay"),
        (#"{"status":99}"#, "$.response.status"),
        (#"{"statusMessage":"Fine"}"#, "$.response.statusMessage"),
        (#"{"body":"a","jsonBody":{}}"#, "$.response.jsonBody"),
        (#"{"base64Body":"%"}"#, "$.response.base64Body"),
        (#"{"status":204,"body":"x"}"#, "$.response.body"),
        (#"{"bodyFileName":"gone.json"}"#, "$.response.bodyFileName"),
        (#"{"bodyFileName":"../a.json"}"#, "$.response.bodyFileName"),
        (#"{"bodyFileName":"/etc/passwd"}"#, "$.response.bodyFileName"),
        (#"{"bodyFileName":"a/../../b"}"#, "$.response.bodyFileName"),
        (#"{"headers":{"X A":"b"}}"#, "$.response.headers['X A']"),
        (#"{"headers":{"X-A":"b\nc"}}"#, "$.response.headers.X-A"),
        (#"{"headers":{"X-A":null}}"#, "$.response.headers.X-A"),
        (#"{"delayDistribution":{"type":"pareto"}}"#, "$.response.delayDistribution"),
        (#"{"delayDistribution":{"type":"uniform","lower":2,"upper":1}}"#, "$.response.delayDistribution"),
        (#"{"fixedDelayMilliseconds":86400001}"#, "$.response.fixedDelayMilliseconds"),
        (#"{"transformers":["mine"]}"#, "$.response.transformers[0]"),
    ])
    func `20 what has no counterpart in a response is listed`(_ wireMock: String, _ path: String) throws {
        let found = try Self.response(wireMock)
        #expect(!found.isEnabled)
        expectEqual(found.listed.count, 1)
        let plain = path.replacing("$.response.headers.X-A", with: "$.response.headers['X-A']")
        #expect(found.listed[0].hasPrefix("wm/mappings/a.json:1: \(plain): "), "\(found.listed)")
    }

    @Test func `20 parameters of transformers are listed, and a template that asks for them disables the stub`() throws
    {
        let place = "wm/mappings/a.json:1: $.response"
        let unused = "\(place).transformerParameters: is not kept; no imported template uses it"
        for more in ["", #","transformers":["response-template"],"headers":{"X-A":"{{request.method}}"}"#] {
            let found = try Self.response(#"{"transformerParameters":{"a":1},"body":"x"\#(more)}"#)
            #expect(found.isEnabled)
            expectEqual(found.listed, [unused])
        }
        let used = try Self.response(
            #"{"transformerParameters":{"a":1},"body":"{{parameters.a}}","transformers":["response-template"]}"#
        )
        #expect(!used.isEnabled)
        let template = "\(place).body: has the template {{parameters.a}}, which has no counterpart"
        expectEqual(used.listed, [unused, template])
    }

    @Test func `20 fields that the server sets are listed and nothing is lost`() throws {
        let found = try Self.response(#"{"headers":{"Content-Length":"3","X-A":"1"},"body":"abc"}"#)
        expectEqual(found.response, #"{"status":200,"headers":{"X-A":"1"},"text":"abc"}"#)
        expectEqual(found.listed.count, 1)
        #expect(found.isEnabled)
    }

    @Test(arguments: [
        (#"{"fault":"EMPTY_RESPONSE"}"#, #"use the fault {"connection":"empty"}"#),
        (#"{"fault":"RANDOM_DATA_THEN_CLOSE"}"#, #"use the fault {"connection":"garbage"}"#),
        (#"{"chunkedDribbleDelay":{"numberOfChunks":5,"totalDuration":1000}}"#, #"use the fault {"dribble":{…}}"#),
        (#"{"proxyBaseUrl":"https://real.example"}"#, "use the mode record-missing with a real backend"),
    ])
    func `20 what something else than a stub does is told with it`(_ wireMock: String, _ hint: String) throws {
        let found = try Self.response(wireMock)
        #expect(!found.isEnabled && found.listed.count == 1)
        #expect(found.listed[0].hasSuffix(": has no counterpart in a stub; \(hint)"), "\(found.listed)")
    }

    @Test(arguments: [".hidden", ".d/x.json", "d/.x"])
    func `20 a file that no reader of a folder sees is listed`(_ name: String) throws {
        let plain = try Imported(mapping(response: #"{"bodyFileName":"\#(name)"}"#), bodies: [(name, "{{now}}")])
        #expect(try plain.stubs[0]["enabled"] == false && plain.stubs[0]["response"] == ["status": 200])
        expectEqual(
            plain.omissions,
            [
                "wm/mappings/a.json:1: $.response.bodyFileName: names a file or folder that begins with a dot, which is "
                    + "not supported"
            ]
        )
        expectEqual(plain.scaffold.files.map(\.path), ["api.json", "stubs/wiremock.json"])
        expectEqual(plain.mistakes, [])
        // A template is written into the stub, and needs no file.
        let template = try Imported(
            mapping(response: #"{"bodyFileName":"\#(name)","transformers":["response-template"]}"#),
            bodies: [(name, "{{now}}")]
        )
        #expect(try template.stubs[0]["response"]?["text"] == "{{now}}" && template.stubs[0]["enabled"] == nil)
    }

    @Test(arguments: [
        (#"{"body":"{{ x }}"}"#, #"{"status":200,"text":"{{ x }}","template":false}"#, "body"),
        (
            #"{"jsonBody":{"a":"{{request.query.q}}"},"transformers":[]}"#,
            #"{"status":200,"body":{"a":"{{request.query.q}}"},"template":false}"#, "jsonBody"
        ),
        (
            #"{"headers":{"X-A":"{{now}}"}}"#, #"{"status":200,"headers":{"X-A":"{{now}}"},"template":false}"#,
            "headers['X-A']"
        ),
        (#"{"bodyFileName":"a.txt"}"#, #"{"status":200,"file":"a.txt"}"#, "bodyFileName"),
    ])
    func `20 braces that are no template without the transformer stay, and are listed`(
        _ wireMock: String,
        _ own: String,
        _ path: String
    ) throws {
        let bodies = path == "bodyFileName" ? [("a.txt", "Hi {{request.method}}")] : []
        let found = try Self.response(wireMock, bodies: bodies)
        expectEqual(found.response, own)
        #expect(found.isEnabled)
        expectEqual(found.listed.count, 1)
        #expect(found.listed[0].hasPrefix("wm/mappings/a.json:1: $.response.\(path): "), "\(found.listed)")
        #expect(found.listed[0].hasSuffix(#"add "transformers": ["response-template"]"#))
    }

    /// Every form of a template that is carried over, where each may stand.
    @Test func `20 whatever is written for a template is read again`() throws {
        let forms = [
            "{{request.path.id}}", "{{request.path.key}}", "{{request.query.q}}", "{{request.query.q.[0]}}",
            "{{request.headers.X-Id}}", "{{{request.headers.[X-Id]}}}", "{{request.method}}",
            "{{request.requestLine.method}}",
            "{{request.path}}", "{{request.requestLine.path}}", "{{jsonPath request.body '$.a.b'}}",
            "{{jsonPath request.body '$'}}", "{{randomValue type='UUID'}}", "{{now}}", "{{now offset='3 days'}}",
            "{{now offset='-1 months' format='yyyy-MM-dd'}}", "{{now format='epoch'}}", "{{now format='unix'}}",
            "{{now format='yyyy-MM-dd'}}", "{{now format=\"epoch\" offset=\"2 years\"}}",
        ]
        for form in forms {
            let texts = [form, "on \(form)", "\(form)\(form)"].map { JSON.string($0) }
            for response in [
                ["body": texts[0]], ["body": texts[1]], ["jsonBody": texts[0]], ["jsonBody": .array(texts)],
                ["jsonBody": ["d": texts[0], "e": ["f": texts[1]]]], ["headers": ["X-A": texts[0], "X-B": texts[1]]],
                ["bodyFileName": "a.txt"],
            ] as [JSONObject] {
                var response = response
                response.append("transformers", ["response-template"])
                let imported = try Imported(
                    mapping(
                        request: #"{"urlPathTemplate":"/a/{id}/{key}","pathParameters":{"key":{"equalTo":"k"}}}"#,
                        response: JSON.object(response).text
                    ),
                    bodies: response["bodyFileName"] == nil ? [] : [("a.txt", form)]
                )
                expectEqual(imported.omissions, [])
                expectEqual(imported.mistakes, [])
                try expectNil(imported.stubs[0]["enabled"], "\(form)")
            }
        }
    }

    @Test func `20 a time in a JSON body stays a text, as WireMock writes it`() throws {
        func response(_ form: String, _ more: String = "") throws -> String {
            try Self.response(
                #"{"jsonBody":{"d":"{{now format='\#(form)'}}","n":1}\#(more),"transformers":["response-template"]}"#
            ).response
        }
        try expectEqual(response("yyyy-MM-dd"), #"{"status":200,"body":{"d":"{{now | date}}","n":1}}"#)
        let number = #""text":"{\"d\":\"{{now | unixms}}\",\"n\":1}""#
        try expectEqual(
            response("epoch"),
            #"{"status":200,"headers":{"Content-Type":"application/json"},\#(number)}"#
        )
        try expectEqual(
            response("epoch", #","headers":{"content-type":"a/b"}"#),
            #"{"status":200,"headers":{"content-type":"a/b"},\#(number)}"#
        )
    }

    @Test(arguments: [("/sub/e.txt", "sub/e.txt"), ("./sub/e.txt", "sub/e.txt"), ("x/..//sub/./e.txt", "sub/e.txt")])
    func `20 the name of a body is a path as a file system reads it`(_ name: String, _ path: String) throws {
        let found = try Self.response(#"{"bodyFileName":"\#(name)"}"#, bodies: [("sub/e.txt", "1")])
        expectEqual(found.response, #"{"status":200,"file":"\#(path)"}"#)
        expectEqual(found.listed, [])
        #expect(found.isEnabled)
    }

    @Test func `20 a file whose name has a dot inside is copied`() throws {
        let imported = try Imported(mapping(response: #"{"bodyFileName":"a.d/x."}"#), bodies: [("a.d/x.", "1")])
        expectEqual(imported.scaffold.files.map(\.path), ["api.json", "files/a.d/x.", "stubs/wiremock.json"])
        expectEqual(imported.omissions, [])
        expectEqual(imported.mistakes, [])
    }

    @Test func `22 a response has at most 1,000 placeholders`() throws {
        func response(_ count: Int) -> String {
            let text = String(repeating: "{{now}}", count: count - 1)
            return #"{"body":"\#(text)","headers":{"X-A":"{{now}}"},"transformers":["response-template"]}"#
        }
        let most = try Imported(mapping(response: response(1_000)))
        try expectNil(most.stubs[0]["enabled"])
        expectEqual(most.omissions, [])
        expectEqual(most.mistakes, [])
        let over = try Imported(mapping(response: response(1_001)))
        #expect(try over.stubs[0]["enabled"] == false && over.stubs[0]["response"]?["template"] == false)
        expectEqual(over.omissions, ["wm/mappings/a.json:1: $.response: has 1001 placeholders; the limit is 1000"])
        expectEqual(over.mistakes, [])
    }
}
