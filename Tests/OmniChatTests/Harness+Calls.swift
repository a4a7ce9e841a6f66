import CivilTime
import EmulationTesting
import HTTPMessage
import JSON

extension Harness {
    func get(_ target: String, token: String? = nil, headers: [(FieldName, String)] = []) throws -> Played {
        try send(.get, target, token: token, headers: headers)
    }

    func post(
        _ target: String,
        token: String? = nil,
        json: JSON,
        headers: [(FieldName, String)] = [],
        leaveAfter: Int64? = nil,
        onChunk: (Played.Chunk) throws -> Void = { _ in }
    ) throws -> Played {
        try send(
            .post,
            target,
            token: token,
            body: json.serialized(),
            headers: headers,
            leaveAfter: leaveAfter,
            onChunk: onChunk
        )
    }

    func post(_ target: String, token: String? = nil, text: String) throws -> Played {
        try send(.post, target, token: token, body: Array(text.utf8))
    }

    func patch(_ target: String, token: String? = nil, json: JSON) throws -> Played {
        try send(.patch, target, token: token, body: json.serialized())
    }

    func delete(_ target: String, token: String? = nil) throws -> Played { try send(.delete, target, token: token) }

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
        var body: [UInt8] = []
        for part in parts {
            body += Array("--b0undary\r\nContent-Disposition: form-data; name=\"\(part.name)\"".utf8)
            if let fileName = part.fileName { body += Array("; filename=\"\(fileName)\"".utf8) }
            if let type = part.type { body += Array("\r\nContent-Type: \(type)".utf8) }
            body += Array("\r\n\r\n".utf8) + part.content + Array("\r\n".utf8)
        }
        body += Array("--b0undary--\r\n".utf8)
        return try send(
            .post,
            "/api/v1/upload",
            token: token,
            body: body,
            headers: [(.contentType, "multipart/form-data; boundary=b0undary")]
        )
    }
}

/// A part of an upload.
struct Part {
    var name: String
    var fileName: String?
    var type: String?
    var content: [UInt8]

    static func field(_ name: String, _ text: String) -> Part { Part(name: name, content: Array(text.utf8)) }

    static func file(_ name: String, type: String? = "text/plain", _ content: [UInt8] = Array("hello".utf8)) -> Part {
        Part(name: "file", fileName: name, type: type, content: content)
    }
}
