import Foundation
import TestSupport
import Testing
import UnderstudyServer

@testable import UnderstudyClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a failed test prints (clients' contract, section 5).
@Suite(.understudy()) struct FailureReportTests {
    private func get(_ path: String) async throws {
        _ = try await URLSession.shared.data(from: try World.current.url(.omnichat).appending(path: path))
    }

    @Test func `5 what explains a failure comes before the journal, each problem once`() async throws {
        let world = try World.current
        try await world.fail(.status(503), on: Match(.omnichat, "POST", "/api/v1/messages/nowhere"))
        let hit = try await world.fail(.status(500), on: Match(.omnichat, "GET", "/api/v1/models"), times: 1)
        try await world.gate("race", on: Match(.omnichat, "POST"))
        try await world.gate("known", on: Match(.omnichat, "PUT"))
        try await get("api/v1/models")
        try await get("api/v1/conversations")
        try await get("api/v1/conversations")
        try await get("api/v1/conversation")
        try await get("api/v1/conversation")
        let lines = await FailureReport(of: world, leavingOut: ["known"]).text.split(separator: "\n").map(String.init)
        try #require(lines.count == 15, "\(lines)")
        expectEqual(
            lines.prefix(6).map { String($0.prefix(32)) },
            [
                "Faults that never hit:",
                "  flt_1: {\"status\":503} for POST",
                "Gates that held nothing:",
                "  race: POST request of omnichat",
                "Requests that nothing matched:",
                "  GET /api/v1/conversation of om",
            ]
        )
        #expect(lines[5].contains("nearest: GET /api/v1/conversations"))
        expectEqual(lines[6], "Journal of the world \(world.name), oldest first:")
        #expect(lines[7].hasSuffix("GET /omnichat/api/v1/models → 500, fault \(hit.id)"))
        #expect(lines[8].contains("{"), "the body of the 500")
        #expect(lines[9].hasSuffix("GET /omnichat/api/v1/conversations → 401"))
        #expect(lines[10].contains("{"), "the body of the first 401")
        #expect(lines[12].contains("the same as req_2"), "the body of the second 401")
    }

    @Test func `5 a world without requests says so`() async throws {
        let world = try World.current
        let report = await FailureReport(of: world)
        expectEqual(report.text, "No request has reached the world \(world.name).")
        #expect(String(decoding: report.journal, as: UTF8.self).contains("items"))
    }

    @Test func `5 a world that has gone is no second failure`() async throws {
        let fork = try await World.current.fork()
        try await fork.delete()
        #expect(await FailureReport(of: fork).text.contains("could not be read"))
    }

    @Test func `5 a refusal has each of its faults once`() async throws {
        do {
            try await World.current.add(Fault(Effect(["statu": 500]), when: Fault.When(times: 0)))
            Issue.record("the fault is wrong")
        } catch {
            let text = "\(error)"
            expectEqual(text.components(separatedBy: "$.when.times").count, 2, "\(text)")
            #expect(text.contains("did you mean status?"), "\(text)")
        }
    }

    @Test func `5 control characters of a body don't reach the terminal`() async throws {
        let world = try World.current
        try await world.stub(
            Match(.omnichat, "GET", "/evil"),
            .init(500, text: "a\u{1B}[2Jb\r\nc\u{85}d", template: false)
        )
        try await get("evil")
        let text = await FailureReport(of: world).text
        #expect(text.hasSuffix("      a [2Jb  c d"), "\(text)")
    }
}
