/// The criteria that select requests; a criterion that is nil accepts every request (control contract, section 8).
public struct Match: Sendable, Encodable {
    /// The backend.
    public var api: API?
    /// The method, in capitals.
    public var method: String?
    /// The API's own path, as a glob (`*` one segment, `**` many) or a route template such as `/conversations/{id}`.
    public var path: String?
    /// The query parameters that must be present with these values.
    public var query: [String: String]?
    /// The header fields that must be present with these values; names in any case.
    public var headers: [String: String]?
    /// The e-mail address or id of the user behind the credential, expired ones included.
    public var user: String?
    /// The JSON that the body must contain.
    public var body: JSONValue?

    /// Creates criteria; those left out accept every request.
    public init(
        _ api: API? = nil,
        _ method: String? = nil,
        _ path: String? = nil,
        query: [String: String]? = nil,
        headers: [String: String]? = nil,
        user: String? = nil,
        body: JSONValue? = nil
    ) {
        self.api = api
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.user = user
        self.body = body
    }

    /// The criteria that every request meets.
    public static let any = Match()
}
