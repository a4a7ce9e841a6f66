public import Foundation

/// A world of one test: data, sessions, clock, faults and journal of all five backends (control contract, section 4).
public final class World: Sendable {
    /// The name of the world on the server.
    public let name: String
    let client: ControlClient
    private let hub: String
    private let urls: [String: String]
    /// The reference that keeps an in-process server alive while a world of it is in use.
    private let server: UnderstudyServer

    init(name: String, hub: String, urls: [String: String], adminToken: String?, server: UnderstudyServer) {
        self.name = name
        self.hub = hub
        self.urls = urls
        self.server = server
        client = ControlClient(base: "\(hub)/@\(name)", adminToken: adminToken)
    }

    /// The world of the task that is running.
    @TaskLocal package static var ofThisTask: World?

    /// The world of the test that is running, made by the trait `.understudy()`.
    public static var current: World {
        get throws(ControlError) {
            guard let world = ofThisTask else { throw .noWorld }
            return world
        }
    }

    /// The base URL of one backend, to which the app appends its production paths.
    public func url(_ api: API) -> URL {
        let text = urls[api.rawValue] ?? "\(hub)/@\(name)/\(api.rawValue)"
        guard let url = URL(string: text) else { preconditionFailure("the server named no URL: \(text)") }
        return url
    }

    /// The header field that selects this world, for clients whose base URL can't be changed.
    public var header: (name: String, value: String) { ("X-Understudy-World", name) }

    /// Resets the world to its seed: data, sessions, clock, faults and journal.
    ///
    /// Responses in flight are cut; the result is their number. With an API only its part is reset. The clock is reset
    /// either way unless `keepingClock` is true.
    @discardableResult
    public func reset(_ api: API? = nil, keepingClock: Bool = false) async throws(ControlError) -> Int {
        let query = [api.map { "api=\($0.rawValue)" }, keepingClock ? "keep=clock" : nil].compactMap(\.self)
        let path = query.isEmpty ? "/reset" : "/reset?" + query.joined(separator: "&")
        return try await client.ask("POST", path, as: [String: JSONValue].self)["cancelled"]?.int ?? 0
    }

    /// Deletes the world; responses in flight are cut.
    public func delete() async throws(ControlError) {
        try await client.send("DELETE", "/worlds/\(ControlClient.escaped(name))")
    }

    /// Forks the world: creates another one with the same state.
    public func fork(_ name: String? = nil) async throws(ControlError) -> World {
        try await server.world(name, from: self.name)
    }

    /// Saves the state of the world under a name.
    public func snapshot(_ name: String) async throws(ControlError) {
        try await client.send("POST", "/snapshots", ["name": name])
    }

    /// Restores a snapshot, its clock setting included.
    public func restore(_ name: String) async throws(ControlError) {
        try await client.send("POST", "/snapshots/\(ControlClient.escaped(name))/restore")
    }

    /// Deletes a snapshot.
    public func removeSnapshot(_ name: String) async throws(ControlError) {
        try await client.send("DELETE", "/snapshots/\(ControlClient.escaped(name))")
    }

    /// Exports the whole world as one JSON document, to keep beside a test or to inspect.
    public func export() async throws(ControlError) -> Data { try await client.send("GET", "/state") }

    /// Replaces the world by a document that `export()` wrote.
    ///
    /// Throws, and changes nothing, if any part of the document does not fit.
    public func restore(document: Data) async throws(ControlError) {
        try await client.send("PUT", "/state", json: document)
    }
}
