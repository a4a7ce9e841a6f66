import JSON
import TestSupport
import Testing

/// Reading that goes on after what does not fit.
@Suite struct JSONExplainingTests {
    private enum Kind: String, Codable, CaseIterable { case one, two }

    private struct Inner: Codable {
        var count: Int
        var text: String?
    }

    /// A type that checks its own text, as times do.
    private struct Even: Codable {
        var digits: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            digits = try container.decode(String.self)
            guard digits.utf8.count.isMultiple(of: 2) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "must be even")
            }
        }
    }

    private struct Outer: Codable {
        var id: String
        var kind: Kind
        var even: Even
        var inner: [Inner]
        var byName: [String: Int]
        var bytes: [UInt8]?
        var any: JSON
    }

    private func explain(_ text: String) throws -> JSONDecoding.Explanation<Outer> {
        let options = JSONDecoding.Options(rejectUnknownMembers: true) { $0 == "bytes" ? [1] : nil }
        return JSONDecoding.explain(Outer.self, from: try JSONReader.read(text: text), options: options)
    }

    @Test func `everything that does not fit is found in one reading, in the order of the value`() throws {
        let found = try explain(
            #"{"zz":1,"bytes":"x","byName":{"a":1,"b":"c"},"inner":[{"count":"1","more":2},7,{"count":1,"text":[]}],"even":"odd","kind":"three","any":[1]}"#
        )
        expectEqual(
            found.issues.map(\.formattedPath),
            [
                "$.id", "$.zz", "$.bytes", "$.byName.b", "$.inner[0].count", "$.inner[0].more", "$.inner[1]",
                "$.inner[2].text", "$.even", "$.kind",
            ]
        )
        expectEqual(found.issues.first { $0.formattedPath == "$.even" }?.reason, "must be even")
        expectEqual(found.value?.any, [1])
        expectEqual(found.value?.byName["a"], 1)
        #expect(!found.isWhole)
        #expect(!found.misfits.contains(["zz"]) && found.misfits.contains(["even"]))
    }

    @Test func `a value with no more than unknown members is whole`() throws {
        let found = try explain(
            #"{"id":"i","kind":"two","even":"ab","inner":[{"count":1,"x":2}],"byName":{},"bytes":"bytes","any":1,"y":2}"#
        )
        expectEqual(found.issues.map(\.formattedPath), ["$.inner[0].x", "$.y"])
        #expect(found.isWhole)
        expectEqual(found.value?.id, "i")
        expectEqual(found.value?.bytes, [1])
    }

    @Test func `what is no object at all is one issue`() throws {
        let found = try explain("[1]")
        expectEqual(found.issues.map(\.description), ["$: expected an object, found array"])
        #expect(found.value == nil && !found.isWhole)
    }

    @Test func `very many issues end the reading`() throws {
        let elements = Array(repeating: "1", count: 100_000).joined(separator: ",")
        let found = try explain(#"{"id":"i","inner":[\#(elements)]}"#)
        #expect((100...102).contains(found.issues.count), "\(found.issues.count)")
    }

    @Test func `issues are put into the order of the value`() {
        let value: JSON = ["b": [["x": 1], ["y": 2, "x": 3]], "a": 1]
        let paths: [[JSONPathElement]] = [
            ["a"], ["b", 1, "x"], ["b", 1, "y"], ["b", 0], ["c", "d"], ["b"], [], ["b", 1, "y"],
        ]
        let sorted = JSONIssue.inOrder(paths.enumerated().map { JSONIssue(path: $1, reason: "\($0)") }, of: value)
        expectEqual(sorted.map(\.reason), ["6", "4", "5", "3", "2", "7", "1", "0"])
        expectEqual(sorted.map(\.path).dropFirst(2).first, ["b"])
    }
}
