/// The criteria that select requests; a criterion that is nil accepts every request (control contract, section 8;
/// own-API contract, section 6).
///
///     let booking = Match(.trafikskola, "POST", "/api/mobile/bookings", headers: ["Accept-Language": .contains("sv")])
public struct Match: Sendable {
    /// A value of a query parameter or of a header field.
    public enum Value: Sendable, Hashable {
        /// This text, as a whole.
        case equals(String)
        /// A text with this one in it.
        case contains(String)
        /// A text that the regular expression fits as a whole (ECMA-262 without look-around and back-references).
        case regex(String)
        /// No such parameter or field.
        case absent
    }

    /// The body as text.
    public enum Text: Sendable, Hashable {
        /// This text, as a whole.
        case equals(String)
        /// A text with this one in it.
        case contains(String)
        /// A text that the regular expression fits as a whole.
        case regex(String)
    }

    /// The use of a connection before a request.
    public enum Connection: String, Sendable, Codable {
        /// Another request came on it before.
        case reused
        /// The request is its first.
        case fresh
    }

    /// The backend.
    public var api: API?
    /// The method, in capitals.
    public var method: String?
    /// The API's own path, as a glob (`*` one segment, `**` many) or a route template such as `/conversations/{id}`.
    public var path: String?
    /// A regular expression for the path, in place of `path`.
    public var pathRegex: String?
    /// The query parameters: present with these values, or absent.
    public var query: [String: Value]?
    /// The header fields: present with these values, or absent; names in any case.
    public var headers: [String: Value]?
    /// The e-mail address or id of the user behind the credential, expired ones included.
    public var user: String?
    /// The JSON that the body must contain.
    public var body: JSONValue?
    /// The body as text.
    public var bodyText: Text?
    /// The use of its connection before.
    public var connection: Connection?

    /// Creates criteria; those left out accept every request.
    ///
    ///     let refresh = Match(.trafikskola, "POST", "/api/mobile/auth/refresh")
    ///     let secondPage = Match(.trendy, "GET", "/api/v1/products", query: ["cursor": .regex(".+")])
    ///     let pictures = Match(.omnichat, pathRegex: "/api/v1/files/[0-9]+", headers: ["Range": .absent])
    public init(
        _ api: API? = nil,
        _ method: String? = nil,
        _ path: String? = nil,
        pathRegex: String? = nil,
        query: [String: Value]? = nil,
        headers: [String: Value]? = nil,
        user: String? = nil,
        body: JSONValue? = nil,
        bodyText: Text? = nil,
        connection: Connection? = nil
    ) {
        self.api = api
        self.method = method
        self.path = path
        self.pathRegex = pathRegex
        self.query = query
        self.headers = headers
        self.user = user
        self.body = body
        self.bodyText = bodyText
        self.connection = connection
    }

    /// The criteria that every request meets.
    public static let any = Match()
}

extension Match.Value: ExpressibleByStringLiteral {
    /// This text, as a whole.
    public init(stringLiteral value: String) { self = .equals(value) }
}

extension Match.Text: ExpressibleByStringLiteral {
    /// This text, as a whole.
    public init(stringLiteral value: String) { self = .equals(value) }
}
