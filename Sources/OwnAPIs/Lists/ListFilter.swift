import CivilTime
import JSON

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

        /// Returns whether a result of `ColumnValue.compare` fits.
        func accepts(_ result: Int) -> Bool {
            switch self {
            case .greater: result > 0
            case .greaterOrEqual: result >= 0
            case .less: result < 0
            case .lessOrEqual: result <= 0
            case .equal, .notEqual, .like, .among, .exact: result == 0
            }
        }
    }

    let path: MemberPath
    let comparison: Comparison
    /// The values as they were sent; a row fits if it does for one of them.
    var texts: [String]

    init(_ path: MemberPath, _ comparison: Comparison, _ texts: [String]) {
        self.path = path
        self.comparison = comparison
        self.texts = texts
    }

    /// A condition that a part of the path sets.
    init(exactly path: MemberPath, _ text: String) { self.init(path, .exact, [text]) }

    /// Returns the place of each row among those given that fits, in their order.
    func select(_ places: [Int32], in column: Column) -> [Int32] {
        let tests = texts.flatMap { text -> [Test] in
            guard comparison == .among else { return [Test(text, comparison, column)] }
            return text.split(separator: ",", omittingEmptySubsequences: false).map { Test(String($0), .equal, column) }
        }
        var found: [Int32] = []
        guard tests.count > 1 else {
            guard let test = tests.first else { return [] }
            for place in places where test.fits(column, Int(place)) { found.append(place) }
            return found
        }
        for place in places where tests.contains(where: { $0.fits(column, Int(place)) }) { found.append(place) }
        return found
    }

    /// One value of a condition, as each type of a member reads it.
    private struct Test {
        let comparison: Comparison
        let isNull: Bool
        let bool: Int64?
        let integer: Int64?
        let double: Double?
        let time: Int64?
        /// For each different text of the column, whether it fits.
        let texts: [Bool]

        init(_ text: String, _ comparison: Comparison, _ column: Column) {
            self.comparison = comparison
            isNull = text == "null" && (comparison == .equal || comparison == .notEqual)
            bool = text == "true" ? 1 : text == "false" ? 0 : nil
            let number = JSONNumber(text: text)
            let whole = Int64(text) ?? number.flatMap { JSON.number($0).intValue }
            switch comparison {
            case .exact:
                integer = whole.flatMap { String($0) == text ? $0 : nil }
                double = integer == nil ? number?.double : nil
                time = nil
            default:
                integer = number == nil ? nil : whole
                double = number?.double
                time = ColumnValue.time(text)?.microseconds
            }
            switch comparison {
            case .equal, .notEqual, .among, .exact:
                var fits = [Bool](repeating: false, count: isNull ? 0 : column.texts.count)
                if !isNull, let code = column.code(of: text) { fits[Int(code)] = true }
                texts = fits
            case .like:
                let wanted = text.foldedBytes
                texts = column.texts.map { $0.contains(folded: wanted) }
            case .greater, .greaterOrEqual, .less, .lessOrEqual:
                texts = column.texts.map { comparison.accepts($0.comparedByCodePoint(with: text)) }
            }
        }

        func fits(_ column: Column, _ place: Int) -> Bool {
            switch comparison {
            case .notEqual: !isEqual(column, place)
            case .like: column.codes[place] >= 0 && texts[Int(column.codes[place])]
            case .equal, .among, .exact: isEqual(column, place)
            case .greater, .greaterOrEqual, .less, .lessOrEqual: isInOrder(column, place)
            }
        }

        private func isEqual(_ column: Column, _ place: Int) -> Bool {
            switch column.kinds[place] {
            case .absent: isNull
            case .bool: column.words[place] == bool
            case .integer:
                if let integer { column.words[place] == integer } else { Double(column.words[place]) == double }
            case .number: Double(bitPattern: UInt64(bitPattern: column.words[place])) == double
            case .time:
                // Times that are spelled differently are the same, but for a part of the path.
                if let time { column.words[place] == time } else { isText(column, place) }
            case .text: isText(column, place)
            case .other, .gap: false
            }
        }

        private func isText(_ column: Column, _ place: Int) -> Bool {
            let code = Int(column.codes[place])
            return code >= 0 && code < texts.count && texts[code]
        }

        private func isInOrder(_ column: Column, _ place: Int) -> Bool {
            switch column.kinds[place] {
            case .absent, .other, .gap: return false
            case .bool: return bool.map { comparison.accepts(sign(column.words[place], $0)) } ?? false
            case .integer:
                if let integer { return comparison.accepts(sign(column.words[place], integer)) }
                return double.map { comparison.accepts(sign(Double(column.words[place]), $0)) } ?? false
            case .number:
                let value = Double(bitPattern: UInt64(bitPattern: column.words[place]))
                return double.map { comparison.accepts(sign(value, $0)) } ?? false
            case .time:
                return time.map { comparison.accepts(sign(column.words[place], $0)) } ?? isText(column, place)
            case .text: return isText(column, place)
            }
        }

        private func sign<Value: Comparable>(_ left: Value, _ right: Value) -> Int {
            left == right ? 0 : left < right ? -1 : 1
        }
    }
}

extension String {
    /// The bytes with ASCII letters in lower case.
    var foldedBytes: [UInt8] { utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 } }

    /// Returns whether folded bytes are in the text, whatever the case of its ASCII letters.
    func contains(folded wanted: [UInt8]) -> Bool {
        guard let first = wanted.first else { return true }
        let bytes = foldedBytes
        guard bytes.count >= wanted.count else { return false }
        for start in 0...(bytes.count - wanted.count) where bytes[start] == first {
            var length = 1
            while length < wanted.count, bytes[start + length] == wanted[length] { length += 1 }
            if length == wanted.count { return true }
        }
        return false
    }
}
