/// The head of a request, as parsed and checked.
///
/// A value in immutable storage: each layer hands the head on to the next, and a copy costs one reference instead of one for
/// each text in it. A change makes a new storage.
package struct RequestHead: Sendable {
    private final class Storage: Sendable {
        let method: HTTPMethod
        let target: RequestTarget
        let version: HTTPVersion
        let fields: Fields
        let proxied: ProxiedRequest?

        init(
            _ method: HTTPMethod,
            _ target: RequestTarget,
            _ version: HTTPVersion,
            fields: Fields,
            proxied: ProxiedRequest? = nil
        ) {
            self.method = method
            self.target = target
            self.version = version
            self.fields = fields
            self.proxied = proxied
        }
    }

    private var storage: Storage
    /// Tells whether it came over TLS; nil where the server speaks none, so that only a proxy in front could know.
    package var isSecure: Bool?

    package init(method: HTTPMethod, target: RequestTarget, version: HTTPVersion = .http11, fields: Fields = Fields()) {
        storage = Storage(method, target, version, fields: fields)
    }

    package var method: HTTPMethod {
        get { storage.method }
        set { storage = Storage(newValue, target, version, fields: fields, proxied: proxied) }
    }

    package var target: RequestTarget {
        get { storage.target }
        set { storage = Storage(method, newValue, version, fields: fields, proxied: proxied) }
    }

    package var version: HTTPVersion {
        get { storage.version }
        set { storage = Storage(method, target, newValue, fields: fields, proxied: proxied) }
    }

    package var fields: Fields {
        get { storage.fields }
        set { storage = Storage(method, target, version, fields: newValue, proxied: proxied) }
    }

    /// The facts that the forward proxy knows of the request; nil for one that came straight to a port of ours.
    package var proxied: ProxiedRequest? {
        get { storage.proxied }
        set { storage = Storage(method, target, version, fields: fields, proxied: newValue) }
    }

    // Looked up where the fields lie: handing them out costs two references each time.

    /// The first value of that name as text, as `Fields` has it.
    package func value(of name: FieldName) -> String? { storage.fields[name] }

    /// The bytes of the first value of that name.
    package func bytes(of name: FieldName) -> ArraySlice<UInt8>? { storage.fields.bytes(name) }

    /// Every value of that name, in order.
    package func values(of name: FieldName) -> [String] { storage.fields.values(name) }

    /// Returns true if there is a field of that name.
    package func contains(_ name: FieldName) -> Bool { storage.fields.contains(name) }

    /// Tells whether it may ask for a part of the content or set conditions on it: a field is `Range` or begins with `If-`.
    package var hasConditions: Bool { storage.fields.hasConditions }

    /// The query as sent; nil when there was none.
    package var rawQuery: String? { storage.target.rawQuery }

    /// The form of the target.
    package var form: RequestTarget.Form { storage.target.form }

    /// The path as sent.
    package var rawPath: String { storage.target.rawPath }

    /// Returns true if the method is that one.
    package func isMethod(_ method: HTTPMethod) -> Bool { storage.method == method }

    /// The authority the client addressed: an absolute target's own, else the Host field (RFC 9112 section 3.2.2).
    package var authority: String? {
        if case .absolute(let authority) = form { return authority }
        return value(of: .host)
    }
}

/// A request's content, decoded from its framing.
package struct RequestBody: Sendable {
    /// The content, or its first part when it exceeded the limit given for it.
    package var bytes: [UInt8]
    /// The content before it is put together, where that takes a while; `bytes` is empty until then.
    package var pieces: Optional<BodyPieces>
    /// The length of the whole content as sent or announced.
    package var length: Int
    /// True if more than the limit was sent or announced; `bytes` is then incomplete.
    package var exceedsLimit: Bool
    /// True if the content was counted and thrown away because its endpoint wants no more: no limit holds for it.
    package var isCounted: Bool
    /// The number of bytes that came; nil if the whole content did.
    package var received: Optional<Int>

    // No member has a value before the initializer gives it one: the whole would be copied at its end.

    package init(_ bytes: [UInt8] = []) { self.init(bytes: bytes, length: bytes.count, exceedsLimit: false) }

    package init(bytes: [UInt8], length: Int, exceedsLimit: Bool) {
        self.bytes = bytes
        self.length = length
        self.exceedsLimit = exceedsLimit
        pieces = nil
        isCounted = false
        received = nil
    }

    /// Content that was not read to its end.
    package init(_ unread: UnreadContent) {
        bytes = unread.bytes
        pieces = nil
        length = unread.received
        isCounted = false
        exceedsLimit = true
        received = unread.received
    }

    /// The maximum number of bytes that are joined at once.
    private static let mostJoinedAtOnce = 1024 * 1024

    package init(pieces: consuming BodyPieces, length: Int, exceedsLimit: Bool, received: Int? = nil) {
        let isShort = pieces.isWhole || pieces.count <= Self.mostJoinedAtOnce
        self.received = received
        self.length = length
        self.exceedsLimit = exceedsLimit
        isCounted = false
        if isShort {
            bytes = pieces.joined()
            self.pieces = nil
        } else {
            bytes = []
            self.pieces = pieces
        }
    }

    package var isEmpty: Bool { length == 0 }
}

/// A whole request.
package struct HTTPRequest: Sendable {
    package var head: RequestHead
    package var body: RequestBody
    private var rarities: Optional<Rarities>
    /// The limits for the depth and the number of parts of its body.
    package var bounds: BodyBounds
    /// The result of a worker that has read the body already.
    package var reading: Optional<any Sendable>
    /// The digest of the content, where a worker has computed it.
    package var digest: Optional<[UInt8]>
    /// Bytes the request took on the wire, head and framing included.
    package var wireLength: Int

    package init(head: RequestHead, body: RequestBody = RequestBody(), trailers: Fields = Fields(), wireLength: Int = 0)
    {
        self.head = head
        self.body = body
        rarities = trailers.isEmpty ? nil : Rarities(trailers: trailers, coded: nil)
        bounds = BodyBounds()
        reading = nil
        digest = nil
        self.wireLength = wireLength
    }

    /// The fields behind a chunked body; hardly a request has any.
    package var trailers: Fields {
        get { rarities?.trailers ?? Fields() }
        set { keep(newValue, coded) }
    }

    /// The content as it came, in a coding that has been looked at; nil for plain content.
    package var coded: CodedContent? {
        get { rarities?.coded }
        set { keep(trailers, newValue) }
    }

    private mutating func keep(_ trailers: Fields, _ coded: CodedContent?) {
        rarities = trailers.isEmpty && coded == nil ? nil : Rarities(trailers: trailers, coded: coded)
    }

    private final class Rarities: Sendable {
        let trailers: Fields
        let coded: CodedContent?

        init(trailers: Fields, coded: CodedContent?) {
            self.trailers = trailers
            self.coded = coded
        }
    }
}

extension HTTPRequest {
    /// The codings of the content, but for `identity`; empty without content.
    package var contentCodings: [String] {
        guard body.length > 0 || coded != nil, head.fields.contains(.contentEncoding) else { return [] }
        return head.fields.listElements(.contentEncoding).filter { $0.lowercased() != "identity" }
    }

    /// Tells whether there is content in a coding.
    package var isCoded: Bool { body.length > 0 && head.contains(.contentEncoding) }

    /// The request with its content as it came.
    package var asSent: HTTPRequest {
        guard let coded else { return self }
        var sent = self
        sent.body = RequestBody(coded.bytes)
        sent.coded = nil
        return sent
    }
}
