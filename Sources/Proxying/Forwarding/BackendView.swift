import Backend
import HTTPMessage
import Recording
import Transport

/// Fits the addresses in requests of a client, which was led here, to the real backend.
struct BackendView: Sendable {
    let origin: UpstreamOrigin

    /// Fields that the backend gets as they are.
    private static let kept: Set<String> = ["host", "cookie", "authorization", "proxy-authorization"]

    /// Returns the request with the backend's address in place of this server's, wherever it names that.
    func request(_ request: HTTPRequest, _ linkPrefix: String) -> HTTPRequest {
        guard let here = HARAddress(Call.origin(of: request.head, "")) else { return request }
        let links = LinkRewriter([here.authority], to: origin.text, dropping: linkPrefix)
        var own = request
        own.head.target.rawQuery = request.head.target.rawQuery.map(links.text)
        var fields = Fields()
        for place in 0..<request.head.fields.count {
            let name = String(decoding: request.head.fields.nameBytes(at: place), as: UTF8.self)
            let bytes = request.head.fields.valueBytes(at: place)
            guard let field = FieldName(name) else { continue }
            let value = String(decoding: bytes, as: UTF8.self)
            let moved = Self.kept.contains(name.lowercased()) ? value : links.text(value)
            if moved == value { fields.append(field, bytes) } else { fields.append(field, moved) }
        }
        own.head.fields = fields
        if let content = Self.content(of: request, links) { own.body = RequestBody(content) }
        return own
    }

    /// Returns the content of a text with the backend's addresses, in its own codings; nil if it stays as it is.
    ///
    /// Content in a coding that can't be decoded stays.
    private static func content(of request: HTTPRequest, _ links: LinkRewriter) -> [UInt8]? {
        let type = request.head.fields[.contentType] ?? ""
        guard !type.isEmpty, LinkRewriter.isText(type) else { return nil }
        let codings = request.head.fields.listElements("Content-Encoding").filter { $0 != "identity" }
        guard
            let plain = ContentCoding.decoded(request.body.bytes, codings, limit: CapturedExchange.bodyLimit)
        else { return nil }
        let moved = links.content(plain, type: type)
        return moved == plain ? nil : ContentCoding.encoded(moved, codings)
    }
}
