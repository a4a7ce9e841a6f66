package import HTTPMessage

/// Responses whose content is coded for the client (wire contract, section 3).
extension Response {
    /// The length from which content is worth coding.
    private static let shortestCoded = 256

    /// Tells whether its content is coded where a client accepts that: text, JSON or XML in one piece, which nothing says
    /// to leave as it is.
    package var isCodable: Bool {
        guard case .bytes(let bytes) = joined.body, bytes.count >= Self.shortestCoded else { return false }
        return isOfCodableKind && status != Status(206) && !status.forbidsBody
    }

    /// Tells whether its fields allow a coding.
    private var isOfCodableKind: Bool {
        guard !fields.contains(.contentEncoding), !fields.contains(.contentRange),
            let type = fields.bytes(.contentType).flatMap({ MediaType(bytes: $0) }), type.isText,
            !fields.listElements(.cacheControl).contains("no-transform")
        else { return false }
        return true
    }

    /// The response with content that comes in steps at once in one piece; of a stream nothing is changed.
    package var joined: Response {
        guard case .steps(let steps) = body else { return self }
        var bytes: [UInt8] = []
        for step in steps {
            switch step {
            case .bytes(let more): bytes += more
            case .end: break
            default: return self
            }
        }
        guard steps.last == .end, framing != .untilClose else { return self }
        if case .length(let length)? = framing, length != bytes.count { return self }
        var joined = self
        joined.body = .bytes(bytes)
        joined.framing = nil
        return joined
    }

    /// Notes that the content depends on what codings a client accepts.
    package mutating func varyByCoding() {
        let varied = fields.listElements(.vary)
        guard !varied.contains("accept-encoding"), !varied.contains("*") else { return }
        guard !varied.isEmpty else {
            fields.set(.vary, "Accept-Encoding")
            return
        }
        fields.set(.vary, (fields.values(.vary) + ["Accept-Encoding"]).joined(separator: ", "))
    }

    /// Makes the tag a weak one: the coded content stands for the same, and has other bytes.
    package mutating func weakenTag() {
        guard let tag = fields[.eTag].flatMap({ EntityTag(parsing: $0) }), !tag.isWeak,
            let weak = EntityTag(opaque: tag.opaque, isWeak: true)
        else { return }
        fields.set(.eTag, weak.text)
    }

    /// Changes the fields as coded content has them.
    package mutating func describeCoded(as coding: String) {
        fields.set(.contentEncoding, coding)
        fields.remove(.contentLength)
        if fields.listElements(.acceptRanges) == ["bytes"] { fields.remove(.acceptRanges) }
        weakenTag()
        varyByCoding()
    }
}

extension MediaType {
    /// Tells whether content is text, JSON or XML; a stream of events is none of them.
    fileprivate var isText: Bool {
        switch essence {
        case "text/event-stream": false
        case "application/json", "application/xml", "application/x-ndjson": true
        default: essence.hasPrefix("text/") || subtype.hasSuffix("+json") || subtype.hasSuffix("+xml")
        }
    }
}
