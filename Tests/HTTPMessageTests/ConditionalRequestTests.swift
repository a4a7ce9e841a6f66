import HTTPMessage
import TestSupport
import Testing

@Suite struct ConditionalRequestTests {
    @Test func `the comparisons of RFC 9110 section 8_8_3_2 hold`() throws {
        let weakOne = try #require(EntityTag(parsing: "W/\"1\""))
        let weakTwo = try #require(EntityTag(parsing: "W/\"2\""))
        let one = try #require(EntityTag(parsing: "\"1\""))
        #expect(!weakOne.stronglyMatches(weakOne) && weakOne.weaklyMatches(weakOne))
        #expect(!weakOne.stronglyMatches(weakTwo) && !weakOne.weaklyMatches(weakTwo))
        #expect(!weakOne.stronglyMatches(one) && weakOne.weaklyMatches(one))
        #expect(one.stronglyMatches(one) && one.weaklyMatches(one))
    }

    @Test(arguments: [
        "", "a", "\"", "\"a", "a\"", "w/\"a\"", "W/a", "W\"a\"", "\"a b\"", "\"a\"b", "\"\u{7F}\"", " \"a\"",
    ])
    func `what is not an entity tag is refused`(text: String) {
        expectNil(EntityTag(parsing: text))
    }

    @Test func `an entity tag is written as it is read`() throws {
        for text in ["\"\"", "\"a,b\"", "W/\"é\"", "\"!#~\""] {
            try expectEqual(#require(EntityTag(parsing: text)).text, text)
        }
        expectNil(EntityTag(opaque: "a\"b"))
        expectNil(EntityTag(opaque: "a b"))
        expectEqual(EntityTag(opaque: "a", isWeak: true)?.text, "W/\"a\"")
    }

    @Test(arguments: [
        ("\"a\"", true), ("W/\"a\"", true), ("\"b\", \"a\"", true), ("\"b\" ,,W/\"c,\"", false), ("*", true),
        (" * ", true),
        ("\"b\"", false), ("a", false), ("\"a\" \"b\"", false), ("\"a\", *", false), ("", false), (",", false),
        ("\"a", false),
    ])
    func `If-None-Match compares weakly, and what is malformed sets no condition`(value: String, isFailed: Bool) throws
    {
        let fields: Fields = ["If-None-Match": value]
        let current = try #require(EntityTag(opaque: "a"))
        expectEqual(ConditionalRequest(fields).isNoneMatchFailed(current: current), isFailed)
        #expect(!ConditionalRequest(fields).isNoneMatchFailed(current: nil))
    }

    @Test func `If-None-Match may be spread over lines`() throws {
        let fields: Fields = ["If-None-Match": "\"a\"", "if-none-match": "W/\"b\""]
        let current = try #require(EntityTag(opaque: "b"))
        #expect(ConditionalRequest(fields).isNoneMatchFailed(current: current))
    }

    @Test(arguments: [
        ("\"a\"", false), ("W/\"a\"", true), ("\"b\"", true), ("*", false), ("malformed", false),
        ("\"b\", \"a\"", false),
    ])
    func `If-Match compares strongly`(value: String, isFailed: Bool) throws {
        let fields: Fields = ["If-Match": value]
        expectEqual(ConditionalRequest(fields).isMatchFailed(current: EntityTag(opaque: "a")), isFailed)
        if value != "malformed" { #expect(ConditionalRequest(fields).isMatchFailed(current: nil)) }
    }

    @Test func `without the fields there is no condition`() {
        let request = ConditionalRequest(Fields())
        #expect(request.ifMatch == nil && request.ifNoneMatch == nil)
        #expect(!request.isMatchFailed(current: nil))
    }
}
