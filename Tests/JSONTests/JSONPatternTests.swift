import JSON
import TestSupport
import Testing

/// Control contract, section 8: a pattern of a body takes objects with more members and arrays with more elements.
struct JSONPatternTests {
    /// The same by the plain way, which looks at everything again and again.
    private static func holds(_ pattern: JSON, in value: JSON) -> Bool {
        switch (pattern, value) {
        case (.object(let wanted), .object(let found)):
            return wanted.members.allSatisfy { member in found[member.name].map { holds(member.value, in: $0) } ?? false
            }
        case (.array(let wanted), .array(let found)):
            var place = 0
            for element in wanted {
                guard let next = found[place...].firstIndex(where: { holds(element, in: $0) }) else { return false }
                place = next + 1
            }
            return true
        case (.integer, .integer): return pattern == value
        case (.integer, .number), (.number, .integer), (.number, .number):
            return pattern == value || pattern.doubleValue == value.doubleValue
        default: return pattern == value
        }
    }

    private static func random(_ chance: inout SeededGenerator, depth: Int) -> JSON {
        let kinds = depth > 0 ? 9 : 6
        switch Int.random(in: 0..<kinds, using: &chance) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &chance))
        case 2: return .integer(Int64.random(in: 0...2, using: &chance))
        case 3: return .double(Double(Int.random(in: 0...4, using: &chance)) / 2)
        case 4:
            return
                (try? JSONReader.read(
                    text: ["1.0", "1e0", "-0", "9007199254740993", "9007199254740992"].randomElement(using: &chance)
                        ?? "1"
                )) ?? 1
        case 5: return .string(["a", "e\u{301}", "é", ""].randomElement(using: &chance) ?? "")
        case 6, 7:
            let count = [0, 1, 2, 5, 20, 40].randomElement(using: &chance) ?? 1
            return .array((0..<count).map { _ in random(&chance, depth: depth - 1) })
        default:
            var object = JSONObject()
            for _ in 0..<([0, 1, 3, 18, 40].randomElement(using: &chance) ?? 1) {
                let name = "k\(Int.random(in: 0...30, using: &chance))"
                object.append(name, random(&chance, depth: depth - 1))
            }
            return .object(object)
        }
    }

    /// A part of a value, which it often has and sometimes not.
    private static func part(of value: JSON, _ chance: inout SeededGenerator) -> JSON {
        if Int.random(in: 0..<60, using: &chance) == 0 { return random(&chance, depth: 1) }
        switch value {
        case .array(let elements):
            return .array(elements.filter { _ in Bool.random(using: &chance) }.map { part(of: $0, &chance) })
        case .object(let object):
            var found = JSONObject()
            for member in object.members where Bool.random(using: &chance) {
                found[member.name] = part(of: object[member.name] ?? .null, &chance)
            }
            return .object(found)
        default: return value
        }
    }

    @Test func `a pattern is held against a value as by the plain way`() {
        var chance = SeededGenerator(seed: UInt64.random(in: 0...UInt64.max))
        var answers = [true: 0, false: 0]
        for _ in 0..<4_000 {
            let value = Self.random(&chance, depth: 3)
            let subject = JSONSubject(value)
            for _ in 0..<3 {
                let pattern = Self.part(of: value, &chance)
                let expected = Self.holds(pattern, in: value)
                answers[expected, default: 0] += 1
                expectEqual(
                    subject.holds(JSONPattern(pattern)),
                    expected,
                    "\(pattern.text) \(value.text) seed \(chance.seed)"
                )
            }
        }
        #expect(answers[true] ?? 0 > 500 && answers[false] ?? 0 > 500)
    }

    @Test(arguments: [("1", 1), ("{}", 1), ("[]", 1), ("[1,{},[]]", 3), (#"{"a":{"b":[null,"x"]},"c":[[]]}"#, 3)])
    func `values are scalars and empty containers`(text: String, count: Int) throws {
        expectEqual(JSONPattern(try JSONReader.read(text: text)).values, count)
    }

    @Test(arguments: [0, 1, 5, 100]) func `the beginning of a text is all of it, or at least as many bytes`(most: Int)
        throws
    {
        var chance = SeededGenerator(seed: UInt64.random(in: 0...UInt64.max))
        for _ in 0..<500 {
            let value = Self.random(&chance, depth: 2)
            let (whole, beginning) = (value.text, value.text(upTo: most))
            if whole.utf8.count <= most {
                expectEqual(beginning, whole)
            } else {
                #expect(beginning.utf8.count >= most, "\(whole) seed \(chance.seed)")
                expectEqual(
                    Array(beginning.utf8.prefix(most)),
                    Array(whole.utf8.prefix(most)),
                    "\(whole) seed \(chance.seed)"
                )
            }
        }
    }
}
