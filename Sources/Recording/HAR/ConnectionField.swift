package import HTTPMessage

/// Fields that belong to one connection, and our own: neither are forwarded (RFC 9110, section 7.6.1; control contract,
/// section 13).
package struct ConnectionField: Sendable {
    private static let ownPrefix = "x-understudy-"
    private static let names: Set<String> = [
        "connection", "proxy-connection", "keep-alive", "te", "upgrade", "http2-settings", "proxy-authenticate",
        "proxy-authorization", "proxy-authentication-info",
    ]
    /// Fields that are forwarded whatever `Connection` names: without them the message would mean something else.
    private static let endToEnd: Set<String> = [
        "host", "authorization", "cache-control", "content-encoding", "content-length", "content-range", "content-type",
        "transfer-encoding",
    ]

    /// The names in `Connection` fields, in lower case.
    private let named: Set<String>

    /// Creates the rule for a message with these fields, including each of its `Connection` fields.
    package init(_ fields: Fields) { named = Set(fields.listElements(.connection)).subtracting(Self.endToEnd) }

    init(_ pairs: [HARPair]) {
        var fields = Fields()
        for pair in pairs where pair.name.lowercased() == "connection" { fields.append(.connection, pair.value) }
        self.init(fields)
    }

    /// Returns true if a field concerns one connection alone, or Understudy.
    ///
    /// `Connection: keep-alive` holds for every connection of HTTP/1.1, so a response keeps it. `Transfer-Encoding` is
    /// left to the code that frames the message again.
    package func isOfOneHop(_ name: String, _ value: String) -> Bool {
        let lower = name.lowercased()
        if lower == "connection" { return value.lowercased() != "keep-alive" }
        return Self.names.contains(lower) || named.contains(lower) || lower.hasPrefix(Self.ownPrefix)
    }

    /// Returns the fields of a response that are forwarded to the client.
    package func endToEnd(_ fields: Fields) -> Fields {
        var kept = Fields()
        for place in 0..<fields.count {
            let name = String(decoding: fields.nameBytes(at: place), as: UTF8.self)
            let value = fields.valueBytes(at: place)
            guard !isOfOneHop(name, String(decoding: value, as: UTF8.self)), let field = FieldName(name) else {
                continue
            }
            kept.append(field, value)
        }
        return kept
    }
}
