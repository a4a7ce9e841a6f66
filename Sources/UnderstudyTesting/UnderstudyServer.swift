import CivilTime
import Emulation
public import Foundation
import Locking
import Serving
import Transport
import Understudy

/// An emulator that tests use: one inside this process, or a running one elsewhere.
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

    /// The server that the tests of this process share.
    ///
    /// `UNDERSTUDY_URL` names it, as under `understudy exec`. Without that variable the first use starts a server in
    /// this process, which ends with the process.
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

    /// Attaches to a running emulator, on this machine or elsewhere.
    public static func attach(to hub: URL, adminToken: String? = nil) -> UnderstudyServer {
        UnderstudyServer(hub: hub, adminToken: adminToken, handle: nil)
    }

    /// Starts an emulator inside this process, on free ports of the loopback address.
    ///
    /// It stops when the last reference to it goes. `apis` are the backends to serve, all if empty; `seed` seeds every
    /// random choice; `seedFolder` is a folder of seed worlds that replaces the built-in ones; `apiFolders` are the
    /// folders that hold your own APIs, nil for `./apis` if there is one. Throws if the emulator can't start.
    public static func start(
        _ apis: [API] = [],
        seed: UInt64 = 42,
        seedFolder: String? = nil,
        apiFolders: [String]? = nil
    ) throws -> UnderstudyServer {
        var configuration = Configuration()
        configuration.port = 0
        configuration.hosts = ["127.0.0.1"]
        configuration.logLevel = .quiet
        configuration.emulator.seed = seed
        let names = Set(apis.map(\.rawValue))
        let own = try ownAPIs(in: apiFolders)
        if let unknown = apis.first(where: { !(APICatalogue.names + own.names).contains($0.rawValue) }) {
            throw ControlError.unreachable("there is no API \(unknown)")
        }
        if !apis.isEmpty { configuration.apis = APICatalogue.names.filter(names.contains) }
        configuration.ownAPIs = own.places.filter { apis.isEmpty || names.contains($0.name) }
        if let seedFolder { configuration.seeds = .folder(seedFolder) }
        let starter = Starter()
        let settings = configuration
        _ = SystemThread.start {
            // The loop belongs to the thread that creates it.
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

    private static func ownAPIs(in folders: [String]?) throws(ControlError) -> OwnCatalogue {
        do throws(SeedError) {
            return try OwnCatalogue(in: folders)
        } catch {
            throw .unreachable(error.items.map(\.text).joined(separator: "\n"))
        }
    }

    /// The initial state of a clock.
    public enum Clock: Sendable {
        case real
        /// Starts at a moment and runs.
        case running(from: Date)
        /// Stands still at a moment until it is advanced.
        case frozen(at: Date)
    }

    /// Creates a world for one test, isolated from those of all other tests.
    ///
    /// The server makes up a name if it is nil. `from` is a world to fork or a snapshot to start from, the seed if nil.
    /// `lifetime` is the number of seconds after its last use at which the server deletes the world if no test has done
    /// so.
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

    /// The world `main`, which always exists.
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

/// The result of the start, handed from the loop's thread to the caller.
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
