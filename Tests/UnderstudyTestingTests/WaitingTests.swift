import Foundation
import TestSupport
import Testing
import UnderstudyServer

@testable import UnderstudyClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Calls that wait have one deadline, in real time (clients' contract, section 5).
///
/// How late they may be is measured on an idle machine; here only that they end at all, by themselves, and not too early.
@Suite(.understudy()) struct WaitingTests {
    private static let refresh = Match(.omnichat, "POST", "/api/v1/auth/refresh")

    private func get(_ path: String) async throws -> Int {
        let url = try World.current.url(.omnichat).appending(path: path)
        return try await (URLSession.shared.data(from: url).1 as? HTTPURLResponse)?.statusCode ?? 0
    }

    @Test func `5 a gate that holds nothing says what it waits for, and what came instead`() async throws {
        let world = try World.current
        let gate = try await world.gate("race", on: Self.refresh)
        try await expectEqual(get("api/v1/auth/refresh"), 405)
        let start = ContinuousClock.now
        do {
            try await gate.waitUntilHeld(1, within: .milliseconds(400), explainingWithin: .seconds(300))
            Issue.record("nothing could be held")
        } catch {
            #expect(ContinuousClock.now - start >= .milliseconds(400))
            let text = "\(error)"
            #expect(text.hasPrefix("The gate race held 0 of 1 requests after 0.4 s."), "\(text)")
            #expect(text.contains("POST /api/v1/auth/refresh of omnichat"), "\(text)")
            #expect(text.contains("GET /api/v1/auth/refresh → 405: "), "\(text)")
            expectEqual(GateError.name(in: text), "race")
        }
    }

    @Test func `5 a gate that holds too few says how many`() async throws {
        let world = try World.current
        let gate = try await world.gate("two", on: Match(.omnichat))
        async let held = get("api/v1/models")
        try await gate.waitUntilHeld(1)
        do {
            try await gate.waitUntilHeld(2, within: .milliseconds(50), explainingWithin: .seconds(300))
            Issue.record("only one came")
        } catch {
            #expect("\(error)".contains("held 1 of 2"), "\(error)")
        }
        try await gate.remove()
        _ = try await held
    }

    @Test func `5 a limit of nothing is one look`() async throws {
        let gate = try await World.current.gate("none", on: .any)
        await #expect(throws: ControlError.self) { try await gate.waitUntilHeld(1, within: .zero) }
        // However long a busy machine takes for the look.
        try await gate.waitUntilHeld(0, within: .zero, explainingWithin: .seconds(300))
    }

    @Test func `5 a world without a request says so`() async throws {
        let gate = try await World.current.gate("none", on: .any)
        do {
            try await gate.waitUntilHeld(1, within: .milliseconds(50), explainingWithin: .seconds(300))
            Issue.record("nothing could be held")
        } catch {
            #expect("\(error)".contains("No request has reached the world"), "\(error)")
        }
    }

    @Test func `5 a server that does not answer holds nobody up`() async throws {
        // What the call waits for takes no notice of being cancelled.
        let silence = Task { try? await Task.sleep(for: .seconds(3_600)) }
        defer { silence.cancel() }
        let start = ContinuousClock.now
        let answer = try await Race.run(until: start + .milliseconds(100)) { () async throws(ControlError) -> Int in
            await silence.value
            return 1
        }
        expectNil(answer)
        #expect(ContinuousClock.now - start >= .milliseconds(100))
    }

    @Test func `5 an answer before the deadline is the answer, and an error the error`() async throws {
        let later = ContinuousClock.now + .seconds(3_600)
        try await expectEqual(Race.run(until: later) { () async throws(ControlError) -> Int in 7 }, 7)
        await #expect(throws: ControlError.self) {
            _ = try await Race.run(until: later) { () async throws(ControlError) -> Int in throw .noWorld }
        }
    }

    @Test func `11 a verification waits no longer than it was told`() async throws {
        let start = ContinuousClock.now
        let verdict = try await World.current.verify(
            Self.refresh,
            within: .seconds(2),
            answeringWithin: .seconds(300)
        )
        #expect(!verdict.isPass)
        #expect(ContinuousClock.now - start >= .seconds(2))
    }

    @Test(.timeLimit(.minutes(10)))
    func `5 a call that is cancelled at the moment of its answer blocks nothing`() async throws {
        let world = try World.current
        // Later and later, so that some cancellations come before the answer, some after it, and some with it.
        for round in 0..<80 {
            let call = Task { try await world.clock.mode }
            for _ in 0..<round { await Task.yield() }
            call.cancel()
            switch await call.result {
            case .success(let mode): expectEqual(mode, "real")
            case .failure(let error): #expect("\(error)".contains("-999"), "\(error)")
            }
        }
        try await expectEqual(world.clock.mode, "real")
    }

    @Test(.timeLimit(.minutes(10)))
    func `5 many waiting calls that are cancelled at once end at once, and free their connections`() async throws {
        let world = try World.current
        let gate = try await world.gate("never", on: Self.refresh)
        let calls = (1...40).map { _ in
            Task { try await world.client.ask(.getGate, gate.name, query: ["wait": "59"], as: Gate.Status.self) }
        }
        // Some of them have reached the server, and some have not begun.
        _ = try await gate.status
        for call in calls { call.cancel() }
        for call in calls {
            await #expect(throws: ControlError.self) { try await call.value }
        }
        try await expectEqual(gate.status.held, [])
    }

    @Test(.timeLimit(.minutes(10)))
    func `5 readers of events that go away while events come block nothing`() async throws {
        let world = try World.current
        for round in 0..<20 {
            let reader = Task {
                var count = 0
                for try await _ in world.events(after: 0) { count += 1 }
                return count
            }
            try await world.advance(by: .seconds(1))
            for _ in 0..<(10 * round) { await Task.yield() }
            reader.cancel()
            _ = await reader.result
        }
        try await expectEqual(world.snapshot("after").name, "after")
    }
}
