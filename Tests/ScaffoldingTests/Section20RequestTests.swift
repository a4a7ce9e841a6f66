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
        (#"{"method":"GET","url":"/a/b"}"#, #"{"method":"GET","path":"/a/b","query":{"*":{"absent":true}}}"#),
        (#"{"method":"ANY","urlPath":"/a"}"#, #"{"path":"/a"}"#),
        (
            #"{"method":"get","url":"/a?y=a%20b"}"#,
            #"{"method":"GET","path":"/a","query":{"y":"a b","*":{"absent":true}}}"#
        ),
        (#"{"urlPath":"/a/"}"#, #"{"path":"/a/"}"#),
        (#"{"url":"/a/?b=1"}"#, #"{"path":"/a/","query":{"b":"1","*":{"absent":true}}}"#),
        (#"{"urlPathTemplate":"/a/{b}/"}"#, #"{"path":"/a/{b}/"}"#),
        (
            #"{"urlPathTemplate":"/a/{b}/","pathParameters":{"b":{"matches":"[0-9]+"}}}"#,
            #"{"path":{"regex":"\\/a\\/(?:[0-9]+)\\/"}}"#
        ),
        (#"{"urlPath":"/"}"#, #"{"path":"/"}"#),
        (#"{"urlPathTemplate":"/a/{id}/b"}"#, #"{"path":"/a/{id}/b"}"#),
        (#"{"urlPathPattern":"/a/[0-9]+"}"#, #"{"path":{"regex":"/a/[0-9]+"}}"#),
        (#"{"urlPattern":"/a/.*"}"#, #"{"path":{"regex":"/a/.*"}}"#),
        (#"{"urlPattern":"/a/[^/]+"}"#, #"{"path":{"regex":"/a/[^/]+"}}"#),
        (#"{"urlPattern":"/a/.*/[a-z]+$"}"#, #"{"path":{"regex":"/a/.*/[a-z]+$"},"query":{"*":{"absent":true}}}"#),
        (#"{"urlPattern":"/(?:a|b)/\\d{2}"}"#, #"{"path":{"regex":"/(?:a|b)/\\d{2}"},"query":{"*":{"absent":true}}}"#),
        (
            #"{"urlPathTemplate":"/a/{id}/{b}","pathParameters":{"id":{"equalTo":"5 %"}}}"#,
            #"{"path":"/a/5%20%25/{b}"}"#
        ),
        (
            #"{"urlPathTemplate":"/a/{id}/{b}","pathParameters":{"id":{"matches":"\\d+"}}}"#,
            #"{"path":{"regex":"\\/a\\/(?:\\d+)\\/[^/]+"}}"#
        ),
        (
            #"{"urlPathTemplate":"/a/{id}/{b}","pathParameters":{"id":{"contains":"x."},"b":{"equalTo":"y"}}}"#,
            #"{"path":{"regex":"\\/a\\/[^/]*x\\.[^/]*\\/y"}}"#
        ),
        (
            #"{"urlPath":"/a","queryParameters":{"x":{"includes":[{"equalTo":"1"}]}}}"#,
            #"{"path":"/a","query":{"x":"1"}}"#
        ),
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
        (#"[{"equalToJson":"5"}]"#, #"{"body":5}"#),
        // A scalar has no more members that would have to be counted.
        (#"[{"equalToJson":"5"},{"contains":"5"}]"#, #"{"body":5,"bodyText":{"contains":"5"}}"#),
        (#"[{"matchesJsonPath":{"expression":"$.a.b","equalTo":"x"}}]"#, #"{"body":{"a":{"b":"x"}}}"#),
        (
            #"[{"matchesJsonPath":{"expression":"$.a","equalTo":"x"}},{"matchesJsonPath":{"expression":"$['b c']","equalTo":"y"}}]"#,
            #"{"body":{"a":"x","b c":"y"}}"#
        ),
        (
            #"[{"equalToJson":{"a":[1]},"ignoreExtraElements":"true","ignoreArrayOrder":"true"}]"#,
            #"{"body":{"a":[1]}}"#
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
        (
            #"[{"equalToJson":{"a":1}},{"contains":"x"}]"#, #"{"body":{"a":1},"bodyText":{"contains":"x"}}"#,
            "$.request.bodyPatterns[0].equalToJson"
        ),
        (
            #"[{"equalToJson":{"a":[1]},"ignoreExtraElements":true}]"#, #"{"body":{"a":[1]}}"#,
            "$.request.bodyPatterns[0].equalToJson"
        ),
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
        #expect(found.listed[0].hasPrefix("wm/mappings/a.json:1: \(path): is looser here"), "\(found.listed)")
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
        (#"{"headers":{"A":{"equalTo":"x","caseInsensitive":true}}}"#, "$.request.headers.A.caseInsensitive"),
        (#"{"headers":{"A":{"doesNotMatch":"x"}}}"#, "$.request.headers.A.doesNotMatch"),
        (#"{"queryParameters":{"a":{"hasExactly":[]}}}"#, "$.request.queryParameters.a.hasExactly"),
        (#"{"urlPath":"/a","pathParameters":{"a":{"equalTo":"1"}}}"#, "$.request.pathParameters"),
        (#"{"urlPathTemplate":"/{a}","pathParameters":{"b":{"equalTo":"1"}}}"#, "$.request.pathParameters.b"),
        (#"{"urlPathTemplate":"/{a}","pathParameters":{"a":{"absent":true}}}"#, "$.request.pathParameters.a"),
        (#"{"bodyPatterns":[{"matchesXPath":"//a"}]}"#, "$.request.bodyPatterns[0].matchesXPath"),
        (#"{"bodyPatterns":[{"equalToXml":"<a/>"}]}"#, "$.request.bodyPatterns[0].equalToXml"),
        (#"{"bodyPatterns":[{"matchesJsonPath":"$.a[?(@.b > 1)]"}]}"#, "$.request.bodyPatterns[0].matchesJsonPath"),
        (
            #"{"bodyPatterns":[{"matchesJsonPath":"$[?(@.b == 'x' || @.c)]"}]}"#,
            "$.request.bodyPatterns[0].matchesJsonPath"
        ),
        (
            #"{"bodyPatterns":[{"matchesJsonPath":{"expression":"$.a","contains":"x"}}]}"#,
            "$.request.bodyPatterns[0].matchesJsonPath"
        ),
        (#"{"bodyPatterns":[{"matchesJsonPath":{"equalTo":"x"}}]}"#, "$.request.bodyPatterns[0].matchesJsonPath"),
        (#"{"bodyPatterns":[{"matchesJsonPath":{"expression":"$.a"}}]}"#, "$.request.bodyPatterns[0].matchesJsonPath"),
        (#"{"bodyPatterns":[{"equalToJson":"{"}]}"#, "$.request.bodyPatterns[0].equalToJson"),
        (
            #"{"bodyPatterns":[{"equalToJson":{"a":"${json-unit.any-string}"},"ignoreExtraElements":true}]}"#,
            "$.request.bodyPatterns[0].equalToJson"
        ),
        (#"{"bodyPatterns":[{"equalToJson":"null"}]}"#, "$.request.bodyPatterns[0].equalToJson"),
        (#"{"bodyPatterns":[{"equalToJson":null}]}"#, "$.request.bodyPatterns[0].equalToJson"),
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

    @Test(arguments: [
        (#"{"urlPattern":"/(a|.*)"}"#, "urlPattern"), (#"{"url":"/a?x=1&y=2"}"#, "url"),
        (#"{"urlPath":"/a","queryParameters":{"x":{"hasExactly":[{"equalTo":"1"}]}}}"#, "queryParameters.x.hasExactly"),
        (#"{"urlPath":"/a","headers":{"x":{"includes":[{"equalTo":"1"},{"equalTo":"2"}]}}}"#, "headers.x.includes"),
    ])
    func `20 an address or a list of values that is looser here is listed and enabled`(
        _ request: String,
        _ path: String
    ) throws {
        let found = try Self.match(request)
        #expect(found.isEnabled)
        expectEqual(found.listed.count, 1)
        #expect(found.listed[0].hasPrefix("wm/mappings/a.json:1: $.request.\(path): is looser here"), "\(found.listed)")
    }

    @Test func `20 of several values of a parameter in url the first one counts, and that is listed`() throws {
        let found = try Self.match(#"{"url":"/a?x=1&y=3&x=2&x=1"}"#)
        expectEqual(found.match, #"{"path":"/a","query":{"x":"1","y":"3","*":{"absent":true}}}"#)
        #expect(found.isEnabled)
        expectEqual(
            found.listed.map { String($0.dropFirst("wm/mappings/a.json:1: $.request.url: is looser here: ".count)) },
            ["of the parameter x only the first value is required", "the parameters may be in any order"]
        )
    }

    @Test(arguments: [
        ("$[?(@.event == 'X')]", #"{"event":"X"}"#, "an object, not in an array of such"),
        (
            #"$[?(@.a.b==\"it's\" && @['c d'] == null)]"#, #"{"a":{"b":"it's"},"c d":null}"#,
            "an object, not in an array of such"
        ),
        ("$.items[?(@.n == 2.5 && @.ok == true)]", #"{"items":[{"n":2.5,"ok":true}]}"#, "an array, not in one object"),
        ("$.tags[?(@ == 'a && b')]", #"{"tags":["a && b"]}"#, "an array, not in one object"),
        (
            "$[?(@.types == ['X'])]", #"{"types":["X"]}"#,
            "an object, not in an array of such, and with further elements too"
        ),
    ])
    func `20 a filter of equalities is a part of the body`(_ path: String, _ body: String, _ place: String) throws {
        let found = try Self.match(#"{"bodyPatterns":[{"matchesJsonPath":"\#(path)"}]}"#)
        expectEqual(found.match, "{\"body\":\(body)}")
        #expect(found.isEnabled)
        expectEqual(
            found.listed,
            ["wm/mappings/a.json:1: $.request.bodyPatterns[0].matchesJsonPath: is looked for in \(place)"]
        )
    }

    @Test func `20 equalToJson takes no body with anything else`() throws {
        let wanted = #"{"a":"x, {\"b\": [","n":[1,{}],"o":{},"s":"\u00e9"}"#
        let imported = try Imported(mapping(request: #"{"bodyPatterns":[{"equalToJson":\#(wanted)}]}"#))
        expectEqual(imported.omissions, [])
        expectEqual(imported.mistakes, [])
        let stub = try #require(try imported.stubs.first)
        let good = [
            wanted, #" { "s" : "é" , "o" : { } ,"n": [ 1.0 , { } ] , "a" : "x, {\"b\": [" } "#,
            "{\n\t\"n\":[1,{}],\"o\":{},\"s\":\"\\u00e9\",\"a\":\"x, {\\u0022b\\u0022: [\"}\n",
        ]
        for body in good { #expect(try stub.takes(body: body), "\(body)") }
        let other = [
            #","more":1}"#, #","more":null}"#, #","more":{}}"#, #","more":"a:b,[{"}"#,
        ].map { wanted.dropLast() + $0 }
        let inner = [
            ("[1,{}]", "[1,{},2]"), ("[1,{}]", "[0,1,{}]"), (#""o":{}"#, #""o":{"x":1}"#), ("{}]", "{\"q\":[]}]"),
        ]
        for body in other + inner.map({ Substring(wanted.replacing($0, with: $1, maxReplacements: 1)) }) {
            #expect(try !stub.takes(body: String(body)), "\(body)")
        }
        for (expected, sent) in [("[]", "[1]"), ("[]", "[[]]"), ("{}", #"{"a":1}"#), ("[[]]", "[[],[]]")] {
            let plain = try Imported(mapping(request: #"{"bodyPatterns":[{"equalToJson":"\#(expected)"}]}"#)).stubs[0]
            #expect(try plain.takes(body: expected) && !plain.takes(body: sent), "\(expected)")
        }
    }

    @Test func `20 a value that is too large for an expression is looser and listed`() throws {
        func found(_ count: Int) throws -> (match: String, listed: [String], isEnabled: Bool) {
            try Self.match(
                #"{"bodyPatterns":[{"equalToJson":[\#([String](repeating: "1", count: count).joined(separator: ","))]}]}"#
            )
        }
        let few = try found(200)
        #expect(few.isEnabled && few.listed.isEmpty && few.match.contains("bodyText"))
        let many = try found(1_000)
        #expect(many.isEnabled && many.listed.count == 1 && !many.match.contains("bodyText"), "\(many.listed)")
    }

    @Test func `20 arrays without an order are stubs for each order`() throws {
        func stubs(_ pattern: String) throws -> (stubs: [JSON], listed: [String]) {
            let imported = try Imported(mapping(request: #"{"bodyPatterns":[\#(pattern)]}"#))
            expectEqual(imported.mistakes, [])
            return (try imported.stubs, imported.omissions)
        }
        let loose = try stubs(
            #"{"equalToJson":{"a":[1,{"b":["x","y"]},1]},"ignoreArrayOrder":true,"ignoreExtraElements":true}"#
        )
        // Three places for the object, and two orders in it.
        expectEqual(loose.stubs.count, 6)
        expectEqual(loose.listed, [])
        for body in [#"{"a":[{"b":["y","x"]},1,1]}"#, #"{"c":0,"a":[1,2,1,{"b":["x","q","y"]}]}"#] {
            #expect(try loose.stubs.contains { try $0.takes(body: body) }, "\(body)")
        }
        #expect(try !loose.stubs.contains { try $0.takes(body: #"{"a":[1,{"b":["x","y"]}]}"#) })
        let exact = try stubs(#"{"equalToJson":[1,2,3,4],"ignoreArrayOrder":true}"#)
        expectEqual(exact.stubs.count, 24)
        #expect(try exact.stubs.contains { try $0.takes(body: "[4,2,3,1]") })
        #expect(try !exact.stubs.contains { try $0.takes(body: "[4,2,3,1,5]") })
        let over = try stubs(#"{"equalToJson":{"a":[1,2,3,4,5],"b":7},"ignoreArrayOrder":true}"#)
        expectEqual(over.stubs.count, 1)
        expectEqual(
            over.listed,
            [
                "wm/mappings/a.json:1: $.request.bodyPatterns[0].ignoreArrayOrder: is looser here: arrays of so many orders match "
                    + "with any elements"
            ]
        )
        #expect(try over.stubs[0].takes(body: #"{"b":7,"a":[5,4,3,2,1]}"#))
        #expect(try !over.stubs[0].takes(body: #"{"b":7,"a":[5,4,3,2,1,0]}"#))
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
