import Backend
package import JSON

/// The numbers that orders of effects have in common, and their schemas.
///
/// The schemas leave out bounds that only keep arithmetic safe.
enum EffectNumbers {
    /// Counts of bytes, up to more than any body has.
    static let bytes: ClosedRange<Int64> = 0...1_000_000_000
    /// Bytes per second.
    static let rate: ClosedRange<Int64> = 1...1_000_000_000_000
    /// Milliseconds, up to a day.
    static let milliseconds: ClosedRange<Int64> = 0...86_400_000
    static let events: ClosedRange<Int64> = 0...1_000_000

    static let countSchema = JSONSchema.integer(minimum: 0)
    static let positiveSchema = JSONSchema.integer(minimum: 1)
    /// An ISO 8601 duration of a fixed length.
    static let durationSchema = JSONSchema.string(
        format: "duration",
        pattern: "^P([0-9]+W|([0-9]+D)?(T([0-9]+H)?([0-9]+M)?([0-9]+([.,][0-9]+)?S)?)?)$"
    )
    static let millisecondsSchema = JSONSchema.integer(minimum: 0, maximum: 86_400_000)
}

extension BodyCheck {
    /// Reads a required whole number.
    mutating func requiredInteger(_ name: String, in range: ClosedRange<Int64>) -> Int? {
        guard value(name) != nil else {
            fault(name, "is required")
            return nil
        }
        return integer(name, in: range).map(Int.init)
    }

    /// Reads a whole number; nil if it is absent.
    mutating func count(_ name: String, in range: ClosedRange<Int64>) -> Int? { integer(name, in: range).map(Int.init) }

    /// Returns the one of these members that has a value; otherwise notes that one is required.
    ///
    /// `companions` are members that accompany one of them, and are not unknown by themselves.
    mutating func exactlyOne(of names: [String], companions: [String] = []) -> String? {
        let named = named(names)
        guard named.count == 1 else {
            for name in names + companions { _ = present(name) }
            fault("must have exactly one of \(names.joined(separator: ", "))")
            return nil
        }
        return named[0]
    }
}

extension JSONSchema {
    /// Returns the schema of an object of those members and no others.
    package static func closed(
        _ required: [(String, JSONSchema)] = [],
        optional: [(String, JSONSchema)] = []
    ) -> JSONSchema {
        .object(
            Object(
                required.map { Property($0.0, $0.1) } + optional.map { Property($0.0, $0.1, isRequired: false) },
                additionalProperties: .closed
            )
        )
    }

    /// Returns the schema of the words of an enumeration.
    static func words<Words: RawRepresentable & CaseIterable>(_ words: Words.Type) -> JSONSchema
    where Words.RawValue == String {
        .string(enumeration: words.allCases.map(\.rawValue))
    }
}
