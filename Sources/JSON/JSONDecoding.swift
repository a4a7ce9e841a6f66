/// Makes typed values out of JSON values through `Decodable`.
public enum JSONDecoding {
    /// The strictness of decoding.
    public struct Options: Sendable {
        /// Treats a member that the type never asks for as an error, so that a typo does not silently do nothing.
        public var rejectUnknownMembers: Bool
        /// Reads the text that stands for an array of bytes; without it they are arrays of numbers.
        public var bytes: (@Sendable (String) -> [UInt8]?)?

        /// Creates options, lenient by default.
        public init(rejectUnknownMembers: Bool = false, bytes: (@Sendable (String) -> [UInt8]?)? = nil) {
            self.rejectUnknownMembers = rejectUnknownMembers
            self.bytes = bytes
        }
    }

    /// The value as that type.
    ///
    /// Unknown members are looked for after the type has read everything it wants, in all objects it looked into. A
    /// name counts as known once the type decoded it, asked whether it is there, or was given it among `allKeys`.
    public static func decode<Value: Decodable>(
        _ type: Value.Type,
        from json: JSON,
        options: Options = Options()
    ) throws(JSONDecodingError) -> Value {
        let journal =
            options.rejectUnknownMembers || options.bytes != nil
            ? MemberJournal(notesMembers: options.rejectUnknownMembers, bytes: options.bytes) : nil
        let decoder = JSONValueDecoder(value: json, path: [], journal: journal)
        let value: Value
        do {
            value = try decoder.decode(type)
        } catch let error as JSONDecodingError {
            throw error
        } catch {
            throw JSONDecodingError(path: [], reason: "\(error)")
        }
        if let issues = journal?.unknownMembers(), !issues.isEmpty { throw JSONDecodingError(issues: issues) }
        return value
    }
}

/// A mismatch between a JSON value and the type to decode.
public struct JSONDecodingError: Error, Hashable, Sendable {
    /// Everything that is wrong, at least one entry; only unknown members come in numbers.
    public let issues: [JSONIssue]

    /// Creates the error of one value.
    package init(path: [JSONPathElement], reason: String) {
        issues = [JSONIssue(path: path, reason: reason)]
    }

    init(issues: [JSONIssue]) {
        self.issues = issues
    }

    /// The way to the first part that is wrong.
    public var path: [JSONPathElement] { issues.first?.path ?? [] }

    /// The way to the first part that is wrong, as people write it: `$.a[3].b`.
    public var formattedPath: String { path.formattedJSONPath }

    /// The reason of the first issue.
    public var reason: String { issues.first?.reason ?? "" }
}

extension JSONDecodingError: CustomStringConvertible {
    /// All issues, separated by semicolons.
    public var description: String { issues.map(\.description).joined(separator: "; ") }
}
