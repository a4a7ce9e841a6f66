import JSON
import TestSupport
import Testing

@Suite struct SuggestionTests {
    @Test(
        arguments: [
            ("wehn", "when"), ("tiems", "times"), ("status-code", "statusCode"), ("STATUSCODE", "statusCode"),
            ("stauts", "status"),
            ("whens", "when"), ("tim", "time"), ("dely", "delay"),
        ] as [(String, String)]
    )
    func `a misspelt name has its neighbour`(name: String, nearest: String) {
        let names = ["when", "times", "time", "statusCode", "status", "delay"]
        expectEqual(Suggestion.nearest(to: name, among: names), nearest)
    }

    @Test(arguments: ["", "x", "completely", "ab", "zzzz"])
    func `a name without likeness has none`(name: String) {
        expectNil(Suggestion.nearest(to: name, among: ["when", "times", "y", "cd", ""]))
    }

    @Test func `the first of several equally near names wins`() {
        expectEqual(Suggestion.nearest(to: "cat", among: ["bat", "hat", "rat"]), "bat")
        expectNil(Suggestion.nearest(to: "cat", among: []))
    }

    @Test func `a name of 64 characters is looked at and one of 65 is not`() {
        let name = String(repeating: "a", count: 64)
        expectEqual(Suggestion.nearest(to: name, among: [name + "b"]), name + "b")
        expectNil(Suggestion.nearest(to: name + "a", among: [name + "ab"]))
    }
}
