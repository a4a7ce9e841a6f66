import Backend
import CivilTime
import Engine
import EngineTesting
import HTTPMessage
import JSON
import Worlds

extension Harness {
    static let v1 = "/api/mobile/v1"
    static let auth = "/api/mobile/auth"
    static let ifNoneMatch: FieldName = "If-None-Match"
    static let acceptLanguage: FieldName = "Accept-Language"

    // MARK: Signing in

    func requestCode(_ email: String, headers: [(FieldName, String)] = []) throws -> Played {
        try post("\(Self.auth)/request-otp", json: ["email": .string(email)], headers: headers)
    }

    func verify(_ email: String, _ code: String = "123456") throws -> Played {
        try post("\(Self.auth)/verify-otp", json: ["email": .string(email), "code": .string(code)])
    }

    /// Signs in by code; the answer has both tokens.
    func signIn(_ email: String) throws -> Played {
        _ = try requestCode(email)
        return try verify(email)
    }

    func refresh(_ token: String) throws -> Played {
        try post("\(Self.auth)/refresh", json: ["refreshToken": .string(token)])
    }

    func password(_ path: String, _ email: String, _ password: String) throws -> Played {
        try post("\(Self.auth)/\(path)", json: ["email": .string(email), "password": .string(password)])
    }

    // MARK: Pieces of the API

    func profile(_ token: String, query: String = "") throws -> JSON {
        try get("\(Self.v1)/profile/me\(query)", token: token).json
    }

    func chat(
        _ message: String,
        skill: String = "aiskill_data",
        token: String? = nil,
        locale: String? = "en",
        conversation: String? = nil
    ) throws -> Played {
        var body: JSONObject = ["skillId": .string(skill), "message": .string(message)]
        body["locale"] = locale.map { .string($0) }
        body["conversationId"] = conversation.map { .string($0) }
        return try post("/api/chat/send", token: token, json: .object(body))
    }

    func poll(_ session: String, etag: String? = nil) throws -> Played {
        try get("/api/chat/status?sessionId=\(session)", headers: etag.map { [(Self.ifNoneMatch, $0)] } ?? [])
    }

    /// Sends, and answers the whole reply once it is done.
    func say(
        _ message: String,
        skill: String = "aiskill_data",
        token: String? = nil,
        locale: String? = "en"
    ) throws -> String {
        let session = try chat(message, skill: skill, token: token, locale: locale).text(at: "sessionId")
        try advance(.milliseconds(600))
        return try poll(session).text(at: "text")
    }

    func register(_ event: String, _ token: String, _ body: JSON = [:]) throws -> Played {
        try post("\(Self.v1)/events/\(event)/register", token: token, json: body)
    }

    func cancel(_ event: String, _ token: String) throws -> Played {
        try post("\(Self.v1)/events/\(event)/cancel", token: token)
    }

    // MARK: Scenarios

    func scenario(_ name: String, isOn: Bool = true) throws {
        if isOn { try activate(name) } else { try deactivate(name) }
    }

    var outbox: [Outbox.Message] { get throws { try hosted().world.core.outbox.messages } }
}
