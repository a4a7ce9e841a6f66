import Foundation
import Testing

@testable import TrendyOnboarding

#if canImport(FoundationNetworking) && canImport(Glibc)
import FoundationNetworking

/// Many exchanges at once, which block threads and open hundreds of connections: each test has a process of its own for them.
extension ProcessTests {
    @Test func `of many exchanges that end in the same moment each gets one answer`() async throws {
        await #expect(processExitsWith: .success) {
            try await SecondProcess.run {
                let (group, session) = (HeldProtocol.RequestGroup(), HeldProtocol.session())
                let order = group.request(.answered)
                let calls = (1...300).map { _ in Task { try await DataExchange.data(for: order, in: session) } }
                // Every other one is cancelled, from another thread, while all of them are answered.
                let cancelling = Task.detached {
                    for number in stride(from: 0, to: calls.count, by: 2) { calls[number].cancel() }
                }
                for (number, call) in calls.enumerated() {
                    switch await call.result {
                    case .success(let answer): expectEqual(answer.0, Data("held".utf8))
                    case .failure(let error):
                        expectEqual((error as? URLError)?.code, .cancelled)
                        #expect(number.isMultiple(of: 2))
                    }
                }
                await cancelling.value
                try await CancelledCalls.until("the session kept a task") {
                    await CancelledCalls.tasks(of: session) == 0
                }
                group.close()
            }
        }
    }

    @Test(arguments: [true, false])
    func `no exchange outlives its call`(isCancelled: Bool) async throws {
        await #expect(processExitsWith: .success) { [isCancelled = isCancelled as Bool] in
            try await SecondProcess.run {
                let (group, session) = (HeldProtocol.RequestGroup(), HeldProtocol.session())
                let order = group.request(isCancelled ? .silent : .answered)
                weak var exchange: DataExchange?
                for _ in 1...20 {
                    let begun = group.begun
                    let call = {
                        let made = DataExchange()
                        exchange = made
                        return Task { try await DataExchange.data(for: order, in: session, by: made) }
                    }()
                    if isCancelled {
                        try await CancelledCalls.until("the request did not begin") { group.begun > begun }
                        call.cancel()
                    }
                    _ = await call.result
                    try await CancelledCalls.until("the exchange is still there") { exchange == nil }
                }
                try await CancelledCalls.until("the session kept a task") {
                    await CancelledCalls.tasks(of: session) == 0
                }
                group.close()
            }
        }
    }

    @Test func `two hundred reads that are cancelled at once leave no task, and free every connection`() async throws {
        await #expect(processExitsWith: .success) {
            try await SecondProcess.run {
                let session = URLSession(configuration: URLSessionTransport.configuration(.seconds(3_600)))
                let cancelled = try CancelledCalls { url in
                    let order = URLRequest(url: url, timeoutInterval: 3_600)
                    _ = try await DataExchange.data(for: order, in: session)
                }
                // As many as a session has to one host; it keeps the other calls until one is free.
                try await cancelled.stampede(200, connections: 6)
                try await CancelledCalls.until("the session kept a task") {
                    await CancelledCalls.tasks(of: session) == 0
                }
                session.invalidateAndCancel()
            }
        }
    }

    @Test(arguments: ["GET", "PATCH"])
    func `two hundred calls of a transport that are cancelled at once free every connection`(
        method: String
    ) async throws {
        await #expect(processExitsWith: .success) { [method = method as String] in
            try await SecondProcess.run {
                let isRead = method == "GET"
                let cancelled = try CancelledCalls { url, transport in
                    let order = OnboardingRequest(
                        method: isRead ? .get : .patch,
                        path: "/",
                        body: isRead ? nil : Data("{}".utf8)
                    )
                    _ = try await transport.send(order)
                }
                // Each write has a connection of its own.
                try await cancelled.stampede(200, connections: isRead ? 6 : 200)
            }
        }
    }
}

/// Calls to a server that never answers, which are cancelled all at once.
@MainActor
struct CancelledCalls {
    private let port: SilentPort
    private let call: @Sendable () async throws -> Void

    /// Calls by a transport of the library's.
    init(_ call: @escaping @Sendable (URL, URLSessionTransport) async throws -> Void) throws {
        let port = try SilentPort()
        let transport = URLSessionTransport(baseURL: port.url, timeout: 3_600, limit: .seconds(3_600))
        self.port = port
        self.call = { [url = port.url] in try await call(url, transport) }
    }

    /// Calls of any kind.
    init(_ call: @escaping @Sendable (URL) async throws -> Void) throws {
        let port = try SilentPort()
        self.port = port
        self.call = { [url = port.url] in try await call(url) }
    }

    /// Makes so many calls at once and cancels them, two times, and then one that is answered.
    func stampede(_ count: Int, connections: Int) async throws {
        // What a process opens once and keeps, it opens now.
        try await round(10, connections: min(connections, 10))
        let descriptors = try Self.descriptors()
        for _ in 1...2 { try await round(count, connections: connections) }
        try await Self.until("descriptors stay open: \(try Self.descriptors()), before \(descriptors)") {
            try Self.descriptors() <= descriptors
        }
        let last = Task { try await call() }
        try await Self.until("no call comes through any more") { port.asked() == 1 }
        port.answer()
        try await last.value
    }

    private func round(_ count: Int, connections: Int) async throws {
        let calls = (1...count).map { _ in Task { try await call() } }
        try await Self.until("there are \(port.connections()) connections, not \(connections)") {
            port.connections() >= connections
        }
        for call in calls { call.cancel() }
        for call in calls {
            // Of a transport the wait for its limit may be the first to say so.
            await #expect(throws: (any Error).self) { try await call.value }
        }
        try await Self.until("\(port.connections() - port.left()) connections stay open") {
            port.left() == port.connections()
        }
        port.clear()
    }

    /// The number of this process's open files and connections.
    ///
    /// Its threads say nothing: a pool keeps idle ones for as long as somebody asks for work now and then.
    private static func descriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    /// The number of tasks that a session has.
    static func tasks(of session: URLSession) async -> Int {
        await withCheckedContinuation { continuation in
            session.getAllTasks { continuation.resume(returning: $0.count) }
        }
    }

    /// Waits for a condition, for two minutes at most: a process with a leak fails, and says why.
    static func until(
        _ what: @autoclosure () throws -> String,
        _ condition: () async throws -> Bool
    ) async throws {
        let limit = ContinuousClock.now + .seconds(120)
        while try await !condition() {
            guard ContinuousClock.now < limit else {
                // Said here, too: of an error that ends another process nobody hears more than that.
                let reason = try what()
                Issue.record("\(reason)")
                throw Hang(description: reason)
            }
            await Task.yield()
        }
    }
}
#endif
