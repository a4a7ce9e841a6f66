import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import Conduct
@testable import ConductKit

/// The rules about parts of contents, content codings, and writes on connections that break (section 4).
@Suite struct TransferRuleTests {
    // MARK: Parts

    /// An answer to a download: when it was asked for, its `Range`, its status and the bytes that it brought.
    private struct Part {
        var at: Int64
        var range: String?
        var status: Int
        var length: Int
        var outcome = ConductExchange.Outcome.delivered
        var path = "/v1/open"
        var fields: [(String, String)] = []
        var connection = 1

        init(
            _ at: Int64,
            _ range: String?,
            _ status: Int,
            _ length: Int,
            cut: Bool = false,
            left: Bool = false,
            path: String = "/v1/open",
            fields: [(String, String)] = [],
            connection: Int = 1
        ) {
            (self.at, self.range, self.status, self.length) = (at, range, status, length)
            outcome = cut ? .cut : left ? .interrupted : .delivered
            (self.path, self.fields, self.connection) = (path, fields, connection)
        }
    }

    private func download(_ parts: [Part]) -> Traffic {
        Traffic.made {
            for part in parts {
                $0.add(
                    "GET \(part.path)",
                    at: part.at,
                    part.status,
                    headers: part.range.map { [("Range", $0), ("If-Range", "\"a\"")] } ?? [],
                    answers: part.fields,
                    outcome: part.outcome,
                    connection: part.connection
                )
                let last = $0.exchanges.count - 1
                $0.exchanges[last].status = part.status
                $0.exchanges[last].responseBody = .init([], length: part.length)
            }
        }
    }

    private let rule = "range/wrong-part-joined"

    @Test func `4 range wrong-part-joined finds a 200 that was taken for the rest`() {
        // 100 bytes are there; the 200 breaks off after 60 of the new content.
        let start = [Part(0, nil, 200, 100, cut: true), Part(2_000, "bytes=100-", 200, 60, cut: true)]
        for next in [
            Part(5_000, "bytes=160-", 206, 40, fields: [("Content-Range", "bytes 160-199/200")]),
            Part(5_000, "bytes=160-", 416, 0), Part(5_000, "BYTES=160-", 200, 200),
        ] {
            expectEqual(download(start + [next]).proofs, [rule: ["req_2", "req_3"]])
        }
        // A whole 200: the client has 100 + 200 bytes.
        let whole = [Part(0, nil, 200, 100, cut: true), Part(2_000, "bytes=100-", 200, 200)]
        expectEqual(download(whole + [Part(5_000, "bytes=300-", 416, 0)]).proofs, [rule: ["req_2", "req_3"]])
        // Once for each 200 that was appended.
        let twice = start + [Part(5_000, "bytes=160-", 200, 50, cut: true), Part(9_000, "bytes=210-", 416, 0)]
        expectEqual(download(twice).report().findings.map(\.count), [2])
        // The first part may be from an earlier run.
        expectEqual(download(Array((start + [Part(5_000, "bytes=160-", 416, 0)]).dropFirst())).found, [rule])
    }

    @Test func `4 range wrong-part-joined lets a client go on that took the 200 for what it is`() {
        let start = [Part(0, nil, 200, 100, cut: true), Part(2_000, "bytes=100-", 200, 60, cut: true)]
        let innocent: [[Part]] = [
            // From the end of the new content, from its beginning, from the old part again, and anywhere else.
            [Part(5_000, "bytes=60-", 206, 40, fields: [("Content-Range", "bytes 60-99/100")])],
            [Part(5_000, nil, 200, 200)], [Part(5_000, "bytes=0-", 206, 200)], [Part(5_000, "bytes=100-", 200, 200)],
            [Part(5_000, "bytes=159-", 416, 0)], [Part(5_000, "bytes=161-", 416, 0)],
            // One byte of a player's, the last ones, and several.
            [Part(5_000, "bytes=160-160", 206, 1)], [Part(5_000, "bytes=-160", 206, 160)],
            [Part(5_000, "bytes=160-,0-1", 200, 200)],
            // Another content, and another query.
            [Part(5_000, "bytes=160-", 416, 0, path: "/v1/public")],
            [Part(5_000, "bytes=160-", 416, 0, path: "/v1/open?v=2")],
            // Another download of it had come so far.
            [Part(3_000, nil, 200, 160, cut: true), Part(5_000, "bytes=160-", 206, 40)],
            [
                Part(3_000, "bytes=60-", 206, 100, cut: true, fields: [("Content-Range", "bytes 60-199/200")]),
                Part(5_000, "bytes=160-", 206, 40),
            ],
        ]
        for (place, next) in innocent.enumerated() { expectEqual(download(start + next).found, [], "\(place)") }
        expectEqual(download(start + innocent[0]).status(rule), .passed)
        // A 206 is the rest, and a 200 to `bytes=0-` begins where the client is.
        expectEqual(
            download([
                Part(0, "bytes=100-", 206, 60, cut: true, fields: [("Content-Range", "bytes 100-199/200")]),
                Part(3_000, "bytes=160-", 206, 40),
            ]).status(rule),
            .notExercised
        )
        expectEqual(
            download([Part(0, "bytes=0-", 200, 60), Part(3_000, "bytes=60-", 206, 40)]).status(rule),
            .notExercised
        )
    }

    @Test func `4 range wrong-part-joined holds a client only to what it knew`() {
        let first = Part(0, "bytes=100-", 200, 60, cut: true)
        // Under way at the same time, in a coding, and left by the client, so that nobody knows what it got.
        expectEqual(download([first, Part(5, "bytes=160-", 416, 0, connection: 2)]).found, [])
        let coded = Part(0, "bytes=100-", 200, 60, cut: true, fields: [("Content-Encoding", "gzip")])
        expectEqual(download([coded, Part(5_000, "bytes=160-", 416, 0)]).found, [])
        expectEqual(
            download([Part(0, "bytes=100-", 200, 60, left: true), Part(5_000, "bytes=160-", 416, 0)]).found,
            []
        )
        // On another connection a whole answer is known 20 ms after it, on the same one at once.
        for (whole, begin, connection, found) in [
            (Part(0, "bytes=100-", 200, 60), Int64(109), 2, []), (Part(0, "bytes=100-", 200, 60), 110, 2, [rule]),
            (Part(0, "bytes=100-", 200, 60), 10, 1, [rule]),
        ] {
            var traffic = download([whole, Part(begin, "bytes=160-", 416, 0, connection: connection)])
            for place in traffic.exchanges.indices { traffic.exchanges[place].isLocal = false }
            expectEqual(traffic.found, found, "\(begin)")
        }
    }

    @Test func `4 range wrong-part-joined: a 206 that begins elsewhere`() {
        func shifted(_ next: String) -> Traffic {
            download([
                Part(0, "bytes=100-", 206, 60, cut: true, fields: [("Content-Range", "bytes 101-199/200")]),
                Part(5_000, next, 206, 40, fields: [("Content-Range", "bytes 160-199/200")]),
            ])
        }
        // From the byte that was asked for, from that which came, and again.
        expectEqual(shifted("bytes=160-").proofs, [rule: ["req_1", "req_2"]])
        for next in ["bytes=161-", "bytes=100-", "bytes=0-"] { expectEqual(shifted(next).found, [], next) }
        expectEqual(shifted("bytes=161-").status(rule), .passed)
    }

    @Test func `4 range wrong-part-joined: pieces of a given length`() {
        func pieces(_ answer: Part, _ next: String, tag: String = "\"a\"", between: [Part] = []) -> [String] {
            var traffic = download([answer] + between + [Part(5_000, next, 416, 0)])
            let last = traffic.exchanges.count - 1
            traffic.exchanges[last].fields.set("If-Range", tag)
            return traffic.found
        }
        let whole = Part(0, "bytes=100-149", 200, 200, fields: [("ETag", "\"b\"")])
        // Behind all that came, and the next piece with the tag that was refused.
        for next in ["bytes=300-349", "bytes=300-", "bytes=150-199", "bytes=150-"] {
            expectEqual(pieces(whole, next), [rule], next)
        }
        for (next, tag) in [
            // With the new tag, another piece, the same one, and what the whole content is short of.
            ("bytes=150-199", "\"b\""), ("bytes=151-199", "\"a\""), ("bytes=100-149", "\"a\""), ("bytes=0-49", "\"a\""),
            ("bytes=200-249", "\"b\""), ("bytes=301-349", "\"b\""),
        ] {
            expectEqual(pieces(whole, next, tag: tag), [], next)
        }
        // The former tag is back, the 200 has the same tag, the 200 was cut, and it was to no `If-Range` that it refused.
        let back = Part(2_000, "bytes=0-49", 206, 50, fields: [("ETag", "\"a\""), ("Content-Range", "bytes 0-49/200")])
        expectEqual(pieces(whole, "bytes=150-199", between: [back]), [])
        let same = Part(0, "bytes=100-149", 200, 200, fields: [("ETag", "\"a\"")])
        expectEqual(pieces(same, "bytes=150-199"), [])
        let cut = Part(0, "bytes=100-149", 200, 50, cut: true, fields: [("ETag", "\"a\"")])
        expectEqual(pieces(cut, "bytes=150-199"), [])
        // A 206 of a piece is the piece.
        let right = Part(
            0,
            "bytes=100-149",
            206,
            50,
            fields: [("ETag", "\"a\""), ("Content-Range", "bytes 100-149/200")]
        )
        expectEqual(pieces(right, "bytes=150-199"), [])
    }

    // MARK: Codings

    private func uploads(
        _ calls: [(at: Int64, coding: String?, status: Int, connection: Int)],
        answer: JSON? = ["error": "The coding gzip is not taken"],
        answers: [(String, String)] = [],
        to path: String = "/v1/code"
    ) -> Traffic {
        Traffic.made {
            for call in calls {
                $0.add(
                    "POST \(path)",
                    at: call.at,
                    call.status,
                    headers: call.coding.map { [("Content-Encoding", $0)] } ?? [],
                    body: ["n": .integer(call.at)],
                    answer: call.status == 415 ? answer : ["a": 1],
                    answers: call.status == 415 ? answers : [],
                    connection: call.connection
                )
            }
        }
    }

    private let coding = "coding/refused"

    @Test func `4 coding refused finds content in a coding that nothing follows, and the second of it`() {
        for name in ["gzip", "GZIP", "x-gzip", "identity, gzip"] {
            expectEqual(uploads([(0, name, 415, 1)]).proofs, [coding: ["req_1"]], name)
        }
        let taught = uploads([(0, "gzip", 415, 1), (2_000, nil, 200, 1), (5_000, "x-gzip", 415, 1)])
        expectEqual(taught.proofs, [coding: ["req_1", "req_3"]])
        expectEqual(uploads([(0, "gzip", 415, 1), (2_000, "gzip", 415, 1)]).report().findings.map(\.count), [2])
        // The form that nobody reads: what the server takes instead says enough.
        for (taken, found) in [
            ("deflate", [coding]), ("gzip;q=0", [coding]), ("identity", [coding]), ("", [coding]),
            ("gzip, deflate", []),
            ("x-gzip", []), ("*", []), ("deflate, gzip;q=0.5", []),
        ] {
            expectEqual(
                uploads([(0, "gzip", 415, 1)], answer: nil, answers: [("Accept-Encoding", taken)]).found,
                found,
                taken
            )
        }
        expectEqual(
            uploads([(0, "br", 415, 1)], answer: nil, answers: [("Accept-Encoding", "gzip, deflate")]).found,
            [coding]
        )
    }

    @Test func `4 coding refused lets a client try once and go on without`() {
        for (place, calls) in [
            // In plain form after it, and in the coding that the server names.
            [(Int64(0), "gzip" as String?, 415, 1), (2_000, nil, 200, 1)],
            [(0, "br", 415, 1), (2_000, "gzip", 200, 1)],
            // Two that were under way together, then the plain ones.
            [(0, "gzip", 415, 1), (5, "gzip", 415, 2), (2_000, nil, 200, 1), (2_020, nil, 200, 1)],
            // Taken, refused for something else, and a coding that is none.
            [(0, "gzip", 200, 1)], [(0, "gzip", 400, 1)], [(0, "identity", 415, 1)], [(0, nil, 415, 1)],
        ].enumerated() {
            let answer: JSON = ["error": "The coding \(place == 1 ? "br" : "gzip") is not taken"]
            expectEqual(uploads(calls, answer: answer).found, [], "\(place)")
        }
        // 415 for the type: neither the text nor a field names the coding.
        expectEqual(uploads([(0, "gzip", 415, 1)], answer: ["error": "Unsupported media type"]).found, [])
        expectEqual(uploads([(0, "gzip", 415, 1)], answer: nil).found, [])
        expectEqual(uploads([(0, "gzip", 200, 1)]).status(coding), .passed)
        expectEqual(uploads([(0, nil, 200, 1)]).status(coding), .notExercised)
        // The plain one has to be to the same route, and after the answer.
        let elsewhere = Traffic.made {
            $0.add(
                "POST /v1/code",
                at: 0,
                415,
                headers: [("Content-Encoding", "gzip")],
                body: ["a": 1],
                answer: ["e": "gzip"]
            )
            $0.add("POST /v1/verify", at: 2_000, body: ["code": "1"])
        }
        expectEqual(elsewhere.found, [coding])
        // A client may know an answer at once.
        for (begin, found) in [(Int64(9), [coding]), (10, [])] {
            expectEqual(uploads([(0, "gzip", 415, 1), (begin, nil, 200, 2)]).found, found, "\(begin)")
        }
    }

    // MARK: Writes

    private func write(
        _ method: String,
        reused: Bool = true,
        key: (String?, String?) = (nil, nil),
        pause: Int64 = 5,
        _ between: (inout Traffic) -> Void = { _ in }
    ) -> Traffic {
        Traffic.made {
            $0.signIn()
            let path = method == "POST" ? "/v1/items" : "/v1/items/1"
            for (number, key) in [key.0, key.1].enumerated() {
                $0.add(
                    "\(method) \(path)",
                    at: 1_000 + Int64(number) * (10 + pause),
                    201,
                    token: "access-1",
                    headers: key.map { [("Idempotency-Key", $0)] } ?? [],
                    body: method == "DELETE" ? nil : ["title": "Milk"],
                    outcome: number == 0 ? .cut : .delivered,
                    connection: number == 0 && reused ? 1 : 2 + number
                )
                if number == 0 { between(&$0) }
            }
        }
    }

    @Test func `4 retry unsafe-repeated finds a creation that a library sent again as its connection closed`() {
        for pause: Int64 in [0, 5, 30_000] {
            expectEqual(write("POST", pause: pause).proofs, ["retry/unsafe-repeated": ["req_2", "req_3"]])
        }
        let seen = write("POST").report().findings.map(\.seen)
        #expect(seen[0].hasPrefix("req_2 was cut on a reused connection before a response"), "\(seen)")
        let fresh = write("POST", reused: false).report().findings.map(\.seen)
        #expect(fresh[0].hasPrefix("req_2 was cut before a response"), "\(fresh)")
        // What may be repeated: idempotent methods, one key, and after a look at the list.
        for method in ["PUT", "DELETE"] { expectEqual(write(method).found, [], method) }
        expectEqual(write("POST", key: ("k", "k")).found, [])
        let looked = write("POST", pause: 2_000) { $0.add("GET /v1/items", at: 1_500, token: "access-1", answer: []) }
        expectEqual(looked.found, [])
        // The refresh of a session may be repeated.
        let refresh = Traffic.made {
            $0.signIn()
            $0.refresh("refresh-1", at: 1_000, outcome: .cut, connection: 1)
            $0.refresh("refresh-1", at: 1_020, connection: 2)
        }
        expectEqual(refresh.found, [])
    }

    @Test func `4 retry idempotency-key-changed: a lost answer, one still under way, and the nearest innocent`() {
        let changed = ["retry/idempotency-key-changed"]
        for second in ["b", nil] { expectEqual(write("POST", key: ("a", second)).found, changed) }
        expectEqual(write("POST", key: ("a", "a")).found, [])
        // A client that has looked knows what was done, and makes a new one with a new key.
        for (path, found) in [("/v1/items", []), ("/v1/feed", changed)] {
            let looked = write("POST", key: ("a", "b"), pause: 2_000) {
                $0.add("GET \(path)", at: 1_500, token: "access-1", answer: [])
            }
            expectEqual(looked.found, found, path)
        }
        // Other content is another creation.
        let other = Traffic.made {
            for (number, key) in ["a", "b"].enumerated() {
                $0.add(
                    "POST /v1/items",
                    at: Int64(number) * 2_000,
                    502,
                    headers: [("Idempotency-Key", key)],
                    body: ["n": .integer(Int64(number))]
                )
            }
        }
        expectEqual(other.found, [])
        func underWay(_ code: String, _ keys: [String]) -> [String] {
            Traffic.made {
                for (number, key) in keys.enumerated() {
                    $0.add(
                        "POST /v1/items",
                        at: Int64(number) * 2_000,
                        number < keys.count - 1 ? 409 : 201,
                        headers: [("Idempotency-Key", key)],
                        body: ["x": 1],
                        answer: ["error": ["code": .string(code)]]
                    )
                }
            }.found
        }
        expectEqual(underWay("idempotency_in_progress", ["a", "b"]), changed)
        expectEqual(underWay("idempotency_in_progress", ["a", "a", "a"]), [])
        expectEqual(underWay("already_there", ["a", "b"]), [])
        // Two at once with a key each, and the second again with its own.
        let both = Traffic.made {
            for (time, key) in [(Int64(0), "a"), (2, "b"), (3_000, "b")] {
                $0.add(
                    "POST /v1/items",
                    at: time,
                    502,
                    headers: [("Idempotency-Key", key)],
                    body: ["x": 1],
                    connection: 7
                )
            }
        }
        expectEqual(both.found, [])
    }
}
