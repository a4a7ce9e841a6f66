import Basics
import HTTPMessage
import Recording
import Transport

/// Turns a request to an API into a request to its real backend.
enum UpstreamRequestMaker {
    /// Fields that are not forwarded, besides those of the connection: the request is framed anew, and its trailers are
    /// dropped.
    private static let dropped: Set<String> = ["connection", "transfer-encoding", "trailer", "expect"]

    /// The content codings that can be decoded.
    private static let readable: Set<String> = ["gzip", "x-gzip", "deflate", "identity"]

    /// Returns the request that is sent.
    static func make(_ request: HTTPRequest, path: Path, isPrefixed: Bool, origin: UpstreamOrigin) -> UpstreamRequest {
        var fields = Fields()
        let body = request.body.bytes
        let hop = ConnectionField(request.head.fields)
        var hasHost = false
        var hasLength = false
        for line in 0..<request.head.fields.count {
            let name = String(decoding: request.head.fields.nameBytes(at: line), as: UTF8.self)
            let value = String(decoding: request.head.fields.valueBytes(at: line), as: UTF8.self)
            guard let field = FieldName(name) else { continue }
            switch name.lowercased() {
            case let lower where dropped.contains(lower) || hop.isOfOneHop(lower, value): continue
            case "host":
                if !hasHost { fields.append(field, origin.authority) }
                hasHost = true
            case "content-length":
                if !hasLength { fields.append(field, "\(body.count)") }
                hasLength = true
            case "accept-encoding":
                let codings = value.split(separator: ",")
                let kept = codings.filter {
                    readable.contains($0.prefix { $0 != ";" }.filter { $0 != " " }.lowercased())
                }
                let isWhole = kept.count == codings.count && !kept.isEmpty
                let rest = kept.map { String($0.drop { $0 == " " }) }.joined(separator: ", ")
                fields.append(field, isWhole ? value : rest.isEmpty ? "identity" : rest)
            default: fields.append(field, value)
            }
        }
        if !hasHost { fields.append(.host, origin.authority) }
        let takesBody = ![.get, .head, .delete, .options].contains(request.head.method)
        if !hasLength, !body.isEmpty || takesBody { fields.append(.contentLength, "\(body.count)") }
        let raw = request.head.target.rawPath
        // The path is sent byte for byte, unless it contains dot segments.
        let isPlain = !raw.split(separator: "/").contains {
            $0.lowercased().replacing("%2e", with: ".").allSatisfy { $0 == "." }
        }
        let target = !isPrefixed && isPlain && raw.hasPrefix("/") ? raw : path.text
        return UpstreamRequest(
            method: request.head.method.rawValue,
            target: target + (request.head.target.rawQuery.map { "?" + $0 } ?? ""),
            fields: fields,
            body: body
        )
    }
}
