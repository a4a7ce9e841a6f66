import TestSupport
import Testing

@testable import APIDocs

@Suite struct PageTemplateTests {
    @Test func `text is escaped, markup is not`() {
        let template = PageTemplate("<p>{{text}}</p>{{style}}")
        expectEqual(
            template.filled(["text": .text("<b>&\"'"), "style": .markup("a > b")]),
            "<p>&lt;b&gt;&amp;&quot;&#39;</p>a > b"
        )
    }

    @Test func `a section is repeated, without lines of its tags`() {
        let template = PageTemplate("<ul>\n{{#rows}}\n<li>{{name}}</li>\n{{/rows}}\n</ul>\n")
        let rows = ["a", "b"].map { ["name": PageTemplate.Value.text($0)] }
        expectEqual(template.filled(["rows": .list(rows)]), "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n")
        expectEqual(template.filled(["rows": .list([])]), "<ul>\n</ul>\n")
    }

    @Test func `an element sees the values around it, and its own first`() {
        let template = PageTemplate("{{#rows}}{{page}}-{{name}} {{/rows}}{{name}}")
        let page = template.filled([
            "page": .text("p"), "name": .text("outer"), "rows": .list([["name": .text("x")], [:]]),
        ])
        expectEqual(page, "p-x p-outer outer")
    }

    @Test func `sections stand in one another`() {
        let template = PageTemplate("{{#a}}<{{#b}}{{n}}{{/b}}>{{/a}}")
        let inner: [[String: PageTemplate.Value]] = [["n": .text("1")], ["n": .text("2")]]
        expectEqual(template.filled(["a": .list([["b": .list(inner)], ["b": .list([])]])]), "<12><>")
    }

    @Test func `braces in a value are no tag`() {
        let template = PageTemplate("{{a}}")
        expectEqual(template.filled(["a": .text("{{b}}")]), "{{b}}")
    }
}
