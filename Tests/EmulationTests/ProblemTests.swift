import Emulation
import HTTPMessage
import JSON
import Testing

/// Control contract, section 16.
@Suite struct ProblemTests {
    @Test(arguments: Problem.Slug.allCases)
    func `every problem is a document with a type that explains itself`(slug: Problem.Slug) throws {
        let response = Problem(slug, "Detail \"x\".").response
        let document = try JSONReader.read(response.body.content)
        #expect(response.fields[.contentType] == "application/problem+json")
        #expect(response.status == slug.status)
        #expect((400...599).contains(slug.status.code))
        #expect(document.objectValue?.members.map(\.name) == ["type", "title", "status", "detail"])
        #expect(document["type"]?.stringValue == "/__admin/problems/\(slug.rawValue)")
        #expect(document["status"]?.intValue == Int64(slug.status.code))
        #expect(document["detail"] == "Detail \"x\".")
        #expect(slug.explanation.hasSuffix("."))
        #expect(!slug.title.hasSuffix("."))
    }

    @Test func `faults of a body are listed with path and reason, fields go along`() throws {
        let fault = Problem(
            .invalidBody,
            "No.",
            items: [Problem.Item(path: "$.when.times", reason: "must be at least 1")],
            fields: ["Allow": "GET"]
        )
        let document = try JSONReader.read(fault.response.body.content)
        #expect(document["errors"] == [["path": "$.when.times", "reason": "must be at least 1"]])
        #expect(fault.response.fields[.allow] == "GET")
    }

    @Test func `titles and slugs are all different`() {
        let slugs = Problem.Slug.allCases
        #expect(Set(slugs.map(\.title)).count == slugs.count)
        #expect(Set(slugs.map(\.rawValue)).count == slugs.count)
    }
}
