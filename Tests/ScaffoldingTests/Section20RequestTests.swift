import JSON
import TestSupport
import Testing

/// The requests of WireMock's mappings (own-API contract, section 20).
@Suite struct Section20RequestTests {
    /// The `match` that a request becomes, and what is listed.
    private static func match(_ request: String) throws -> (match: String, listed: [String], isEnabled: Bool) {
        let imported = try Imported(mapping(request: request))
        let stub = try imported.stubs[0]
        return (stub["match"]?.text ?? "", imported.omissions, stub["enabled"]?.boolValue ?? true)
    }

    @Test(arguments: [
        (#"{"method":"GET","url":"/a/b"}"#, #"{"method":"GET","path":"/a/b"}"#),
        (#"{"method":"ANY","urlPath":"/a"}"#, #"{"path":"/a"}"#),
        (#"{"method":"get","url":"/a?x=1&y=a%20b"}"#, #"{"method":"GET","path":"/a","query":{"x":"1","y":"a b"}}"#),
        (#"{"urlPathTemplate":"/a/{id}/b"}"#, #"{"path":"/a/{id}/b"}"#),
        (#"{"urlPathPattern":"/a/[0-9]+"}"#, #"{"path":{"regex":"/a/[0-9]+"}}"#),
        (#"{"urlPattern":"/a/.*"}"#, #"{"path":{"regex":"/a/.*"}}"#),
        (#"{"urlPath":"/a/{b}*"}"#, #"{"path":{"regex":"\\/a\\/%7Bb%7D\\*"}}"#),
        (#"{"method":"POST"}"#, #"{"method":"POST"}"#),
    ])
    func `20 addresses and methods are carried over`(_ request: String, _ match: String) throws {
        let found = try Self.match(request)
        expectEqual(found.match, match)
        expectEqual(found.listed, [])
        #expect(found.isEnabled)
    }

    @Test func `20 query parameters, headers and credentials are carried over`() throws {
        let found = try Self.match(
            #"""
            {"urlPath":"/a",
             "queryParameters":{"a":{"equalTo":"1"},"b":{"contains":"x"},"c":{"matches":"[a-z]+"},"d":{"absent":true}},
             "headers":{"Accept":{"contains":"xml"},"X-A":{"absent":true}},
             "basicAuthCredentials":{"username":"jeff@example.com","password":"jeffteenjefftyjeff"}}
            """#
        )
        expectEqual(
            found.match,
            #"{"path":"/a","query":{"a":"1","b":{"contains":"x"},"c":{"regex":"[a-z]+"},"#
                + #""d":{"absent":true}},"headers":{"Accept":{"contains":"xml"},"X-A":{"absent":true},"#
                + #""Authorization":"Basic amVmZkBleGFtcGxlLmNvbTpqZWZmdGVlbmplZmZ0eWplZmY="}}"#
        )
        #expect(found.isEnabled)
    }

    @Test func `20 cookies become an expression for the field`() throws {
        let one = try Self.match(#"{"cookies":{"session":{"matches":"^.*12345$"}}}"#)
        expectEqual(one.match, #"{"headers":{"Cookie":{"regex":"(?:[^;]*; *)*session=(?:[^;]*12345)(?:;.*)?"}}}"#)
        let two = try Self.match(#"{"cookies":{"a":{"equalTo":"1.2"},"b":{"contains":"x"}}}"#)
        let between = "; *(?:[^;]*; *)*"
        let (a, b) = (#"a=1\\.2"#, "b=[^;]*x[^;]*")
        expectEqual(
            two.match,
            #"{"headers":{"Cookie":{"regex":"(?:[^;]*; *)*(?:"#
                + "\(a)\(between)\(b)|\(b)\(between)\(a)" + #")(?:;.*)?"}}}"#
        )
        #expect(one.isEnabled && two.isEnabled)
        let absent = try Self.match(#"{"cookies":{"a":{"absent":true}}}"#)
        expectEqual(absent.listed.first?.hasPrefix("wm/mappings/a.json:1: $.request.cookies.a: "), true)
        #expect(!absent.isEnabled)
    }

    @Test(arguments: [
        (#"[{"equalToJson":"{\"a\":{\"b\":1}}","ignoreExtraElements":true}]"#, #"{"body":{"a":{"b":1}}}"#),
        (#"[{"equalToJson":{"a":[1]},"ignoreExtraElements":true,"ignoreArrayOrder":true}]"#, #"{"body":{"a":[1]}}"#),
        (#"[{"matchesJsonPath":{"expression":"$.a.b","equalTo":"x"}}]"#, #"{"body":{"a":{"b":"x"}}}"#),
        (
            #"[{"matchesJsonPath":{"expression":"$.a","equalTo":"x"}},{"matchesJsonPath":{"expression":"$['b c']","equalTo":"y"}}]"#,
            #"{"body":{"a":"x","b c":"y"}}"#
        ),
        (#"[{"equalTo":"plain"}]"#, #"{"bodyText":{"equals":"plain"}}"#),
        (#"[{"contains":"pl"}]"#, #"{"bodyText":{"contains":"pl"}}"#),
        (#"[{"matches":"p.*"}]"#, #"{"bodyText":{"regex":"p.*"}}"#),
        (
            #"[{"contains":"a"},{"contains":"b"}]"#,
            #"{"bodyText":{"regex":"[\\s\\S]*(?:a[\\s\\S]*b|b[\\s\\S]*a)[\\s\\S]*"}}"#
        ),
    ])
    func `20 body patterns are carried over and merged`(_ patterns: String, _ match: String) throws {
        let found = try Self.match(#"{"bodyPatterns":\#(patterns)}"#)
        expectEqual(found.match, match)
        expectEqual(found.listed, [])
        #expect(found.isEnabled)
    }

    @Test(arguments: [
        (#"[{"equalToJson":{"a":1}}]"#, #"{"body":{"a":1}}"#, "$.request.bodyPatterns[0].equalToJson"),
        (
            #"[{"matchesJsonPath":"$.a.b"}]"#,
            #"{"bodyText":{"regex":"[\\s\\S]*(?:\"a\"\\s*:\\s*\\{[\\s\\S]*\"b\"\\s*:|\\\\u00(?:3\\d|[4-7]))[\\s\\S]*"}}"#,
            "$.request.bodyPatterns[0].matchesJsonPath"
        ),
        (
            #"[{"matchesJsonPath":{"expression":"$.n","equalTo":"5"}}]"#,
            #"{"bodyText":{"regex":"[\\s\\S]*(?:\"n\"\\s*:\\s*(?:5|\"5\")\\s*[,}]|\\\\u00(?:3\\d|[4-7]))[\\s\\S]*"}}"#,
            "$.request.bodyPatterns[0].matchesJsonPath"
        ),
    ])
    func `20 a looser condition is listed and enabled`(_ patterns: String, _ match: String, _ path: String) throws {
        let found = try Self.match(#"{"bodyPatterns":\#(patterns)}"#)
        expectEqual(found.match, match)
        #expect(found.isEnabled)
        expectEqual(found.listed.count, 1)
        #expect(found.listed[0].hasPrefix("wm/mappings/a.json:1: \(path): is looser here"))
    }

    @Test(arguments: [
        (#"{"urlPattern":"/a\\?b=.*"}"#, "$.request.urlPattern"),
        (#"{"urlPathPattern":"(?i)/a"}"#, "$.request.urlPathPattern"),
        (#"{"urlPathPattern":"/a++"}"#, "$.request.urlPathPattern"),
        (#"{"urlPathPattern":"/[a-z&&[^b]]"}"#, "$.request.urlPathPattern"),
        (#"{"urlPathPattern":"\\Q/a\\E"}"#, "$.request.urlPathPattern"),
        (#"{"urlPathPattern":"(/a)\\1"}"#, "$.request.urlPathPattern"),
        (#"{"urlPathTemplate":"/a/{x}.json"}"#, "$.request.urlPathTemplate"),
        (#"{"method":"TRACE"}"#, "$.request.method"),
        (#"{"host":{"equalTo":"a.b"}}"#, "$.request.host"),
        (#"{"url":"/a?x=1&x=2"}"#, "$.request.url"),
        (#"{"headers":{"A":{"equalTo":"x","caseInsensitive":true}}}"#, "$.request.headers.A.caseInsensitive"),
        (#"{"headers":{"A":{"doesNotMatch":"x"}}}"#, "$.request.headers.A.doesNotMatch"),
        (#"{"queryParameters":{"a":{"hasExactly":[{"equalTo":"1"}]}}}"#, "$.request.queryParameters.a.hasExactly"),
        (#"{"bodyPatterns":[{"matchesXPath":"//a"}]}"#, "$.request.bodyPatterns[0].matchesXPath"),
        (#"{"bodyPatterns":[{"equalToXml":"<a/>"}]}"#, "$.request.bodyPatterns[0].equalToXml"),
        (#"{"bodyPatterns":[{"matchesJsonPath":"$.a[?(@.b == 1)]"}]}"#, "$.request.bodyPatterns[0].matchesJsonPath"),
        (
            #"{"bodyPatterns":[{"matchesJsonPath":{"expression":"$.a","contains":"x"}}]}"#,
            "$.request.bodyPatterns[0].matchesJsonPath"
        ),
        (#"{"bodyPatterns":[{"equalToJson":"{"}]}"#, "$.request.bodyPatterns[0].equalToJson"),
        (
            #"{"bodyPatterns":[{"equalToJson":[1,2],"ignoreArrayOrder":true,"ignoreExtraElements":true}]}"#,
            "$.request.bodyPatterns[0].ignoreArrayOrder"
        ),
        (
            #"{"bodyPatterns":[{"equalToJson":{"a":"${json-unit.any-string}"},"ignoreExtraElements":true}]}"#,
            "$.request.bodyPatterns[0].equalToJson"
        ),
        (#"{"bodyPatterns":[{"equalToJson":"null"}]}"#, "$.request.bodyPatterns[0].equalToJson"),
        (#"{"bodyPatterns":[{"equalToJson":null}]}"#, "$.request.bodyPatterns[0].equalToJson"),
        (
            #"{"bodyPatterns":[{"equalToJson":{"a":1},"ignoreExtraElements":true,"ignoreArrayOrder":"true"}]}"#,
            "$.request.bodyPatterns[0].ignoreArrayOrder"
        ),
        (
            #"{"bodyPatterns":[{"matchesJsonPath":{"expression":"$.a","equalTo":"{\"b\":1}"}}]}"#,
            "$.request.bodyPatterns[0].matchesJsonPath"
        ),
        (#"{"urlPath":"a/b"}"#, "$.request.urlPath"),
        (#"{"bodyPatterns":[{"equalTo":"a"},{"contains":"b"}]}"#, "$.request.bodyPatterns"),
        (
            #"{"bodyPatterns":[{"equalToJson":{"a":1},"ignoreExtraElements":true},{"equalToJson":{"a":2},"ignoreExtraElements":true}]}"#,
            "$.request.bodyPatterns[1]"
        ),
        (#"{"multipartPatterns":[{"matchingType":"ANY"}]}"#, "$.request.multipartPatterns"),
        (#"{"customMatcher":{"name":"mine"}}"#, "$.request.customMatcher"),
    ])
    func `20 what has no counterpart is listed and the stub disabled`(_ request: String, _ path: String) throws {
        let found = try Self.match(request)
        #expect(!found.isEnabled)
        expectEqual(found.listed.map { String($0.prefix { $0 != " " }) }, ["wm/mappings/a.json:1:"])
        #expect(found.listed[0].hasPrefix("wm/mappings/a.json:1: \(path): "), "\(found.listed)")
    }

    @Test func `20 a path that a pattern would read otherwise is compared as paths are written`() throws {
        for (path, sent, other) in [
            ("/a/*/{x}", "/a/*/%7Bx%7D", "/a/b/%7Bx%7D"), ("/a/{x}/%C3%A9", "/a/%7bx%7d/é", "/a/b/é"),
            ("/a b*", "/a%20b%2A", "/a%20bc"),
        ] {
            let imported = try Imported(mapping(request: #"{"urlPath":"\#(path)"}"#))
            let stub = try imported.stubs[0]
            #expect(try stub.takes(sent), "\(stub.text)")
            #expect(try !stub.takes(other), "\(stub.text)")
            expectEqual(imported.omissions, [])
        }
    }
}
