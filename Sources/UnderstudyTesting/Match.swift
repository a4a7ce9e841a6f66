/// Which requests are meant; what is nil is not looked at (control contract, section 8).
public struct Match: Sendable, Encodable {
    public var api: API?
    public var method: String?
    /// A glob (`*` one segment, `**` many) or a route template such as `/conversations/{id}`, of the API's own path.
    public var path: String?
    public var query: [String: String]?
    public var headers: [String: String]?
    /// E-mail or id of the user behind the credential, expired ones included.
    public var user: String?
    /// A part of the JSON body.
    public var body: JSONValue?

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

    /// Every request.
    public static let any = Match()
}
