import CivilTime
import Emulation
import EmulationTesting
import HTTPMessage
import JSON

@testable import Trafikskola

/// Trafikskola alone on an emulator, with a frozen clock.
typealias Harness = APIHarness<TrafikskolaAPI>

extension APIHarness where API == TrafikskolaAPI {
    static var noon: Instant { Instant(seconds: 1_735_732_800) }
    static var anna: String { "anna@example.com" }
    static var other: String { "student@example.com" }
    static var otherID: String { "eb511794-80e9-4d52-8d05-98ee00071e5c" }
    static var erik: String { "erik@example.com" }
    static var origin: String { "http://127.0.0.1:4684" }
    static var mobile: String { "/api/mobile" }

    convenience init(seed: UInt64 = 42, start: Instant = Harness.noon) throws {
        try self.init(seed: seed, start: start, wall: Harness.noon)
    }

    func payload(_ query: String = "", authority: String = "127.0.0.1:4684") throws -> JSON {
        let hosted = try self.hosted()
        hosted.world.tick(to: hostTime)
        let order = QROrder(query: QueryItems(query), authority: authority, epoch: hosted.world.parts[0].epoch)
        return try emulator.apis[0].qrPayload(&hosted.world, 0, order).get() ?? .null
    }

    // MARK: Requests

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

    func logIn(_ email: String = Harness.anna, device: String? = nil) throws -> Tokens {
        var body: JSONObject = ["email": .string(email), "password": "understudy-tfx"]
        if let device { body["deviceInfo"] = ["deviceId": .string(device), "platform": "ios"] }
        let reply = try post("/api/mobile/auth/login", .object(body))
        guard reply.status == 200 else { throw TestError(text: reply.text) }
        return Tokens(access: reply.text(at: "data.accessToken"), refresh: reply.text(at: "data.refreshToken"))
    }

    func refresh(_ token: String) throws -> Played {
        try post("/api/mobile/auth/refresh", ["refreshToken": .string(token)])
    }

    /// The status of a bearer call.
    func check(_ token: String) throws -> Int { try get("/api/mobile/bookings", token: token).status }

    // MARK: Uploads

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

/// The tokens of a session.
struct Tokens {
    var access: String
    var refresh: String
}

/// A part of an upload.
struct Part {
    var name = "avatar"
    var fileName: String? = "me.jpg"
    var type: String? = "image/jpeg"
    var content: [UInt8]
}
