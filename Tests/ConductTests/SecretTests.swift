import CivilTime
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import Conduct
@testable import ConductKit

/// Section 17: no output holds a secret.
@Suite struct SecretTests {
    /// The places of a request and its answer that may hold one.
    private static let places = 20

    private static func secret(_ number: Int) -> String { "Zq\(number)xW9kLmTr4vB7nYcD2sF\(number)Gh" }

    /// Two requests that misbehave, with a secret at one of the places.
    private static func plant(_ secret: String, at place: Int, _ begin: Int64, in traffic: inout Traffic) {
        for turn in 0..<3 as Range<Int64> {
            let time = begin + turn * 150
            let id = "\(begin)\(turn)"
            switch place {
            case 0: traffic.add("GET /v1/open?password=\(secret)", at: time, 404)
            case 1: traffic.add("GET /v1/open?access_token=\(secret)", at: time, 429)
            case 2: traffic.add("GET /v1/reset/\(secret)", at: time, 404, known: false)
            case 3: traffic.add("GET /v1/items", at: time, 401, token: secret)
            case 4: traffic.add("GET /v1/items", at: time, 401, authorization: "Bearer \"\(secret)\"")
            case 5: traffic.add("GET /v1/items", at: time, 401, authorization: "Basic \(secret)")
            case 6: traffic.add("GET /v1/open", at: time, 500, headers: [("Cookie", "sid=\(secret)")])
            case 7: traffic.add("GET /v1/open", at: time, 500, headers: [("X-Api-Key", secret)])
            case 8: traffic.add("POST /v1/sign-in", at: time, 401, body: ["password": .string(secret)])
            case 9: traffic.add("POST /v1/verify", at: time, 400, body: ["code": .string(secret)])
            case 10: traffic.add("POST /v1/link", at: time, body: ["token": .string(secret)])
            case 11: traffic.refresh(secret, at: time, 401)
            case 12:
                traffic.add(
                    "POST /v1/items",
                    at: time,
                    500,
                    headers: [("Idempotency-Key", turn == 0 ? secret : id)],
                    body: ["a": 1]
                )
            case 13:
                traffic.signIn(at: time, access: secret, refresh: "r\(secret)")
                traffic.add("GET /v1/items/\(id)?t=\(secret)", at: time + 20, 401, token: secret)
                traffic.refresh("r\(secret)", at: time + 50, 401)
            case 14:
                traffic.add(
                    "GET /v1/open",
                    at: time,
                    headers: [("If-None-Match", secret)],
                    answers: [("ETag", "\"\(secret)\"")]
                )
            case 15: traffic.add("GET /v1/feed?cursor=\(secret)", at: time)
            case 16: traffic.add("POST /v1/items", at: time, 400, bytes: Array("{\"\(secret)\":1,\"\(secret)\":2".utf8))
            case 17: traffic.add("POST /v1/items", at: time, 422, bytes: Array("a=\(secret)".utf8), type: nil)
            case 18:
                traffic.add(
                    "PUT /v1/items/7",
                    at: time,
                    took: 500,
                    headers: [("X-Request-Id", secret)],
                    body: ["p": .string(secret + id)]
                )
            default:
                traffic.add(
                    "GET /v1/public?user=\(secret)@example.com&jwt=\(secret)",
                    at: time,
                    answer: ["s": .string(secret)],
                    answers: [("Set-Cookie", "sid=\(secret)")]
                )
            }
        }
    }

    @Test func `17 a short token in a path is in no output`() {
        let traffic = Traffic.made {
            $0.signIn(access: "accesstoken1")
            $0.add("GET /v1/p/accesstoken1/x", at: 1_000, 404)
            $0.add("GET /v1/p/access%74oken1/x", at: 5_000, 404)
        }
        let report = traffic.report()
        expectEqual(Set(report.findings.map(\.rule)), ["auth/secret-in-url", "url/unknown-route"])
        #expect(report.findings.allSatisfy { $0.route == "/v1/p/{id}/x" && $0.count == 2 })
        for format in ConductFormat.allCases {
            let text = String(decoding: format.render(report, .build), as: UTF8.self)
            #expect(!text.contains("accesstoken1") && !text.contains("access%74oken1"), "\(format)")
        }
        #expect(!String(decoding: Baseline.text(of: report), as: UTF8.self).contains("accesstoken1"))
    }

    @Test func `17 a hundred secrets in every place of a request are in no output`() throws {
        let secrets = (0..<100).map(Self.secret)
        var traffic = Traffic()
        for (number, secret) in secrets.enumerated() {
            Self.plant(secret, at: number % Self.places, Int64(number) * 10_000, in: &traffic)
        }
        let journal = traffic.report()
        // Many rules found something, so that many texts were made.
        #expect(Set(journal.findings.map(\.rule)).count >= 12, "\(Set(journal.findings.map(\.rule)).sorted())")
        var file = try FileTests.judge([FileTests.archive(traffic.exchanges.map(Self.archived))], api: FileTests.api)
            .report
        #expect(file.findings.count > 5)
        file.apply(baseline: [])
        for report in [journal, file, JudgementReport.merged([("main", journal)])] {
            var outputs = ConductFormat.allCases.map { $0.render(report, .build) }
            outputs.append(Baseline.text(of: report))
            for output in outputs {
                let text = String(decoding: output, as: UTF8.self)
                for secret in secrets where text.contains(secret) || text.contains(secret.prefix(12)) {
                    Issue.record("\(secret) is in \(text.prefix(60))")
                }
            }
        }
    }

    /// The same exchange as an archive has it.
    private static func archived(_ exchange: ConductExchange) -> JSON {
        var entry =
            FileTests.entry(
                exchange.method.rawValue,
                "https://api.example.com" + exchange.path + (exchange.query.map { "?" + $0 } ?? ""),
                exchange.status,
                headers: exchange.fields.pairs.map { ($0.name, $0.value) },
                body: exchange.body.length > 0 ? String(decoding: exchange.body.bytes, as: UTF8.self) : nil,
                answer: String(decoding: exchange.responseBody.bytes, as: UTF8.self),
                answers: exchange.responseFields.pairs.map { ($0.name, $0.value) }
            ).objectValue ?? JSONObject()
        entry["startedDateTime"] = .string(exchange.startedAt.iso8601(.milliseconds))
        return .object(entry)
    }
}
