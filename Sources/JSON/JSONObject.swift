/// The members of a JSON object in the order they were read or added; duplicates are kept.
public struct JSONObject: Hashable, Sendable {
    /// One name with its value.
    public struct Member: Hashable, Sendable {
        /// The name; compared by code point.
        public var name: String
        /// The value.
        public var value: JSON

        /// A member.
        public init(name: String, value: JSON) {
            self.name = name
            self.value = value
        }

        /// Equality of name (by code point) and value.
        public static func == (left: Member, right: Member) -> Bool {
            left.name.hasSameCodePoints(as: right.name) && left.value == right.value
        }
    }

    /// All members in order.
    public private(set) var members: [Member]

    /// An empty object.
    public init() {
        members = []
    }

    /// An object with those members, in that order, unchecked for duplicates.
    public init(_ members: [Member]) {
        self.members = members
    }

    /// The value of the last member of that name, as in `JSON.parse` (ECMA-262).
    ///
    /// Setting replaces the last member of that name in its place or appends one; nil removes every member of the name.
    public subscript(name: String) -> JSON? {
        get {
            guard let index = lastIndex(of: name) else { return nil }
            return members[index].value
        }
        set {
            guard let newValue else {
                members.removeAll { $0.name.hasSameCodePoints(as: name) }
                return
            }
            guard let index = lastIndex(of: name) else { return append(name, newValue) }
            members[index].value = newValue
        }
    }

    /// Adds a member at the end without looking whether the name is already there.
    public mutating func append(_ name: String, _ value: JSON) {
        members.append(Member(name: name, value: value))
    }

    /// Makes room for that many members.
    public mutating func reserveCapacity(_ count: Int) {
        members.reserveCapacity(count)
    }

    /// True for an object without members.
    public var isEmpty: Bool { members.isEmpty }

    /// The number of members, duplicates included.
    public var count: Int { members.count }

    /// The first name that repeats an earlier one.
    public func firstDuplicateName() -> String? {
        firstDuplicateIndex().map { members[$0].name }
    }

    /// The place of the first member whose name repeats an earlier one.
    func firstDuplicateIndex() -> Int? {
        // Few names: comparing all pairs beats building a set.
        if members.count <= 8 {
            for index in members.indices.dropFirst()
            where members[..<index].contains(where: { $0.name.hasSameCodePoints(as: members[index].name) }) {
                return index
            }
            return nil
        }
        var seen = Set<ExactName>(minimumCapacity: members.count)
        return members.firstIndex { !seen.insert(ExactName(text: $0.name)).inserted }
    }

    func lastIndex(of name: String) -> Int? {
        members.lastIndex { $0.name.hasSameCodePoints(as: name) }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// An object with its members in the written order.
    public init(dictionaryLiteral elements: (String, JSON)...) {
        self.init(elements.map { Member(name: $0.0, value: $0.1) })
    }
}

extension JSONObject {
    /// The members with those of another object set in it; a null takes a member out.
    package func overridden(by other: JSONObject) -> JSONObject {
        var copy = self
        for member in other.members { copy[member.name] = member.value.isNull ? nil : member.value }
        return copy
    }
}
