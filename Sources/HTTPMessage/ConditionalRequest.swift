/// The conditions on entity tags that a request sets (RFC 9110 sections 13.1.1 and 13.1.2).
///
/// A list that is not of the right form sets no condition: the full answer is always a correct one.
package struct ConditionalRequest: Sendable {
    /// The value of If-Match or If-None-Match.
    package enum Condition: Sendable, Equatable {
        /// `*`: any current representation.
        case any
        case tags([EntityTag])

        /// The value of a field, all its lines joined with commas; nil when it is not of the right form.
        package init?(parsing text: String) {
            let bytes = Array(text.utf8)[...].trimmingFieldSpace
            if bytes.elementsEqual([UInt8(ascii: "*")]) {
                self = .any
                return
            }
            var tags: [EntityTag] = []
            var rest = bytes
            while true {
                rest = rest.drop { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: ",") }
                if rest.isEmpty { break }
                guard let parsed = EntityTag.parse(rest) else { return nil }
                tags.append(parsed.tag)
                rest = rest[parsed.end...].drop { $0 == 0x20 || $0 == 0x09 }
                guard rest.isEmpty || rest.first == UInt8(ascii: ",") else { return nil }
            }
            guard !tags.isEmpty else { return nil }
            self = .tags(tags)
        }
    }

    package let ifMatch: Condition?
    package let ifNoneMatch: Condition?

    /// The conditions in a request's fields.
    package init(_ fields: Fields) {
        ifMatch = Self.condition(fields, .ifMatch)
        ifNoneMatch = Self.condition(fields, .ifNoneMatch)
    }

    /// Returns true if a GET or HEAD is to be answered 304, and another method 412: If-None-Match is present and names
    /// the current tag by weak comparison, or is `*` while there is a representation.
    ///
    /// `current` is the tag of what would be sent, nil when there is nothing.
    package func isNoneMatchFailed(current: EntityTag?) -> Bool {
        guard let ifNoneMatch, let current else { return false }
        return switch ifNoneMatch {
        case .any: true
        case .tags(let tags): tags.contains { $0.weaklyMatches(current) }
        }
    }

    /// Returns true if a request is to be answered 412: If-Match is present and does not name the current tag by strong
    /// comparison, or is `*` while there is no representation.
    package func isMatchFailed(current: EntityTag?) -> Bool {
        guard let ifMatch else { return false }
        guard let current else { return true }
        return switch ifMatch {
        case .any: false
        case .tags(let tags): !tags.contains { $0.stronglyMatches(current) }
        }
    }

    private static func condition(_ fields: Fields, _ name: FieldName) -> Condition? {
        guard fields.contains(name) else { return nil }
        return Condition(parsing: fields.values(name).joined(separator: ","))
    }
}

extension FieldName {
    package static let eTag: FieldName = "ETag"
    package static let ifMatch: FieldName = "If-Match"
}
