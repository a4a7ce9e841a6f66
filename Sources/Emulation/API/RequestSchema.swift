package import JSON

/// A request type: its members are declared once, and the declaration reads it, checks it and describes it.
package protocol RequestModel: Sendable {
    init()
    static var shape: RequestSchema<Self> { get }
}

/// What is wrong with a member of a request.
///
/// Each API puts it into its own words.
package struct FieldIssue: Error, Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case missing
        /// Another JSON type than that one, named with its article: `a string`.
        case wrongType(expected: String)
        case empty
        case notAllowed([String])
    }

    /// Dots and indexes: `user.name`, `items[3]`.
    package var path: String
    package var kind: Kind
}

/// The members of a request type in the order in which they are checked.
///
/// Members it does not name are ignored, and `null` counts as absent.
package struct RequestSchema<Value>: Sendable {
    package struct Member: Sendable {
        let name: String
        let schema: JSONSchema
        let isRequired: Bool
        let read: @Sendable (JSON?, inout Value, String, inout [FieldIssue]) -> Void
    }

    package let name: String
    package let members: [Member]

    package init(_ name: String, _ members: [Member]) {
        self.name = name
        self.members = members
    }

    package func read(_ object: JSONObject, into value: inout Value, at prefix: String = "", faults: inout [FieldIssue])
    {
        for member in members {
            var found = object[member.name]
            if case .null? = found { found = nil }
            member.read(found, &value, prefix + member.name, &faults)
        }
    }

    package var schema: JSONSchema {
        .object(
            JSONSchema.Object(
                members.map {
                    JSONSchema.Property(
                        $0.name,
                        $0.isRequired ? $0.schema : .nullable($0.schema),
                        isRequired: $0.isRequired
                    )
                }
            )
        )
    }
}

extension RequestModel {
    /// Reads a body; the faults in the order of the shape, none if it fits.
    package static func read(_ object: JSONObject) -> (value: Self, faults: [FieldIssue]) {
        var value = Self()
        var faults: [FieldIssue] = []
        shape.read(object, into: &value, faults: &faults)
        return (value, faults)
    }
}

extension RequestSchema.Member {
    /// A text.
    ///
    /// A required one must be there and not be empty; `nonEmpty` refuses an empty optional one.
    package static func string(
        _ name: String,
        required: Bool = false,
        nonEmpty: Bool = false,
        oneOf values: [String]? = nil,
        _ store: @escaping @Sendable (inout Value, String) -> Void
    ) -> Self {
        let needsText = required || nonEmpty
        return Self(
            name: name,
            schema: .string(enumeration: values, minLength: needsText ? 1 : nil),
            isRequired: required
        ) { json, value, path, faults in
            guard let json else {
                if required { faults.append(FieldIssue(path: path, kind: .missing)) }
                return
            }
            guard case .string(let text) = json else {
                faults.append(FieldIssue(path: path, kind: .wrongType(expected: "a string")))
                return
            }
            if needsText, text.isEmpty {
                faults.append(FieldIssue(path: path, kind: .empty))
            } else if let values, !values.contains(text) {
                faults.append(FieldIssue(path: path, kind: .notAllowed(values)))
            } else {
                store(&value, text)
            }
        }
    }

    package static func boolean(
        _ name: String,
        _ store: @escaping @Sendable (inout Value, Bool) -> Void
    ) -> Self {
        Self(name: name, schema: .boolean, isRequired: false) { json, value, path, faults in
            switch json {
            case nil: return
            case .bool(let flag)?: store(&value, flag)
            default: faults.append(FieldIssue(path: path, kind: .wrongType(expected: "a boolean")))
            }
        }
    }

    package static func strings(
        _ name: String,
        _ store: @escaping @Sendable (inout Value, [String]) -> Void
    ) -> Self {
        Self(name: name, schema: .array(.string()), isRequired: false) { json, value, path, faults in
            guard let json else { return }
            guard case .array(let elements) = json else {
                faults.append(FieldIssue(path: path, kind: .wrongType(expected: "an array of strings")))
                return
            }
            var texts: [String] = []
            for element in elements {
                guard case .string(let text) = element else {
                    faults.append(FieldIssue(path: path, kind: .wrongType(expected: "an array of strings")))
                    return
                }
                texts.append(text)
            }
            store(&value, texts)
        }
    }

    package static func object<Inner: RequestModel>(
        _ name: String,
        _ store: @escaping @Sendable (inout Value, Inner) -> Void
    ) -> Self {
        Self(name: name, schema: Inner.shape.schema, isRequired: false) { json, value, path, faults in
            guard let json else { return }
            guard case .object(let object) = json else {
                faults.append(FieldIssue(path: path, kind: .wrongType(expected: "an object")))
                return
            }
            var inner = Inner()
            Inner.shape.read(object, into: &inner, at: path + ".", faults: &faults)
            store(&value, inner)
        }
    }
}
