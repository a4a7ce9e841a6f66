import HTTPMessage
import TestSupport
import Testing

@Suite struct MediaTypeTests {
    @Test func `type, subtype and parameter names are lower-cased, values are not`() throws {
        let type = try #require(MediaType(" Text/HTML ; Charset=UTF-8;x=\"a \\\"b\\\\\" ;"))
        expectEqual(type.type, "text")
        expectEqual(type.subtype, "html")
        expectEqual(type.essence, "text/html")
        expectEqual(type.parameter("charset"), "UTF-8")
        expectEqual(type.parameter("x"), "a \"b\\")
        expectNil(type.parameter("y"))
        expectEqual(type.parameters.map(\.name), ["charset", "x"])
    }

    @Test(arguments: [
        "", "/", "text", "text/", "/html", "text/html/x", "te xt/html", "text/html x", "text/html;a", "text/html;a=",
        "text/html; a =b", "text/html; a= b", "text/html;a=b;A=c", "text/html;a=\"b", "text/html;a=\"b\\",
        "text/html,a/b",
        "text/html;=b", "text/h\u{0}", "text/html;a=\"\n\"",
    ])
    func `what is not a media type is refused`(text: String) {
        expectNil(MediaType(text))
    }

    @Test func `32 parameters are taken and 33 are not`() {
        func text(_ count: Int) -> String { "a/b" + (0..<count).map { ";p\($0)=1" }.joined() }
        expectEqual(MediaType(text(32))?.parameters.count, 32)
        expectNil(MediaType(text(33)))
    }

    @Test func `quoted strings come back through the parser`() throws {
        for value in ["", "a", "a\"b\\c", "å; b=c", "tab\there".replacingTabs] {
            let type = try #require(MediaType("a/b;x=\(FieldValue.quotedString(value))"))
            expectEqual(type.parameter("x"), value)
        }
        expectEqual(FieldValue.quotedString("a\r\nb\u{0}\u{7F}"), "\"a__b__\"")
    }

    @Test(arguments: [
        ("a.png", "a.png"), ("a\"b", "a_b"), ("a\\b", "a_b"), ("a\r\nX: y", "a__X: y"), ("å.pdf", "å.pdf"), ("", ""),
        ("\u{0}\u{1F}\u{7F}\u{85}", "____"), ("../x;y", "../x;y"),
    ])
    func `a file name in a disposition cannot leave its quotes`(name: String, written: String) {
        let value = FieldValue.contentDispositionInline(filename: name)
        expectEqual(value, "inline; filename=\"\(written)\"")
        var fields = Fields()
        let appended = fields.append(.contentDisposition, value)
        #expect(appended)
    }
}

extension String {
    fileprivate var replacingTabs: String { String(map { $0 == "\t" ? "_" : $0 }) }
}
