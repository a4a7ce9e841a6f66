import JSON

/// Where a number comes from that was kept outside of the process.
package enum StoredSource: Sendable {
    /// A document.
    case document
    /// The document of a world that counted on from the most that a document may bring, and says so (`overrun`).
    case overrunDocument
    /// A store.
    case store

    /// The most that it may hold of what counts up.
    ///
    /// Each has room for what use makes of the one before: nothing is used 2^53 times.
    package var largestCount: Int64 {
        switch self {
        case .document: 1 << 53
        case .overrunDocument: 1 << 54
        case .store: 1 << 55
        }
    }
}

/// The range of a number that is kept outside of the process: a document or a store with any other is refused.
///
/// Whatever lies inside can't hurt later. What code counts with, divides by or looks up by is held to what it can bear.
package enum StoredRange: Sendable, Equatable {
    /// A number that counts up by use: 0 to 2^53, and what use makes of the most that a document may bring.
    case count
    /// A whole number between two bounds, both included; no use takes it out of them.
    case whole(ClosedRange<Int64>)
    /// A number of any spelling between two bounds, both included.
    case number(ClosedRange<Double>)
    /// A date in whole microseconds since 1970, as those are written whose year has no four digits.
    ///
    /// Every one is in range: all that is added to a date stays within 64 bits.
    case date
    /// A client's own numbers, here or anywhere below, which nothing reckons with.
    case free

    /// The most that a document may bring of what counts up.
    package static let largestCount = StoredSource.document.largestCount

    /// A whole number as 32 bits hold it.
    package static let int32 = StoredRange.whole(Int64(Int32.min)...Int64(Int32.max))
    /// A whole number of people, seats, minutes or the like: 0 to 2^31 - 1.
    package static let amount = StoredRange.whole(0...Int64(Int32.max))
    /// Per cent in whole numbers.
    package static let percent = StoredRange.whole(0...100)
    /// A whole number that is only shown and compared: -2^53 to 2^53.
    package static let shown = StoredRange.whole(-largestCount...largestCount)

    /// What is wrong with a number; nil if nothing is.
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
