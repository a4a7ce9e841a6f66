import Backend

/// A condition on one member of the rows of a list (own-API contract, section 13).
struct ListFilter: Sendable, Equatable {
    /// The comparisons that a parameter can ask for.
    enum Comparison: String, CaseIterable, Sendable {
        case equal = ""
        case notEqual = "_ne"
        case greater = "_gt"
        case greaterOrEqual = "_gte"
        case less = "_lt"
        case lessOrEqual = "_lte"
        case like = "_like"
        case among = "_in"
        /// Equality as a part of the path has it: by the text in the address.
        case exact = "_"

        var isOrder: Bool {
            switch self {
            case .greater, .greaterOrEqual, .less, .lessOrEqual: true
            case .equal, .notEqual, .like, .among, .exact: false
            }
        }
    }

    let path: MemberPath
    let comparison: Comparison
    /// The values as they were sent: a row fits if it equals or contains one of them, differs from all, or is in order
    /// with all.
    var texts: [String]

    init(_ path: MemberPath, _ comparison: Comparison, _ texts: [String]) {
        self.path = path
        self.comparison = comparison
        self.texts = texts
    }

    /// A condition that a part of the path sets.
    init(exactly path: MemberPath, _ text: String) { self.init(path, .exact, [text]) }

    /// Returns the place of each row among those given that fits, in their order.
    ///
    /// The values are put together first, so that many of them cost a row no more than one.
    func select(_ places: [Int32], in column: Column) -> [Int32] {
        switch comparison {
        case .equal, .exact:
            let wanted = EqualValues(values, column, isExact: comparison == .exact)
            return places.filter { wanted.holds(column, Int($0)) }
        case .notEqual:
            let unwanted = EqualValues(values, column)
            return places.filter { !unwanted.holds(column, Int($0)) }
        case .among:
            let wanted = EqualValues(values, column)
            return places.filter { wanted.holds(column, Int($0)) }
        case .like:
            let wanted = values.map(\.foldedBytes)
            let fits = column.texts.map { text in
                let bytes = text.foldedBytes
                return wanted.contains { bytes.contains(folded: $0) }
            }
            return places.filter { place in
                let code = column.codes[Int(place)]
                return code >= 0 && fits[Int(code)]
            }
        case .greater, .greaterOrEqual, .less, .lessOrEqual:
            guard let bounds = OrderBounds(values, comparison, column) else { return [] }
            return places.filter { bounds.holds(column, Int($0)) }
        }
    }

    /// The different values in the order in which they were sent.
    private var values: [String] {
        guard comparison == .among || texts.count > 1 else { return texts }
        var seen: Set<ExactText> = []
        let parts =
            comparison == .among
            ? texts.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) } : texts
        return parts.filter { seen.insert(ExactText($0)).inserted }
    }
}

extension String {
    /// The bytes with ASCII letters in lower case.
    var foldedBytes: [UInt8] { utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 } }
}

extension [UInt8] {
    /// Returns whether folded bytes are in these, which are folded too.
    func contains(folded wanted: [UInt8]) -> Bool {
        guard let first = wanted.first else { return true }
        guard count >= wanted.count else { return false }
        for start in 0...(count - wanted.count) where self[start] == first {
            var length = 1
            while length < wanted.count, self[start + length] == wanted[length] { length += 1 }
            if length == wanted.count { return true }
        }
        return false
    }
}
