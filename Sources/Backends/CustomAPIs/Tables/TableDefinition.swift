package import JSON

/// A table as `api.json` declares it (own-API contract, section 11).
package struct TableDefinition: Sendable {
    /// The way in which the keys of new rows are made.
    package enum NewKey: Sendable, Equatable {
        case integer
        case uuid
        case prefix(String)
        /// The client sends the key.
        case client
    }

    /// The way in which times are written.
    package enum TimeForm: String, CaseIterable, Sendable { case seconds, millis, unix, unixms }

    package let name: String
    /// The member that names a row.
    package var key = "id"
    package var newKey = NewKey.uuid
    /// The schema of a row; nil if every object is one.
    package var schema: (any RowSchema)?
    /// Groups of members that no two rows share.
    package var unique: [[String]] = []
    package var createdAt: String?
    package var updatedAt: String?
    package var time = TimeForm.seconds
    /// The member by which those who sign in are found; nil in other tables.
    package var identifier: String?
    /// Members that clients can't write, those of the schema included.
    package var readOnly: [String] = []
    /// Members that are in no answer, those of the schema included.
    package var writeOnly: [String] = [] { didSet { listMembers() } }
    /// The scalar members by which rows are filtered and sorted, with their types, in the order of their paths.
    package var members: [ScalarMember] = [] { didSet { listMembers() } }
    /// The members that are not write-only.
    package private(set) var listed: [ScalarMember] = []
    /// Their places by their paths.
    private var places: [String: Int] = [:]

    package init(name: String) { self.name = name }

    /// The members that are set here and not by clients.
    var keptMembers: [String] { readOnly + [createdAt, updatedAt].compactMap { $0 } }

    /// Returns the groups of members by which a client can tell a new row from all others; `known` are those that its
    /// request has anyway.
    func distinct(besides known: [String]) -> [[String]] {
        let groups = [[key]] + unique + [identifier].compactMap { $0.map { [$0] } }
        return groups.filter { group in !group.contains { keptMembers.contains($0) } }
            .map { group in group.filter { !known.contains($0) } }
    }

    /// Returns the members of a row, with those that are missing as they are by default.
    func withDefaults(_ members: JSONObject) -> JSONObject {
        schema?.withDefaults(.object(members)).objectValue ?? members
    }

    /// Returns the members that may be in an answer.
    package func visible(_ members: JSONObject) -> JSONObject {
        guard !writeOnly.isEmpty, members.members.contains(where: { writeOnly.contains($0.name) }) else {
            return members
        }
        return JSONObject(members.members.filter { !writeOnly.contains($0.name) })
    }

    /// Returns the scalar member of that path; nil if there is none, or if it is write-only.
    package func member(_ path: String) -> ScalarMember? { places[path].map { listed[$0] } }

    private mutating func listMembers() {
        listed = members.filter { !writeOnly.contains($0.path.steps[0]) }
        places = Dictionary(listed.enumerated().map { ($1.path.text, $0) }) { first, _ in first }
    }
}

/// A member of a table's rows that is a scalar, as the schema or a seed row has it.
package struct ScalarMember: Sendable, Equatable {
    /// The types of its values; empty if they are not known.
    package struct Types: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        package static let bool = Types(rawValue: 1)
        package static let number = Types(rawValue: 2)
        package static let text = Types(rawValue: 4)
        package static let time = Types(rawValue: 8)
    }

    package var path: MemberPath
    package var types: Types

    package init(_ path: MemberPath, _ types: Types) {
        self.path = path
        self.types = types
    }
}

/// A JSON Schema that rows are held against.
package protocol RowSchema: Sendable {
    /// Returns what is wrong with a row: the path of each part and the reason.
    func issues(in row: JSON) -> [JSONIssue]
    /// Returns a row whose missing members are what they are by default.
    func withDefaults(_ row: JSON) -> JSON
    /// Returns whether null is a value of the member of that path.
    func takesNull(_ path: [String]) -> Bool
    /// The members that clients can't write.
    var readOnlyMembers: [String] { get }
    /// The members that are in no answer.
    var writeOnlyMembers: [String] { get }
    /// The scalar members that it names.
    var scalarMembers: [ScalarMember] { get }
    /// The schema as it is written.
    var json: JSON { get }
}
