import CivilTime
import Emulation
import Foundation
import HTTPMessage
import JSON
import Testing

@testable import Trafikskola

/// One emulator with Trafikskola alone on it and a frozen clock, driven without sockets.
final class Harness {
    struct Problem: Error {
        var text: String
    }

    /// 2025-01-01T12:00:00Z, a Wednesday.
    static let noon = Instant(seconds: 1_735_732_800)
    static let anna = "anna@example.com"
    static let other = "student@example.com"
    static let otherID = "eb511794-80e9-4d52-8d05-98ee00071e5c"
    static let erik = "erik@example.com"
    static let origin = "http://127.0.0.1:4684"
    static let mobile = "/api/mobile"

    private static let api = Result<AnyAPI, any Error> { try AnyAPI(TrafikskolaAPI.self, seed: seedFiles()) }

    let emulator: Emulator
    var real = RealTime(wall: Harness.noon, monotonic: Instant(seconds: 1_000))
    var world = "main"
    var door = Door.api(0)
    /// Nil for a request without Host.
    var host: String? = "127.0.0.1:4684"
    private var lastExchange: UInt64 = 0

    init(seed: UInt64 = 42, start: Instant = Harness.noon) throws {
        var configuration = EmulatorConfiguration()
        configuration.seed = seed
        configuration.clock = .frozen(start)
        emulator = Emulator(apis: [try Self.api.get()], configuration: configuration, at: real)
    }

    static func seedFiles(replacing name: String? = nil, with text: String = "") throws -> SeedFiles {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let folder = root.appendingPathComponent("seeds/trafikskola")
        var names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        names += try FileManager.default.contentsOfDirectory(atPath: folder.path + "/scenarios").map {
            "scenarios/" + $0
        }
        return SeedFiles(
            try names.filter { $0.hasSuffix(".json") }.sorted().map { file in
                let bytes =
                    file == name ? Array(text.utf8) : Array(try Data(contentsOf: folder.appendingPathComponent(file)))
                return SeedFiles.File(name: file, place: "seeds/trafikskola/\(file)", bytes: bytes)
            }
        )
    }

    // MARK: The world

    func slot() throws -> Emulator.Slot {
        guard let slot = emulator[world: world] else { throw Problem(text: "no world \(world)") }
        return slot
    }

    var now: Instant { get throws { try slot().world.now(real) } }

    func advance(_ interval: Interval) throws {
        let slot = try slot()
        slot.world.withCore { $0.clock.advance(by: interval, at: real) }
    }

    func state<Result>(_ work: (inout TrafikskolaState, inout WorldCore) -> Result) throws -> Result {
        let slot = try slot()
        slot.world.arrive(real)
        return slot.world.with(0, TrafikskolaState.self) { state, core in work(&state, &core) }
    }

    func set(_ settings: JSON) throws {
        let slot = try slot()
        let faults = emulator.apis[0].writeSettings(&slot.world, 0, settings)
        guard faults.isEmpty else { throw Problem(text: "\(faults)") }
    }

    func scenario(_ name: String) throws -> ScenarioName {
        guard let scenario = emulator.scenario(named: "trafikskola/\(name)") else {
            throw Problem(text: "no scenario \(name)")
        }
        return scenario
    }

    func on(_ name: String) throws {
        let slot = try slot()
        slot.world.arrive(real)
        emulator.activate(try scenario(name), in: slot, at: real)
    }

    @discardableResult
    func off(_ name: String) throws -> [String] { emulator.deactivate(try scenario(name), in: try slot()) ?? [] }

    func mint(
        _ user: String,
        _ kind: TokenOrder.Kind = .access,
        _ state: TokenOrder.State = .valid,
        life: Interval? = nil,
        claims: JSONObject = JSONObject(),
        isOffline: Bool = false
    ) throws -> String {
        let slot = try slot()
        slot.world.arrive(real)
        let order = TokenOrder(user: user, kind: kind, state: state, life: life, claims: claims, isOffline: isOffline)
        return try emulator.apis[0].mint(&slot.world, 0, order).get().token
    }

    func end(_ user: String, _ scope: TokenEnding.Scope, _ manner: TokenEnding.Manner, after delay: Interval = .zero)
        throws
    {
        let slot = try slot()
        let at = slot.world.arrive(real) + delay
        let order = TokenEnding(user: user, scope: scope, manner: manner, at: at)
        guard emulator.apis[0].endTokens(&slot.world, 0, order) else { throw Problem(text: "no user \(user)") }
    }

    func payload(_ query: String = "", authority: String = "127.0.0.1:4684") throws -> JSON {
        let slot = try slot()
        slot.world.arrive(real)
        let order = QROrder(query: QueryItems(query), authority: authority, epoch: slot.world.parts[0].epoch)
        return try emulator.apis[0].qrPayload(&slot.world, 0, order).get() ?? .null
    }

    // MARK: Requests

    func send(
        _ method: HTTPMessage.Method,
        _ target: String,
        token: String? = nil,
        body: [UInt8] = [],
        headers: [(FieldName, String)] = []
    ) throws -> Played {
        var fields = Fields()
        if let host { fields.append(.host, host) }
        if let token { fields.append(.authorization, "Bearer \(token)") }
        for (name, value) in headers { fields.append(name, value) }
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let head = RequestHead(
            method: method,
            target: RequestTarget(rawPath: parts[0], rawQuery: parts.count > 1 ? parts[1] : nil),
            fields: fields
        )
        guard let address = emulator.address(of: head, door: door), case .api(let api) = address.destination else {
            throw Problem(text: "\(target) does not lead to the API")
        }
        var content = RequestBody(body)
        if let limit = emulator.bodyLimit(for: head, address: address), body.count > limit {
            content = RequestBody(bytes: Array(body[..<limit]), length: body.count, exceedsLimit: true)
        }
        lastExchange += 1
        let request = Request(head: head, body: content)
        // As the server does: a worker prepares large bodies first.
        let prepared = emulator.preparation(for: request, address: address, api: api)?(request)
        let answer = emulator.answer(
            request,
            address: address,
            api: api,
            peer: "127.0.0.1",
            exchange: lastExchange,
            at: real,
            prepared: prepared
        )
        emulator.finish(lastExchange, outcome: .delivered, timings: JournalEntry.Timings(), contentSent: nil)
        return Played(response: answer.response)
    }

    func get(_ target: String, token: String? = nil, headers: [(FieldName, String)] = []) throws -> Played {
        try send(.get, target, token: token, headers: headers)
    }

    func post(_ target: String, token: String? = nil, _ json: JSON = [:]) throws -> Played {
        try send(.post, target, token: token, body: json.serialized())
    }

    func put(_ target: String, token: String? = nil, _ json: JSON) throws -> Played {
        try send(.put, target, token: token, body: json.serialized())
    }

    func delete(_ target: String, token: String? = nil, _ json: JSON? = nil) throws -> Played {
        try send(.delete, target, token: token, body: json?.serialized() ?? [])
    }

    // MARK: Sessions

    struct Tokens {
        var access: String
        var refresh: String
    }

    func logIn(_ email: String = Harness.anna, device: String? = nil) throws -> Tokens {
        var body: JSONObject = ["email": .string(email), "password": "understudy-tfx"]
        if let device { body["deviceInfo"] = ["deviceId": .string(device), "platform": "ios"] }
        let reply = try post("/api/mobile/auth/login", .object(body))
        guard reply.status == 200 else { throw Problem(text: reply.text) }
        return Tokens(access: reply.text(at: "data.accessToken"), refresh: reply.text(at: "data.refreshToken"))
    }

    func refresh(_ token: String) throws -> Played {
        try post("/api/mobile/auth/refresh", ["refreshToken": .string(token)])
    }

    /// The status of a bearer call.
    func check(_ token: String) throws -> Int { try get("/api/mobile/bookings", token: token).status }

    // MARK: Uploads

    struct Part {
        var name = "avatar"
        var fileName: String? = "me.jpg"
        var type: String? = "image/jpeg"
        var content: [UInt8]
    }

    static func multipart(_ parts: [Part], boundary: String = "b0undary", closes: Bool = true) -> [UInt8] {
        var body: [UInt8] = []
        for part in parts {
            body += Array("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(part.name)\"".utf8)
            if let fileName = part.fileName { body += Array("; filename=\"\(fileName)\"".utf8) }
            if let type = part.type { body += Array("\r\nContent-Type: \(type)".utf8) }
            body += Array("\r\n\r\n".utf8) + part.content + Array("\r\n".utf8)
        }
        return closes ? body + Array("--\(boundary)--\r\n".utf8) : body
    }

    func upload(
        _ body: [UInt8],
        token: String,
        contentType: String? = "multipart/form-data; boundary=b0undary"
    ) throws -> Played {
        try send(
            .post,
            "/api/mobile/student/avatar",
            token: token,
            body: body,
            headers: contentType.map { [(.contentType, $0)] } ?? []
        )
    }

    func upload(_ parts: [Part], token: String) throws -> Played { try upload(Self.multipart(parts), token: token) }
}
