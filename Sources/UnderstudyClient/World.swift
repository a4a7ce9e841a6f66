public import Foundation

/// A world of one test: data, sessions, clock, faults and journal of all backends (control contract, section 4).
///
///     let world = try World.current
///     let conversations = world.url(.omnichat).appending(path: "api/v1/conversations")
public final class World: Sendable {
    /// The name of the world on the server.
    public let name: String
    /// The server that the world is on; an in-process one stays while a world of it is in use.
    public let server: UnderstudyServer
    /// The base URLs of the backends in this world.
    public let urls: [API: URL]
    /// The address of the forward proxy with the credentials that name this world; nil without the proxy, and for a world
    /// that was not made here.
    ///
    ///     let proxy = try World.current.proxyURL
    public let proxyURL: URL?
    let client: ControlClient
    private let hub: String

    init(name: String, urls: [API: URL], server: UnderstudyServer, proxyURL: URL? = nil) {
        self.proxyURL = proxyURL
        self.name = name
        self.urls = urls
        self.server = server
        hub = server.client.base
        client = ControlClient(base: "\(hub)/@\(name)", adminToken: server.client.adminToken)
    }

    /// The world of the task that is running.
    @TaskLocal package static var ofThisTask: World?

    /// The world of the test that is running, made by the trait `.understudy()`.
    ///
    ///     let world = try World.current
    public static var current: World {
        get throws(ControlError) {
            guard let world = ofThisTask else { throw .noWorld }
            return world
        }
    }

    /// Returns the base URL of one backend, to which the app appends its production paths.
    ///
    ///     let base = world.url(.trendy)
    public func url(_ api: API) -> URL {
        if let url = urls[api] { return url }
        let text = "\(hub)/@\(name)/\(api.rawValue)"
        guard let url = URL(string: text) else { preconditionFailure("the name of the API makes no URL: \(text)") }
        return url
    }

    /// The header field that selects this world, for clients whose base URL can't be changed.
    public var header: (name: String, value: String) { ("X-Understudy-World", name) }

    /// The world as environment of an app: `UNDERSTUDY_WORLD`, `UNDERSTUDY_URL` (the hub), and for each backend its base
    /// URL in this world, such as `UNDERSTUDY_OMNICHAT_URL`.
    ///
    /// The names are those that `understudy exec` sets. The admin token is not among them.
    ///
    ///     let environment = ProcessInfo.processInfo.environment.merging(world.launchEnvironment) { $1 }
    public var launchEnvironment: [String: String] {
        Dictionary(launchSettings.map { ($0.name, $0.value) }) { $1 }
    }

    /// The same as arguments of an app, where `UserDefaults` finds them by their names: `-UNDERSTUDY_OMNICHAT_URL`, then
    /// the URL.
    ///
    ///     let arguments = ["-AppleLanguages", "(sv)"] + world.launchArguments
    public var launchArguments: [String] { launchSettings.flatMap { ["-" + $0.name, $0.value] } }

    private var launchSettings: [(name: String, value: String)] {
        let addresses = urls.sorted { $0.key.rawValue < $1.key.rawValue }.map { api, url in
            let word = api.rawValue.uppercased().replacingOccurrences(of: "-", with: "_")
            return ("UNDERSTUDY_\(word)_URL", url.absoluteString)
        }
        return [("UNDERSTUDY_WORLD", name), ("UNDERSTUDY_URL", hub)] + addresses
    }

    /// Resets the world to its seed: data, sessions, clock, faults and journal.
    ///
    /// Responses in flight are cut; the result is their number. With an API only its part is reset. The clock is reset
    /// either way unless `keepingClock` is true.
    ///
    ///     try await world.reset(.trendy, keepingClock: true)
    @discardableResult
    public func reset(_ api: API? = nil, keepingClock: Bool = false) async throws(ControlError) -> Int {
        let query: Query = ["api": api, "keep": keepingClock ? "clock" : nil]
        return try await client.ask(.reset, query: query, as: Cancelled.self).cancelled
    }

    private struct Cancelled: Decodable { var cancelled: Int }

    /// Deletes the world; responses in flight are cut.
    ///
    ///     try await world.delete()
    public func delete() async throws(ControlError) { try await client.send(.deleteWorld, name) }

    /// Forks the world: creates another one with the same state.
    ///
    ///     let fork = try await world.fork()
    public func fork(_ name: String? = nil) async throws(ControlError) -> World {
        try await server.world(name, from: self.name)
    }

    /// Exports the whole world as one JSON document, to keep beside a test or to inspect.
    ///
    ///     let document = try await world.export()
    public func export() async throws(ControlError) -> Data { try await client.send(.exportState) }

    /// Replaces the world with a document that `export()` wrote.
    ///
    /// Throws, and changes nothing, if any part of the document is invalid.
    ///
    ///     let document = try await world.export()
    ///     try await world.restore(document: document)
    public func restore(document: Data) async throws(ControlError) {
        let operation = ControlEndpoint.importState
        try await client.send(operation.method, operation.path([]), json: document)
    }

    /// Makes any control call: the path follows `/__admin`, with its query.
    ///
    ///     let health = try await world.call("GET", "/health")
    @discardableResult
    public func call(_ method: String, _ path: String, body: JSONValue? = nil) async throws(ControlError) -> JSONValue {
        try await client.call(method, path, body)
    }
}

extension ControlClient {
    /// Makes a call that nobody has typed.
    func call(_ method: String, _ path: String, _ body: JSONValue?) async throws(ControlError) -> JSONValue {
        let json: Data?
        do {
            json = try body.map { try JSONEncoder().encode($0) }
        } catch {
            throw .unreachable("no JSON: \(error)")
        }
        let data = try await send(method, path, json: json)
        if data.isEmpty { return .null }
        return (try? JSONValue(data: data)) ?? .string(String(decoding: data, as: UTF8.self))
    }
}
