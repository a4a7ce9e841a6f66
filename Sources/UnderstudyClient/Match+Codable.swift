extension Match: Codable {
    private enum CodingKeys: String, CodingKey {
        case api, method, path, query, headers, user, body, bodyText, connection
    }

    private struct Pattern: Codable { var regex: String }

    /// Writes the criteria as the control API takes them.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(api, forKey: .api)
        try container.encodeIfPresent(method, forKey: .method)
        if let pathRegex {
            try container.encode(Pattern(regex: pathRegex), forKey: .path)
        } else {
            try container.encodeIfPresent(path, forKey: .path)
        }
        try container.encodeIfPresent(query, forKey: .query)
        try container.encodeIfPresent(headers, forKey: .headers)
        try container.encodeIfPresent(user, forKey: .user)
        try container.encodeIfPresent(body, forKey: .body)
        try container.encodeIfPresent(bodyText, forKey: .bodyText)
        try container.encodeIfPresent(connection, forKey: .connection)
    }

    /// Reads criteria as the control API writes them.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let pattern = try? container.decode(Pattern.self, forKey: .path)
        self.init(
            try container.decodeIfPresent(API.self, forKey: .api),
            try container.decodeIfPresent(String.self, forKey: .method),
            pattern == nil ? try container.decodeIfPresent(String.self, forKey: .path) : nil,
            pathRegex: pattern?.regex,
            query: try container.decodeIfPresent([String: Value].self, forKey: .query),
            headers: try container.decodeIfPresent([String: Value].self, forKey: .headers),
            user: try container.decodeIfPresent(String.self, forKey: .user),
            body: try container.decodeIfPresent(JSONValue.self, forKey: .body),
            bodyText: try container.decodeIfPresent(Text.self, forKey: .bodyText),
            connection: try container.decodeIfPresent(Connection.self, forKey: .connection)
        )
    }
}

extension Match.Value: Codable {
    /// Writes the value as the control API takes it.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .equals(let text): try JSONValue.string(text).encode(to: encoder)
        case .contains(let text): try JSONValue.object(["contains": .string(text)]).encode(to: encoder)
        case .regex(let text): try JSONValue.object(["regex": .string(text)]).encode(to: encoder)
        case .absent: try JSONValue.object(["absent": true]).encode(to: encoder)
        }
    }

    /// Reads a value as the control API writes it.
    public init(from decoder: any Decoder) throws {
        let value = try JSONValue(from: decoder)
        if let text = value["contains"]?.string {
            self = .contains(text)
        } else if let text = value["regex"]?.string {
            self = .regex(text)
        } else if value["absent"]?.bool == true {
            self = .absent
        } else {
            self = .equals(value.text)
        }
    }
}

extension Match.Text: Codable {
    /// Writes the criterion as the control API takes it.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .equals(let text): try ["equals": text].encode(to: encoder)
        case .contains(let text): try ["contains": text].encode(to: encoder)
        case .regex(let text): try ["regex": text].encode(to: encoder)
        }
    }

    /// Reads a criterion as the control API writes it.
    public init(from decoder: any Decoder) throws {
        let value = try [String: String](from: decoder)
        if let text = value["contains"] {
            self = .contains(text)
        } else if let text = value["regex"] {
            self = .regex(text)
        } else {
            self = .equals(value["equals"] ?? "")
        }
    }
}

extension Match: CustomStringConvertible {
    /// The criteria in words, for messages: `POST /api/v1/me of trendy`.
    public var description: String {
        var words = [method ?? "any", path ?? pathRegex.map { "path like \($0)" } ?? "request"]
        if let api { words.append("of \(api)") }
        if let user { words.append("by \(user)") }
        for (name, value) in (query ?? [:]).sorted(by: { $0.key < $1.key }) { words.append("?\(name) \(value)") }
        for (name, value) in (headers ?? [:]).sorted(by: { $0.key < $1.key }) { words.append("\(name): \(value)") }
        if let body { words.append("with \(body.text)") }
        if let bodyText { words.append("with text \(bodyText)") }
        if let connection { words.append("on a \(connection.rawValue) connection") }
        return words.joined(separator: " ")
    }
}

extension Match.Value: CustomStringConvertible {
    /// The value in words.
    public var description: String {
        switch self {
        case .equals(let text): text
        case .contains(let text): "contains \(text)"
        case .regex(let text): "like \(text)"
        case .absent: "absent"
        }
    }
}

extension Match.Text: CustomStringConvertible {
    /// The criterion in words.
    public var description: String {
        switch self {
        case .equals(let text): text
        case .contains(let text): "contains \(text)"
        case .regex(let text): "like \(text)"
        }
    }
}
