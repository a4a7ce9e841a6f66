public import Foundation

/// One test's own world: data, sessions, clock, faults, journal of all five backends (control contract, section 4).
public final class World: Sendable {
    /// What the server calls it.
    public let name: String
    let client: ControlClient
    private let hub: String
    private let urls: [String: String]
    /// Keeps an in-process server alive as long as a world of it is in use.
    private let server: UnderstudyServer

    init(name: String, hub: String, urls: [String: String], adminToken: String?, server: UnderstudyServer) {
        self.name = name
        self.hub = hub
        self.urls = urls
        self.server = server
        client = ControlClient(base: "\(hub)/@\(name)", adminToken: adminToken)
    }

    /// The world of the test that is running, made by the trait `.understudy()`.
    public static var current: World {
        get throws(ControlError) {
            guard let world = WorldTrait.world else { throw .noWorld }
            return world
        }
    }

    /// The base URL to give the app for one backend: its production paths follow.
    public func url(_ api: API) -> URL {
        let text = urls[api.rawValue] ?? "\(hub)/@\(name)/\(api.rawValue)"
        guard let url = URL(string: text) else { preconditionFailure("the server named no URL: \(text)") }
        return url
    }

    /// For clients whose base URL can't be changed: the field that leads each request to this world.
    public var header: (name: String, value: String) { ("X-Understudy-World", name) }

    /// Back to the seed: data, sessions, clock, faults, journal.
    ///
    /// What is in flight is cut; answers how many answers that were.
    /// With an API only that API's part of it, and the clock either way unless it is kept.
    @discardableResult
    public func reset(_ api: API? = nil, keepingClock: Bool = false) async throws(ControlError) -> Int {
        let query = [api.map { "api=\($0.rawValue)" }, keepingClock ? "keep=clock" : nil].compactMap(\.self)
        let path = query.isEmpty ? "/reset" : "/reset?" + query.joined(separator: "&")
        return try await client.ask("POST", path, as: [String: JSONValue].self)["cancelled"]?.int ?? 0
    }

    /// The world goes; answers in flight are cut.
    public func delete() async throws(ControlError) {
        try await client.send("DELETE", "/worlds/\(ControlClient.escaped(name))")
    }

    /// Another world that begins as this one stands.
    public func fork(_ name: String? = nil) async throws(ControlError) -> World {
        try await server.world(name, from: self.name)
    }

    /// Keeps the world as it stands under a name.
    public func snapshot(_ name: String) async throws(ControlError) {
        try await client.send("POST", "/snapshots", ["name": name])
    }

    /// Becomes that snapshot again, its clock setting included.
    public func restore(_ name: String) async throws(ControlError) {
        try await client.send("POST", "/snapshots/\(ControlClient.escaped(name))/restore")
    }

    /// Forgets a snapshot.
    public func removeSnapshot(_ name: String) async throws(ControlError) {
        try await client.send("DELETE", "/snapshots/\(ControlClient.escaped(name))")
    }

    /// The whole world as one JSON document, to keep beside a test or to look into.
    public func export() async throws(ControlError) -> Data { try await client.send("GET", "/state") }

    /// Becomes the world of a document that `export()` wrote; refused as a whole if any part of it does not fit.
    public func restore(document: Data) async throws(ControlError) {
        try await client.send("PUT", "/state", json: document)
    }
}
