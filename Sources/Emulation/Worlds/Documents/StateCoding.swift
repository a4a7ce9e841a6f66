import Crypto
import JSON

/// How rows and values are spelled outside of the process: JSON, with bytes in base 64.
enum StateCoding {
    /// A value as JSON; null if it has no JSON form, which reading refuses.
    static func json(_ value: some Encodable) -> JSON {
        (try? JSONEncoding.encode(value, bytes: { Base64.encode($0) })) ?? .null
    }

    /// The text of a value, to the byte that of its JSON, which it is not made of: the store spells each row that changes.
    static func text(of value: some Encodable) -> [UInt8] {
        let text = (try? JSONEncoding.text(value, bytes: { Base64.encode($0) })) ?? JSON.null.serialized()
        assert(text == json(value).serialized(), "\(type(of: value)) encodes a member twice")
        return text
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
