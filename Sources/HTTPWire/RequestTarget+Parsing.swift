import HTTPMessage

extension RequestTarget {
    /// Checks a target of visible ASCII bytes (RFC 9112 section 3.2).
    ///
    /// Characters that RFC 3986 leaves out but browsers send raw (such as `|`) pass; a fragment and broken escapes do
    /// not.
    init(_ buffer: [UInt8], _ range: Range<Int>, method: HTTPMethod) throws(WireRefusal) {
        guard method.rawValue != "CONNECT" else {
            guard HostSyntax.isAuthority(buffer, range), HostSyntax.namesPort(buffer, range) else {
                throw .malformed(.malformedTarget, "The target of CONNECT is not of the form host:port.")
            }
            self.init(form: .authority(String(decoding: buffer[range], as: UTF8.self)), rawPath: "")
            return
        }
        let first = buffer[range.lowerBound]
        if first == 0x2A, range.count == 1 {
            guard method == .options else {
                throw .malformed(.malformedTarget, "The target * is only for OPTIONS (RFC 9112 section 3.2.4).")
            }
            self.init(form: .asterisk, rawPath: "*")
            return
        }
        let query = try Self.checkedQuery(buffer, range)
        let pathEnd = query ?? range.upperBound
        let rawQuery = query.map { String(decoding: buffer[$0 + 1..<range.upperBound], as: UTF8.self) }
        if first == 0x2F {
            self.init(rawPath: String(decoding: buffer[range.lowerBound..<pathEnd], as: UTF8.self), rawQuery: rawQuery)
            return
        }
        guard let authorityStart = Self.authorityStart(buffer, range.lowerBound..<pathEnd) else {
            throw .malformed(.malformedTarget, "The target is neither a path nor an http address.")
        }
        var authorityEnd = authorityStart
        while authorityEnd < pathEnd, buffer[authorityEnd] != 0x2F { authorityEnd += 1 }
        guard HostSyntax.isAuthority(buffer, authorityStart..<authorityEnd) else {
            throw .malformed(.malformedTarget, "The target's authority is not a host with an optional port.")
        }
        self.init(
            form: .absolute(authority: String(decoding: buffer[authorityStart..<authorityEnd], as: UTF8.self)),
            rawPath: authorityEnd == pathEnd ? "/" : String(decoding: buffer[authorityEnd..<pathEnd], as: UTF8.self),
            rawQuery: rawQuery,
            isSecure: buffer[range.lowerBound + 4].lowercased == 0x73
        )
    }

    /// Returns the offset of the first question mark, after checking that there is no fragment and no broken escape.
    private static func checkedQuery(_ buffer: [UInt8], _ range: Range<Int>) throws(WireRefusal) -> Int? {
        var query: Int?
        var index = range.lowerBound
        while index < range.upperBound {
            switch buffer[index] {
            case 0x3F where query == nil: query = index
            case 0x23: throw .malformed(.malformedTarget, "The target has a fragment.")
            case 0x25:
                guard index + 2 < range.upperBound, buffer[index + 1].hexDigit != nil, buffer[index + 2].hexDigit != nil
                else { throw .malformed(.malformedTarget, "The target has a broken percent escape.") }
                index += 2
            default: break
            }
            index += 1
        }
        return query
    }

    private static let schemes = [Array("http://".utf8), Array("https://".utf8)]

    private static func authorityStart(_ buffer: [UInt8], _ range: Range<Int>) -> Int? {
        for scheme in schemes where range.count > scheme.count {
            let end = range.lowerBound + scheme.count
            if buffer.spells(scheme, in: range.lowerBound..<end) { return end }
        }
        return nil
    }
}
