import CivilTime
import JSON
import TestSupport
import Testing

@testable import Templates

/// Values for tests: one request, a clock that stands, and counters.
struct TestValues: TemplateValues {
    var now = Instant(seconds: 1_735_732_800) + Interval(microseconds: 250_000)
    var anchors = (start: Instant(seconds: 1_735_732_800), day: Instant(seconds: 1_735_689_600))
    var path = ["id": "p 1"]
    var query = ["page": "3", "on": "true", "empty": ""]
    var headers = ["x-tier": "gold"]
    var body: JSON? = [
        "a": ["b": 1.5], "items": [["id": 7], ["id": "é"]], "none": .null, "at": "2025-01-02T03:04:05.678Z",
    ]
    var locals: [String: JSON] = ["row": ["id": 4, "tags": ["x"]], "error.status": 404]
    var counters: [String: Int64] = [:]
    var asked: [Placeholder] = []

    mutating func value(of placeholder: Placeholder) -> JSON? {
        asked.append(placeholder)
        switch placeholder {
        case .path(let name): return path[name].map { .string($0) }
        case .query(let name): return query[name].map { .string($0) }
        case .header(let name): return headers[name.lowercased()].map { .string($0) }
        case .body(let path): return body?.part(at: path)
        case .user(let path): return JSON.object(["role": "admin"]).part(at: path)
        case .uuid: return "00000000-0000-4000-8000-000000000000"
        case .chance(let range): return .integer(range.upperBound)
        case .pick(let words): return .string(words[words.count - 1])
        case .counter(let name):
            counters[name, default: 0] += 1
            return .integer(counters[name, default: 0])
        case .state(let name): return name == "cart" ? "full" : nil
        case .requestID: return "req_1"
        case .requestMethod: return "POST"
        case .requestPath: return "/v1/p%201"
        case .base: return "http://127.0.0.1:4700"
        case .local(let name, let path): return locals[name]?.part(at: path)
        case .time: return nil
        }
    }
}

/// Own-API contract, section 9: placeholders.
@Suite struct TemplateTests {
    static let names = TemplateNames(
        locals: ["row", "error.status", "user"],
        structures: ["row", "user"],
        pathParameters: ["id"],
        states: ["cart", "mood"]
    )

    private func fill(_ json: JSON) throws -> JSON? {
        var values = TestValues()
        var budget = TemplateBudget()
        return try Template(json, names: Self.names).filled(from: &values, &budget)
    }

    @Test(
        arguments: [
            ("{{path.id}}", "\"p 1\""), ("{{ path.id }}", "\"p 1\""), ("{{query.page}}", "\"3\""),
            ("{{query.page | int}}", "3"), ("{{query.other ?? 1 | int}}", "1"), ("{{query.page ?? 1 | int}}", "3"),
            ("{{header.X-Tier}}", "\"gold\""), ("{{body.a.b}}", "1.5"), ("{{body.a}}", "{\"b\":1.5}"),
            ("{{body.items[0].id}}", "7"), ("{{body.items[1].id}}", "\"é\""), ("{{body.none}}", "null"),
            ("{{body.none ?? 1}}", "null"), ("{{user.role}}", "\"admin\""), ("{{now}}", "\"2025-01-01T12:00:00Z\""),
            ("{{now | millis}}", "\"2025-01-01T12:00:00.250Z\""), ("{{now+PT15M}}", "\"2025-01-01T12:15:00Z\""),
            ("{{now - P1D}}", "\"2024-12-31T12:00:00Z\""), ("{{T0}}", "\"2025-01-01T12:00:00Z\""),
            ("{{T0+P1M}}", "\"2025-02-01T12:00:00Z\""), ("{{D0}}", "\"2025-01-01\""),
            ("{{D0-P1D}}", "\"2024-12-31\""), ("{{D0+PT36H}}", "\"2025-01-02T12:00:00Z\""),
            ("{{D0+P1M}}", "\"2025-02-01\""), ("{{D0 | unix}}", "1735689600"), ("{{now | unixms}}", "1735732800250"),
            ("{{now | unix}}", "1735732800"), ("{{now | date}}", "\"2025-01-01\""),
            ("{{now | http}}", "\"Wed, 01 Jan 2025 12:00:00 GMT\""), ("{{body.at | unixms}}", "1735787045678"),
            ("{{body.at | date}}", "\"2025-01-02\""), ("{{uuid}}", "\"00000000-0000-4000-8000-000000000000\""),
            ("{{random 1 6}}", "6"), ("{{random -3 -2}}", "-2"), ("{{pick red green}}", "\"green\""),
            ("{{counter.orders}}", "1"), ("{{state.cart}}", "\"full\""), ("{{request.id}}", "\"req_1\""),
            ("{{request.method}}", "\"POST\""), ("{{request.path}}", "\"/v1/p%201\""),
            ("{{base}}/x", "\"http://127.0.0.1:4700/x\""), ("{{row}}", "{\"id\":4,\"tags\":[\"x\"]}"),
            ("{{row.tags[0]}}", "\"x\""), ("{{error.status}}", "404"), ("{{query.on | bool}}", "true"),
            ("{{query.page | number}}", "3"), ("{{body.a.b | int}}", "1"), ("{{body.a.b | text}}", "\"1.5\""),
            ("{{path.id | url}}", "\"p%201\""), ("{{header.X-Tier | base64}}", "\"Z29sZA==\""),
            ("{{query.x ?? a \"b\" c}}", "\"a \\\"b\\\" c\""), ("{{query.x ?? \"a | }} b\"}}", "\"a | }} b\""),
            ("{{query.x ?? []}}", "[]"), ("{{query.x ?? true}}", "true"), ("{{query.empty ?? 1}}", "\"\""),
            ("page {{query.page}} of {{body.a}}{{query.x}}.", "\"page 3 of {\\\"b\\\":1.5}.\""),
            ("{{query.page}}{{query.page}}", "\"33\""), ("no { braces }}", "\"no { braces }}\""),
        ]
    )
    func `9 a text becomes its value`(text: String, expected: String) throws {
        try expectEqual(fill(.string(text))?.text, expected)
    }

    @Test func `9 a member without a value is left out, an element is null, a part of a text is empty`() throws {
        let template: JSON = ["a": "{{query.x}}", "b": ["{{query.x}}", 1], "c": "<{{query.x}}>", "{{query.x}}": 2]
        try expectEqual(fill(template)?.text, #"{"b":[null,1],"c":"<>","{{query.x}}":2}"#)
        try expectNil(fill("{{query.x}}"))
        try expectNil(fill("{{query.on | int}}"))
        try expectNil(fill("{{query.page | unix}}"))
    }

    @Test func `9 values are asked for from left to right, in the order of the members`() throws {
        let template = try Template(
            [
                "z": "{{counter.a}}-{{counter.a}}", "a": ["{{counter.b}}", ["k": "{{counter.a}}"]],
                "m": "{{counter.b}}",
            ],
            names: Self.names
        )
        var values = TestValues()
        var budget = TemplateBudget()
        expectEqual(template.filled(from: &values, &budget)?.text, #"{"z":"1-2","a":[1,{"k":3}],"m":2}"#)
        expectEqual(template.filled(from: &values, &budget)?.text, #"{"z":"4-5","a":[3,{"k":6}],"m":4}"#)
    }

    @Test func `9 a value is not read as a template`() throws {
        var values = TestValues()
        values.query["page"] = "{{uuid}}"
        var budget = TemplateBudget()
        let template = try Template(["{{query.page}}", "a {{query.page}}"], names: Self.names)
        expectEqual(template.filled(from: &values, &budget)?.text, #"["{{uuid}}","a {{uuid}}"]"#)
    }

    @Test func `9 a header has no characters that a value cannot hold`() throws {
        var values = TestValues()
        values.query["page"] = " a\r\nSet-Cookie: b\u{0}\tc\u{7F} "
        var budget = TemplateBudget()
        let template = try Template("{{query.page}}", names: Self.names)
        expectEqual(template.filledHeader(from: &values, &budget), "aSet-Cookie: b\tc")
        let absent = try Template("{{query.x}}", names: Self.names)
        expectNil(absent.filledHeader(from: &values, &budget))
        let partial = try Template("v={{query.x}}", names: Self.names)
        expectEqual(partial.filledHeader(from: &values, &budget), "v=")
    }

    @Test func `9 within a text every value is spelled out`() throws {
        var values = TestValues()
        var budget = TemplateBudget()
        let template = try Template("{{body.a}}", names: Self.names)
        expectEqual(template.filledText(from: &values, &budget), #"{"b":1.5}"#)
    }

    @Test(
        arguments: [
            ("{{}}", "{{}} has no name"), ("{{now", "a placeholder is not closed with }}"),
            ("{{uid}}", "{{uid}}: unknown placeholder uid; did you mean uuid?"),
            ("{{now | milis}}", "{{now | milis}}: unknown filter milis; did you mean millis?"),
            ("{{now | date | text}}", "{{now | date | text}} has one filter at most"),
            ("{{path.od}}", "{{path.od}}: unknown path parameter od; did you mean id?"),
            ("{{state.car}}", "{{state.car}}: unknown state car; did you mean cart?"),
            ("{{now+15m}}", "{{now+15m}} needs an ISO 8601 duration after the sign, as in now+PT15M"),
            (
                "{{now+P}}",
                "{{now+P}} has no duration after its sign: "
                    + "expected an ISO 8601 duration such as P91D, PT2S, P1DT2H3.5S or P2W"
            ),
            ("{{random 6 1}}", "{{random 6 1}} needs two whole numbers, the smaller one first, as in random 1 6"),
            ("{{random 1}}", "{{random 1}} needs two whole numbers, the smaller one first, as in random 1 6"),
            ("{{pick}}", "{{pick}} needs words to pick from, as in pick red green"),
            ("{{body.}}", "{{body.}} has no name after a dot"),
            ("{{body[x]}}", "{{body[x]}} has no number in its brackets"),
            ("{{query.}}", "{{query.}} has no name after the dot"),
            ("{{header.a:b}}", "{{header.a:b}} names no header"),
            ("{{query.a ?? }}", "{{query.a ?? }} has no value after ??"),
            ("{{query.a ?? [1}}", "{{query.a ?? [1}} has a value after ?? that is not JSON: [1"),
        ]
    )
    func `9 an unknown name, filter or form is an error`(text: String, reason: String) {
        let error = #expect(throws: TemplateProblems.self) { try Template(["a": [.string(text)]], names: Self.names) }
        expectEqual(error?.problems.map(\.reason), [reason])
        expectEqual(error?.problems.first?.path.formattedJSONPath, "$.a[0]")
    }

    @Test func `9 every defect of a template is told`() {
        let error = #expect(throws: TemplateProblems.self) {
            try Template(["a": "{{x}} {{y}}", "b": ["{{z}}"], "c": "{{now}}"], names: Self.names)
        }
        expectEqual(error?.problems.map(\.path.formattedJSONPath), ["$.a", "$.a", "$.b[0]"])
    }

    @Test func `22 a response has 1,000 placeholders and no more`() throws {
        let most = JSON.array(Array(repeating: "{{uuid}}", count: 1_000))
        try expectEqual(Template(most, names: Self.names).placeholders, 1_000)
        let error = #expect(throws: TemplateProblems.self) {
            try Template(.array(Array(repeating: "{{uuid}}", count: 1_003)), names: Self.names)
        }
        expectEqual(error?.problems.map(\.reason), ["a response has at most 1000 placeholders"])
        expectEqual(error?.problems.first?.path.formattedJSONPath, "$[1000]")
    }

    @Test func `22 what is filled in is bounded`() throws {
        var values = TestValues()
        values.body = .string(String(repeating: "a", count: 100))
        let template = try Template("{{body}}{{body}}", names: Self.names)
        var enough = TemplateBudget(200)
        expectEqual(template.filled(from: &values, &enough)?.stringValue?.utf8.count, 200)
        #expect(!enough.isSpent)
        var short = TemplateBudget(199)
        _ = template.filled(from: &values, &short)
        #expect(short.isSpent)
    }
}
