import HTTPMessage
import Testing

@Suite struct MediaTypeTests {
    @Test func `type, subtype and parameter names are lower-cased, values are not`() throws {
        let type = try #require(MediaType(" Text/HTML ; Charset=UTF-8;x=\"a \\\"b\\\\\" ;"))
        #expect(type.type == "text")
        #expect(type.subtype == "html")
        #expect(type.essence == "text/html")
        #expect(type.parameter("charset") == "UTF-8")
        #expect(type.parameter("x") == "a \"b\\")
        #expect(type.parameter("y") == nil)
        #expect(type.parameters.map(\.name) == ["charset", "x"])
    }

    @Test(arguments: [
        "", "/", "text", "text/", "/html", "text/html/x", "te xt/html", "text/html x", "text/html;a", "text/html;a=",
        "text/html; a =b", "text/html; a= b", "text/html;a=b;A=c", "text/html;a=\"b", "text/html;a=\"b\\",
        "text/html,a/b",
        "text/html;=b", "text/h\u{0}", "text/html;a=\"\n\"",
    ])
    func `what is not a media type is refused`(text: String) {
        #expect(MediaType(text) == nil)
    }

    @Test func `32 parameters are taken and 33 are not`() {
        func text(_ count: Int) -> String { "a/b" + (0..<count).map { ";p\($0)=1" }.joined() }
        #expect(MediaType(text(32))?.parameters.count == 32)
        #expect(MediaType(text(33)) == nil)
    }

    @Test func `quoted strings come back through the parser`() throws {
        for value in ["", "a", "a\"b\\c", "å; b=c", "tab\there".replacingTabs] {
            let type = try #require(MediaType("a/b;x=\(FieldValue.quotedString(value))"))
            #expect(type.parameter("x") == value)
        }
        #expect(FieldValue.quotedString("a\r\nb\u{0}\u{7F}") == "\"a__b__\"")
    }

    @Test(arguments: [
        ("a.png", "a.png"), ("a\"b", "a_b"), ("a\\b", "a_b"), ("a\r\nX: y", "a__X: y"), ("å.pdf", "å.pdf"), ("", ""),
        ("\u{0}\u{1F}\u{7F}\u{85}", "____"), ("../x;y", "../x;y"),
    ])
    func `a file name in a disposition cannot leave its quotes`(name: String, written: String) {
        let value = FieldValue.contentDispositionInline(filename: name)
        #expect(value == "inline; filename=\"\(written)\"")
        var fields = Fields()
        let appended = fields.append(.contentDisposition, value)
        #expect(appended)
    }
}

extension String {
    fileprivate var replacingTabs: String { String(map { $0 == "\t" ? "_" : $0 }) }
}
