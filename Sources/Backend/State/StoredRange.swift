import JSON

/// The source of a stored number.
package enum StoredSource: Sendable {
    /// A document.
    case document
    /// The document of a world whose counters have passed the limit of a document, as its member `overrun` says.
    case overrunDocument
    /// A store.
    case store

    /// The highest value of a number that counts up.
    ///
    /// Each source leaves room above the one before, which no number of uses exhausts: nothing is used 2^53 times.
    package var largestCount: Int64 {
        switch self {
        case .document: 1 << 53
        case .overrunDocument: 1 << 54
        case .store: 1 << 55
        }
    }
}

/// The range of a stored number; a document or a store with any other number is refused.
///
/// Every number inside it is safe. Numbers that code counts with, divides by or looks up by have the range that the
/// code can handle.
package enum StoredRange: Sendable, Equatable {
    /// A number that counts up by use: 0 to 2^53, plus the use made of the most that a document may have.
    case count
    /// A whole number between two bounds, both included; no use moves it out of them.
    case whole(ClosedRange<Int64>)
    /// A number of any spelling between two bounds, both included.
    case number(ClosedRange<Double>)
    /// A date in whole microseconds since 1970, the form of dates whose year has no four digits.
    ///
    /// Every number is in range: all sums with a date stay within 64 bits.
    case date
    /// A client's own numbers, here or anywhere below, which no code calculates with.
    case free

    /// The highest value of a number that counts up in a document.
    package static let largestCount = StoredSource.document.largestCount

    /// A whole number of 32 bits.
    package static let int32 = StoredRange.whole(Int64(Int32.min)...Int64(Int32.max))
    /// A whole number of people, seats, minutes or the like: 0 to 2^31 - 1.
    package static let amount = StoredRange.whole(0...Int64(Int32.max))
    /// Per cent in whole numbers.
    package static let percent = StoredRange.whole(0...100)
    /// A whole number that is only shown and compared: -2^53 to 2^53.
    package static let shown = StoredRange.whole(-largestCount...largestCount)

    /// Returns the problem of a number; nil if there is none.
    func fault(_ json: JSON, from source: StoredSource) -> String? {
        switch json {
        case .integer(let number):
            let isInside: Bool =
                switch self {
                case .count: (0...source.largestCount).contains(number)
                case .whole(let range): range.contains(number)
                case .number(let range): range.contains(Double(number))
                case .date, .free: true
                }
            return isInside ? nil : reason
        case .number(let number):
            let value = number.double
            let isInside: Bool =
                switch self {
                case .count: (0...Double(source.largestCount)).contains(value)
                case .whole(let range):
                    (Double(range.lowerBound)...Double(range.upperBound)).contains(value)
                case .number(let range): range.contains(value)
                case .date: value.magnitude < 0x1p63
                case .free: true
                }
            return isInside ? nil : reason
        default: return nil
        }
    }

    private var reason: String {
        switch self {
        case .count: "must be from 0 to 2^53"
        case .whole(let range): "must be from \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound))"
        case .number(let range): "must be from \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound))"
        case .date, .free: "must be a number"
        }
    }

    private static func text(_ bound: Int64) -> String {
        switch bound {
        case largestCount: "2^53"
        case -largestCount: "-2^53"
        default: "\(bound)"
        }
    }

    private static func text(_ bound: Double) -> String {
        JSON.double(bound).intValue.map { text($0) } ?? "\(bound)"
    }
}
