/// The head of a request, as parsed and checked.
package struct RequestHead: Sendable {
    package var method: HTTPMethod
    package var target: RequestTarget
    package var version: HTTPVersion
    package var fields: Fields

    package init(method: HTTPMethod, target: RequestTarget, version: HTTPVersion = .http11, fields: Fields = Fields()) {
        self.method = method
        self.target = target
        self.version = version
        self.fields = fields
    }

    /// The authority the client addressed: an absolute target's own, else the Host field (RFC 9112 section 3.2.2).
    package var authority: String? {
        if case .absolute(let authority) = target.form { return authority }
        return fields[.host]
    }
}

/// A request's content, decoded from its framing.
package struct RequestBody: Sendable {
    /// The content, or its first part when it exceeded the limit given for it.
    package var bytes: [UInt8]
    /// The content before it is put together, where that takes a while; `bytes` is empty until then.
    package var pieces: BodyPieces?
    /// The length of the whole content as sent or announced.
    package var length: Int
    /// True if more than the limit was sent or announced; `bytes` is then incomplete.
    package var exceedsLimit: Bool

    package init(_ bytes: [UInt8] = []) {
        self.bytes = bytes
        length = bytes.count
        exceedsLimit = false
    }

    package init(bytes: [UInt8], length: Int, exceedsLimit: Bool) {
        self.bytes = bytes
        self.length = length
        self.exceedsLimit = exceedsLimit
    }

    /// The maximum number of bytes that are joined at once.
    private static let mostJoinedAtOnce = 1024 * 1024

    package init(pieces: consuming BodyPieces, length: Int, exceedsLimit: Bool) {
        let isShort = pieces.isWhole || pieces.count <= Self.mostJoinedAtOnce
        self.length = length
        self.exceedsLimit = exceedsLimit
        if isShort {
            bytes = pieces.joined()
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
    package var trailers: Fields
    /// The limits for the depth and the number of parts of its body.
    package var bounds = BodyBounds()
    /// The result of a worker that has read the body already.
    package var reading: (any Sendable)?
    /// Bytes the request took on the wire, head and framing included.
    package var wireLength: Int

    package init(head: RequestHead, body: RequestBody = RequestBody(), trailers: Fields = Fields(), wireLength: Int = 0)
    {
        self.head = head
        self.body = body
        self.trailers = trailers
        self.wireLength = wireLength
    }
}
