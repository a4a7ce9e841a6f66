import CivilTime
import Crypto
import EngineTesting
import HTTPMessage
import JSON

extension Harness {
    static let base = "/api/mobile/v1"
    /// The contract's 70-byte picture: dish 31, 15 g, 12 to 18, level 0.66.
    static let picture =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    static let cookie: FieldName = "Cookie"
    static let json: (FieldName, String) = (.contentType, "application/json")

    func apple(_ identityToken: String, user: JSON? = nil) throws -> Played {
        var body: JSONObject = ["identityToken": .string(identityToken), "authorizationCode": "code"]
        if let user { body.append("user", user) }
        return try post("/auth/apple", json: .object(body))
    }

    func signIn(as mail: String) throws -> (access: String, refresh: String) {
        let reply = try apple("mock_apple:\(mail)")
        return (reply.at("accessToken").stringValue ?? "", reply.at("refreshToken").stringValue ?? "")
    }

    func refresh(_ token: String) throws -> Played {
        try post("/auth/refresh", json: ["refreshToken": .string(token)])
    }

    func me(_ token: String) throws -> Played { try get("/auth/me", token: token) }

    func analyze(_ image: String = Harness.picture, _ token: String) throws -> Played {
        try post("/analyze", token: token, json: ["imageBase64": .string(image)])
    }

    func ask(_ message: String, _ token: String) throws -> Played {
        try post("/chat", token: token, json: ["message": .string(message)])
    }

    func status(_ token: String) throws -> Played { try get("/subscriptions/status", token: token) }

    func sync(_ token: String, since: JSON = .null, _ meals: [JSON] = []) throws -> Played {
        try post("/meals/sync", token: token, json: ["lastSyncTimestamp": since, "localMeals": .array(meals)])
    }

    static func localMeal(
        _ localId: String,
        name: String = "Soup",
        carbs: JSON = 22,
        confidence: JSON? = nil,
        at time: String = "2025-01-20T10:00:00.000Z"
    ) -> JSON {
        var meal: JSONObject = ["localId": .string(localId), "name": .string(name), "carbEstimate": carbs]
        if let confidence { meal.append("confidenceLevel", confidence) }
        meal.append("createdAt", .string(time))
        return .object(meal)
    }

    func receipt(_ product: String, _ token: String) throws -> Played {
        try post(
            "/subscriptions/validate-receipt",
            token: token,
            json: ["signedTransaction": .string("mock_receipt:ai.carbscan.app.\(product)")]
        )
    }

    /// A picture: the signature of a JPEG, then text.
    static func jpeg(_ text: String = "") -> [UInt8] { [0xFF, 0xD8, 0xFF] + Array(text.utf8) }
}
