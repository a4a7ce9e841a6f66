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

/// The state that all parts of one decoding share: the members that a type asked for, and the reading of bytes.
final class MemberJournal {
    private struct Entry {
        var path: [JSONPathElement]
        var object: JSONObject
        var known: [String] = []
    }

    private static let mostIssues = 100
    private let notesMembers: Bool
    let bytes: (@Sendable (String) -> [UInt8]?)?
    private var entries: [Entry] = []
    private var places: [[JSONPathElement]: Int] = [:]

    init(notesMembers: Bool, bytes: (@Sendable (String) -> [UInt8]?)?) {
        self.notesMembers = notesMembers
        self.bytes = bytes
    }

    /// Notes that a type looks into the object at that path; the number is for `ask`.
    func open(_ object: JSONObject, at path: [JSONPathElement]) -> Int {
        guard notesMembers else { return 0 }
        if let place = places[path] { return place }
        places[path] = entries.count
        entries.append(Entry(path: path, object: object))
        return entries.count - 1
    }

    /// Notes a name that the type declares.
    func ask(_ name: String, in place: Int) {
        guard notesMembers else { return }
        entries[place].known.append(name)
    }

    /// The members that the type did not ask for, in the order in which the objects were read.
    func unknownMembers() -> [JSONIssue] {
        var issues: [JSONIssue] = []
        for entry in entries {
            let known = Set(entry.known.map { ExactName(text: $0) })
            let names = known.map(\.text).sorted()
            for name in JSONObjectIndex(entry.object).names where !known.contains(ExactName(text: name)) {
                issues.append(.unknownMember(name, at: entry.path, known: names))
                if issues.count == Self.mostIssues { return issues }
            }
        }
        return issues
    }
}
