import JSON
import TestSupport
import Testing

@testable import Backend

/// Control contract, section 7.
@Suite struct SettingTests {
    private struct State: Sendable, Equatable {
        enum Mode: String, CaseIterable, Sendable { case lenient, strict }

        var mode = Mode.lenient
        var client = "c"
        var count = 3
        var limit: Int?
        var on = true
        var note: String?
    }

    private static let tree = SettingTree<State>([
        .choice("apple.mode", "", { $0.mode }, { $0.mode = $1 }),
        SettingDeclaration(
            "apple.client",
            .text,
            "",
            get: { .string($0.client) },
            set: { $0.client = $1.stringValue ?? "" }
        ),
        SettingDeclaration(
            "a.b.count",
            .integer(1...10),
            "",
            get: { .integer(Int64($0.count)) },
            set: { $0.count = Int($1.intValue ?? 0) }
        ),
        SettingDeclaration(
            "a.b.limit",
            .optionalInteger(0...5),
            "",
            get: { $0.limit.map { .integer(Int64($0)) } ?? .null },
            set: { $0.limit = $1.intValue.map(Int.init) }
        ),
        SettingDeclaration("on", .boolean, "", get: { .bool($0.on) }, set: { $0.on = $1.boolValue ?? false }),
        SettingDeclaration(
            "a.note",
            .optionalText,
            "",
            get: { $0.note.map { .string($0) } ?? .null },
            set: { $0.note = $1.stringValue }
        ),
    ])

    private func write(_ text: String, _ state: inout State) throws -> [Problem.Item] {
        Self.tree.write(try JSONReader.read(text: text), to: &state, at: "$.api")
    }

    @Test func `the switches are read as nested objects in order of declaration`() {
        expectEqual(
            Self.tree.read(State()).text,
            #"{"apple":{"mode":"lenient","client":"c"},"a":{"b":{"count":3,"limit":null},"note":null},"on":true}"#
        )
    }

    @Test func `what is read can be written back`() throws {
        var state = State(mode: .strict, client: "é", count: 10, limit: 5, on: false, note: "n")
        let text = Self.tree.read(state).text
        let before = state
        state = State()
        #expect(try write(text, &state).isEmpty)
        expectEqual(state, before)
    }

    @Test func `a write merges`() throws {
        var state = State()
        #expect(try write(#"{"apple":{"mode":"strict"}}"#, &state).isEmpty)
        #expect(try write(#"{"a":{"b":{"limit":5}},"on":false}"#, &state).isEmpty)
        expectEqual(state, State(mode: .strict, limit: 5, on: false))
        #expect(try write(#"{"a":{"b":{"limit":null}}}"#, &state).isEmpty)
        expectNil(state.limit)
        #expect(try write("{}", &state).isEmpty)
        #expect(try write(#"{"a":{}}"#, &state).isEmpty)
    }

    @Test(
        arguments: [
            (#"{"apple":{"mode":"loose"}}"#, "$.api.apple.mode", "must be one of lenient, strict"),
            (#"{"apple":{"mode":1}}"#, "$.api.apple.mode", "must be one of lenient, strict"),
            (#"{"apple":{"client":null}}"#, "$.api.apple.client", "must be a string"),
            (#"{"a":{"b":{"count":0}}}"#, "$.api.a.b.count", "must be from 1 to 10"),
            (#"{"a":{"b":{"count":11}}}"#, "$.api.a.b.count", "must be from 1 to 10"),
            (#"{"a":{"b":{"count":1.5}}}"#, "$.api.a.b.count", "must be a whole number from 1 to 10"),
            (#"{"a":{"b":{"count":null}}}"#, "$.api.a.b.count", "must be a whole number from 1 to 10"),
            (#"{"a":{"b":{"limit":"x"}}}"#, "$.api.a.b.limit", "must be null or a whole number from 0 to 5"),
            (#"{"a":{"note":1}}"#, "$.api.a.note", "must be null or a string"),
            (#"{"on":"yes"}"#, "$.api.on", "must be true or false"),
            (#"{"a":1}"#, "$.api.a", "must be an object, found number"),
            ("[]", "$.api", "must be an object, found array"),
            (#"{"aple":{}}"#, "$.api.aple", "unknown setting; allowed: apple, a, on; did you mean apple?"),
            (
                #"{"apple":{"mdoe":1}}"#, "$.api.apple.mdoe",
                "unknown setting; allowed: mode, client; did you mean mode?"
            ),
            (#"{"a":{"b":{"zzzzzz":1}}}"#, "$.api.a.b.zzzzzz", "unknown setting; allowed: count, limit"),
            // Settings nest; a dotted name is not a short cut.
            (#"{"apple.mode":"strict"}"#, "$.api.apple.mode", "unknown setting; allowed: apple, a, on"),
            (#"{"":1}"#, "$.api.", "unknown setting; allowed: apple, a, on"),
        ]
    )
    func `what does not fit is refused with its path and what would fit`(text: String, path: String, reason: String)
        throws
    {
        var state = State()
        try expectEqual(write(text, &state), [Problem.Item(path: path, reason: reason)])
        expectEqual(state, State())
    }

    @Test func `nothing changes when anything does not fit, and every fault is listed`() throws {
        var state = State()
        let faults = try write(
            #"{"apple":{"mode":"strict","client":1},"on":false,"a":{"b":{"count":99}},"x":1}"#,
            &state
        )
        expectEqual(faults.map(\.path), ["$.api.apple.client", "$.api.a.b.count", "$.api.x"])
        expectEqual(state, State())
    }

    @Test func `a hundred faults are enough`() throws {
        var state = State()
        let text = "{" + (0..<101).map { "\"k\($0)\":1" }.joined(separator: ",") + "}"
        try expectEqual(write(text, &state).count, 100)
    }

    @Test func `the ends of a range are in it`() throws {
        var state = State()
        for value in [1, 10] {
            #expect(try write(#"{"a":{"b":{"count":\#(value)}}}"#, &state).isEmpty)
            expectEqual(state.count, value)
        }
    }
}
