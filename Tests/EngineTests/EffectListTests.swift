import Backend
import Conditions
import Foundation
import HTTPMessage
import JSON
import TestSupport
import Testing

/// Control contract, section 8: the list of effects, checked against everything derived from it.
@Suite struct EffectListTests {
    private static let declarations = FaultEffects.declarations

    /// The fault of an effect's order; nil if it is refused.
    private func fault(_ effect: JSON) -> Fault? {
        var check = BodyCheck(["effect": effect])
        let spec = FaultSpec.read(&check, apis: ["notes"], scope: nil)
        check.refuseUnknown()
        guard check.items.isEmpty, let spec else { return nil }
        var faults = FaultRegistry()
        return faults.add(spec, .control)
    }

    private func fits(_ effect: JSON) -> Bool {
        JSONSchemaValidator.validate(effect, against: FaultEffects.schema).isEmpty
    }

    @Test func `8 names, words and builders are given once`() {
        let names = Self.declarations.map(\.name)
        expectEqual(Set(names).count, names.count)
        let words = FaultEffects.words.map(\.name)
        expectEqual(Set(words).count, words.count)
        let builders = Self.declarations.flatMap(\.builders).map { "\($0.name) \($0.parameters.map(\.spelling))" }
        expectEqual(Set(builders).count, builders.count)
    }

    @Test func `8 a refusal names every effect`() throws {
        var check = BodyCheck(["effect": ["x": 1]])
        _ = FaultSpec.read(&check, apis: [], scope: nil)
        let names = Self.declarations.map(\.name).joined(separator: ", ")
        expectEqual(check.items.first?.reason, "must have exactly one of \(names)")
    }

    @Test func `8 every effect has rows in the documentation, and each row an order of it`() {
        for declaration in Self.declarations {
            #expect(!declaration.rows.isEmpty, "\(declaration.name)")
            for row in declaration.rows {
                #expect(row.orders.hasPrefix("`{\"\(declaration.name)\":"), "\(row.orders)")
                #expect(!row.meaning.isEmpty)
            }
        }
    }

    @Test func `8 every example is accepted, fits one form, and is listed as it was ordered`() throws {
        for declaration in Self.declarations {
            let examples = declaration.examples.map(JSON.object)
            for example in examples {
                #expect(fits(example), "\(example.text)")
                let listed = try #require(fault(example), "\(example.text)").json["effect"]
                expectEqual(listed, example)
                expectEqual(fault(try #require(listed))?.json["effect"], listed)
            }
            for form in declaration.forms {
                #expect(
                    examples.contains { JSONSchemaValidator.validate($0, against: form).isEmpty },
                    "\(declaration.name) has a form without an example"
                )
            }
        }
        for word in FaultEffects.words {
            expectEqual(fault(.object(word.order))?.json["effect"], .object(word.order), "\(word.name)")
        }
    }

    @Test func `8 the schema takes an order exactly when it is read, and a listed one is read again`() throws {
        var writer = OrderWriter(random: .announced())
        var counts = (taken: 0, refused: 0)
        for _ in 0..<5_000 {
            let order = writer.order(of: FaultEffects.schema)
            let fault = fault(order)
            // The rules of header fields, of base64, and of statuses without content, are more than a schema says.
            let isStricter = ["respond", "raw", "interim"].contains { order[$0] != nil } && fault == nil
            #expect(isStricter || fits(order) == (fault != nil), "seed \(writer.random.seed): \(order.text)")
            guard let fault else {
                counts.refused += 1
                continue
            }
            counts.taken += 1
            let listed = try #require(fault.json["effect"])
            expectEqual(self.fault(listed)?.json["effect"], listed, "seed \(writer.random.seed): \(order.text)")
        }
        #expect(counts.taken > 500 && counts.refused > 500, "\(counts)")
    }

    @Test func `8 every member of every effect has a builder, whose orders are accepted`() {
        for declaration in Self.declarations {
            var filled: Set<String> = []
            for builder in declaration.builders {
                for order in BuiltOrder.all(of: builder) {
                    // A count of bytes goes with some ways to fail only.
                    guard fault(order.json) != nil else {
                        #expect(order.hasOptional, "\(builder.name): \(order.json.text)")
                        continue
                    }
                    #expect(fits(order.json), "\(builder.name): \(order.json.text)")
                    filled.formUnion(order.members)
                }
            }
            let wanted = declaration.forms.flatMap { BuiltOrder.members(of: $0, in: "", stop: "delay") }
            expectEqual(Set(wanted).subtracting(filled), [], "\(declaration.name) lacks a builder")
        }
    }

    /// `UNDERSTUDY_WRITE=effects` writes them instead, which is `make effects`.
    @Test(arguments: EffectPages.all.indices)
    func `8 the documentation and the builders are those of the list`(number: Int) throws {
        let page = EffectPages.all[number]
        let wanted = try #require(try page.wanted(), "\(page.path) lacks a mark")
        if ProcessInfo.processInfo.environment["UNDERSTUDY_WRITE"] == "effects" {
            try Data(wanted.utf8).write(to: page.place)
        } else {
            let isCurrent = try page.present() == wanted
            #expect(isCurrent, "\(page.path) is not what the effects declare: run `make effects`")
        }
    }
}

/// An order that a builder makes of sample values.
private struct BuiltOrder {
    var json: JSON
    var members: [String]
    var hasOptional: Bool

    /// One of the required parameters alone and one for each that is optional, for each case of a choice.
    static func all(of builder: EffectBuilder) -> [BuiltOrder] {
        if let flag = builder.flag { return [made([(flag, true)], hasOptional: false)] }
        var sets: [[(String, JSON)]] = [[]]
        for parameter in builder.parameters where !parameter.isOptional {
            sets = sets.flatMap { set in samples(of: parameter).map { set + [(parameter.member, $0)] } }
        }
        let optional = builder.parameters.filter(\.isOptional)
        return sets.flatMap { set in
            [made(set, hasOptional: false)]
                + optional.flatMap { parameter in
                    samples(of: parameter).map { made(set + [(parameter.member, $0)], hasOptional: true) }
                }
        }
    }

    private static func samples(of parameter: EffectBuilder.Parameter) -> [JSON] {
        switch parameter.kind {
        case .integer: [500]
        // A path, and a type as well.
        case .string where parameter.member.hasSuffix("base64"): ["AAEC"]
        case .string where parameter.member == "retryAfter": ["PT30S"]
        case .string: ["string"]
        case .boolean: [true, false]
        case .json where parameter.member == "drift": [[["remove": "a"], ["null": "b"]]]
        case .json: [.null, ["a": 1]]
        case .pairs: [[["X-A", "b"], ["X-A", "c"]]]
        case .delay: [["ms": 5]]
        case .interims: [[["status": 103, "headers": [["Link", "a"]], "afterMs": 5], ["status": 102]]]
        case .choice(let choice): choice.cases.map { .string($0.word) }
        }
    }

    private static func made(_ members: [(String, JSON)], hasOptional: Bool) -> BuiltOrder {
        var object = JSONObject()
        for (path, value) in members { insert(value, at: path.split(separator: ".")[...], into: &object) }
        return BuiltOrder(json: .object(object), members: members.map(\.0), hasOptional: hasOptional)
    }

    private static func insert(_ value: JSON, at path: ArraySlice<Substring>, into object: inout JSONObject) {
        guard let name = path.first.map(String.init) else { return }
        guard path.count > 1 else { return object[name] = value }
        var inner = object[name]?.objectValue ?? JSONObject()
        insert(value, at: path.dropFirst(), into: &inner)
        object[name] = .object(inner)
    }

    /// The members that a schema has inside, by their paths; those of `stop` count as one.
    static func members(of schema: JSONSchema, in path: String, stop: String) -> [String] {
        switch schema {
        case .object(let object) where path != stop && !object.properties.isEmpty:
            object.properties.flatMap { property in
                members(of: property.schema, in: path.isEmpty ? property.name : "\(path).\(property.name)", stop: stop)
            }
        case .oneOf(let forms) where path != stop: forms.flatMap { members(of: $0, in: path, stop: stop) }
        default: [path]
        }
    }
}
