/// A place in a message of TLS, whose parts are taken from the front.
struct TLSMessageCursor {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }

    /// Takes a number of up to four bytes; nil if they are not there.
    mutating func number(_ bytes: Int) -> Int? { take(bytes).map { $0.reduce(0) { $0 << 8 | Int($1) } } }

    /// Takes that many bytes; nil if they are not there.
    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// Takes a vector behind a length of that many bytes; nil if it is not there in full, or its length is outside of the
    /// range.
    mutating func vector(_ lengthBytes: Int, _ lengths: ClosedRange<Int>) -> ArraySlice<UInt8>? {
        guard let length = number(lengthBytes), lengths.contains(length) else { return nil }
        return take(length)
    }
}
