package import JSON

/// A type that a request body is read into.
///
/// Its members are declared once; the reader, the schema of the OpenAPI document and the list of issues follow from
/// the declaration. Responses have `ResponseModel`.
package protocol RequestModel: Sendable {
    /// Creates the value that holds before any member is read; absent members leave it unchanged.
    init()
    /// The members in the order in which they are read and their issues are listed.
    static var shape: RequestSchema<Self> { get }
}

/// The number of issues of a body that its API lists.
package enum IssuePolicy: Sendable {
    /// The first alone: reading ends there.
    case first
    case all
}

extension RequestModel {
    /// Reads a body.
    ///
    /// - Returns: The members that fit, and the issues of the others; none if the body fits. The API decides which
    ///   issues are listed, with which words and with which status.
    package static func read(
        _ object: JSONObject,
        telling policy: IssuePolicy = .all
    ) -> (value: Self, issues: [FieldIssue]) {
        var value = Self()
        var issues: [FieldIssue] = []
        shape.read(object, into: &value, telling: policy, &issues)
        return (value, issues)
    }
}

/// The presence of a member in a body: none, `null`, or a value.
package enum Presence<Value: Sendable>: Sendable {
    case absent
    case null
    case value(Value)

    /// Creates the presence of a member that is in the body: nil stands for `null`.
    package init(_ value: Value?) {
        self = if let value { .value(value) } else { .null }
    }

    /// The value, if there is one.
    package var value: Value? {
        guard case .value(let value) = self else { return nil }
        return value
    }

    /// Stores a value; `null` and absence keep the old one.
    package func assign(to target: inout Value) {
        if case .value(let value) = self { target = value }
    }

    /// Stores a value; `null` and absence keep the old one.
    package func assign(to target: inout Value?) {
        if case .value(let value) = self { target = value }
    }

    /// Stores a value; `null` clears, absence keeps the old one (JSON Merge Patch, RFC 7396).
    package func merge(into target: inout Value?) {
        switch self {
        case .absent: break
        case .null: target = nil
        case .value(let value): target = value
        }
    }
}
