import APIDocs
import Backend
import Basics
import HTTPMessage
import JSON
import TestSupport
import Testing

/// Control contract, sections 15 and 18: the pages for people.
@Suite struct DocumentationPageTests {
    private static let hostile = #"</title><script>alert("1")</script>&'"#

    private static func subject(_ routes: [RouteSummary] = []) -> DocumentationPage.Subject {
        DocumentationPage.Subject(
            title: hostile,
            version: hostile,
            description: hostile,
            pagePath: "/docs/\(hostile)",
            documentPath: "/\(hostile).json",
            mount: "/\(hostile)",
            routes: routes
        )
    }

    @Test func `18 the policy allows scripts, styles and requests of the same origin, and nothing inline`() throws {
        let page = DocumentationPage.html(Self.subject())
        let policy = try #require(DocumentationPage.fields["Content-Security-Policy"])
        expectEqual(policy, PagePolicy.contentSecurity)
        #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"))
        for rule in [
            "img-src 'self' blob:", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
            "require-trusted-types-for 'script'", "trusted-types 'none'",
        ] { #expect(policy.contains(rule)) }
        #expect(!policy.contains("unsafe"))
        #expect(!policy.contains("http"))
        #expect(!page.contains("<style"))
        #expect(!page.contains("<script>"))
        #expect(!page.contains(" style="))
        expectEqual(DocumentationPage.fields["X-Content-Type-Options"], "nosniff")
        expectEqual(DocumentationPage.fields["Cross-Origin-Opener-Policy"], "same-origin")
        expectEqual(DocumentationPage.fields["Referrer-Policy"], "no-referrer")
    }

    @Test func `18 text from an API is text`() {
        let route = RouteSummary(
            method: .get,
            template: "/<b>/{id}",
            summary: Self.hostile,
            provenance: .documented,
            authentication: .bearer,
            parameters: [],
            body: .none,
            answers: []
        )
        let page = DocumentationPage.html(Self.subject([route]))
        #expect(!page.contains("<script>alert"))
        #expect(!page.contains("<b>"))
        #expect(page.contains("&lt;/title&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;"))
        let index = DocumentationPage.index(
            [
                DocumentationPage.Entry(
                    name: Self.hostile,
                    title: Self.hostile,
                    description: Self.hostile,
                    operations: 3
                )
            ],
            prefix: Self.hostile
        )
        guard case .bytes(let bytes) = index.body else {
            Issue.record("no content")
            return
        }
        #expect(!String(decoding: bytes, as: UTF8.self).contains("<script>"))
        expectEqual(index.fields["Content-Security-Policy"], PagePolicy.contentSecurity)
    }

    @Test func `15 the page lists its operations without its script, and names its document`() {
        let routes = NotesAPI.endpoints.map { RouteSummary($0) }
        let page = DocumentationPage.html(
            title: "Notes",
            version: "1",
            description: "Keeps notes.",
            documentPath: "/api/notes/openapi.json",
            routes: routes
        )
        for route in routes {
            let path = OpenAPIDescription.path(route.template).escapedForHTML
            #expect(page.contains("<code>\(route.method.rawValue) \(path)</code>"))
        }
        #expect(page.contains(#"href="/api/notes/openapi.json""#))
        #expect(page.contains(#"data-page="""#))
    }

    @Test func `15 the page asks for nothing from elsewhere`() throws {
        let page = DocumentationPage.html(Self.subject())
        for word in [
            "http://", "https://", "src=\"http", "src=\"//", "@import", ": url(", " url(", "<iframe", "innerHTML",
            "eval(",
        ] {
            #expect(!page.contains(word), "\(word)")
        }
    }
}
