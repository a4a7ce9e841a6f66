import CivilTime
import HTTPMessage
import JSON

/// The form in which a value is given, named after `|`.
enum TemplateFilter: String, Hashable, Sendable, CaseIterable {
    case int, number, bool, text, unix, unixms, millis, date, http, url, base64

    /// The value in that form; nil for one that has no such form.
    func apply(to value: TemplateValue) -> TemplateValue? {
        switch self {
        case .int: value.number.flatMap(Self.whole).map { .json(.integer($0)) }
        case .number: value.number.map { .json($0) }
        case .bool: value.truth.map { .json(.bool($0)) }
        case .text: .json(.string(value.text))
        case .unix: value.instant.map { .json(.integer($0.seconds)) }
        case .unixms: value.instant.map { .json(.integer($0.milliseconds)) }
        case .millis: value.instant.map { .json(.string($0.iso8601(.milliseconds))) }
        case .date: value.instant.map { .json(.string($0.isoDay)) }
        case .http: value.instant.map { .json(.string($0.httpDate)) }
        case .url: .json(.string(value.text.percentEncodedComponent))
        case .base64: .json(.string(Base64Text.encode(value.text.utf8)))
        }
    }

    /// The number without its fraction; nil beyond the range of integers.
    private static func whole(_ number: JSON) -> Int64? {
        if case .integer(let value) = number { return value }
        guard let double = number.doubleValue else { return nil }
        return Int64(exactly: double.rounded(.towardZero))
    }
}

extension TemplateValue {
    /// The value as a number: itself, or the number that a text spells.
    fileprivate var number: JSON? {
        switch self {
        case .json(.integer), .json(.number):
            json
        case .json(.string(let text)):
            (try? JSONReader.read(text: text)).flatMap { $0.doubleValue == nil ? nil : $0 }
        default:
            nil
        }
    }

    fileprivate var truth: Bool? {
        switch json {
        case .bool(let value): value
        case .string("true"), .string("1"), .integer(1): true
        case .string("false"), .string("0"), .integer(0): false
        default: nil
        }
    }

    /// The value as an instant: a time of the world, or a text that is one.
    fileprivate var instant: Instant? {
        switch self {
        case .time(let instant), .day(let instant): instant
        case .json(let json): json.stringValue.flatMap { Instant(isoDayOrDateTime: $0) }
        }
    }
}

/// Base64 with padding (RFC 4648 section 4).
private enum Base64Text {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var written: [UInt8] = []
        var (bits, count): (UInt32, Int) = (0, 0)
        for byte in bytes {
            (bits, count) = (bits << 8 | UInt32(byte), count + 8)
            while count >= 6 {
                count -= 6
                written.append(alphabet[Int(bits >> UInt32(count) & 63)])
            }
        }
        if count > 0 { written.append(alphabet[Int(bits << UInt32(6 - count) & 63)]) }
        while written.count % 4 != 0 { written.append(UInt8(ascii: "=")) }
        return String(decoding: written, as: UTF8.self)
    }
}
