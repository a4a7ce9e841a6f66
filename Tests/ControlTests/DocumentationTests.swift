import Backend
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import Control

/// Control contract, section 15: the pages to read and try the calls on.
@Suite struct DocumentationTests {
    private static func data(_ name: String, _ page: Played) -> String? {
        page.text.split(separator: "data-\(name)=\"", maxSplits: 1).dropFirst().first
            .map { String($0.prefix { $0 != "\"" }) }
    }

    @Test func `15 each port and mount has the page of its API, the hub that of the control API`() throws {
        let harness = try Harness()
        let hub = try harness.call(.get, "/docs")
        expectEqual(hub.status, 200)
        expectEqual(hub.fields[.contentType], "text/html; charset=utf-8")
        expectEqual(hub.fields["Content-Security-Policy"]?.contains("default-src 'none'"), true)
        expectEqual(Self.data("document", hub), "/__admin/openapi/control.json")
        expectEqual(Self.data("tokens", hub)?.isEmpty, true)
        let named = try harness.call(.get, "/docs?api=omnichat")
        expectEqual(Self.data("document", named), "/__admin/openapi/omnichat.json")
        expectEqual(Self.data("mount", named), "/omnichat")
        let own = try harness.call(.get, "/docs", entryPoint: .api(0))
        expectEqual(Self.data("document", own), "/__admin/openapi/omnichat.json")
        expectEqual(Self.data("mount", own)?.isEmpty, true)
        expectEqual(Self.data("tokens", own), "yes")
        try expectEqual(harness.call(.post, "/docs").problem, "405 method-not-allowed")
        try expectEqual(harness.call(.get, "/docs/x").problem, "404 not-found")
    }

    @Test func `18 the page needs no admin token, but an own host and no foreign page before it`() throws {
        let harness = try Harness(safety: ControlSafety(adminToken: "secret"))
        let page = try harness.call(.get, "/docs")
        expectEqual(page.status, 200)
        expectEqual(Self.data("admin", page), "yes")
        try expectEqual(harness.call(.get, "/openapi.json").status, 401)
        try expectEqual(harness.call(.get, "/docs/x").status, 401)
        try expectEqual(harness.call(.get, "/docs", host: "evil.example").problem, "421 foreign-host")
        let crossSite = try harness.call(.get, "/docs", headers: [(.secFetchSite, "cross-site")])
        expectEqual(crossSite.status, 403)
        expectEqual(Self.data("admin", try Harness().call(.get, "/docs"))?.isEmpty, true)
    }
}
