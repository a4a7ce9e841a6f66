package import JSON

/// The members of a request body in the order in which they are read.
///
/// Members that it does not name are ignored unless it is closed.
package struct RequestSchema<Value>: Sendable {
    /// The meaning of `null` for an optional member.
    package enum NullReading: Sendable {
        /// Counts as absent.
        case absent
        /// Counts as a value of the wrong type.
        case value
    }

    /// The order in which members are read.
    package enum Order: Sendable {
        case declaration
        /// The order of the body; of two members of one name both are read.
        case body
    }

    /// The name of the schema in the OpenAPI document.
    package let name: String
    package let members: [Member]
    let nulls: NullReading
    let order: Order
    let isClosed: Bool

    /// Creates a schema of those members.
    ///
    /// - Parameters:
    ///   - name: The name of the schema in the OpenAPI document.
    ///   - nulls: The meaning of `null` for optional members.
    ///   - order: The order in which members are read.
    ///   - isClosed: Makes a member without a name here an issue.
    ///   - members: The members in the order in which they are read.
    package init(
        _ name: String,
        nulls: NullReading = .absent,
        order: Order = .declaration,
        isClosed: Bool = false,
        _ members: [Member]
    ) {
        self.name = name
        self.nulls = nulls
        self.order = order
        self.isClosed = isClosed
        self.members = members
    }

    /// Reads an object and appends its issues; deferred ones come last.
    package func read(
        _ object: JSONObject,
        into value: inout Value,
        telling policy: IssuePolicy = .all,
        _ issues: inout [FieldIssue]
    ) {
        if order == .body { return readInOrder(of: object, into: &value, telling: policy, &issues) }
        let start = issues.count
        var deferred: [FieldIssue] = []
        for member in members {
            let before = issues.count
            member.read(object, member.nulls ?? nulls, &value, &issues)
            guard issues.count > before else { continue }
            if let isDeferred = member.isDeferred {
                deferred += issues[before...].filter(isDeferred)
                issues = issues[..<before] + issues[before...].filter { !isDeferred($0) }
            }
            if policy == .first, issues.count > start { return }
        }
        issues += deferred
        if isClosed { noteUnknown(object, &issues) }
    }

    private func noteUnknown(_ object: JSONObject, _ issues: inout [FieldIssue]) {
        for member in object.members where self.member(named: member.name) == nil {
            issues.append(FieldIssue(.key(member.name), kind: .unknownMember, found: member.value))
        }
    }

    private func member(named name: String) -> Member? {
        members.first { $0.entries.contains { $0.name.utf8.elementsEqual(name.utf8) } }
    }

    private func readInOrder(
        of object: JSONObject,
        into value: inout Value,
        telling policy: IssuePolicy,
        _ issues: inout [FieldIssue]
    ) {
        for sent in object.members {
            if policy == .first, !issues.isEmpty { return }
            if let member = member(named: sent.name) {
                member.read(JSONObject([sent]), member.nulls ?? nulls, &value, &issues)
            } else if isClosed {
                issues.append(FieldIssue(.key(sent.name), kind: .unknownMember, found: sent.value))
            }
        }
        for member in members where !member.entries.contains(where: { object[$0.name] != nil }) {
            if policy == .first, !issues.isEmpty { return }
            member.read(JSONObject(), member.nulls ?? nulls, &value, &issues)
        }
    }

    /// The schema of the whole object, for the OpenAPI document.
    package var schema: JSONSchema {
        .object(
            JSONSchema.Object(
                members.flatMap { member in member.entries.map { $0.property(member.nulls ?? nulls) } },
                additionalProperties: isClosed ? .closed : .open
            )
        )
    }
}

extension RequestSchema {
    /// One declaration: usually one member of the body.
    package struct Member: Sendable {
        enum Demand: Sendable { case required, optional, nullable }

        /// A member of the body as the document shows it.
        struct Entry: Sendable {
            let name: String
            let schema: JSONSchema
            let demand: Demand

            func property(_ nulls: NullReading) -> JSONSchema.Property {
                let takesNull = demand == .nullable || demand == .optional && nulls == .absent
                return JSONSchema.Property(
                    name,
                    takesNull ? .nullable(schema) : schema,
                    isRequired: demand == .required
                )
            }
        }

        typealias Reading = @Sendable (JSONObject, NullReading, inout Value, inout [FieldIssue]) -> Void

        let entries: [Entry]
        let read: Reading
        /// The meaning of `null` for this member, if it has one of its own.
        var nulls: NullReading?
        /// The issues that are listed after those of all other members.
        var isDeferred: (@Sendable (FieldIssue) -> Bool)?

        init(_ entries: [Entry], _ read: @escaping Reading) {
            self.entries = entries
            self.read = read
        }
    }
}
