import CivilTime
import Emulation
public import Foundation
import Locking
import Transport
import Understudy

/// An Understudy that tests talk to: one inside this process, or one that runs already.
public final class UnderstudyServer: Sendable {
    /// The hub's origin, such as `http://127.0.0.1:4680`.
    public let hub: URL
    private let adminToken: String?
    private let handle: ServerHandle?

    private init(hub: URL, adminToken: String?, handle: ServerHandle?) {
        self.hub = hub
        self.adminToken = adminToken
        self.handle = handle
    }

    deinit { handle?.stop(gracefulWithin: .zero) }

    /// The server of this process's tests.
    ///
    /// The one that `UNDERSTUDY_URL` names, as under `understudy exec`; else one that is started in-process with the first
    /// use and ends with the process.
    public static let shared = Result { try UnderstudyServer.sharedServer() }

    private static func sharedServer() throws -> UnderstudyServer {
        let environment = ProcessInfo.processInfo.environment
        if let text = environment["UNDERSTUDY_URL"] {
            guard let url = URL(string: text) else {
                throw ControlError.unreachable("UNDERSTUDY_URL is no URL: \(text)")
            }
            return attach(to: url, adminToken: environment["UNDERSTUDY_ADMIN_TOKEN"])
        }
        return try start()
    }

    /// Uses an Understudy that runs already, here or elsewhere.
    public static func attach(to hub: URL, adminToken: String? = nil) -> UnderstudyServer {
        UnderstudyServer(hub: hub, adminToken: adminToken, handle: nil)
    }

    /// Starts one inside this process, on free ports of the loopback address.
    ///
    /// It stops when the last reference to it goes. `apis` are the backends, all if empty; `seed` seeds every random choice;
    /// `seedFolder` is a folder of seed worlds in the place of the built-in ones.
    public static func start(_ apis: [API] = [], seed: UInt64 = 42, seedFolder: String? = nil) throws
        -> UnderstudyServer
    {
        var configuration = Configuration()
        configuration.port = 0
        configuration.hosts = ["127.0.0.1"]
        configuration.logLevel = .quiet
        configuration.emulator.seed = seed
        if !apis.isEmpty { configuration.apis = APICatalogue.names.filter(Set(apis.map(\.rawValue)).contains) }
        if let seedFolder { configuration.seeds = .folder(seedFolder) }
        let starter = Starter()
        let settings = configuration
        _ = SystemThread.start {
            // Made and run by the same thread: the loop belongs to it.
            do throws(StartError) {
                let emulator = try RunningEmulator(settings) { _ in }
                starter.started(.success((emulator.hub, emulator.handle)))
                emulator.run()
            } catch {
                starter.started(.failure(.unreachable("\(error)")))
            }
        }
        let (text, handle) = try starter.wait().get()
        guard let hub = URL(string: text) else { throw ControlError.unreachable("no URL: \(text)") }
        return UnderstudyServer(hub: hub, adminToken: nil, handle: handle)
    }

    /// Where a clock starts.
    public enum Clock: Sendable {
        case real
        /// Starts at that moment and runs.
        case running(from: Date)
        /// Stands still until it is advanced.
        case frozen(at: Date)
    }

    /// A fresh world for one test: nothing that another test does can be seen in it.
    ///
    /// The name is made up if it is nil. `from` is a world to fork or a snapshot to begin with, the seed if nil. `lifetime` is
    /// how many seconds after its last use the server forgets it, in case nobody deletes it.
    public func world(
        _ name: String? = nil,
        from source: String? = nil,
        seed: UInt64? = nil,
        clock: Clock? = nil,
        scenarios: [String] = [],
        lifetime: Int = 600
    ) async throws(ControlError) -> World {
        let order = WorldOrder(
            name: name,
            from: source,
            seed: seed,
            clock: clock.map(World.ClockSetting.init),
            scenarios: scenarios.isEmpty ? nil : scenarios,
            ttlSeconds: lifetime
        )
        let made = try await client.ask("POST", "/worlds", order, as: WorldAnswer.self)
        return world(existing: made.name, urls: made.urls)
    }

    /// The world `main`, for those who want no other.
    public var main: World { world(existing: "main", urls: [:]) }

    private var client: ControlClient { ControlClient(base: text, adminToken: adminToken) }

    private var text: String {
        var text = hub.absoluteString
        while text.hasSuffix("/") { text.removeLast() }
        return text
    }

    private func world(existing name: String, urls: [String: String]) -> World {
        World(name: name, hub: text, urls: urls, adminToken: adminToken, server: self)
    }

    private struct WorldOrder: Encodable {
        var name: String?
        var from: String?
        var seed: UInt64?
        var clock: World.ClockSetting?
        var scenarios: [String]?
        var ttlSeconds: Int?
    }

    private struct WorldAnswer: Decodable {
        var name: String
        var urls: [String: String]
    }
}

/// Waits for the loop's thread to have opened its listeners.
private final class Starter: Sendable {
    typealias Outcome = Result<(hub: String, handle: ServerHandle), ControlError>

    private let outcome = Locked<Outcome?>(nil)
    private let semaphore = DispatchSemaphore(value: 0)

    func started(_ result: Outcome) {
        outcome.withLock { $0 = result }
        semaphore.signal()
    }

    func wait() -> Outcome {
        semaphore.wait()
        return outcome.withLock { $0 } ?? .failure(.unreachable("the server's thread ended"))
    }
}
