/// A member by which a list is sorted.
package struct SortKey: Hashable, Sendable {
    package var path: MemberPath
    package var isDescending: Bool

    package init(_ path: MemberPath, isDescending: Bool = false) {
        self.path = path
        self.isDescending = isDescending
    }

    /// The key as an address has it.
    package var text: String { (isDescending ? "-" : "") + path.text }

    /// Compares two values: rows without one come last in either direction.
    static func compare(_ left: ColumnValue, _ right: ColumnValue, isDescending: Bool) -> Int {
        if left.kind == .absent || right.kind == .absent { return ColumnValue.compare(left, right) }
        let result = ColumnValue.compare(left, right)
        return isDescending ? -result : result
    }
}

/// The places of all rows in the order of some members; rows that are equal in these keep the order of the table.
struct SortedOrder: Sendable {
    let keys: [SortKey]
    private(set) var places: [Int32]

    /// Sorts the rows at those places, which are in ascending order.
    init(_ keys: [SortKey], _ live: [Int32], _ columns: [Column]) {
        self.keys = keys
        let words = zip(keys, columns).map { SortedColumn($1, live, isDescending: $0.isDescending) }
        guard let first = words.first else {
            places = live
            return
        }
        let others = words.dropFirst()
        var entries = live.indices.map { Entry(kind: first.kinds[$0], word: first.words[$0], number: Int32($0)) }
        entries.sort { left, right in
            if left.kind != right.kind { return left.kind < right.kind }
            if left.word != right.word { return left.word < right.word }
            for column in others {
                let (one, other) = (Int(left.number), Int(right.number))
                if column.kinds[one] != column.kinds[other] { return column.kinds[one] < column.kinds[other] }
                if column.words[one] != column.words[other] { return column.words[one] < column.words[other] }
            }
            return left.number < right.number
        }
        places = entries.map { live[Int($0.number)] }
    }

    /// A row with its value of the first member.
    private struct Entry {
        let kind: UInt8
        let word: Int64
        /// The place among the rows that are sorted.
        let number: Int32
    }

    /// Removes rows and puts others, or the same ones with their new values, in their places.
    mutating func change(_ gone: [Int32], _ come: [Int32], _ columns: [Column]) {
        if !gone.isEmpty {
            if gone.count == 1 {
                if let position = places.firstIndex(of: gone[0]) { places.remove(at: position) }
            } else {
                let set = Set(gone)
                places.removeAll { set.contains($0) }
            }
        }
        guard come.count > Self.mostInserted else {
            for place in come { places.insert(place, at: position(before: place, columns)) }
            return
        }
        let added = come.sorted { precedes($0, $1, columns) }
        var merged: [Int32] = []
        merged.reserveCapacity(places.count + added.count)
        var next = 0
        for place in places {
            while next < added.count, precedes(added[next], place, columns) {
                merged.append(added[next])
                next += 1
            }
            merged.append(place)
        }
        places = merged + added[next...]
    }

    /// The number of rows up to which each is put in its place by itself.
    private static let mostInserted = 16

    private func precedes(_ left: Int32, _ right: Int32, _ columns: [Column]) -> Bool {
        for (key, column) in zip(keys, columns) {
            let result = SortKey.compare(
                column.value(at: Int(left)),
                column.value(at: Int(right)),
                isDescending: key.isDescending
            )
            if result != 0 { return result < 0 }
        }
        return left < right
    }

    private func position(before place: Int32, _ columns: [Column]) -> Int {
        places.partitionPoint { precedes($0, place, columns) }
    }

    /// Returns the position of the first row that comes after those values and that place.
    func position(after values: [ColumnValue], _ place: Int, _ columns: [Column]) -> Int {
        places.partitionPoint { other in
            for (index, key) in keys.enumerated() {
                let value = columns[index].value(at: Int(other))
                let result = SortKey.compare(value, values[index], isDescending: key.isDescending)
                if result != 0 { return result < 0 }
            }
            return Int(other) <= place
        }
    }
}

/// The values of a column as numbers that sort as these do.
private struct SortedColumn {
    /// The kind of each value, those that come last the largest.
    let kinds: [UInt8]
    let words: [Int64]

    init(_ column: Column, _ live: [Int32], isDescending: Bool) {
        let ranks = column.ranks()
        let hasFractions = live.contains { column.kinds[Int($0)] == .number }
        var kinds: [UInt8] = []
        var words: [Int64] = []
        kinds.reserveCapacity(live.count)
        words.reserveCapacity(live.count)
        for place in live {
            var kind = column.kinds[Int(place)]
            var word = column.words[Int(place)]
            switch kind {
            case .text: word = Int64(ranks[Int(column.codes[Int(place)])])
            case .number: word = Self.sortable(Double(bitPattern: UInt64(bitPattern: word)))
            case .integer where hasFractions: word = Self.sortable(Double(word))
            case .other, .absent, .gap: word = 0
            case .integer, .bool, .time: break
            }
            if kind == .number { kind = .integer }
            let isLast = kind == .absent
            kinds.append(isDescending && !isLast ? ColumnValue.Kind.absent.rawValue - 1 - kind.rawValue : kind.rawValue)
            words.append(isDescending && !isLast ? ~word : word)
        }
        self.kinds = kinds
        self.words = words
    }

    /// Returns a whole number in the order of the fractions.
    private static func sortable(_ value: Double) -> Int64 {
        let bits = Int64(bitPattern: (value + 0).bitPattern)
        return bits < 0 ? bits ^ .max : bits
    }
}

extension Array {
    /// Returns the number of elements at the front for which the condition holds; it holds for none after them.
    func partitionPoint(_ isBefore: (Element) -> Bool) -> Int {
        var range = 0..<count
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            range = isBefore(self[middle]) ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}
