import CivilTime
import EngineTesting
import HTTPMessage
import JSON

extension Harness {
    // MARK: Signing in

    /// Signs in with an opaque identity token and the e-mail in the body.
    func signIn(as email: String) throws -> Played {
        try post(
            "/api/v1/auth/apple",
            json: ["idToken": .string("opaque \(email)"), "user": ["email": .string(email)]]
        )
    }

    func refresh(_ token: String) throws -> Played {
        try post("/api/v1/auth/refresh", json: ["refreshToken": .string(token)])
    }

    // MARK: Conversations

    func conversations(_ token: String) throws -> [JSON] {
        try get("/api/v1/conversations", token: token).json["conversations"]?.arrayValue ?? []
    }

    func create(_ token: String, title: String = "New", model: String = "gpt-4o-mini") throws -> String {
        let body: JSON = ["title": .string(title), "model": .string(model)]
        return try post("/api/v1/conversations", token: token, json: body).text(at: "id")
    }

    func messages(_ id: String, _ token: String, query: String = "limit=1000") throws -> [JSON] {
        try get("/api/v1/conversations/\(id)/messages?\(query)", token: token).json["messages"]?.arrayValue ?? []
    }

    /// Sends a message with a streamed reply.
    func stream(
        _ content: String,
        to id: String,
        _ token: String,
        leaveAfter: Int64? = nil,
        onChunk: (Played.Chunk) throws -> Void = { _ in }
    ) throws -> Played {
        try post(
            "/api/v1/conversations/\(id)/messages",
            token: token,
            json: ["content": .string(content)],
            leaveAfter: leaveAfter,
            onChunk: onChunk
        )
    }

    /// Sends a message with the reply in one piece.
    func ask(_ content: String, in id: String, _ token: String, leaveAfter: Int64? = nil) throws -> Played {
        try post(
            "/api/v1/conversations/\(id)/messages",
            token: token,
            json: ["content": .string(content), "stream": false],
            leaveAfter: leaveAfter
        )
    }

    // MARK: Uploads

    func upload(_ parts: [Part], token: String?) throws -> Played {
        try send(
            .post,
            "/api/v1/upload",
            token: token,
            body: Part.body(of: parts),
            headers: [(.contentType, "multipart/form-data; boundary=b0undary")]
        )
    }
}

extension Part {
    static func field(_ name: String, _ text: String) -> Part { Part(name, content: Array(text.utf8)) }

    static func file(_ name: String, type: String? = "text/plain", _ content: [UInt8] = Array("hello".utf8)) -> Part {
        Part("file", fileName: name, type: type, content: content)
    }
}
