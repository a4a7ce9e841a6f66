import Crypto
import JSON

/// How rows and values are spelled outside of the process: JSON, with bytes in base 64.
enum StateCoding {
    /// A value as JSON; null if it has no JSON form, which reading refuses.
    static func json(_ value: some Encodable) -> JSON {
        (try? JSONEncoding.encode(value, bytes: { Base64.encode($0) })) ?? .null
    }

    /// Reads a value, and refuses members that its type does not know.
    static func read<Value: Decodable>(_ type: Value.Type, _ json: JSON) throws(JSONDecodingError) -> Value {
        try JSONDecoding.decode(
            type,
            from: json,
            options: JSONDecoding.Options(rejectUnknownMembers: true, bytes: { Base64.decode($0) })
        )
    }
}
