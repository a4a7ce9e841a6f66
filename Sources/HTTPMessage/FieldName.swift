/// A field name: a token (RFC 9110 section 5.1), compared without case, written as spelled.
package struct FieldName: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The bytes in one object, so that a name costs one reference when it is handed on.
    private final class Storage: Sendable {
        let lineStart: [UInt8]
        let lowercased: [UInt8]

        init(_ bytes: [UInt8]) {
            lineStart = bytes + [0x3A, 0x20]
            lowercased = bytes.map(\.asciiLowercased)
        }
    }

    private let storage: Storage

    /// The name as it is on the wire, with the colon and the blank that go before a value.
    var lineStart: [UInt8] { storage.lineStart }
    /// For comparison.
    package var lowercased: [UInt8] { storage.lowercased }

    /// A name from outside; nil unless it is a token.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty, bytes.allSatisfy(\.isTokenByte) else { return nil }
        storage = Storage(bytes)
    }

    /// A name written in our own source.
    package init(stringLiteral text: StaticString) {
        guard let name = FieldName("\(text)") else { preconditionFailure("not a field name: \(text)") }
        self = name
    }

    package static func == (left: FieldName, right: FieldName) -> Bool { left.lowercased == right.lowercased }

    package func hash(into hasher: inout Hasher) { hasher.combine(lowercased) }

    package static let accept: FieldName = "Accept"
    package static let acceptLanguage: FieldName = "Accept-Language"
    package static let allow: FieldName = "Allow"
    package static let authorization: FieldName = "Authorization"
    package static let lastEventID: FieldName = "Last-Event-ID"
    package static let cacheControl: FieldName = "Cache-Control"
    package static let connection: FieldName = "Connection"
    package static let contentDisposition: FieldName = "Content-Disposition"
    package static let contentEncoding: FieldName = "Content-Encoding"
    package static let contentLength: FieldName = "Content-Length"
    package static let contentType: FieldName = "Content-Type"
    package static let date: FieldName = "Date"
    package static let expect: FieldName = "Expect"
    package static let host: FieldName = "Host"
    package static let idempotencyKey: FieldName = "Idempotency-Key"
    package static let ifModifiedSince: FieldName = "If-Modified-Since"
    package static let ifNoneMatch: FieldName = "If-None-Match"
    package static let location: FieldName = "Location"
    package static let origin: FieldName = "Origin"
    package static let pragma: FieldName = "Pragma"
    package static let range: FieldName = "Range"
    package static let userAgent: FieldName = "User-Agent"
    package static let vary: FieldName = "Vary"
    package static let retryAfter: FieldName = "Retry-After"
    package static let referer: FieldName = "Referer"
    package static let secFetchDest: FieldName = "Sec-Fetch-Dest"
    package static let secFetchMode: FieldName = "Sec-Fetch-Mode"
    package static let secFetchSite: FieldName = "Sec-Fetch-Site"
    package static let serviceWorker: FieldName = "Service-Worker"
    package static let trailer: FieldName = "Trailer"
    package static let transferEncoding: FieldName = "Transfer-Encoding"
    package static let world: FieldName = "X-Understudy-World"
    package static let forwardedFor: FieldName = "X-Forwarded-For"
    package static let forwardedHost: FieldName = "X-Forwarded-Host"
    package static let forwardedProto: FieldName = "X-Forwarded-Proto"
    package static let requestID: FieldName = "X-Request-Id"
    package static let totalCount: FieldName = "X-Total-Count"
}
