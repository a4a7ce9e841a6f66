import Backend
import HTTPMessage
import JSON
import TestSupport
import Testing

/// Control contract, section 16.
@Suite struct ProblemTests {
    @Test(arguments: Problem.Slug.allCases)
    func `every problem is a document with a type that explains itself`(slug: Problem.Slug) throws {
        let response = Problem(slug, "Detail \"x\".").response
        let document = try JSONReader.read(response.body.content)
        expectEqual(response.fields[.contentType], "application/problem+json")
        expectEqual(response.status, slug.status)
        #expect((400...599).contains(slug.status.code))
        expectEqual(document.objectValue?.members.map(\.name), ["type", "title", "status", "detail"])
        expectEqual(document["type"]?.stringValue, "/__admin/problems/\(slug.rawValue)")
        expectEqual(document["status"]?.intValue, Int64(slug.status.code))
        expectEqual(document["detail"], "Detail \"x\".")
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
        expectEqual(document["errors"], [["path": "$.when.times", "reason": "must be at least 1"]])
        expectEqual(fault.response.fields[.allow], "GET")
    }

    @Test func `titles and slugs are all different`() {
        let slugs = Problem.Slug.allCases
        expectEqual(Set(slugs.map(\.title)).count, slugs.count)
        expectEqual(Set(slugs.map(\.rawValue)).count, slugs.count)
    }
}
