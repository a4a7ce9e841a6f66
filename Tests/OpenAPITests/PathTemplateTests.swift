import HTTPMessage
import OpenAPI
import TestSupport
import Testing

/// Path templates, also within a segment (own-API contract, sections 4 and 16).
@Suite struct PathTemplateTests {
    private func match(_ template: String, _ path: String) throws -> [String]? {
        try PathTemplate(template).match(try #require(Path(raw: path)))
    }

    @Test func `16 parameters take a segment or a part of one`() throws {
        try expectEqual(match("/pets/{id}", "/pets/7"), ["7"])
        try expectEqual(match("/pets/{id}", "/pets/a%2Fb/"), ["a/b"])
        try expectNil(match("/pets/{id}", "/pets"))
        try expectEqual(match("/files/{name}.json", "/files/a.b.json"), ["a.b"])
        try expectNil(match("/files/{name}.json", "/files/.json"))
        try expectEqual(match("/files/{name}.{kind}", "/files/a.b.c"), ["a", "b.c"])
        try expectEqual(match("/v{major}.{minor}/x", "/v1.22/x"), ["1", "22"])
        try expectEqual(match("/report-{from}-{to}", "/report-1-2"), ["1", "2"])
        try expectNil(match("/report-{from}-{to}", "/report-1"))
        try expectEqual(match("/a%20b/{x}:cancel", "/a%20b/5:cancel"), ["5"])
        try expectEqual(match("/", "/"), [])
        try expectEqual(match("/pets/", "/pets"), [])
        try expectEqual(match("/é", "/%C3%A9"), [])
    }

    @Test(arguments: [
        ("pets", "a path begins with a slash"), ("/a?x=1", "a path has neither a query nor a fragment"),
        ("/a#b", "a path has neither a query nor a fragment"), ("/{a}{b}", "two parameters are adjacent"),
        ("/{a}/{a}", "the parameter {a} occurs twice"), ("/{}", "a parameter has no name"),
        ("/{a", "a brace is opened but not closed"), ("/a}", "a brace is closed but not opened"),
        ("/a%zz", "a segment has a broken escape"), ("/a/../b", "a path can't have a segment of dots"),
    ])
    func `16 what is no template is refused with the reason`(text: String, reason: String) {
        #expect(throws: (any Error).self) { try PathTemplate(text) }
        do throws(PathTemplate.Defect) { _ = try PathTemplate(text) } catch { expectEqual(error.reason, reason) }
    }

    @Test func `4 literal segments win over parameters, from the left`() throws {
        let templates = ["/{a}/{b}", "/pets/{id}", "/pets/mine", "/{a}/mine", "/pets/{id}.json", "/pets/x{id}.json"]
        let sorted = try templates.map { try PathTemplate($0) }.sorted { $0.isMoreSpecific(than: $1) }
        expectEqual(
            sorted.map(\.text),
            [
                "/pets/mine", "/pets/x{id}.json", "/pets/{id}.json", "/pets/{id}", "/{a}/mine", "/{a}/{b}",
            ]
        )
        try expectEqual(PathTemplate("/a/{x}").shape, PathTemplate("/a/{y}").shape)
        #expect(try PathTemplate("/a/{x}.b").shape != PathTemplate("/a/{x}").shape)
    }
}
