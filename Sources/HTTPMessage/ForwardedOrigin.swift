/// The origin under which a client sees the server, also from behind a proxy, for links that an answer holds.
package struct ForwardedOrigin: Sendable, Hashable {
    /// `http` or `https`.
    package let scheme: String
    /// Host with the port where one was given, as sent.
    package let authority: String

    /// The origin that a request's fields name.
    ///
    /// The first element of `X-Forwarded-Proto` and of `X-Forwarded-Host` counts, being the one nearest to the client;
    /// one that is not `http` or `https`, or not a host, is as if absent.
    ///
    /// - Parameters:
    ///   - scheme: the one the connection has.
    ///   - authority: the one the request names.
    ///   - fields: the request's.
    ///   - believesScheme: false where the connection alone decides on the scheme.
    package init(scheme: String, authority: String, fields: Fields, believesScheme: Bool = true) {
        let field = believesScheme ? fields.bytes(.forwardedProto) : nil
        let sentScheme = field.map { String(decoding: Self.first($0), as: UTF8.self).lowercased() }
        self.scheme = sentScheme.flatMap { $0 == "http" || $0 == "https" ? $0 : nil } ?? scheme
        let sentHost = fields.bytes(.forwardedHost).map { String(decoding: Self.first($0), as: UTF8.self) }
        self.authority = sentHost.flatMap { Self.isAuthority($0) ? $0 : nil } ?? authority
    }

    /// The origin that a request names, whose connection decides on the scheme where it is known to be secure or not.
    ///
    /// Without a Host field (HTTP/1.0) the authority is `localhost`.
    package init(of head: RequestHead) {
        self.init(
            scheme: head.isSecure == true ? "https" : "http",
            authority: head.authority ?? "localhost",
            fields: head.fields,
            believesScheme: head.isSecure == nil
        )
    }

    /// `scheme://authority`, without a slash at the end.
    package var text: String { "\(scheme)://\(authority)" }

    /// Returns true for a host with an optional port (RFC 3986 section 3.2, without user information): a name of
    /// letters, digits and `-._~`, at most 253 of them, or an IP literal in brackets; the port from 0 to 65535.
    package static func isAuthority(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        var rest = bytes[...]
        if rest.first == UInt8(ascii: "[") {
            guard let end = rest.firstIndex(of: UInt8(ascii: "]")) else { return false }
            let literal = rest[1..<end]
            guard (2...45).contains(literal.count), literal.contains(UInt8(ascii: ":")),
                literal.allSatisfy({
                    $0.hexDigitValue != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".")
                })
            else { return false }
            rest = rest[(end + 1)...]
        } else {
            let end = rest.firstIndex(of: UInt8(ascii: ":")) ?? rest.endIndex
            guard (1...253).contains(end), rest[..<end].allSatisfy(\.isHostByte) else { return false }
            rest = rest[end...]
        }
        guard let colon = rest.first else { return true }
        let digits = rest.dropFirst()
        guard colon == UInt8(ascii: ":"), (1...5).contains(digits.count),
            digits.allSatisfy({ (0x30...0x39).contains($0) })
        else { return false }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } <= 65_535
    }

    private static func first(_ list: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        list.prefix { $0 != UInt8(ascii: ",") }.trimmingFieldSpace
    }
}

extension UInt8 {
    /// An unreserved character (RFC 3986 section 2.3).
    ///
    /// Escapes and sub-delimiters have no place in a DNS name.
    fileprivate var isHostByte: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
        default: false
        }
    }
}
