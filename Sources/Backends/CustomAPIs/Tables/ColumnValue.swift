package import CivilTime
package import JSON

/// A scalar of a row as lists compare it (own-API contract, section 13).
package struct ColumnValue: Sendable, Equatable {
    /// The kinds of values, in the order in which a sorted list has them; values of one kind compare with each other.
    package enum Kind: UInt8, Sendable {
        case bool, integer, number, time, text
        /// A list or an object.
        case other
        /// Null, or no such member: last in either direction.
        case absent
        /// No row.
        case gap
    }

    package let kind: Kind
    /// The truth value, the whole number, the bits of the fraction, or the microseconds of the time.
    package let word: Int64
    /// The text; empty for other kinds.
    package let text: String

    init(_ kind: Kind, _ word: Int64 = 0, _ text: String = "") {
        self.kind = kind
        self.word = word
        self.text = text
    }

    package static let absent = ColumnValue(.absent)

    /// Takes the value of a member; nil for one that is absent.
    package init(_ json: JSON?) {
        switch json {
        case .bool(let flag): self.init(.bool, flag ? 1 : 0)
        case .integer(let number): self.init(.integer, number)
        case .number(let number):
            if let whole = json?.intValue {
                self.init(.integer, whole)
            } else {
                self.init(.number, Int64(bitPattern: (number.double + 0).bitPattern))
            }
        case .string(let text):
            if let time = Self.time(text) {
                self.init(.time, time.microseconds, text)
            } else {
                self.init(.text, 0, text)
            }
        case .array, .object: self.init(.other)
        case .null, nil: self.init(.absent)
        }
    }

    /// Returns the instant that a text stands for: a date is 00:00 UTC.
    package static func time(_ text: String) -> Instant? {
        let bytes = text.utf8
        guard bytes.count >= 10, bytes.count <= 40, let first = bytes.first, (0x30...0x39).contains(first),
            bytes.dropFirst(4).first == 0x2D
        else { return nil }
        return Instant(isoDayOrDateTime: text)
    }

    /// The number, for kinds that have one.
    var double: Double { kind == .number ? Double(bitPattern: UInt64(bitPattern: word)) : Double(word) }

    private var rank: UInt8 { kind == .number ? Kind.integer.rawValue : kind.rawValue }

    /// Compares two values: negative if the left one comes first, 0 if they count as the same.
    package static func compare(_ left: ColumnValue, _ right: ColumnValue) -> Int {
        guard left.rank == right.rank else { return left.rank < right.rank ? -1 : 1 }
        switch left.kind {
        case .bool, .time: return left.word == right.word ? 0 : left.word < right.word ? -1 : 1
        case .integer where right.kind == .integer:
            return left.word == right.word ? 0 : left.word < right.word ? -1 : 1
        case .integer, .number:
            let (first, second) = (left.double, right.double)
            return first == second ? 0 : first < second ? -1 : 1
        case .text: return left.text.comparedByCodePoint(with: right.text)
        case .other, .absent, .gap: return 0
        }
    }

    /// The value as a cursor keeps it.
    var json: JSON {
        switch kind {
        case .bool: .bool(word != 0)
        case .integer: .integer(word)
        case .number: .double(double)
        case .time, .text: .string(text)
        case .other: .array([])
        case .absent, .gap: .null
        }
    }
}

extension String {
    /// Compares texts by code point: negative if this one comes first.
    func comparedByCodePoint(with other: String) -> Int {
        guard #available(macOS 26, iOS 26, *) else {
            if utf8.elementsEqual(other.utf8) { return 0 }
            return utf8.lexicographicallyPrecedes(other.utf8) ? -1 : 1
        }
        let left = utf8Span.span
        let right = other.utf8Span.span
        let common = min(left.count, right.count)
        var place = 0
        while place < common {
            if left[place] != right[place] { return left[place] < right[place] ? -1 : 1 }
            place += 1
        }
        return left.count == right.count ? 0 : left.count < right.count ? -1 : 1
    }
}
