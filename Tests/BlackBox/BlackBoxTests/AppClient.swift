import Foundation
import JSON

/// The networking layer of an app.
///
/// It keeps a pair of tokens, refreshes once on 401 and repeats the request, and repeats requests that a lost
/// connection or a refusal with `Retry-After` has stopped.
final class AppClient {
    /// The token endpoints of one API.
    struct Dialect {
        var refreshPath: String
        /// The path of the tokens in a response, with dots.
        var access: String
        var refresh: String
    }

    static let carbscan = Dialect(
        refreshPath: "/api/mobile/v1/auth/refresh",
        access: "data.accessToken",
        refresh: "data.refreshToken"
    )
    static let sawaed = Dialect(refreshPath: "/api/mobile/auth/refresh", access: "token", refresh: "refreshToken")

    private let port: Int
    private let dialect: Dialect
    private(set) var access: String?
    private(set) var refresh: String?
    /// The number of token exchanges, and of requests repeated for another reason.
    private(set) var refreshes = 0
    private(set) var repeats = 0
    /// The session is over, and the app shows its sign-in.
    private(set) var isSignedOut = false
    var language: String?
    /// Waits for the seconds that a server asks for.
    var wait: (Int) throws -> Void = { _ in }

    init(_ served: Served, _ api: String, _ dialect: Dialect) throws {
        port = try served.port(of: api)
        self.dialect = dialect
    }

    func take(_ answer: WireAnswer) {
        access = answer.json.text(at: dialect.access) ?? access
        refresh = answer.json.text(at: dialect.refresh) ?? refresh
    }

    /// The same tokens on another device, or in another process of the app.
    func copy(_ other: AppClient) {
        access = other.access
        refresh = other.refresh
    }

    /// One request as it is; nil when the connection ended without an answer.
    func send(
        _ method: String,
        _ target: String,
        _ body: [UInt8] = [],
        type: String = "application/json",
        fields: [String] = [],
        isSigned: Bool = true
    ) throws -> WireAnswer? {
        let wire = try Wire(port: port)
        let spoken = language.map { ["Accept-Language: \($0)"] } ?? []
        try wire.send(
            Wire.request(
                method,
                target,
                body: body,
                token: isSigned ? access : nil,
                type: type,
                fields: spoken + fields
            )
        )
        do {
            return try wire.answer()
        } catch {
            guard wire.hasEnded else { throw error }
            return nil
        }
    }

    /// A request that comes back, however often the connection is lost or the server says to wait.
    private func insist(_ send: () throws -> WireAnswer?) throws -> WireAnswer {
        for _ in 0..<5 {
            guard let answer = try send() else {
                repeats += 1
                continue
            }
            guard answer.status == 503 || answer.status == 429, let after = answer["Retry-After"].flatMap({ Int($0) })
            else { return answer }
            repeats += 1
            try wait(after)
        }
        throw TestError(description: "no answer after five attempts")
    }

    func call(_ method: String, _ target: String, _ body: JSON? = nil, fields: [String] = []) throws -> WireAnswer {
        let bytes = body?.serialized() ?? []
        let used = access
        let first = try insist { try send(method, target, bytes, fields: fields) }
        guard first.status == 401, !isSignedOut else { return first }
        if access == used { try exchange() }
        return isSignedOut ? first : try insist { try send(method, target, bytes, fields: fields) }
    }

    /// Takes new tokens for the refresh token; a refusal ends the session.
    func exchange() throws {
        let body: JSON = ["refreshToken": .string(refresh ?? "")]
        let answer = try insist {
            try send("POST", dialect.refreshPath, body.serialized(), isSigned: false)
        }
        refreshes += 1
        guard answer.status == 200 else {
            access = nil
            refresh = nil
            isSignedOut = true
            return
        }
        take(answer)
    }
}

extension Served {
    func port(of api: String) throws -> Int {
        let port = ready["apis"]?[api]?.stringValue?.split(separator: ":").last.flatMap { Int($0) }
        guard let port else { throw TestError(description: "there is no \(api): \(ready.text)") }
        return port
    }

    func advance(_ duration: String) throws {
        let answer = try control("POST", "/clock/advance", #"{"by":"\#(duration)"}"#)
        guard answer.status == 200 else { throw TestError(description: answer.text) }
    }

    /// Adds a fault of one hit.
    func fault(_ api: String, _ path: String, phase: String = "before", _ effect: String, times: Int = 1) throws {
        let answer = try control(
            "POST",
            "/faults",
            """
            {"match":{"api":"\(api)","path":"\(path)"},"when":{"times":\(times)},"phase":"\(phase)","effect":\(effect)}
            """
        )
        guard answer.status == 201 else { throw TestError(description: answer.text) }
    }
}

extension JSON {
    /// The value at a place such as `data.user.id`.
    func value(at path: String) -> JSON? {
        path.split(separator: ".").reduce(self as JSON?) { found, name in
            if let index = Int(name) { found?[index] } else { found?[String(name)] }
        }
    }

    func text(at path: String) -> String? { value(at: path)?.stringValue }
}
