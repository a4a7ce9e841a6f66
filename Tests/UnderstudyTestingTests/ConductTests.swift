import Foundation
import TestSupport
import Testing
import UnderstudyServer

@testable import UnderstudyTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The judgement of a client in its tests (conduct contract, section 14).
@Suite(.understudy()) struct ConductTests {
    private func get(_ path: String) async throws {
        let world = try World.current
        var request = URLRequest(url: world.url(.omnichat).appending(path: path))
        let token = try await world.token(.omnichat, user: "test@icloud.com")
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        _ = try await URLSession.shared.data(for: request)
    }

    private func tells(_ issue: Issue, _ text: String) -> Bool {
        issue.comments.contains { $0.rawValue.contains(text) }
    }

    @Test func `14 a report has verdict, findings, rules, counts and text`() async throws {
        let world = try World.current
        let before = try await world.conduct()
        #expect(before.verdict == "pass" && before.isPass && before.findings.isEmpty)
        #expect(before.counts.rules.notExercised == before.rules.count && before.rules.count == 49)
        try await get("nowhere")
        let report = try await world.conduct()
        let finding = try #require(report.findings.first { $0.rule == "url/unknown-route" })
        #expect(report.verdict == "fail" && !report.isPass)
        #expect(report.counts.error == 1 && report.counts.rules.failed >= 1)
        expectEqual(finding.severity, .error)
        expectEqual(finding.route, "/nowhere")
        expectEqual(finding.requests.count, 1)
        expectEqual(report.rules.first { $0.id == "url/unknown-route" }?.status, .failed)
        #expect(report.text.contains("url/unknown-route") && report.text.contains("conduct: fail, 1 error"))
    }

    @Test func `14 user, since and rules narrow the report`() async throws {
        let world = try World.current
        try await get("nowhere")
        let last = try #require(try await world.requests().last?.seq)
        #expect(try await world.conduct(since: last).findings.isEmpty)
        try await expectEqual(world.conduct(since: last - 1).findings.map(\.rule), ["url/unknown-route"])
        #expect(try await world.conduct(user: "nobody@example.com").findings.isEmpty)
        let narrowed = try await world.conduct(rules: ["auth/*", "omnichat/refresh-once"])
        #expect(narrowed.findings.isEmpty && narrowed.rules.allSatisfy { $0.id.hasPrefix("auth/") })
        await #expect(throws: ControlError.self) { try await world.conduct(rules: ["auth/nothing"]) }
    }

    @Test func `14 verify records an issue with what was seen, expected and to be done`() async throws {
        let world = try World.current
        try await get("nowhere")
        let report = try await world.conduct()
        let finding = try #require(report.findings.first { $0.severity == .error })
        withKnownIssue {
            report.verify(.error)
        } matching: { issue in
            [finding.rule, finding.seen, finding.expected, finding.fix].allSatisfy { tells(issue, $0) }
        }
        let mended = try await world.conduct(since: try await world.requests().last?.seq)
        mended.verify(.warning)
    }

    @Test func `14 verify requiring records an issue for a rule that was not exercised`() async throws {
        let world = try World.current
        try await get("api/models")
        let report = try await world.conduct()
        report.verify(requiring: ["url/unknown-route", "privacy/personal-in-url"])
        withKnownIssue {
            report.verify(requiring: ["auth/repeat-after-401"])
        } matching: {
            tells($0, "tokens")
        }
        withKnownIssue {
            report.verify(requiring: ["omnichat/refresh-once"])
        } matching: {
            tells($0, "refresh-once")
        }
        withKnownIssue {
            report.verify(requiring: ["auth/nothing"])
        } matching: {
            tells($0, "no conduct rule")
        }
        report.verify(requiring: [])
    }

    @Test func `14 the trait judges after the body, also when the body has failed`() async throws {
        let world = try World.current
        struct Failure: Error {}
        let trait = ConductTrait(level: .error, allowed: [:])
        let (judged, thrown) = (Guarded(0), Guarded(0))
        try await withKnownIssue {
            try await trait.judge(world) {
                try await get("nowhere")
                throw Failure()
            }
        } matching: { issue in
            if issue.error is Failure { thrown.withLock { $0 += 1 } }
            if tells(issue, "url/unknown-route") { judged.withLock { $0 += 1 } }
            return true
        }
        expectEqual(judged.withLock { $0 }, 1)
        expectEqual(thrown.withLock { $0 }, 1)
    }

    @Test func `14 the trait leaves out what is allowed, and says why`() async throws {
        let world = try World.current
        let trait = ConductTrait(level: .error, allowed: ["url/*": "comes with the next release"])
        for _ in 0..<2 { try await trait.judge(world) { try await get("nowhere") } }
        let report = try await world.conduct()
        let finding = try #require(report.findings.first { $0.rule == "url/unknown-route" })
        expectEqual(finding.suppressed?["by"]?.string, "allow")
        expectEqual(finding.suppressed?["reason"]?.string, "comes with the next release")
        #expect(report.isPass && report.counts.suppressed == 1)
        try await expectEqual(world.settings["conduct"]?["allow"]?.array?.count, 1)
        report.verify(.error)
    }

    @Test(.conduct(.error)) func `14 the trait is content with a client that behaves`() async throws {
        try await get("api/models")
    }

    @Test func `14 the scenarios that exercise rules are there`() async throws {
        let server = try UnderstudyServer.shared.get()
        let names = Set(try await World.current.scenarios().map(\.name))
        let cited = try await server.conductRules.flatMap(\.exercisedBy).filter { name in
            let apis = ["sawaed", "carbscan", "omnichat", "trafikskola", "trendy"]
            return apis.contains { name.hasPrefix("\($0)/") } && !name.contains(" ")
        }
        #expect(cited.count >= 15)
        expectEqual(Set(cited).subtracting(names).sorted(), [])
    }
}

/// In the other order of the traits, on a suite.
@Suite(.conduct(.error), .understudy()) struct OuterConductTests {
    @Test func `14 a trait outside of that of the world judges it too`() async throws {
        #expect(try await World.current.requests().isEmpty)
        expectEqual(ConductTrait.order?.isTaken.withLock { $0 }, false)
    }

    @Test(.understudy()) func `14 a test with a world of its own is judged by that one`() async throws {
        let (outer, inner) = (Guarded(""), Guarded(0))
        try await withKnownIssue {
            try await ConductTrait(level: .error, allowed: [:]).judge(try World.current) {
                outer.withLock { $0 = (try? World.current.name) ?? "" }
                let trait: WorldTrait = .understudy()
                let test = try #require(Test.current)
                try await trait.provideScope(for: test, testCase: Test.Case.current) {
                    #expect(try World.current.name != outer.withLock { $0 })
                    _ = try await URLSession.shared.data(from: World.current.url(.omnichat).appending(path: "nowhere"))
                }
            }
        } matching: { issue in
            let isFound = issue.comments.contains { $0.rawValue.contains("url/unknown-route") }
            if isFound { inner.withLock { $0 += 1 } }
            return isFound
        }
        expectEqual(inner.withLock { $0 }, 1)
    }
}

/// Without a world.
@Suite struct LoneConductTests {
    @Test func `14 the trait alone says what it lacks`() async throws {
        try await withKnownIssue {
            try await ConductTrait(level: .error, allowed: [:]).judge(nil) {}
        } matching: { issue in
            issue.comments.contains { $0.rawValue.contains(".understudy()") }
        }
    }
}
