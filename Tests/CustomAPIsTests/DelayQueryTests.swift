import Backend
import CivilTime
import Engine
import HTTPMessage
import JSON
import Journal
import TestSupport
import Testing
import Worlds

/// `?__delay` (control contract, section 8).
@Suite struct DelayQueryTests {
    private func harness() throws -> CustomAPIHarness {
        try CustomAPIHarness([
            "api.json": #"{"tables":{"bikes":{}},"resources":[{"path":"/v2/bikes","table":"bikes"}]}"#,
            "openapi.yaml": Section16OperationTests.document, "tables/bikes.json": #"[{"id":1}]"#,
            "stubs/a.json":
                #"[{"match":{"path":"/v2/pets","query":{"__delay":{"absent":true},"page":"2"}},"response":{"text":"stub"}}]"#,
        ])
    }

    private func entry(_ harness: CustomAPIHarness) throws -> JournalEntry {
        let journal = try harness.hosted().world.journal
        return try #require(journal[journal.lastSeq])
    }

    @Test func `8 __delay delays one response by milliseconds, and is echoed as wait`() throws {
        let harness = try harness()
        let cases: [(String, Int64, Int, String)] = [
            ("__delay=500", 500, 200, "wait=0.5"), ("__delay=0", 0, 200, "wait=0"), ("__delay=1", 1, 200, "wait=0.001"),
            ("__delay=2000", 2_000, 200, "wait=2"), ("__delay=3600000", 3_600_000, 200, "wait=3600"),
            ("__delay=1&__delay=20", 20, 200, "wait=0.02"), ("__delay=500&__code=503", 500, 503, "wait=0.5, code=503"),
            ("__code=503&__delay=500", 500, 503, "code=503, wait=0.5"), ("a=1&__delay=7&b=2", 7, 200, "wait=0.007"),
        ]
        for (query, milliseconds, status, applied) in cases {
            let start = harness.hostTime.monotonic
            let answer = try harness.get("/v2/bikes?\(query)")
            expectEqual(answer.status, status, query)
            expectEqual(answer["Preference-Applied"], applied, query)
            expectEqual((harness.hostTime.monotonic - start).microseconds, milliseconds * 1_000, query)
        }
        let both = try harness.get("/v2/bikes?__delay=5000", ["Prefer": "wait=0.1"])
        expectEqual(both["Preference-Applied"], "wait=0.1")
    }

    @Test func `8 a __delay that can't be used is a problem that names it`() throws {
        let harness = try harness()
        for value in ["", "abc", "-1", "0.5", "1e3", "3600001", "+5", "99999999999999999999"] {
            let answer = try harness.get("/v2/bikes?__delay=\(value)")
            expectEqual(answer.status, 400, value)
            expectEqual(answer.json["errors"]?[0]?["path"], "?__delay", value)
            expectEqual(
                answer.json["errors"]?[0]?["reason"],
                "must be a whole number of milliseconds from 0 to 3600000",
                value
            )
        }
    }

    @Test func `8 neither a match nor a list nor the document sees it, and the journal has it`() throws {
        let harness = try harness()
        try expectEqual(harness.get("/v2/pets?__delay=5&page=2").text, "stub")
        try expectEqual(harness.get("/v2/pets?page=2&__delay=5").text, "stub")
        try expectEqual(entry(harness).query, "page=2&__delay=5")
        try expectEqual(JournalLine(entry(harness)).query, "page=2&__delay=5")
        let list = try harness.get("/v2/bikes?__delay=5")
        expectEqual(list.json, [["id": 1]])
        try expectNil(entry(harness).violations)
        let sample = try harness.get("/v2/pets?__delay=5&__code=404")
        expectEqual(sample.text, #"{"gone":true}"#)
        try expectEqual(harness.get("/v2/pets/7?__delay=5").text, try harness.get("/v2/pets/7").text)
    }

    @Test func `8 from another machine it is a parameter like any other`() throws {
        let harness = try harness()
        harness.peer = "192.0.2.7"
        let start = harness.hostTime.monotonic
        let answer = try harness.get("/v2/bikes?__delay=500")
        expectEqual(answer.status, 200)
        expectNil(answer["Preference-Applied"])
        expectEqual(harness.hostTime.monotonic, start)
        try expectEqual(entry(harness).query, "__delay=500")
    }
}
