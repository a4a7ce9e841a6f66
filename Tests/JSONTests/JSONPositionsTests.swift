import JSON
import TestSupport
import Testing

@Suite struct JSONPositionsTests {
    private let text = """
        {
          "a": [1, "x", {"b": null}],
          "é ]": {"\\u0062": [[]]},
          "a'b": 1, "a": [ -1.5e3 ,
            {"c": [0, 1]}]
        }
        """

    @Test(
        arguments: [
            ([], 1, 1), (["a"], 4, 18), (["a", 0], 4, 20), (["a", 1], 5, 5), (["a", 1, "c"], 5, 11),
            (["a", 1, "c", 1], 5, 15),
            (["é ]"], 3, 10), (["é ]", "b"], 3, 21), (["é ]", "b", 0], 3, 22), (["a'b"], 4, 10),
        ] as [([JSONPathElement], Int, Int)]
    )
    func `a part is found where it starts, the last of duplicate names`(path: [JSONPathElement], line: Int, column: Int)
        throws
    {
        let (_, positions) = try JSONReader.readWithPositions(utf8(text))
        let place = try #require(positions.line(at: path))
        expectEqual(place.line, line)
        expectEqual(place.column, column)
    }

    @Test(
        arguments: [["x"], [0], ["a", 2], ["a", -1], ["a", 0, "b"], ["a", "c"], ["é ]", "b", 0, 0]]
            as [[JSONPathElement]]
    )
    func `a part that is not there has no place but a closest one`(path: [JSONPathElement]) throws {
        let (value, positions) = try JSONReader.readWithPositions(utf8(text))
        expectEqual(value.typeName, "object")
        expectNil(positions.line(at: path))
        let closest = positions.closestLine(to: path)
        let parent = try #require(positions.line(at: path.dropLast()))
        expectEqual(closest.line, parent.line)
        expectEqual(closest.column, parent.column)
    }

    @Test(
        arguments: [
            ([], "$"), (["a", 3, "b"], "$.a[3].b"), (["a b"], "$['a b']"), (["it's"], "$['it\\'s']"),
            (["\\\n\r\t\u{1}\u{7F}"], "$['\\\\\\n\\r\\t\\u0001\\u007f']"),
            (["_x9", "9x", ""], "$._x9['9x']['']"), (["é"], "$['é']"),
        ] as [([JSONPathElement], String)]
    )
    func `paths are written with dots and brackets`(path: [JSONPathElement], text: String) {
        expectEqual(path.formattedJSONPath, text)
    }
}
