import JSON
import TestSupport
import Testing

/// The places of many paths at once.
@Suite struct SourcePositionsTests {
    @Test func `many paths are found in one walk where each is found alone`() throws {
        let text = """
            {
              "a": [1, {"b": 2},
                    [3]],
              "c": {"d": {}, "a": "x",
                    "d": 5},
              "é": true
            }
            """
        let (_, positions) = try JSONReader.readWithPositions(Array(text.utf8))
        let paths: [[JSONPathElement]] = [
            [], ["a"], ["a", 1, "b"], ["a", 2, 0], ["a", 7], ["c", "d"], ["c", "d", "none"], ["é"], ["none"],
            ["a", "b"],
            ["c", "a", 0],
        ]
        let found = positions.closestLines(to: paths)
        for (path, place) in zip(paths, found) {
            let alone = positions.closestLine(to: path)
            expectEqual(place.line, alone.line, "\(path.formattedJSONPath)")
            expectEqual(place.column, alone.column, "\(path.formattedJSONPath)")
        }
        expectEqual(found[3].line, 3)
        expectEqual(found[5].line, 5)
    }

    @Test func `a thousand paths cost about one walk`() throws {
        let members = (0..<20_000).map { "\"k\($0)\":{\"v\":[\($0)]}" }.joined(separator: ",\n")
        let (_, positions) = try JSONReader.readWithPositions(Array("{\(members)}".utf8))
        let paths: [[JSONPathElement]] = (0..<1_000).map { [.key("k\($0 * 20)"), "v", 0] }
        let lines = positions.closestLines(to: paths).map(\.line)
        expectEqual(lines, (0..<1_000).map { $0 * 20 + 1 })
    }
}
