import Backend
import JSON

/// A number of the client's choice, such as a year: any JSON number that a double can hold.
typealias FreeNumber = Double

/// The end of an education: a year, or `Present`.
enum EndYear: Codable, Sendable, Equatable {
    case year(FreeNumber)
    case present

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let year = try? container.decode(FreeNumber.self) {
            self = .year(year)
        } else if try container.decode(String.self) == "Present" {
            self = .present
        } else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "a number or Present is expected")
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .year(let year): try container.encode(year)
        case .present: try container.encode("Present")
        }
    }
}

/// A row of one of the profile's four lists (contract, section 6.6).
protocol ListRow: Row, Codable {
    var userId: String { get }
    var createdAt: Timestamp { get }
    var updatedAt: Timestamp { get set }
}

struct Education: ListRow {
    var id: String
    var userId: String
    var institution: String
    var degree: String
    var field: String?
    var description: String?
    var startYear: FreeNumber?
    var endYear: EndYear?
    var createdAt: Timestamp
    var updatedAt: Timestamp

    var group: String { userId }
}

struct Experience: ListRow {
    var id: String
    var userId: String
    var title: String
    var organization: String
    var description: String?
    /// Milliseconds since 1970, unchecked.
    var startDate: FreeNumber?
    var endDate: FreeNumber?
    var createdAt: Timestamp
    var updatedAt: Timestamp

    var group: String { userId }
}

struct Project: ListRow {
    var id: String
    var userId: String
    var title: String
    var period: String?
    var description: String?
    var url: String?
    var createdAt: Timestamp
    var updatedAt: Timestamp

    var group: String { userId }
}

struct Award: ListRow {
    var id: String
    var userId: String
    var title: String
    var issuer: String?
    var year: FreeNumber?
    var createdAt: Timestamp
    var updatedAt: Timestamp

    var group: String { userId }
}

extension EndYear: JSONSchemaDescribing {
    /// A number or the word.
    static var jsonSchema: JSONSchema { .oneOf([.number, .string(enumeration: ["Present"])]) }
}
