import JSON
import TestSupport
import Testing

@testable import Backend

@Suite struct RequestSchemaTests {
    enum Size: String, CaseIterable, Sendable { case small, large }

    struct Person: RequestModel, Equatable {
        var name: String?
        var age: Int64?

        static let shape = RequestSchema<Person>(
            "Person",
            [
                .optional("name", .string(.notEmpty)) { $0.name = $1 },
                .required("age", .integer(in: 0...150)) { $0.age = $1 },
            ]
        )
    }

    struct Order: RequestModel, Equatable {
        var token = ""
        var kind: String?
        var size: Size?
        var isGift: Bool?
        var tags: [String]?
        var weight: Double?
        var person: Person?
        var people: [Person]?

        static let shape = RequestSchema<Order>(
            "Order",
            [
                .required("token", .string(.notEmpty)) { $0.token = $1 },
                .optional("kind", .string(.oneOf(["a", "b"]))) { $0.kind = $1 },
                .optional("size", .choice(Size.self)) { $0.size = $1 },
                .optional("isGift", .boolean) { $0.isGift = $1 },
                .optional("tags", .strings) { $0.tags = $1 },
                .optional("weight", .number(in: 0...10)) { $0.weight = $1 },
                .optional("person", .object(Person.self)) { $0.person = $1 },
                .optional("people", .array(of: .object(Person.self), counts: 1...2)) { $0.people = $1 },
            ]
        )
    }

    private func read(_ text: String) throws -> (value: Order, issues: [FieldIssue], schema: [JSONIssue]) {
        let json = try JSONReader.read(text: text)
        let (value, issues) = Order.read(try #require(json.objectValue))
        return (value, issues, JSONSchemaValidator.validate(json, against: Order.shape.schema))
    }

    /// Field and kind of each issue, without what was found.
    private func brief(_ issues: [FieldIssue]) -> [String] { issues.map { "\($0.field): \($0.kind)" } }

    @Test func `a body that fits is read`() throws {
        let (value, issues, schema) = try read(
            #"{"extra":1,"person":{"age":3,"name":"n"},"tags":["x",""],"isGift":false,"size":"large","kind":"b","#
                + #""token":"t","people":[{"age":150}],"weight":10}"#
        )
        #expect(issues.isEmpty)
        #expect(schema.isEmpty)
        let wanted = Order(
            token: "t",
            kind: "b",
            size: .large,
            isGift: false,
            tags: ["x", ""],
            weight: 10,
            person: Person(name: "n", age: 3),
            people: [Person(age: 150)]
        )
        expectEqual(value, wanted)
    }

    @Test func `null counts as absent`() throws {
        let (value, issues, schema) = try read(
            #"{"token":"t","kind":null,"size":null,"isGift":null,"tags":null,"weight":null,"person":null,"people":null}"#
        )
        #expect(issues.isEmpty)
        #expect(schema.isEmpty)
        expectEqual(value, Order(token: "t"))
    }

    @Test func `issues come in the order of the schema, whatever the body's is`() throws {
        let (_, issues, _) = try read(
            #"{"people":[{"age":1},{"name":""}],"person":{"age":"x","name":""},"weight":11,"tags":[1],"#
                + #""isGift":"yes","size":"huge","kind":"c"}"#
        )
        let wanted: [FieldIssue] = [
            FieldIssue("token", kind: .missing),
            FieldIssue("kind", kind: .notAllowed(["a", "b"]), found: "c"),
            FieldIssue("size", kind: .notAllowed(["small", "large"]), found: "huge"),
            FieldIssue("isGift", kind: .wrongType(.boolean), found: "yes"),
            FieldIssue("tags", kind: .wrongType(.strings), found: [1]),
            FieldIssue("weight", kind: .outOfRange(.number(0...10)), found: 11),
            FieldIssue("person", "name", kind: .empty, found: ""),
            FieldIssue("person", "age", kind: .wrongType(.integer(0...150)), found: "x"),
            FieldIssue("people", 1, "name", kind: .empty, found: ""),
            FieldIssue("people", 1, "age", kind: .missing),
        ]
        expectEqual(issues, wanted)
        expectEqual(issues.map(\.field).suffix(4), ["person.name", "person.age", "people[1].name", "people[1].age"])
        let object = try #require(JSONReader.read(text: #"{"kind":1,"isGift":1}"#).objectValue)
        expectEqual(Order.read(object, telling: .first).issues.map(\.field), ["token"])
    }

    @Test(
        arguments: [
            #"{}"#, #"{"token":null}"#, #"{"token":""}"#, #"{"token":1}"#, #"{"token":"t","kind":"c"}"#,
            #"{"token":"t","kind":""}"#, #"{"token":"t","size":"small"}"#, #"{"token":"t","size":1}"#,
            #"{"token":"t","isGift":0}"#, #"{"token":"t","tags":"x"}"#, #"{"token":"t","tags":[null]}"#,
            #"{"token":"t","person":[]}"#, #"{"token":"t","person":{"age":0,"name":""}}"#, #"{"token":"t"}"#,
            #"{"token":"t","person":{}}"#, #"{"token":"t","tags":[]}"#,
            #"{"token":" ","person":{"age":1,"name":null}}"#, #"{"token":"","token":"t"}"#,
            #"{"token":"t","weight":-0.5}"#, #"{"token":"t","weight":10.5}"#, #"{"token":"t","weight":"1"}"#,
            #"{"token":"t","people":[]}"#, #"{"token":"t","people":[{"age":1},{"age":2},{"age":3}]}"#,
            #"{"token":"t","people":[1]}"#, #"{"token":"t","people":{}}"#, #"{"token":"t","person":{"age":151}}"#,
            #"{"token":"t","person":{"age":-1}}"#, #"{"token":"t","person":{"age":1.5}}"#,
            #"{"token":"t","person":{"age":1.0}}"#,
        ]
    )
    func `the schema says the same as the reading`(text: String) throws {
        let (_, issues, schema) = try read(text)
        expectEqual(issues.isEmpty, schema.isEmpty, "\(issues), \(schema)")
    }

    // MARK: Kinds at their limits

    struct Limit: Sendable {
        var name: String
        var kind: RequestValue<String>
        var good: [JSON]
        var bad: [(JSON, FieldIssue.Kind)]
    }

    static let limits = [
        Limit(name: "not empty", kind: .string(.notEmpty), good: ["a", " "], bad: [("", .empty)]),
        Limit(
            name: "not blank",
            kind: .string(.notBlank),
            good: ["a", " a "],
            bad: [("", .blank), (" \t\n", .blank), (1, .wrongType(.string)), (.null, .wrongType(.string))]
        ),
        Limit(
            name: "code points",
            kind: .string(.atLeast(2), .atMost(3)),
            good: ["ab", "abc", "😀😀😀"],
            bad: [("a", .tooShort(2)), ("abcd", .tooLong(3)), ("😀", .tooShort(2))]
        ),
        Limit(
            name: "UTF-16",
            kind: .string(.atLeast(2, .utf16), .atMost(3, .utf16)),
            good: ["ab", "abc", "😀"],
            bad: [("a", .tooShort(2)), ("abcd", .tooLong(3)), ("😀😀", .tooLong(3))]
        ),
        Limit(
            name: "length",
            kind: .string(.length(1...2)),
            good: ["a", "ab"],
            bad: [("", .wrongLength(1...2)), ("abc", .wrongLength(1...2))]
        ),
        Limit(
            name: "the first broken rule",
            kind: .string(.notEmpty, .atMost(2), .oneOf(["a", "bbb"])),
            good: ["a"],
            bad: [("", .empty), ("bbb", .tooLong(2)), ("c", .notAllowed(["a", "bbb"]))]
        ),
        Limit(
            name: "format",
            kind: .string(.notEmpty).format("even") { $0.utf8.count.isMultiple(of: 2) },
            good: ["ab"],
            bad: [("", .empty), ("a", .wrongFormat("even")), (true, .wrongType(.string))]
        ),
        Limit(
            name: "trimmed",
            kind: .trimmedString(by: { $0.filter { $0 != " " } }, .length(1...2)),
            good: [" a ", "ab   "],
            bad: [("  ", .wrongLength(1...2)), (" abc ", .wrongLength(1...2))]
        ),
        Limit(
            name: "one issue",
            kind: RequestValue<[String]>.array(of: .string(.notEmpty)).map { $0.joined() }.withOneIssue(.rule("no")),
            good: [[], ["a"]],
            bad: [([""], .rule("no")), (["a", 1, ""], .rule("no")), ("a", .rule("no"))]
        ),
    ]

    @Test func `each kind at its limit and one past it`() {
        for limit in Self.limits {
            for json in limit.good {
                var issues: [FieldIssue] = []
                #expect(limit.kind.read(json, &issues) != nil, "\(limit.name): \(json.text)")
                #expect(issues.isEmpty, "\(limit.name): \(json.text)")
            }
            for (json, kind) in limit.bad {
                var issues: [FieldIssue] = []
                expectNil(limit.kind.read(json, &issues), "\(limit.name): \(json.text)")
                expectEqual(issues, [FieldIssue(kind: kind, found: json)], "\(limit.name): \(json.text)")
            }
        }
    }

    @Test func `numbers have to be finite`() throws {
        var issues: [FieldIssue] = []
        let huge = try JSONReader.read(text: "1e400")
        expectNil(RequestValue.number().read(huge, &issues))
        expectNil(RequestValue.number(in: 0...1).read(huge, &issues))
        expectEqual(issues.map(\.kind), [.wrongType(.number(nil)), .outOfRange(.number(0...1))])
    }

    @Test func `lists end at an issue if they are told to, and refuse what comes twice`() {
        let lax = RequestValue<[String]>.array(of: .string(.notEmpty), counts: 0...3) { $0 }
        var issues: [FieldIssue] = []
        expectNil(lax.read(["a", "", "a"], &issues))
        expectEqual(brief(issues), ["[1]: empty", "[2]: duplicate"])
        issues = []
        expectNil(lax.read(["a", "b", "c", "d"], &issues))
        expectEqual(brief(issues), [": tooManyItems(3)"])
        issues = []
        let strict = RequestValue<[String]>.array(of: .string(.notEmpty), endsAtIssue: true)
        expectNil(strict.read(["a", "", ""], &issues))
        expectEqual(brief(issues), ["[1]: empty"])
    }

    @Test func `members of any name are kept in their order, twice if they are there twice`() throws {
        let kind = RequestValue<[(name: String, value: String)]>.members(.string())
        var issues: [FieldIssue] = []
        let json = try JSONReader.read(text: #"{"b":"1","a":"2","b":"3"}"#)
        expectEqual(kind.read(json, &issues)?.map { $0.name + $0.value }, ["b1", "a2", "b3"])
        expectEqual(kind.read(["a.b": 1, "": .null], &issues)?.isEmpty, true)
        expectEqual(issues.map(\.path), [[.key("a.b")], [.key("")]])
    }

    @Test func `what does not fit may be ignored`() {
        var issues: [FieldIssue] = []
        let kind = RequestValue.string(.notEmpty).orIgnored()
        expectEqual(kind.read("a", &issues), .some("a"))
        expectEqual(kind.read(1, &issues), .some(nil))
        expectEqual(kind.read("", &issues), .some(nil))
        #expect(issues.isEmpty)
        expectEqual(kind.schema, .any)
    }

    // MARK: Absent, null and value

    struct Patch: RequestModel {
        var notes = Presence<String>.absent
        var count = Presence<Int64>.absent

        static let shape = RequestSchema<Self>(
            "Patch",
            [
                .nullable("notes", .string()) { $0.notes = Presence($1) },
                .nullable("count", .integer(in: 1...9)) { $0.count = Presence($1) },
            ]
        )
    }

    @Test func `absence, null and a value are three things`() {
        func merged(_ body: JSONObject) -> String {
            let (patch, issues) = Patch.read(body)
            #expect(issues.isEmpty)
            var notes: String? = "old"
            var count: Int64? = 5
            patch.notes.merge(into: &notes)
            patch.count.assign(to: &count)
            return "\(notes ?? "none") \(count ?? -1)"
        }
        expectEqual(merged([:]), "old 5")
        expectEqual(merged(["notes": .null, "count": .null]), "none 5")
        expectEqual(merged(["notes": "new", "count": 9]), "new 9")
        var number: Int64 = 3
        Presence.null.assign(to: &number)
        Presence.value(4).assign(to: &number)
        expectEqual(number, 4)
    }

    @Test func `null may be a value of another type`() {
        let shape = RequestSchema<Person>(
            "Strict",
            nulls: .value,
            [
                .optional("name", .string()) { $0.name = $1 },
                .required("age", .integer(in: 0...9)) { $0.age = $1 },
            ]
        )
        var person = Person()
        var issues: [FieldIssue] = []
        shape.read(["name": .null, "age": .null], into: &person, &issues)
        expectEqual(brief(issues).map { $0.prefix(15) }, ["name: wrongType", "age: wrongType("].map { $0.prefix(15) })
        expectEqual(
            JSONSchemaValidator.validate(["name": .null, "age": .null], against: shape.schema).count,
            issues.count
        )
        let one = RequestSchema<Person>("One", [.optional("name", .string()) { $0.name = $1 }.refusingNull])
        issues = []
        one.read(["name": .null], into: &person, &issues)
        expectEqual(issues.map(\.kind), [.wrongType(.string)])
        #expect(!JSONSchemaValidator.validate(["name": .null], against: one.schema).isEmpty)
    }

    // MARK: Several members

    @Test func `the first of several members that has a value is read`() {
        let shape = RequestSchema<Person>(
            "Either",
            [.requiredFirst(of: ["token", "quickToken"], .string(.notEmpty)) { $0.name = $1 }]
        )
        func read(_ body: JSONObject) -> [String] {
            var person = Person()
            var issues: [FieldIssue] = []
            shape.read(body, into: &person, &issues)
            return [person.name ?? "none"] + brief(issues)
        }
        expectEqual(read([:]), ["none", "token: missing"])
        expectEqual(read(["token": .null, "quickToken": "b"]), ["b"])
        expectEqual(read(["token": "a", "quickToken": 1]), ["a"])
        expectEqual(read(["token": "", "quickToken": "b"]), ["none", "token: empty"])
        expectEqual(read(["quickToken": ""]), ["none", "quickToken: empty"])
    }

    @Test func `rules stand in their place, and deferred issues after all others`() {
        let shape = RequestSchema<Person>(
            "Rules",
            [
                .optional("list", .array(of: .string())) { _, _ in }.deferring { $0.path.count > 1 },
                .rule { person, issues in if person.name == nil { issues.note("name", .missing) } },
                .optional("age", .integer(in: 0...9)) { $0.age = $1 },
            ]
        )
        var person = Person()
        var issues: [FieldIssue] = []
        shape.read(["list": [1, "a", 2], "age": 10], into: &person, &issues)
        expectEqual(issues.map(\.field), ["name", "age", "list[0]", "list[2]"])
        issues = []
        shape.read(["list": 1, "age": 10], into: &person, &issues)
        expectEqual(issues.map(\.field), ["list", "name", "age"])
    }

    @Test func `a closed schema refuses other members, and may read in the order of the body`() {
        let shape = RequestSchema<Person>(
            "Row",
            order: .body,
            isClosed: true,
            [
                .optional("name", .string()) { $0.name = $1 },
                .required("age", .integer(in: 0...9)) { $0.age = $1 },
            ]
        )
        var person = Person()
        var issues: [FieldIssue] = []
        let body = JSONObject([
            JSONObject.Member(name: "other", value: 1), JSONObject.Member(name: "name", value: 1),
            JSONObject.Member(name: "name", value: "n"),
        ])
        shape.read(body, into: &person, &issues)
        expectEqual(issues.map(\.kind), [.unknownMember, .wrongType(.string), .missing])
        expectEqual(issues.map(\.field), ["other", "name", "age"])
        expectEqual(person.name, "n")
        issues = []
        shape.read(body, into: &person, telling: .first, &issues)
        expectEqual(issues.map(\.field), ["other"])
        expectEqual(JSONSchemaValidator.validate(["age": 1, "x": 1], against: shape.schema).count, 1)
    }

    @Test func `a member of a part is stored there`() {
        struct Outer: Sendable { var person = Person() }
        let shape = RequestSchema<Outer>("Outer", Person.shape.members.map { $0.within(\.person) })
        var outer = Outer()
        var issues: [FieldIssue] = []
        shape.read(["name": "n", "age": 200], into: &outer, &issues)
        expectEqual(outer.person.name, "n")
        expectEqual(issues.map(\.field), ["age"])
        expectEqual(shape.schema, Person.shape.schema)
    }
}
