import JSON
import TestSupport
import Testing

@testable import Conduct
@testable import ConductKit

/// Section 4, group `cache`: what caches may do by RFC 9110 and RFC 9111.
@Suite struct CacheExcuseTests {
    /// A tag comes with an answer to another GET and with one more exchange; then it is sent for `/v1/items/1`.
    private func found(
        _ name: String,
        _ status: Int = 200,
        _ answers: [(String, String)] = [("ETag", "\"t\"")],
        body: JSON? = nil
    ) -> [String] {
        Traffic.made {
            $0.add("GET /v1/items/1", at: -5_000, answers: [("ETag", "\"own\"")])
            $0.add("GET /v1/open", at: 0, answers: [("ETag", "\"t\"")])
            $0.add(name, at: 1_000, status, body: body, answers: answers)
            $0.add("GET /v1/items/1", at: 9_000, headers: [("If-None-Match", "\"t\"")], answers: [("ETag", "\"u\"")])
        }.found.filter { $0.hasPrefix("cache/") }
    }

    @Test func `4 cache validator-of-another: a tag is the client's for what any answer says that it is for`() {
        let breach = ["cache/validator-of-another"]
        let tag = ("ETag", "\"t\"")
        for (name, status) in [
            ("PUT /v1/items/1", 200), ("PUT /v1/items/1", 204), ("PUT /v1/items/1", 412), ("PATCH /v1/items/1", 200),
            ("POST /v1/items/1", 200), ("HEAD /v1/items/1", 200), ("GET /v1/items/1", 206), ("GET /v1/items/1", 304),
        ] {
            let body: JSON? = name.hasPrefix("P") ? ["n": 1] : nil
            expectEqual(found(name, status, body: body), [], "\(name) \(status)")
            expectEqual(found(name, status, [], body: body), breach, "\(name) \(status) without a tag")
        }
        expectEqual(found("PUT /v1/items/2", 200, body: ["n": 1]), breach, "another's")
        for location in [
            "/v1/items/1", "https://api.example.com/v1/items/1", "//api.example.com/v1/items/1", "items/1", "./items/1",
            "x/../items/1", "/shop/v1/items/1", "/@w/v1/items/1", "/@w/shop/v1/items/1#part",
        ] {
            expectEqual(found("POST /v1/items", 201, [tag, ("Location", location)], body: ["n": 1]), [], location)
            expectEqual(found("GET /v1/items", 200, [tag, ("Content-Location", location)]), [], location)
        }
        for location in ["/v1/items/2", "/v1/items/1?a=b", "2", ""] {
            expectEqual(found("POST /v1/items", 201, [tag, ("Location", location)], body: ["n": 1]), breach, location)
        }
    }

    @Test func `4 cache validator-of-another: a redirect leads to one thing`() {
        func found(_ from: String, _ to: String, _ sent: String, status: Int = 302) -> [String] {
            Traffic.made {
                $0.add("GET \(sent)", at: -5_000, answers: [("ETag", "\"own\"")])
                $0.add(from, at: 0, status, answers: [("Location", to)])
                $0.add("GET /v1/items/7", at: 1_000, answers: [("ETag", "\"t\"")])
                $0.add("GET \(sent)", at: 9_000, headers: [("If-None-Match", "\"t\"")], answers: [("ETag", "\"u\"")])
            }.found.filter { $0.hasPrefix("cache/") }
        }
        let breach = ["cache/validator-of-another"]
        for status in [301, 302, 303, 307, 308] {
            expectEqual(found("GET /v1/open", "/v1/items/7", "/v1/open", status: status), [], "\(status)")
        }
        let chain = Traffic.made {
            $0.add("GET /v1/open", at: -5_000, answers: [("ETag", "\"own\"")])
            $0.add("GET /v1/open", at: 0, 302, answers: [("Location", "/v1/items")])
            $0.add("GET /v1/items", at: 500, 302, answers: [("Location", "items/7")])
            $0.add("GET /v1/items/7", at: 1_000, answers: [("ETag", "\"t\"")])
            $0.add("GET /v1/open", at: 9_000, headers: [("If-None-Match", "\"t\"")], answers: [("ETag", "\"u\"")])
        }
        expectEqual(chain.found, [])
        // A client that follows a redirect takes its fields along.
        func along(_ status: Int) -> [String] {
            Traffic.made {
                let fields = [("If-None-Match", "\"t\"")]
                $0.add("GET /v1/open", at: -5_000, answers: [("ETag", "\"own\"")])
                $0.add("GET /v1/items/7", at: 0, answers: [("ETag", "\"t\"")])
                $0.add("GET /v1/items/7", at: 5_000, status, headers: fields, answers: [("Location", "/v1/open")])
                $0.add("GET /v1/open", at: 5_100, headers: fields, answers: [("ETag", "\"u\"")])
            }.found
        }
        expectEqual(along(302), [])
        expectEqual(along(304), breach)
        expectEqual(found("GET /v1/open", "/v1/items/8", "/v1/open"), breach)
        // A form that leads to a list is not the list.
        expectEqual(found("POST /v1/open", "/v1/items/7", "/v1/open", status: 303), breach)
        expectEqual(found("POST /v1/open", "/v1/items/7", "/v1/open", status: 308), [])
    }

    @Test func `4 cache tag-rewritten: a tag of a write is known, too`() {
        func found(_ sent: String) -> [String] {
            Traffic.made {
                $0.add("PUT /v1/items/1", at: 0, body: ["n": 1], answers: [("ETag", "\"Abc\"")])
                $0.add("GET /v1/items/1", at: 5_000, headers: [("If-None-Match", sent)])
            }.found
        }
        expectEqual(found("\"Abc\""), [])
        expectEqual(found("Abc"), ["cache/tag-rewritten"])
    }

    // MARK: Freshness

    /// Reads that follow one another by two seconds, with a write behind each.
    private func reads(
        _ name: String,
        write: String,
        _ answers: [(String, String)] = [],
        reads kind: [(String, String)],
        took: Int64 = 10,
        token: String? = nil
    ) -> [String] {
        Traffic.made {
            if token != nil { $0.signIn(at: -5_000) }
            for turn in 0..<5 {
                let begin = Int64(turn) * 2_000
                $0.add(name, at: begin, answer: ["n": .integer(Int64(turn))], answers: kind)
                $0.add(
                    write,
                    at: begin + 500,
                    took: took,
                    token: token,
                    body: ["n": .integer(Int64(turn))],
                    answers: answers,
                    connection: 2
                )
            }
        }.found.filter { $0.hasPrefix("cache/") }
    }

    private static let writes: [(read: String, write: String, answers: [(String, String)], excuses: Bool)] = [
        ("GET /v1/items", "POST /v1/items", [], true), ("GET /v1/items", "PUT /v1/items/1", [], true),
        ("GET /v1/items?limit=2", "PATCH /v1/items/1", [], true),
        ("GET /v1/items/1", "POST /v1/items/1/likes", [], true),
        ("GET /v1/items/1", "DELETE /v1/items", [], true), ("GET /v1/items/1", "PUT /v1/items/1", [], true),
        ("GET /v1/items/1", "POST /v1/orders", [("Location", "/v1/items/1")], true),
        ("GET /v1/items/1", "POST /v1/orders", [("Content-Location", "items/1")], true),
        ("GET /v1/items", "POST /v1/orders", [("Location", "/v1/items/9")], true),
        ("GET /v1/items/1", "PUT /v1/items/2", [], false), ("GET /v1/items", "POST /v1/itemsets", [], false),
        ("GET /v1/items/1", "POST /v1/orders", [("Location", "/v1/orders/1")], false),
    ]

    @Test func `4 cache fresh-fetched-again and no-validator-sent: what a write may have changed is read again`() {
        for row in Self.writes {
            for (rule, fields) in [
                ("cache/fresh-fetched-again", [("Cache-Control", "max-age=60")]),
                ("cache/no-validator-sent", [("ETag", "\"1\"")]),
            ] {
                let breach = row.excuses ? [] : [rule]
                expectEqual(reads(row.read, write: row.write, row.answers, reads: fields), breach, "\(row)")
                // A read without a credential, and a write with one.
                expectEqual(
                    reads(row.read, write: row.write, row.answers, reads: fields, token: "access-1"),
                    breach,
                    "\(row)"
                )
            }
        }
        // Each read begins while the write before it is under way, so the next one may see what that has changed.
        let kind = [("Cache-Control", "max-age=60")]
        expectEqual(reads("GET /v1/items/1", write: "PUT /v1/items/1", reads: kind, took: 1_600), [])
    }

    @Test func `4 cache fresh-fetched-again: the age of a 304, several times, and requests that want the server's own`()
    {
        func found(
            _ first: [(String, String)],
            _ later: [(String, String)],
            headers: [(String, String)] = [],
            pause: Int64 = 2_000
        ) -> [String] {
            Traffic.made {
                for turn in 0..<5 {
                    $0.add(
                        "GET /v1/open",
                        at: Int64(turn) * pause,
                        turn == 0 ? 200 : 304,
                        headers: turn == 0 ? [] : [("If-None-Match", "\"1\"")] + headers,
                        answers: [("ETag", "\"1\"")] + (turn == 0 ? first : later)
                    )
                }
            }.found
        }
        func control(_ words: String) -> (String, String) { ("Cache-Control", words) }
        let breach = ["cache/fresh-fetched-again"]
        let hour = [control("max-age=3600")]
        expectEqual(found(hour, [("Age", "3590")]), breach)
        expectEqual(found(hour, [("Age", "3590")], pause: 10_000), [])
        expectEqual(found(hour, [("Age", "3600")]), [])
        expectEqual(found(hour + [("Age", "3599")], []), [], "the age stays where a 304 tells none")
        expectEqual(found(hour + [("Age", "3599")], [("Age", "0")]), breach)
        expectEqual(found(hour + [("Age", "3599")], hour), [], "nor does a new time take it away")
        expectEqual(found([control("max-age=1"), control("max-age=3600")], []), [], "either may count")
        expectEqual(found([control("max-age=x")], []), [])
        for field in [("Pragma", "no-cache"), ("Cache-Control", "max-age=0"), ("Cache-Control", "no-cache")] {
            expectEqual(found(hour, hour, headers: [field]), [], "\(field)")
        }
        let unconditional = Traffic.made {
            for turn in 0..<5 {
                let fields = [("Pragma", "no-cache")]
                $0.add("GET /v1/open", at: Int64(turn) * 2_000, headers: fields, answers: [("ETag", "\"1\"")])
            }
        }
        expectEqual(unconditional.found, [])
    }

    // MARK: Tags from before

    @Test func `4 cache validator-of-another: who knew no tag of the path may have one from before`() {
        func found(_ build: (inout Traffic) -> Void) -> [String] {
            Traffic.made {
                build(&$0)
                $0.add("GET /v1/items", at: 5_000, answers: [("ETag", "\"t\"")])
                $0.add(
                    "GET /v1/items/1",
                    at: 9_000,
                    headers: [("If-None-Match", "\"t\"")],
                    answers: [("ETag", "\"u\"")]
                )
            }.found.filter { $0.hasPrefix("cache/") }
        }
        let breach = ["cache/validator-of-another"]
        expectEqual(found { $0.add("GET /v1/items/1", at: 0, answers: [("ETag", "\"own\"")]) }, breach)
        expectEqual(found { _ in }, [])
        expectEqual(found { $0.add("GET /v1/items/1", at: 0) }, [])
        expectEqual(found { $0.add("GET /v1/items/2", at: 0, answers: [("ETag", "\"own\"")]) }, [])
        // Another client's tag is not this one's.
        expectEqual(
            found {
                $0.agent = "Other/1"
                $0.add("GET /v1/items/1", at: 0, answers: [("ETag", "\"own\"")])
                $0.agent = "App/1"
            },
            []
        )
    }

    @Test func `4 cache validator-of-another: a tag that was sent in any condition before an answer brought it`() {
        for (name, fields) in [
            ("PUT", [("If-Match", "\"t\"")]), ("GET", [("If-Range", "\"t\""), ("Range", "bytes=5-")]),
            ("PUT", [("If-Match", "\"a\", \"t\"")]), ("GET", [("If-None-Match", "\"t\"")]),
        ] {
            let traffic = Traffic.made {
                $0.add("GET /v1/items/1", at: -9_000, answers: [("ETag", "\"own\"")])
                $0.add("\(name) /v1/items/1", at: 0, headers: fields, body: name == "PUT" ? ["n": 1] : nil)
                $0.add("GET /v1/open", at: 5_000, answers: [("ETag", "\"t\"")])
                $0.add(
                    "GET /v1/items/1",
                    at: 9_000,
                    headers: [("If-None-Match", "\"t\"")],
                    answers: [("ETag", "\"u\"")]
                )
            }
            expectEqual(traffic.found.filter { $0.hasPrefix("cache/") }, [], "\(fields)")
        }
    }

    // MARK: Redirects

    @Test func `4 cache tag-rewritten: a redirect hides no tag that was changed`() {
        func found(_ sent: String) -> [String: [String]] {
            Traffic.made {
                let fields = [("If-None-Match", sent)]
                $0.add("GET /v1/open", at: 0, 302, answers: [("Location", "/v1/items/1")])
                $0.add("GET /v1/items/1", at: 100, answers: [("ETag", "\"abc\"")])
                $0.add("GET /v1/open", at: 5_000, 302, headers: fields, answers: [("Location", "/v1/items/1")])
                $0.add("GET /v1/items/1", at: 5_100, headers: fields, answers: [("ETag", "\"abc\"")])
            }.proofs.filter { $0.key.hasPrefix("cache/") }
        }
        expectEqual(found("abc"), ["cache/tag-rewritten": ["req_3"]])
        expectEqual(found("\"abc\""), [:])
    }

    @Test func `4 cache validator-of-another: one page that many redirects lead to excuses none of them`() {
        let traffic = Traffic.made {
            let fields = [("If-None-Match", "\"t\"")]
            for (turn, name) in ["GET /v1/items/1", "GET /v1/items/2"].enumerated() {
                $0.add(name, at: Int64(turn) * 1_000 - 9_000, 302, answers: [("Location", "/v1/open")])
                $0.add("GET /v1/open", at: Int64(turn) * 1_000 - 8_900)
            }
            $0.add("GET /v1/items/1", at: 0, answers: [("ETag", "\"t\"")])
            $0.add("GET /v1/items/2", at: 1_000, answers: [("ETag", "\"u\"")])
            $0.add("GET /v1/items/1", at: 5_000, 302, headers: fields, answers: [("Location", "/v1/open")])
            $0.add("GET /v1/open", at: 5_100, headers: fields)
            $0.add("GET /v1/items/2", at: 9_000, headers: fields, answers: [("ETag", "\"u\"")])
        }
        expectEqual(traffic.proofs["cache/validator-of-another"], ["req_5", "req_9"])
    }

    // MARK: Variants and users

    /// The rules found in four reads, a second after one another.
    private func four(_ change: (Int, inout [(String, String)], inout [(String, String)]) -> Void) -> [String] {
        Traffic.made {
            for turn in 0..<4 {
                var headers: [(String, String)] = []
                var answers: [(String, String)] = []
                change(turn, &headers, &answers)
                $0.add(
                    "GET /v1/open",
                    at: Int64(turn) * 2_000,
                    headers: headers,
                    answer: ["n": .integer(Int64(turn))],
                    answers: answers
                )
            }
        }.found.filter { $0.hasPrefix("cache/") }
    }

    @Test func `4 cache no-validator-sent: other variants, other users and what Expires keeps fresh`() {
        let breach = ["cache/no-validator-sent"]
        expectEqual(four { $2 = [("ETag", "\"\($0)\"")] }, breach)
        expectEqual(four { $2 = [("ETag", "\"\($0)\""), ("Vary", "*")] }, [])
        expectEqual(four { ($1, $2) = ([("Accept", "a/\($0)")], [("ETag", "\"1\""), ("Vary", "Accept")]) }, [])
        expectEqual(four { ($1, $2) = ([("Accept", "a/b")], [("ETag", "\"1\""), ("Vary", "Accept")]) }, breach)
        expectEqual(four { ($1, $2) = ([("Authorization", "Bearer user-\($0)")], [("ETag", "\"1\"")]) }, [])
        expectEqual(four { ($1, $2) = ([("Cookie", "sid=\($0)")], [("ETag", "\"1\"")]) }, [])
        expectEqual(four { ($1, $2) = ([("Cookie", "sid=1")], [("ETag", "\"1\"")]) }, breach)
        func expires(_ more: [(String, String)], _ time: String = "13:00:00") -> [String] {
            four { $2 = [("ETag", "\"\($0)\""), ("Expires", "Wed, 01 Jan 2025 \(time) GMT")] + more }
        }
        expectEqual(expires([]), [])
        expectEqual(expires([("Date", "Wed, 01 Jan 2025 12:00:00 GMT")]), [])
        expectEqual(expires([], "11:00:00"), breach)
        expectEqual(expires([("Cache-Control", "no-cache")]), breach)
        expectEqual(expires([("Cache-Control", "max-age=0")]), breach)
        // One user, whose tokens are known.
        let renewed = Traffic.made {
            $0.signIn()
            for turn in 0..<4 {
                let begin = Int64(turn) * 10_000 + 1_000
                $0.add("GET /v1/items/1", at: begin, token: "access-\(turn + 1)", answers: [("ETag", "\"1\"")])
                $0.refresh(
                    "refresh-\(turn + 1)",
                    at: begin + 5_000,
                    access: "access-\(turn + 2)",
                    new: "refresh-\(turn + 2)"
                )
            }
        }
        expectEqual(renewed.found.filter { $0.hasPrefix("cache/") }, breach)
    }

    @Test func `4 cache fresh-fetched-again: other users, and a Date that is old for the device`() {
        let breach = ["cache/fresh-fetched-again"]
        let minute = ("Cache-Control", "max-age=60")
        func dated(_ time: String) -> [String] {
            four { $2 = [minute, ("Date", "\(time) GMT")] }
        }
        expectEqual(dated("Wed, 01 Jan 2025 12:00:00"), breach)
        expectEqual(dated("Wed, 01 Jan 2025 13:00:00"), breach, "a Date ahead makes nothing old")
        expectEqual(dated("Wed, 01 Jan 2025 11:59:30"), breach)
        expectEqual(dated("Wed, 01 Jan 2025 11:59:00"), [])
        expectEqual(dated("Mon, 01 Jan 2024 12:00:00"), [])
        expectEqual(four { ($1, $2) = ([("Cookie", "sid=\($0)")], [minute]) }, [])
        expectEqual(four { ($1, $2) = ([("Cookie", "sid=1")], [minute]) }, breach)
        expectEqual(four { ($1, $2) = ([("Authorization", "Bearer user-\($0)")], [minute]) }, [])
    }
}
