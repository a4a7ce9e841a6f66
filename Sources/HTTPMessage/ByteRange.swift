/// The one range of bytes that a `Range` field asks for (RFC 9110 section 14.1.2).
///
/// A field with another unit, several ranges or another form asks for nothing: the whole content is always a correct
/// answer.
package enum ByteRange: Sendable, Equatable {
    /// From a place, up to and with another if that is given.
    case from(Int, through: Int?)
    /// The last bytes.
    case last(Int)

    /// The range that the fields of a request ask for; nil if there is none that counts.
    package init?(_ fields: Fields) {
        let lines = fields.values(.range)
        guard lines.count == 1 else { return nil }
        let bytes = Array(lines[0].utf8)[...].trimmingFieldSpace
        let unit = Array("bytes=".utf8)
        guard bytes.count > unit.count, zip(bytes, unit).allSatisfy({ $0 | 0x20 == $1 || $0 == $1 }) else { return nil }
        let ranges = bytes.dropFirst(unit.count)
            .split(separator: UInt8(ascii: ","))
            .map(\.trimmingFieldSpace)
            .filter { !$0.isEmpty }
        guard ranges.count == 1, let dash = ranges[0].firstIndex(of: UInt8(ascii: "-")) else { return nil }
        let (first, last) = (ranges[0][..<dash], ranges[0][(dash + 1)...])
        switch (first.isEmpty, last.isEmpty) {
        case (true, true): return nil
        case (true, false):
            guard let count = Self.number(last) else { return nil }
            self = .last(count)
        case (false, true):
            guard let start = Self.number(first) else { return nil }
            self = .from(start, through: nil)
        case (false, false):
            guard let start = Self.number(first), let end = Self.number(last), start <= end else { return nil }
            self = .from(start, through: end)
        }
    }

    /// Returns the bytes that it means of content of a length, cut at the end; nil if none of them is there.
    package func places(in count: Int) -> Range<Int>? {
        switch self {
        case .from(let start, let end):
            guard start < count else { return nil }
            return start..<min(end.map { $0 == .max ? .max : $0 + 1 } ?? count, count)
        case .last(let length):
            guard length > 0, count > 0 else { return nil }
            return max(count - length, 0)..<count
        }
    }

    /// A number in digits; one that is too large to be kept is beyond every end.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        var number = 0
        for digit in digits {
            let (tens, isLong) = number.multipliedReportingOverflow(by: 10)
            let (sum, isLonger) = tens.addingReportingOverflow(Int(digit) - 0x30)
            if isLong || isLonger { return .max }
            number = sum
        }
        return number
    }
}
