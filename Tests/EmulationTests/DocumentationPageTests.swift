import APIDocs
import Crypto
import Emulation
import HTTPMessage
import JSON
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

    /// The content of the only pair of such tags.
    private static func content(of tag: String, in page: String) throws -> String {
        let pieces = page.split(separator: "<\(tag)>", omittingEmptySubsequences: false)
        try #require(pieces.count == 2, "one \(tag)")
        let inside = pieces[1].split(separator: "</\(tag)>", omittingEmptySubsequences: false)
        try #require(inside.count == 2)
        return String(inside[0])
    }

    @Test func `18 the policy names the page's own script and style, and nothing else`() throws {
        let page = DocumentationPage.html(Self.subject())
        let policy = try #require(DocumentationPage.fields["Content-Security-Policy"])
        for (tag, directive) in [("script", "script-src"), ("style", "style-src")] {
            let digest = Base64.encode(SHA256.digest(Array(try Self.content(of: tag, in: page).utf8)))
            #expect(policy.contains("\(directive) 'sha256-\(digest)';"))
        }
        #expect(policy.hasPrefix("default-src 'none';"))
        for rule in [
            "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
        ] { #expect(policy.contains(rule)) }
        #expect(!policy.contains("unsafe"))
        #expect(!policy.contains("http"))
        #expect(DocumentationPage.fields["X-Content-Type-Options"] == "nosniff")
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
        #expect(index.fields["Content-Security-Policy"]?.contains("script-src 'none'") == true)
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
            let path = DocumentationPage.escaped(OpenAPI.path(route.template))
            #expect(page.contains("<code>\(route.method.rawValue) \(path)</code>"))
        }
        #expect(page.contains(#"href="/api/notes/openapi.json""#))
        #expect(page.contains(#"data-page="""#))
    }

    @Test func `15 the page asks for nothing from elsewhere`() throws {
        let page = DocumentationPage.html(Self.subject())
        for word in [
            "http://", "https://", "src=\"", "@import", ": url(", " url(", "<link", "<iframe", "innerHTML", "eval(",
        ] {
            #expect(!page.contains(word), "\(word)")
        }
    }
}
