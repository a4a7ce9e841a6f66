package import JSON

/// One mistake in a request, with its path.
///
/// It has no text: each API words it.
package struct FieldIssue: Error, Sendable, Equatable {
    /// The kind of value that was wanted.
    package enum Expected: Sendable, Equatable {
        case string
        case boolean
        case number(ClosedRange<Double>?)
        case integer(ClosedRange<Int64>?)
        case array
        /// An array whose elements are all strings.
        case strings
        case object
        case oneOf([String])
        /// A kind of a single API, in its words.
        case other(String)
    }

    package enum Kind: Sendable, Equatable {
        /// Absent, or `null` in the place of a value.
        case missing
        case wrongType(Expected)
        /// A text without a character.
        case empty
        /// A text of white space.
        case blank
        case tooShort(Int)
        case tooLong(Int)
        case wrongLength(ClosedRange<Int>)
        case notAllowed([String])
        /// A text that is not in the format of that name.
        case wrongFormat(String)
        case outOfRange(Expected)
        case tooFewItems(Int)
        case tooManyItems(Int)
        /// An element that repeats an earlier one.
        case duplicate
        /// A member that a closed schema does not name.
        case unknownMember
        /// A breach of a rule of a single API, in its words.
        case rule(String)
    }

    /// The names and places that lead to the value from the body's root.
    package var path: [JSONPathElement]
    package var kind: Kind
    /// The value that was found there, if it is known.
    package var found: JSON?

    package init(_ path: JSONPathElement..., kind: Kind, found: JSON? = nil) {
        self.path = path
        self.kind = kind
        self.found = found
    }

    /// The path as text: `user.name`, `items[3].id`.
    package var field: String {
        var text = ""
        for element in path {
            switch element {
            case .key(let name): text += text.isEmpty ? name : ".\(name)"
            case .index(let place): text += "[\(place)]"
            }
        }
        return text
    }

    /// Tells whether the issue concerns the member of that name at the root.
    package func concerns(_ name: String) -> Bool { path == [.key(name)] }
}

extension [FieldIssue] {
    /// Notes an issue of a value; the callers add its path.
    package mutating func note(_ kind: FieldIssue.Kind, _ found: JSON? = nil) {
        append(FieldIssue(kind: kind, found: found))
    }

    /// Notes an issue of the member of that name.
    package mutating func note(_ name: String, _ kind: FieldIssue.Kind) {
        append(FieldIssue(.key(name), kind: kind))
    }

    /// Puts the issues from that one on one level deeper.
    mutating func nest(from start: Int, in element: JSONPathElement) {
        for place in start..<count { self[place].path.insert(element, at: 0) }
    }
}
