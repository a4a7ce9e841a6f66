/// Which requests are meant; what is nil is not looked at (control contract, section 8).
public struct Match: Sendable, Encodable {
    /// The backend.
    public var api: API?
    /// The method, in capitals.
    public var method: String?
    /// A glob (`*` one segment, `**` many) or a route template such as `/conversations/{id}`, of the API's own path.
    public var path: String?
    /// Parameters that must be there with these values.
    public var query: [String: String]?
    /// Fields that must be there with these values; names in any case.
    public var headers: [String: String]?
    /// E-mail or id of the user behind the credential, expired ones included.
    public var user: String?
    /// A part of the JSON body.
    public var body: JSONValue?

    /// Names what must hold; what is left out is not looked at.
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
