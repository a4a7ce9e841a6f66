import Emulation
import JSON

/// A request body whose members are declared once: read, checked and described by the same lines (contract section 2.2).
protocol FormBody: Sendable {
    init()
    static var form: Form<Self> { get }
}

/// The members of a body in the order in which they are checked; unknown ones are dropped.
struct Form<Value>: Sendable {
    struct Member: Sendable {
        var name: String
        var schema: JSONSchema
        var isRequired = false
        /// Stores the value, or answers what is wrong with it.
        var read: @Sendable (JSON, inout Value) -> String?

        /// The same member, which has to be there.
        var required: Member {
            var copy = self
            copy.isRequired = true
            return copy
        }
    }

    let name: String
    let members: [Member]

    init(_ name: String, _ members: [Member]) {
        self.name = name
        self.members = members
    }

    /// The first fault in the order of the form; nil if everything fits.
    func read(_ object: JSONObject, into value: inout Value) -> String? {
        for member in members {
            guard let found = object[member.name] else {
                if member.isRequired { return "\(member.name) is required." }
                continue
            }
            if let problem = member.read(found, &value) { return "\(member.name) \(problem)." }
        }
        return nil
    }

    var schema: JSONSchema {
        .object(
            JSONSchema.Object(
                members.map { JSONSchema.Property($0.name, $0.schema, isRequired: $0.isRequired) }
            )
        )
    }
}

extension FormBody {
    /// What the documents say of a body of this form.
    static func declaration(example: JSON? = nil, isRequired: Bool = true) -> BodyDeclaration {
        .json(name: form.name, schema: form.schema, isRequired: isRequired, example: example)
    }
}

extension Form.Member {
    /// A text of at least so many and at most so many UTF-16 code units.
    static func string(
        _ name: String,
        from shortest: Int = 0,
        to longest: Int? = nil,
        _ store: @escaping @Sendable (inout Value, String) -> Void
    ) -> Self {
        Self(name: name, schema: .string(minLength: shortest > 0 ? shortest : nil, maxLength: longest)) { json, value in
            guard case .string(let text) = json else { return "must be a string" }
            let length = text.utf16.count
            guard length >= shortest else {
                return shortest == 1 ? "must not be empty" : "must have at least \(shortest) characters"
            }
            if let longest, length > longest { return "must have at most \(longest) characters" }
            store(&value, text)
            return nil
        }
    }

    /// A text with at least one character that is not blank.
    static func filledString(_ name: String, _ store: @escaping @Sendable (inout Value, String) -> Void) -> Self {
        Self(name: name, schema: .string(minLength: 1)) { json, value in
            guard case .string(let text) = json else { return "must be a string" }
            guard !text.isBlank else { return "must not be blank" }
            store(&value, text)
            return nil
        }
    }

    static func choice<Choice: RawRepresentable & CaseIterable & Sendable>(
        _ name: String,
        _ store: @escaping @Sendable (inout Value, Choice) -> Void
    ) -> Self where Choice.RawValue == String {
        let allowed = Choice.allCases.map(\.rawValue)
        return Self(name: name, schema: .string(enumeration: allowed)) { json, value in
            guard case .string(let text) = json, let choice = Choice(rawValue: text) else {
                return "must be one of \(allowed.joined(separator: ", "))"
            }
            store(&value, choice)
            return nil
        }
    }

    static func number(_ name: String, _ store: @escaping @Sendable (inout Value, Double) -> Void) -> Self {
        Self(name: name, schema: .number) { json, value in
            guard let number = json.doubleValue, number.isFinite else { return "must be a number" }
            store(&value, number)
            return nil
        }
    }

    static func strings(_ name: String, _ store: @escaping @Sendable (inout Value, [String]) -> Void) -> Self {
        Self(name: name, schema: .array(.string())) { json, value in
            guard case .array(let elements) = json else { return "must be an array of strings" }
            let texts = elements.compactMap(\.stringValue)
            guard texts.count == elements.count else { return "must be an array of strings" }
            store(&value, texts)
            return nil
        }
    }
}
