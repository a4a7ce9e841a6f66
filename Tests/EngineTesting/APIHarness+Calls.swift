package import HTTPMessage
package import JSON

/// The verbs of HTTP, with a bearer token and a JSON body.
extension APIHarness {
    /// The target of a path below `basePath`, or of one at the origin that has a second slash before it.
    private func target(_ path: String) -> String {
        guard !basePath.isEmpty, path.hasPrefix("//") else { return basePath + path }
        return String(path.dropFirst())
    }

    private var contentFields: [(FieldName, String)] { contentType.map { [(.contentType, $0)] } ?? [] }

    package func get(
        _ path: String,
        token: String? = nil,
        headers: [(FieldName, String)] = []
    ) throws -> Played {
        try send(.get, target(path), token: token, headers: headers)
    }

    package func post(
        _ path: String,
        token: String? = nil,
        json: JSON = [:],
        headers: [(FieldName, String)] = [],
        leaveAfter: Int64? = nil,
        onChunk: (Played.Chunk) throws -> Void = { _ in }
    ) throws -> Played {
        try send(
            .post,
            target(path),
            token: token,
            body: json.serialized(),
            headers: contentFields + headers,
            leaveAfter: leaveAfter,
            onChunk: onChunk
        )
    }

    /// Sends a text as it is.
    package func post(_ path: String, token: String? = nil, text: String) throws -> Played {
        try send(.post, target(path), token: token, body: Array(text.utf8), headers: contentFields)
    }

    /// Sends a text as content of a type; nil sends none.
    package func post(_ path: String, token: String? = nil, text: String, type: String?) throws -> Played {
        let headers: [(FieldName, String)] = type.map { [(.contentType, $0)] } ?? []
        return try send(.post, target(path), token: token, body: Array(text.utf8), headers: headers)
    }

    package func put(_ path: String, token: String? = nil, json: JSON) throws -> Played {
        try send(.put, target(path), token: token, body: json.serialized(), headers: contentFields)
    }

    package func patch(
        _ path: String,
        token: String? = nil,
        json: JSON,
        headers: [(FieldName, String)] = []
    ) throws -> Played {
        try send(.patch, target(path), token: token, body: json.serialized(), headers: contentFields + headers)
    }

    /// Sends a text as it is.
    package func patch(_ path: String, token: String? = nil, text: String) throws -> Played {
        try send(.patch, target(path), token: token, body: Array(text.utf8), headers: contentFields)
    }

    /// Sends no body without `json`.
    package func delete(_ path: String, token: String? = nil, json: JSON? = nil) throws -> Played {
        try send(
            .delete,
            target(path),
            token: token,
            body: json?.serialized() ?? [],
            headers: json == nil ? [] : contentFields
        )
    }
}
