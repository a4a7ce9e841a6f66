import Foundation
import Testing
import UnderstudyServer

@testable import TrendyOnboarding

#if canImport(FoundationNetworking)
import FoundationNetworking

/// The exchange of a `URLSession` outside Apple's systems: it is cancelled before, during and after the answer, alone and with
/// many others, and leaves nothing behind.
@MainActor
@Suite(.understudy(clock: .frozen(at: noon)), .watched)
struct DataExchangeTests {
    private typealias Answer = Result<(Data, URLResponse), any Error>

    private let desk = HeldProtocol.Desk()
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
        let (request, session) = (desk.request(kind), session)
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
        #expect(text(await call(.answered).result) == "held")
        try await until("the session kept its task") { await isEmpty(session) }
        desk.close()
    }

    @Test func `a cancellation before the exchange ends it, and nothing stays in the session`() async throws {
        let (request, session) = (desk.request(.silent), session)
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
        desk.close()
    }

    @Test func `a cancellation during the exchange is answered at once, and ends the request`() async throws {
        let call = call(.silent)
        try await until("the request did not begin") { desk.begun == 1 }
        call.cancel()
        #expect(isCancellation(await call.result))
        try await until("the request was not ended") { desk.ended == 1 }
        try await until("the session kept its task") { await isEmpty(session) }
        desk.close()
    }

    @Test func `a cancellation after the answer takes nothing away`() async throws {
        let (request, session) = (desk.request(.answered), session)
        let arrived = Told()
        let call = Task {
            let answer = try await DataExchange.data(for: request, in: session)
            arrived.tell()
            while !Task.isCancelled { await Task.yield() }
            return answer
        }
        try await until("no answer came") { arrived.count == 1 }
        call.cancel()
        #expect(text(await call.result) == "held")
        try await until("the session kept its task") { await isEmpty(session) }
        desk.close()
    }

    @Test func `of many exchanges that end in the same moment each gets one answer`() async throws {
        let calls = (1...300).map { _ in call(.answered) }
        // Every other one is cancelled, from outside of this actor, while all of them are answered.
        let cancelling = Task.detached {
            for number in stride(from: 0, to: calls.count, by: 2) { calls[number].cancel() }
        }
        for (number, call) in calls.enumerated() {
            let answer = await call.result
            let isCancelled = number.isMultiple(of: 2) && isCancellation(answer)
            #expect(isCancelled || text(answer) == "held", "\(number): \(answer)")
        }
        await cancelling.value
        try await until("the session kept a task") { await isEmpty(session) }
        desk.close()
    }

    @Test(arguments: [true, false])
    func `no exchange outlives its call`(isCancelled: Bool) async throws {
        weak var exchange: DataExchange?
        for _ in 1...20 {
            let begun = desk.begun
            let call = {
                let made = DataExchange()
                exchange = made
                let (request, session) = (desk.request(isCancelled ? .silent : .answered), session)
                return Task { try await DataExchange.data(for: request, in: session, by: made) }
            }()
            if isCancelled {
                try await until("the request did not begin") { desk.begun > begun }
                call.cancel()
            }
            _ = await call.result
            try await until("the exchange is still there") { exchange == nil }
        }
        try await until("the session kept a task") { await isEmpty(session) }
        desk.close()
    }

    // MARK: Over HTTP

    private func transport() throws -> URLSessionTransport {
        URLSessionTransport(baseURL: try World.current.url(.trendy), timeout: 3_600, limit: .seconds(3_600))
    }

    @Test(arguments: [OnboardingRequest.Method.get, .patch])
    func `many exchanges that are cancelled at once free their connections`(
        method: OnboardingRequest.Method
    ) async throws {
        let device = try await Device()
        let (transport, count) = (try transport(), 6)
        let match = Match(.trendy, method.rawValue, onboarding)
        for _ in 1...3 {
            let gate = try await device.gate("slow", on: match)
            let token = try await device.world.token(.trendy, user: Account.new.mail)
            let body = method == .get ? nil : Data("{}".utf8)
            let headers = ["Authorization": "Bearer \(token)", "Content-Type": "application/json"]
            let order = OnboardingRequest(method: method, path: onboarding, headers: headers, body: body)
            let calls = (1...count).map { _ in Task { try await transport.send(order) } }
            try await gate.waitUntilHeld(count, seconds: 600)
            for call in calls { call.cancel() }
            for call in calls {
                await #expect(throws: (any Error).self) { try await call.value }
            }
            // As many connections as a session has to one host; the gate would still hold each of them.
            try await gate.remove()
            #expect(try await transport.send(order).status == 200)
        }
    }
}
#endif
