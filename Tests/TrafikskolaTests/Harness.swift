import Backend
import CivilTime
import Engine
import EngineTesting
import HTTPMessage
import JSON
import Worlds

@testable import Trafikskola

/// Trafikskola alone on an emulator, with a frozen clock.
typealias Harness = APIHarness<TrafikskolaState>

extension APIHarness where State == TrafikskolaState {
    static var anna: String { "anna@example.com" }
    static var other: String { "student@example.com" }
    static var otherID: String { "eb511794-80e9-4d52-8d05-98ee00071e5c" }
    static var erik: String { "erik@example.com" }
    static var origin: String { "http://127.0.0.1:4684" }
    static var mobile: String { "/api/mobile" }

    convenience init(seed: UInt64 = 42, start: Instant = Harness.noon) throws {
        try self.init(TrafikskolaAPI.definition, seed: seed, start: start, wall: Harness.noon)
    }

    func payload(_ query: String = "", authority: String = "127.0.0.1:4684") throws -> JSON {
        let hosted = try self.hosted()
        hosted.world.tick(to: hostTime)
        let order = QROrder(query: QueryItems(query), authority: authority, epoch: hosted.world.parts[0].epoch)
        return try emulator.apis[0].qrPayload(&hosted.world, 0, order).get()?.json ?? .null
    }

    // MARK: Sessions

    func logIn(_ email: String = Harness.anna, device: String? = nil) throws -> Tokens {
        var body: JSONObject = ["email": .string(email), "password": "understudy-tfx"]
        if let device { body["deviceInfo"] = ["deviceId": .string(device), "platform": "ios"] }
        let reply = try post("/api/mobile/auth/login", json: .object(body))
        guard reply.status == 200 else { throw TestError(text: reply.text) }
        return Tokens(access: reply.text(at: "data.accessToken"), refresh: reply.text(at: "data.refreshToken"))
    }

    func refresh(_ token: String) throws -> Played {
        try post("/api/mobile/auth/refresh", json: ["refreshToken": .string(token)])
    }

    /// The status of a bearer call.
    func check(_ token: String) throws -> Int { try get("/api/mobile/bookings", token: token).status }

    // MARK: Uploads

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

    func upload(_ parts: [Part], token: String) throws -> Played { try upload(Part.body(of: parts), token: token) }
}

/// The tokens of a session.
struct Tokens {
    var access: String
    var refresh: String
}

extension Part {
    /// A picture, as most uploads of the tests have it.
    init(
        name: String = "avatar",
        fileName: String? = "me.jpg",
        type: String? = "image/jpeg",
        content: [UInt8]
    ) {
        self.init(name, fileName: fileName, type: type, content: content)
    }
}
