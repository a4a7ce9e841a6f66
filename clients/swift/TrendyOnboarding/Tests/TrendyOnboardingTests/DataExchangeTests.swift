import Foundation
import Testing
import UnderstudyServer

@testable import TrendyOnboarding

#if canImport(FoundationNetworking)
import FoundationNetworking

/// The exchange of a `URLSession` outside Apple's systems: it is cancelled before, during and after the answer, and leaves no
/// task in the session.
@MainActor
@Suite(.understudy(clock: .frozen(at: noon)), .watched)
struct DataExchangeTests {
    private typealias Answer = Result<(Data, URLResponse), any Error>

    private let group = HeldProtocol.RequestGroup()
    private let session = HeldProtocol.session()

    private func until(_ what: String, _ condition: () async -> Bool) async throws {
        while await !condition() {
            try Watch.check(what)
            await Task.yield()
        }
        Watch.move()
    }

    /// Waits until the session has no task any more, and tells whether it came to that.
    private func isEmpty(_ session: URLSession) async -> Bool {
        await withCheckedContinuation { continuation in
            session.getAllTasks { continuation.resume(returning: $0.isEmpty) }
        }
    }

    private func call(_ kind: HeldProtocol.Kind) -> Task<(Data, URLResponse), any Error> {
        let (request, session) = (group.request(kind), session)
        return Task { try await DataExchange.data(for: request, in: session) }
    }

    private func isCancellation(_ answer: Answer) -> Bool {
        guard case .failure(let error as URLError) = answer else { return false }
        return error.code == .cancelled
    }

    private func text(_ answer: Answer) -> String? {
        (try? answer.get()).map { String(decoding: $0.0, as: UTF8.self) }
    }

    @Test func `an exchange brings the answer, and leaves no task in the session`() async throws {
        expectEqual(text(await call(.answered).result), "held")
        try await until("the session kept its task") { await isEmpty(session) }
        group.close()
    }

    @Test func `a cancellation before the exchange ends it, and nothing stays in the session`() async throws {
        let (request, session) = (group.request(.silent), session)
        for _ in 1...50 {
            let call = Task {
                // Only when this task is cancelled does the exchange begin.
                while !Task.isCancelled { await Task.yield() }
                return try await DataExchange.data(for: request, in: session)
            }
            call.cancel()
            #expect(isCancellation(await call.result))
        }
        try await until("the session kept a task") { await isEmpty(session) }
        group.close()
    }

    @Test func `a cancellation during the exchange is answered at once, and ends the request`() async throws {
        let call = call(.silent)
        try await until("the request did not begin") { group.begun == 1 }
        call.cancel()
        #expect(isCancellation(await call.result))
        try await until("the request was not ended") { group.ended == 1 }
        try await until("the session kept its task") { await isEmpty(session) }
        group.close()
    }

    @Test func `a cancellation after the answer takes nothing away`() async throws {
        let (request, session) = (group.request(.answered), session)
        let arrived = NotificationCounter()
        let call = Task {
            let answer = try await DataExchange.data(for: request, in: session)
            arrived.tell()
            while !Task.isCancelled { await Task.yield() }
            return answer
        }
        try await until("no answer came") { arrived.count == 1 }
        call.cancel()
        expectEqual(text(await call.result), "held")
        try await until("the session kept its task") { await isEmpty(session) }
        group.close()
    }
}
#endif
