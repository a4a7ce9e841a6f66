import HTTPMessage
import TestSupport
import Testing

@Suite struct PathTests {
    @Test(
        arguments: [
            ("/", []), ("", []), ("/a", ["a"]), ("/a/b", ["a", "b"]), ("//a///b", ["a", "b"]), ("/a/./b", ["a", "b"]),
            ("/a/../b", ["b"]), ("/../../a", ["a"]), ("/a/..", []), ("/%2e/a", ["a"]), ("/a/%2e%2e/b", ["b"]),
            ("/a/%2E./b", ["b"]), ("/a%2Fb/c", ["a/b", "c"]), ("/a/%2F", ["a", "/"]),
            ("/a/..%2f../b", ["a", "../..", "b"]),
            ("/%41%c3%a9", ["Aé"]), ("/...", ["..."]), ("/a%20b+c", ["a b+c"]), ("/%2541", ["%41"]),
            ("/a;v=1", ["a;v=1"]),
            ("/é", ["é"]),
        ] as [(String, [String])]
    )
    func `a path is decoded after it is cut, and dot segments are resolved`(raw: String, segments: [String]) throws {
        let path = try #require(Path(raw: raw))
        expectEqual(path.segments, segments)
    }

    @Test(arguments: [
        "/%", "/%4", "/%4g", "/a%", "/%%41", "/%00", "/a%00b", "/\u{0}", "/%ff", "/%c3", "/%c3/%a9", "/%ed%a0%80",
        "/%c0%af",
    ])
    func `a broken escape, a NUL or bytes that are not UTF-8 make no path`(raw: String) {
        expectNil(Path(raw: raw))
    }

    @Test(arguments: [
        ("/", false), ("/a", false), ("/a/", true), ("/a//", true), ("/a/.", true), ("/a/b/..", true), ("/a/..", false),
        ("/a/../", false), ("/a%2F", false), ("/a/%2e", true),
    ])
    func `a trailing slash is noted, however it came about`(raw: String, isTrailing: Bool) throws {
        try expectEqual(#require(Path(raw: raw)).hasTrailingSlash, isTrailing)
    }

    @Test func `the text of a path parses to the same path`() throws {
        let seed: UInt64 = 3_986
        var random = SeededGenerator(seed: seed)
        let pool = Array("/ab.%2eFf é?#\\~".utf8)
        var parsed = 0
        for _ in 0..<10_000 {
            let raw =
                "/" + String(decoding: random.bytes(Int.random(in: 0...16, using: &random), of: pool), as: UTF8.self)
            guard let path = Path(raw: raw) else { continue }
            parsed += 1
            expectEqual(Path(raw: path.text), path, "seed \(seed), \(raw)")
            #expect(!path.segments.contains { $0.isEmpty || $0 == "." || $0 == ".." }, "seed \(seed), \(raw)")
        }
        #expect(parsed > 1_000)
    }

    @Test func `the text escapes what would be read as something else`() {
        expectEqual(Path(segments: ["a/b", "ü ?", "%"]).text, "/a%2Fb/%C3%BC%20%3F/%25")
        expectEqual(Path(segments: []).text, "/")
        expectEqual(Path(segments: ["a"], hasTrailingSlash: true).text, "/a/")
    }

    @Test func `dropping segments keeps the trailing slash while there are segments`() {
        let path = Path(segments: ["a", "b"], hasTrailingSlash: true)
        expectEqual(path.dropping(1), Path(segments: ["b"], hasTrailingSlash: true))
        expectEqual(path.dropping(2), Path(segments: []))
        expectEqual(path.dropping(3), Path(segments: []))
    }

    @Test func `a segment keeps the characters of RFC 3986 pchar`() {
        let kept = "AZaz09-._~!$&'()*+,;=:@"
        expectEqual(kept.percentEncodedSegment, kept)
        expectEqual("/?#[]%\"<> \u{7F}".percentEncodedSegment, "%2F%3F%23%5B%5D%25%22%3C%3E%20%7F")
    }

    @Test func `a component keeps what encodeURIComponent keeps`() {
        let kept = "AZaz09-_.!~*'()"
        expectEqual(kept.percentEncodedComponent, kept)
        expectEqual("a/b c&d=é+@:$,;".percentEncodedComponent, "a%2Fb%20c%26d%3D%C3%A9%2B%40%3A%24%2C%3B")
    }
}

struct PathNormalFormTests {
    @Test func `a path that is surely normal is the text of its normal form`() throws {
        for raw in [
            "/", "/a", "/api/v1/conversations", "/a/", "/A-z_0~9/b", "//", "/a//b", "/a.b", "/%41", "/a b", "", "/é",
        ] {
            guard Path.isSurelyNormal(raw) else { continue }
            expectEqual(Path(raw: raw)?.text, raw)
        }
        #expect(Path.isSurelyNormal("/api/v1/conversations"))
        for raw in ["//", "/a//b", "/a/../b", "/./a", "/%61", "/a%2Fb", "/a b", "/é"] {
            #expect(!Path.isSurelyNormal(raw))
        }
    }
}
