import CivilTime
import Emulation
import JSON

/// What is wrong with a body, field by field (contract section 3).
struct BodyIssues: Sendable {
    enum Reason: String, Sendable {
        case required
        case wrongType = "wrong_type"
        case empty
        case tooLong = "too_long"
        case tooLarge = "too_large"
        case outOfRange = "out_of_range"
        case invalidFormat = "invalid_format"
        case unsupportedValue = "unsupported_value"
        case tooManyItems = "too_many_items"
        case malformed = "malformed_json"
    }

    private(set) var items: [(field: String, reason: String)] = []

    mutating func note(_ field: String, _ reason: Reason) { items.append((field, reason.rawValue)) }

    /// Refuses the request if anything was noted.
    func check() throws(APIError) {
        guard items.isEmpty else { throw .validation(items) }
    }
}

/// A request body: its fields are declared once, and the declaration reads it, checks it and describes it.
protocol BodyShaped: Sendable {
    init()
    static var name: String { get }
    /// In the order in which faults are listed.
    static var fields: [BodyField<Self>] { get }
}

extension BodyShaped {
    static var schema: JSONSchema {
        .object(
            JSONSchema.Object(
                fields.map { field in
                    JSONSchema.Property(
                        field.name,
                        field.isRequired ? field.schema : .nullable(field.schema),
                        isRequired: field.isRequired
                    )
                }
            )
        )
    }

    /// Reads an object; fields it does not name are ignored.
    static func read(_ object: JSONObject, at prefix: String = "", _ faults: inout BodyIssues) -> Self {
        var value = Self()
        for field in fields {
            let path = prefix + field.name
            switch object[field.name] {
            case nil, .null?: if field.isRequired { faults.note(path, .required) }
            case let json?: field.read(json, &value, path, &faults)
            }
        }
        return value
    }
}

/// One field of a body.
///
/// For an optional one `null` means absent.
struct BodyField<Value>: Sendable {
    let name: String
    let schema: JSONSchema
    let isRequired: Bool
    let read: @Sendable (JSON, inout Value, String, inout BodyIssues) -> Void

    init(
        _ name: String,
        _ schema: JSONSchema,
        required: Bool = false,
        _ read: @escaping @Sendable (JSON, inout Value, String, inout BodyIssues) -> Void
    ) {
        self.name = name
        self.schema = schema
        isRequired = required
        self.read = read
    }

    /// A text; its length counts UTF-16 units, as JavaScript does (D27).
    ///
    /// A required one must not be blank; one that is too short has no usable form.
    static func text(
        _ name: String,
        required: Bool = false,
        atLeast least: Int = 1,
        atMost limit: Int = .max,
        check: @escaping @Sendable (String) -> BodyIssues.Reason? = { _ in nil },
        _ store: @escaping @Sendable (inout Value, String) -> Void
    ) -> Self {
        let schema = JSONSchema.string(
            minLength: required ? least : nil,
            maxLength: limit == .max ? nil : limit
        )
        return Self(name, schema, required: required) { json, value, path, faults in
            guard let text = json.stringValue else { return faults.note(path, .wrongType) }
            if required, text.isBlank { return faults.note(path, .empty) }
            if text.utf16.count > limit { return faults.note(path, .tooLong) }
            if required, text.utf16.count < least { return faults.note(path, .invalidFormat) }
            if let reason = check(text) { return faults.note(path, reason) }
            store(&value, text)
        }
    }

    /// One of some texts, exactly.
    static func choice(
        _ name: String,
        required: Bool = false,
        _ allowed: [String],
        _ store: @escaping @Sendable (inout Value, String) -> Void
    ) -> Self {
        Self(name, .string(enumeration: allowed), required: required) { json, value, path, faults in
            guard let text = json.stringValue else { return faults.note(path, .wrongType) }
            if required, text.isBlank { return faults.note(path, .empty) }
            guard allowed.contains(where: { $0.utf8.elementsEqual(text.utf8) }) else {
                return faults.note(path, .unsupportedValue)
            }
            store(&value, text)
        }
    }

    /// An instant with its zone.
    static func instant(
        _ name: String,
        required: Bool = false,
        _ store: @escaping @Sendable (inout Value, Instant) -> Void
    ) -> Self {
        Self(name, .string(format: "date-time"), required: required) { json, value, path, faults in
            guard let text = json.stringValue else { return faults.note(path, .wrongType) }
            if text.isBlank { return faults.note(path, .empty) }
            guard let instant = Instant(iso8601: text, allowLowercase: true),
                (WorldClock.earliest...(WorldClock.latest + .milliseconds(999))).contains(instant.flooredToMillisecond)
            else { return faults.note(path, .invalidFormat) }
            store(&value, instant.flooredToMillisecond)
        }
    }

    /// An object of another shape.
    static func object<Inner: BodyShaped>(
        _ name: String,
        _ type: Inner.Type,
        _ store: @escaping @Sendable (inout Value, Inner) -> Void
    ) -> Self {
        Self(name, Inner.schema) { json, value, path, faults in
            guard let object = json.objectValue else { return faults.note(path, .wrongType) }
            store(&value, Inner.read(object, at: path + ".", &faults))
        }
    }

    /// A list of objects of another shape.
    static func list<Inner: BodyShaped>(
        _ name: String,
        _ type: Inner.Type,
        atMost limit: Int,
        _ store: @escaping @Sendable (inout Value, [Inner]) -> Void
    ) -> Self {
        Self(name, .array(Inner.schema, maxItems: limit)) { json, value, path, faults in
            guard let elements = json.arrayValue else { return faults.note(path, .wrongType) }
            guard elements.count <= limit else { return faults.note(path, .tooManyItems) }
            var items: [Inner] = []
            for (place, element) in elements.enumerated() {
                guard let object = element.objectValue else {
                    faults.note("\(path)[\(place)]", .wrongType)
                    continue
                }
                items.append(Inner.read(object, at: "\(path)[\(place)].", &faults))
            }
            store(&value, items)
        }
    }
}

extension String {
    /// Whether nothing is left after trimming.
    var isBlank: Bool { unicodeScalars.allSatisfy { $0 == "\u{FEFF}" || $0 != "\u{85}" && $0.properties.isWhitespace } }
}
