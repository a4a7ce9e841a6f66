import Backend

/// One member of every row of a table, side by side by the places of the rows.
///
/// A list looks at thousands of rows in a millisecond, which their JSON would not allow.
struct Column: Sendable {
    let path: MemberPath
    /// The kind of each value.
    private(set) var kinds: [ColumnValue.Kind] = []
    /// See `ColumnValue.word`.
    private(set) var words: [Int64] = []
    /// The number of each text among all different ones; -1 for other kinds.
    private(set) var codes: [Int32] = []
    /// The different texts by number.
    private(set) var texts: [String] = []
    private var numbers: [ExactText: Int32] = [:]

    init(_ path: MemberPath) { self.path = path }

    /// Makes room for the values of that many places.
    mutating func reserveCapacity(_ count: Int) {
        kinds.reserveCapacity(count)
        words.reserveCapacity(count)
        codes.reserveCapacity(count)
    }

    /// Sets the value of a row, or of the next place.
    mutating func set(_ value: ColumnValue, at place: Int) {
        while kinds.count <= place {
            kinds.append(.gap)
            words.append(0)
            codes.append(-1)
        }
        kinds[place] = value.kind
        words[place] = value.word
        codes[place] = value.kind == .text || value.kind == .time ? number(of: value.text) : -1
    }

    /// Returns the value of a row.
    func value(at place: Int) -> ColumnValue {
        ColumnValue(kinds[place], words[place], codes[place] < 0 ? "" : texts[Int(codes[place])])
    }

    /// Returns the number of a text; nil if no row has had it.
    func code(of text: String) -> Int32? { numbers[ExactText(text)] }

    private mutating func number(of text: String) -> Int32 {
        let key = ExactText(text)
        if let number = numbers[key] { return number }
        let number = Int32(texts.count)
        texts.append(text)
        numbers[key] = number
        return number
    }

    /// Tells whether most of its texts are of rows that have changed since.
    var isStale: Bool { texts.count > 2 * kinds.count + 1_000 }

    /// Returns the place of each text in the order of all.
    func ranks() -> [Int32] {
        // Most texts differ in their first bytes, which are compared as one number.
        let starts = texts.map(\.firstBytes)
        let order = texts.indices.sorted { left, right in
            if starts[left] != starts[right] { return starts[left] < starts[right] }
            return texts[left].comparedByCodePoint(with: texts[right]) < 0
        }
        var ranks = [Int32](repeating: 0, count: texts.count)
        for (rank, code) in order.enumerated() { ranks[code] = Int32(rank) }
        return ranks
    }
}

extension String {
    /// The first eight bytes as a number, zeros after the end.
    fileprivate var firstBytes: UInt64 {
        var number: UInt64 = 0
        var count = 0
        for byte in utf8.prefix(8) {
            number = number << 8 | UInt64(byte)
            count += 1
        }
        return number << UInt64(8 * (8 - count))
    }
}
