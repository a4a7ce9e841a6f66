import Crypto

/// Bytes of a file, kept in rows; written as base64.
struct Blob: Sendable, Equatable {
    var bytes: [UInt8]
}

extension Blob: Codable {
    /// Reads base64.
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let bytes = Base64.decode(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not base64")
        }
        self.bytes = bytes
    }

    /// Writes base64.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Base64.encode(bytes))
    }
}
