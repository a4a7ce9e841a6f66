import Backend
import HTTPMessage
import Recording
import Transport

/// Fits a real backend's answers to the address that a client uses in its place (control contract, section 13).
struct ClientView: Sendable {
    /// The API's address as the client knows it.
    private let base: String
    /// The client's host, without its port.
    private let host: String
    /// Leads addresses of the backend here; nil if they stay.
    let links: LinkRewriter?

    init(_ head: RequestHead, _ linkPrefix: String, of origin: UpstreamOrigin, leadsLinksHere: Bool) {
        base = Call.origin(of: head, linkPrefix)
        host = HARAddress(base).map { LinkRewriter.host(of: LinkRewriter.normal($0.authority)) } ?? ""
        links = leadsLinksHere ? LinkRewriter([origin.authority], to: base) : nil
    }

    /// Returns the fields of an answer as the client needs them.
    func fields(_ fields: Fields) -> Fields {
        var fitted = Fields()
        for place in 0..<fields.count {
            let name = String(decoding: fields.nameBytes(at: place), as: UTF8.self)
            let bytes = fields.valueBytes(at: place)
            guard let field = FieldName(name) else { continue }
            let value = String(decoding: bytes, as: UTF8.self)
            let own = name.lowercased() == "set-cookie" ? cookie(value) : links?.header(name, value) ?? value
            // Bytes that are not UTF-8 stay.
            if own == value { fitted.append(field, bytes) } else { fitted.append(field, own) }
        }
        return fitted
    }

    /// Returns a cookie that the client keeps and sends back (RFC 6265, 5.3 and 5.4): without a `Domain` that its host
    /// does not belong to, and without `Secure` where it uses http.
    ///
    /// Browsers accept `SameSite=None` and `Partitioned` beside `Secure` only.
    private func cookie(_ value: String) -> String {
        let isPlain = base.hasPrefix("http:")
        let parts = value.split(separator: ";", omittingEmptySubsequences: false)
        let kept = parts.indices.filter { place in
            guard place > 0 else { return true }
            let pair = parts[place].split(separator: "=", maxSplits: 1).map { Self.word($0) }
            switch (pair.first ?? "", pair.count > 1 ? pair[1] : "") {
            case ("domain", let domain): return domain.isEmpty || belongs(to: domain)
            case ("secure", _), ("partitioned", _), ("samesite", "none"): return !isPlain
            default: return true
            }
        }
        return kept.map { String(parts[$0]) }.joined(separator: ";")
    }

    private func belongs(to domain: String) -> Bool {
        let bare = domain.hasPrefix(".") ? String(domain.dropFirst()) : domain
        // A numeric address belongs to no domain.
        return host == bare || (host.hasSuffix("." + bare) && host.utf8.last.map { $0 >= 0x61 } ?? false)
    }

    private static func word(_ text: Substring) -> String { text.filter { $0 != " " && $0 != "\t" }.lowercased() }
}
