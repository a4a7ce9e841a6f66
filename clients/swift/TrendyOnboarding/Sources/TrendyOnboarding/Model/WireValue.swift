import Foundation

/// The value of a member as it is sent and as it is kept while it waits.
///
/// It holds any JSON, because a newer version of the app may have left members that this one does not know.
enum WireValue: Hashable, Sendable, Codable {
    case null
    case flag(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([WireValue])
    case object([String: WireValue])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let flag = try? value.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? value.decode(Int64.self) {
            self = .integer(number)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let list = try? value.decode([WireValue].self) {
            self = .list(list)
        } else {
            self = .object(try value.decode([String: WireValue].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .flag(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .list(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }

    var flag: Bool? {
        guard case .flag(let value) = self else { return nil }
        return value
    }

    var text: String? {
        guard case .text(let value) = self else { return nil }
        return value
    }

    var date: Date? { text.flatMap(WireDate.date) }

    var permission: PermissionStatus? { text.flatMap(PermissionStatus.init(rawValue:)) }
}
