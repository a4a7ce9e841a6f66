public import Foundation

/// A running emulator: one on this machine or elsewhere, or, with the product `UnderstudyServer`, one inside this process.
///
///     let server = try UnderstudyServer.shared.get()
///     let world = try await server.world(scenarios: ["omnichat/unicode"])
public final class UnderstudyServer: Sendable {
    /// The hub's origin, such as `http://127.0.0.1:4680`.
    public let hub: URL
    let client: ControlClient
    /// The owner of an emulator inside this process, which stops when nobody refers to it.
    private let owner: (any AnyObject & Sendable)?

    package init(hub: URL, adminToken: String?, owner: (any AnyObject & Sendable)?) {
        self.hub = hub
        var base = hub.absoluteString
        while base.hasSuffix("/") { base.removeLast() }
        client = ControlClient(base: base, adminToken: adminToken)
        self.owner = owner
    }

    /// The server that this process uses by default.
    ///
    /// `UNDERSTUDY_URL` names it, as under `understudy exec`; `UNDERSTUDY_ADMIN_TOKEN` is its admin token. Without that
    /// variable the first use starts one in this process, if the product `UnderstudyServer` is linked; it ends with the
    /// process.
    ///
    ///     let server = try UnderstudyServer.shared.get()
    public static let shared = Result { try UnderstudyServer.named(by: ProcessInfo.processInfo.environment) }

    /// Returns the server that an environment names, or one in this process.
    package static func named(by environment: [String: String]) throws -> UnderstudyServer {
        if let text = environment["UNDERSTUDY_URL"], !text.isEmpty {
            guard let url = URL(string: text), url.scheme != nil, url.host != nil else {
                throw ControlError.unreachable("UNDERSTUDY_URL is no address of a hub: \(text)")
            }
            return attach(to: url, adminToken: environment["UNDERSTUDY_ADMIN_TOKEN"])
        }
        // Found by its name: this module must not know the engine, and one that is linked needs no call to be found.
        guard let starter = NSClassFromString("UnderstudyServer.InProcessStarter") as? any ServerStarter.Type else {
            throw ControlError.noServer
        }
        return try starter.startShared()
    }

    /// Attaches to a running emulator, on this machine or elsewhere.
    ///
    ///     let address = URL(string: "http://127.0.0.1:4680")
    ///     let server = address.map { UnderstudyServer.attach(to: $0) }
    public static func attach(to hub: URL, adminToken: String? = nil) -> UnderstudyServer {
        UnderstudyServer(hub: hub, adminToken: adminToken, owner: nil)
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
    /// so; nil for a world that stays until it is deleted.
    ///
    ///     let noon = Date(timeIntervalSince1970: 1_735_732_800)
    ///     let world = try await server.world(clock: .frozen(at: noon), scenarios: ["sawaed/otp-expired"])
    public func world(
        _ name: String? = nil,
        from source: String? = nil,
        seed: UInt64? = nil,
        clock: Clock? = nil,
        scenarios: [String] = [],
        lifetime: Int? = 600
    ) async throws(ControlError) -> World {
        let order = WorldOrder(
            name: name,
            from: source,
            seed: seed,
            clock: clock.map(World.ClockSetting.init),
            scenarios: scenarios.isEmpty ? nil : scenarios,
            ttlSeconds: lifetime
        )
        let made = try await client.ask(.createWorld, body: order, as: WorldAnswer.self)
        let proxy = made.proxy.flatMap { URL(string: $0) }
        return World(name: made.name, urls: Self.addresses(made.urls), server: self, proxyURL: proxy)
    }

    /// Returns a world that exists already, such as the one that a test handed to its app in `UNDERSTUDY_WORLD`.
    ///
    ///     let world = try await server.world(named: "main")
    public func world(named name: String) async throws(ControlError) -> World {
        let world = World(name: name, urls: [:], server: self)
        // The call refuses a name that is no world's, and its addresses lead to the APIs.
        let apis = try await world.client.list(.getAPIs, of: APIEntry.self)
        let urls = Dictionary(apis.map { ($0.name, Self.address(of: $0.url, in: name)) }) { $1 }
        return World(name: name, urls: Self.addresses(urls), server: self)
    }

    /// The world `main`, which always exists.
    public var main: World {
        let urls = API.allCases.map { ($0.rawValue, "\(client.base)/@main/\($0.rawValue)") }
        return World(name: "main", urls: Self.addresses(Dictionary(urls) { $1 }), server: self)
    }

    private static func addresses(_ texts: [String: String]) -> [API: URL] {
        var urls: [API: URL] = [:]
        for (name, text) in texts { urls[API(name)] = URL(string: text) }
        return urls
    }

    private static func address(of api: String, in world: String) -> String {
        api.contains("/@") ? api : api + "/@" + world
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
        var proxy: String?
    }
}

/// A type that starts an emulator in this process; the product `UnderstudyServer` has one.
package protocol ServerStarter: AnyObject {
    static func startShared() throws -> UnderstudyServer
}
