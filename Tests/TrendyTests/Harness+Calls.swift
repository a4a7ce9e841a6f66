import Backend
import CivilTime
import EngineTesting
import HTTPMessage
import JSON

@testable import Trendy

extension Harness {
    static let onboarding = "/api/v1/users/onboarding"
    static let password = "trendy-pass-1"
    static let modern: (FieldName, String) = ("X-Supabase-Api-Version", "2024-01-01")

    // MARK: The auth server, as the SDK calls it

    func signUp(_ body: JSON) throws -> Played {
        try post("/auth/v1/signup", json: body, headers: [Self.modern, ("apikey", "anon")])
    }

    /// Signs a seed account in.
    func signIn(_ name: String, password: String = Harness.password) throws -> Played {
        try grant("password", ["email": .string(Self.mail(name)), "password": .string(password)])
    }

    func refresh(_ token: String) throws -> Played { try grant("refresh_token", ["refresh_token": .string(token)]) }

    func grant(_ type: String, _ body: JSON) throws -> Played {
        try post("/auth/v1/token?grant_type=\(type)", json: body, headers: [Self.modern, ("apikey", "anon")])
    }

    func authUser(_ token: String?) throws -> Played {
        try get("/auth/v1/user", token: token, headers: [Self.modern])
    }

    func logout(_ token: String?, scope: String? = nil) throws -> Played {
        try send(
            .post,
            "/auth/v1/logout" + (scope.map { "?scope=\($0)" } ?? ""),
            token: token,
            headers: [Self.modern]
        )
    }

    /// The payload of a JWT.
    func payload(_ token: String) -> JSONObject { TokenText.payload(of: token) ?? JSONObject() }

    // MARK: The tracker's rows

    /// The tracker's types by name.
    func typeID(_ name: String, _ token: String) throws -> String {
        let types = try get("/api/v1/event-types", token: token).json.arrayValue ?? []
        return types.first { $0.string("name") == name }?.string("id") ?? "no type \(name)"
    }
}
