/// The formats that values are held against (own-API contract, section 17).
package enum KnownFormat: String, Sendable, CaseIterable {
    case dateTime = "date-time"
    case date
    case time
    case duration
    case uuid
    case email
    case uri
    case hostname
    case ipv4
    case ipv6
    case byte
    case base64url
    case binary
    case int32
    case int64
    case float
    case double
    case password
    /// The encodings of JSON Schema's `contentEncoding`, which are no formats.
    case base64, base16

    /// Nil for a name that is none of the contract's.
    package init?(format name: String) {
        self.init(rawValue: name)
        if self == .base64 || self == .base16 { return nil }
    }

    /// The format of texts that hold bytes (JSON Schema 2020-12, Validation, section 8.3); nil for other encodings.
    package init?(contentEncoding: String) {
        self.init(rawValue: contentEncoding.lowercased())
        guard self == .base64 || self == .base64url || self == .base16 else { return nil }
    }

    /// The reason against what has not the format.
    package var refusal: String { "is not a valid \(rawValue)" }

    /// The reason against a text that has not the format.
    package func refusal(of text: String) -> String {
        // A bare plus in a query is a blank (WHATWG URL, "application/x-www-form-urlencoded parsing").
        let isBlankOffset = self == .dateTime && takes(String(text.map { $0 == " " ? "+" : $0 }))
        return refusal + (isBlankOffset ? "; in a query a + is written %2B" : "")
    }

    /// Tells whether a number has the format; formats of texts don't look at numbers.
    package func takes(_ number: Decimal) -> Bool {
        switch self {
        case .int32: number.isWhole && number.double >= -0x1p31 && number.double < 0x1p31
        case .int64: number.isWhole && number.fitsInt64
        case .float: number.double.magnitude <= Double(Float.greatestFiniteMagnitude)
        case .double: number.double.isFinite
        default: true
        }
    }

    /// Tells whether a text has the format; formats of numbers don't look at texts.
    package func takes(_ text: String) -> Bool {
        switch self {
        case .dateTime: FormatCheck.isDateTime(text)
        case .date: FormatCheck.isDate(text)
        case .time: FormatCheck.isTime(text)
        case .duration: FormatCheck.isDuration(text)
        case .uuid: FormatCheck.isUUID(text)
        case .email: FormatCheck.isEmail(text)
        case .uri: FormatCheck.isURI(text)
        case .hostname: FormatCheck.isHostname(text)
        case .ipv4: FormatCheck.isIPv4(text[...])
        case .ipv6: FormatCheck.isIPv6(text)
        case .byte, .base64: FormatCheck.isBase64(text)
        case .base64url: FormatCheck.isBase64URL(text)
        case .base16: FormatCheck.isBase16(text)
        case .binary, .int32, .int64, .float, .double, .password: true
        }
    }
}
