/// Makes JSON values out of typed values through `Encodable`.
public enum JSONEncoding {
    /// The value as JSON: members in the order they are encoded in, dictionaries sorted by name.
    ///
    /// A member that is encoded twice keeps the second value. A number that is not finite is an error.
    ///
    /// `bytes` makes the text of every array of bytes; without it they are arrays of numbers.
    public static func encode(
        _ value: some Encodable,
        bytes: (@Sendable ([UInt8]) -> String)? = nil
    ) throws(JSONEncodingError) -> JSON {
        let node = JSONEncodingNode(path: [], bytes: bytes)
        do {
            try node.encode(value)
            return try node.json()
        } catch let error as JSONEncodingError {
            throw error
        } catch let error as EncodingError {
            throw JSONEncodingError(error)
        } catch {
            throw JSONEncodingError(path: [], reason: "\(error)")
        }
    }

    /// Returns the compact text of the value, the same bytes as those of `encode` without a tree in between.
    ///
    /// For types that encode each member once, as synthesized conformances do: of a repeated one both are written.
    public static func text(
        _ value: some Encodable,
        bytes: (@Sendable ([UInt8]) -> String)? = nil
    ) throws(JSONEncodingError) -> [UInt8] {
        let encoder = JSONTextEncoder(bytes: bytes)
        if (try? encoder.write(value)) != nil, !encoder.isBeyond { return encoder.writer.bytes }
        return try encode(value, bytes: bytes).serialized()
    }
}

/// An error for a value without a JSON form.
public struct JSONEncodingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The way to the part that has none.
    public let path: [JSONPathElement]
    /// The reason why the value has no JSON form.
    public let reason: String

    init(path: [JSONPathElement], reason: String) {
        self.path = path
        self.reason = reason
    }

    init(_ error: EncodingError) {
        switch error {
        case .invalidValue(_, let context):
            self.init(path: Array(codingPath: context.codingPath), reason: context.debugDescription)
        @unknown default:
            self.init(path: [], reason: "\(error)")
        }
    }

    /// Path and reason.
    public var description: String { "\(path.formattedJSONPath): \(reason)" }
}
