import Crypto
package import JSON

/// The stored form of rows and values: JSON, with bytes in base 64.
package enum StateCoding {
    /// Returns a value as JSON; null if it has no JSON form, which reading refuses.
    package static func json(_ value: some Encodable) -> JSON {
        (try? JSONEncoding.encode(value, bytes: { Base64.encode($0) })) ?? .null
    }

    /// Returns the text of a value: the bytes of its JSON, without a tree in between, since the store writes each changed row.
    package static func text(of value: some Encodable) -> [UInt8] {
        let text = (try? JSONEncoding.text(value, bytes: { Base64.encode($0) })) ?? JSON.null.serialized()
        assert(text == json(value).serialized(), "\(type(of: value)) encodes a member twice")
        return text
    }

    /// Reads a value, and refuses unknown members.
    package static func read<Value: Decodable>(_ type: Value.Type, _ json: JSON) throws(JSONDecodingError) -> Value {
        try JSONDecoding.decode(type, from: json, options: options)
    }

    /// Reads on in a value that was refused, and finds everything that does not fit.
    package static func explain<Value: Decodable>(_ type: Value.Type, _ json: JSON) -> JSONDecoding.Explanation<Value> {
        JSONDecoding.explain(type, from: json, options: options)
    }

    private static var options: JSONDecoding.Options {
        JSONDecoding.Options(rejectUnknownMembers: true, bytes: { Base64.decode($0) })
    }
}
