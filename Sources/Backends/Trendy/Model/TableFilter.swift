import Backend
import HTTPMessage

/// A condition of a query on the app's own table, such as `id=eq.…` (contract, section 10.12).
struct TableFilter: Sendable {
    private enum Test: Sendable {
        case equals(TableValue)
        case differs(TableValue)
        case isBefore(TableValue, orEqual: Bool)
        case isAfter(TableValue, orEqual: Bool)
        case like(TablePattern)
        case isNull
        case isNotNull
        case isTruth(Bool)
        case among([TableValue])
    }

    private let column: TableColumn
    private let isNegated: Bool
    private let test: Test

    /// Operators of PostgREST that are not applied.
    private static let unsupported: Set<String> = [
        "adj", "cd", "cs", "fts", "imatch", "isdistinct", "match", "nxl", "nxr", "ov", "phfts", "plfts", "sl", "sr",
        "wfts",
    ]

    /// Reads `[not.]OPERATOR.VALUE` for a column.
    init(_ column: TableColumn, _ condition: String) throws(APIError) {
        var rest = condition[...]
        isNegated = rest.hasPrefix("not.")
        if isNegated { rest = rest.dropFirst(4) }
        guard let dot = rest.firstIndex(of: ".") else { throw TableError.unreadableFilter(condition) }
        let name = String(rest[..<dot])
        let value = String(rest[rest.index(after: dot)...])
        // `fts(english)`, `eq(any)`.
        if let bracket = name.firstIndex(of: "("), name.hasSuffix(")") {
            throw TableError.beyondTheEmulator("\(name[..<bracket])(…)")
        }
        guard !Self.unsupported.contains(name) else { throw TableError.beyondTheEmulator(name) }
        self.column = column
        switch name {
        case "eq": test = .equals(try column.value(of: value))
        case "neq": test = .differs(try column.value(of: value))
        case "gt": test = .isAfter(try column.value(of: value), orEqual: false)
        case "gte": test = .isAfter(try column.value(of: value), orEqual: true)
        case "lt": test = .isBefore(try column.value(of: value), orEqual: false)
        case "lte": test = .isBefore(try column.value(of: value), orEqual: true)
        case "like": test = .like(TablePattern(value, ignoresCase: false))
        case "ilike": test = .like(TablePattern(value, ignoresCase: true))
        case "is": test = try Self.state(value, of: column, condition)
        case "in":
            guard let elements = Self.elements(value) else { throw TableError.unreadableFilter(condition) }
            var values: [TableValue] = []
            for element in elements { values.append(try column.value(of: element)) }
            test = .among(values)
        default: throw TableError.unreadableFilter(condition)
        }
    }

    private static func state(_ word: String, of column: TableColumn, _ condition: String) throws(APIError) -> Test {
        let isTruth: Bool
        switch word.lowercased() {
        case "null": return .isNull
        case "not_null": return .isNotNull
        case "true": isTruth = true
        case "false": isTruth = false
        // The third truth value of a column is null.
        case "unknown": return .isNull
        default: throw TableError.unreadableFilter(condition)
        }
        guard column.typeName == "boolean" else {
            throw APIError(
                .badRequest,
                code: "42804",
                "argument of IS \(word.uppercased()) must be type boolean, not type \(column.typeName)"
            )
        }
        return .isTruth(isTruth)
    }

    /// The elements of `(a,"b, c")`; nil for another form.
    private static func elements(_ list: String) -> [String]? {
        guard list.count > 1, list.hasPrefix("("), list.hasSuffix(")") else { return nil }
        let inside = list.dropFirst().dropLast()
        guard !inside.isEmpty else { return [] }
        var elements: [String] = []
        var element = ""
        var isQuoted = false
        var isEscaped = false
        for character in inside {
            switch character {
            case _ where isEscaped:
                element.append(character)
                isEscaped = false
            case "\\" where isQuoted: isEscaped = true
            case "\"": isQuoted.toggle()
            case "," where !isQuoted:
                elements.append(element)
                element = ""
            default: element.append(character)
            }
        }
        return isQuoted ? nil : elements + [element]
    }

    /// Tells whether a row passes.
    ///
    /// A comparison with null is neither true nor false, and its opposite isn't either.
    func passes(_ row: Profile, in epoch: Epoch) -> Bool {
        let value = row.value(of: column, in: epoch)
        let found: Bool? =
            switch test {
            case .isNull: value == nil
            case .isNotNull: value != nil
            case .isTruth(let isTrue): value == .truth(isTrue)
            case .equals(let other): value.map { $0 == other }
            case .differs(let other): value.map { $0 != other }
            case .isBefore(let other, let orEqual): value.map { $0.precedes(other) || orEqual && $0 == other }
            case .isAfter(let other, let orEqual): value.map { other.precedes($0) || orEqual && $0 == other }
            case .like(let pattern): value.map { pattern.fits($0.text) }
            case .among(let others): value.map { others.contains($0) }
            }
        guard let found else { return false }
        return found != isNegated
    }
}
