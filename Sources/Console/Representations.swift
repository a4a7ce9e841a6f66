import Compression
import Crypto
import HTTPMessage

/// Content in its two codings, each with a strong entity tag of its own.
struct Representations: Sendable {
    let plain: [UInt8]
    let gzip: [UInt8]
    private let tag: String

    init(plain: [UInt8], gzip: [UInt8]) {
        self.plain = plain
        self.gzip = gzip
        tag = SHA256.digest(plain).prefix(12).map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0" + digits : digits
        }
        .joined()
    }

    /// Compresses content.
    init(_ plain: [UInt8]) {
        self.init(plain: plain, gzip: Deflate.compress(plain, .gzip) ?? [])
    }

    /// Returns the response in the coding that a request accepts, or 304 if the client has it.
    func response(_ head: RequestHead, fields: Fields) -> Response {
        let isPacked = !gzip.isEmpty && Self.acceptsGzip(head.fields)
        var fields = fields
        fields.append(.vary, "Accept-Encoding")
        fields.append(.cacheControl, "no-cache")
        let current = EntityTag(opaque: isPacked ? tag + "-gzip" : tag)
        if let current { fields.append(.eTag, current.text) }
        if ConditionalRequest(head.fields).isNoneMatchFailed(current: current) {
            fields.remove(.contentType)
            return Response(status: .notModified, fields: fields, body: .empty)
        }
        if isPacked { fields.append("Content-Encoding", "gzip") }
        return Response(status: .ok, fields: fields, body: .bytes(isPacked ? gzip : plain))
    }

    /// Tells whether a request accepts gzip (RFC 9110 section 12.5.3).
    static func acceptsGzip(_ fields: Fields) -> Bool {
        var accepts: (named: Bool?, any: Bool) = (nil, false)
        for element in fields.listElements("Accept-Encoding") {
            let parts = element.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            guard let coding = parts.first else { continue }
            let isRefused = parts.dropFirst().contains { part in
                part.hasPrefix("q=") && !part.dropFirst(2).contains { ("1"..."9").contains($0) }
            }
            switch coding {
            case "gzip", "x-gzip": accepts.named = !isRefused
            case "*": accepts.any = !isRefused
            default: continue
            }
        }
        return accepts.named ?? accepts.any
    }
}
