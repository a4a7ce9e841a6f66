import CivilTime
import JSON

/// The formats that values are held against (own-API contract, section 17).
enum KnownFormat: String, Sendable, CaseIterable {
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
    case binary
    case int32
    case int64
    case float
    case double
    case password

    /// The numbers of a format of whole ones.
    var bounds: ClosedRange<Decimal>? {
        let bounds: (Int64, Int64)? =
            switch self {
            case .int32: (Int64(Int32.min), Int64(Int32.max))
            case .int64: (.min, .max)
            default: nil
            }
        guard let bounds, let low = Decimal(.integer(bounds.0)), let high = Decimal(.integer(bounds.1)) else {
            return nil
        }
        return low...high
    }

    /// Tells whether a number has the format; formats of texts don't look at numbers.
    func takes(_ number: Decimal) -> Bool {
        switch self {
        case .int32: number.isWhole && number.double >= -0x1p31 && number.double < 0x1p31
        case .int64: number.isWhole && number.fitsInt64
        case .float: number.double.magnitude <= Double(Float.greatestFiniteMagnitude)
        case .double: number.double.isFinite
        default: true
        }
    }

    /// Tells whether a text has the format; formats of numbers don't look at texts.
    func takes(_ text: String) -> Bool {
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
        case .byte: FormatCheck.isBase64(text)
        case .binary, .int32, .int64, .float, .double, .password: true
        }
    }
}
