import APIFolders
import Backend
import HTTPMessage
import JSON

/// A list as a request asks for it (own-API contract, section 13).
struct ListQuery {
    var rows = ListRows()
    /// The rows of a page; nil where a list comes whole.
    var limit: Int?
    var offset = 0
    /// The page, from the first number of the list.
    var page = 1
    var cursor: ListCursor?
    /// A number for the path, the conditions and the order, which a cursor is good for.
    private(set) var identity: UInt64 = 0
    /// The names of parameters that mean nothing here, in their order.
    private(set) var unknown: [String] = []
    /// The names of parameters that came before with another value, which counts.
    private(set) var repeated: [String] = []

    private struct FilterName: Hashable {
        let path: MemberPath
        let comparison: ListFilter.Comparison
    }

    /// Reads the parameters of a request; `conditions` are those that its path and its user set.
    init(
        _ query: QueryItems,
        _ list: ListDefinition,
        _ table: TableDefinition,
        _ conditions: [ListFilter],
        path: String
    ) throws(CustomAPIFailure) {
        let names = list.names
        let reserved = Self.reserved(list)
        var filters: [ListFilter] = []
        var places: [FilterName: Int] = [:]
        for item in query.items {
            guard !reserved.contains(item.name) else {
                if query.first(item.name) != item.value { repeated.append(item.name) }
                continue
            }
            guard let (member, comparison) = Self.filter(item.name, list, table) else {
                unknown.append(item.name)
                continue
            }
            try Self.check(item, comparison, member)
            if let place = places[FilterName(path: member.path, comparison: comparison)] {
                filters[place].texts.append(item.value)
            } else {
                places[FilterName(path: member.path, comparison: comparison)] = filters.count
                filters.append(ListFilter(member.path, comparison, [item.value]))
            }
        }
        rows.filters = conditions + filters
        if let text = query.first(names.search), !text.isEmpty {
            rows.search = (text, Self.searched(list, table))
        }
        rows.sort = try Self.sort(query, list, table)
        var spelled = path
        for filter in rows.filters {
            spelled += "\n\(filter.path.text)\(filter.comparison.rawValue)=\(filter.texts.joined(separator: "\u{1}"))"
        }
        spelled += "\nq=\(rows.search?.text ?? "")\nsort=\(rows.sort.map(\.text).joined(separator: ","))"
        identity = spelled.fnv1a64
        try readPaging(query, list)
    }

    private mutating func readPaging(_ query: QueryItems, _ list: ListDefinition) throws(CustomAPIFailure) {
        guard list.style != .none else { return }
        let names = list.names
        let limit = try Self.number(query, names.limit, from: 1) ?? list.limit
        self.limit = min(limit, list.most)
        switch list.style {
        case .none: break
        case .offset: offset = try Self.number(query, names.offset, from: 0) ?? 0
        case .page:
            page = try Self.number(query, names.page, from: list.firstPage) ?? list.firstPage
            let (rows, isOver) = (page - list.firstPage).multipliedReportingOverflow(by: self.limit ?? 1)
            offset = isOver ? .max : rows
        case .cursor:
            guard let text = query.first(names.cursor), !text.isEmpty else { return }
            guard let cursor = ListCursor(text, of: identity, sortedBy: rows.sort.count) else {
                throw CustomAPIFailure(
                    .badRequest,
                    "The cursor is invalid, or from a list with another order or other filters.",
                    details: [CustomAPIFailure.Detail(path: "?\(names.cursor)", reason: "is not a cursor of this list")]
                )
            }
            self.cursor = cursor
        }
    }

    /// The names of parameters that are no filters.
    private static func reserved(_ list: ListDefinition) -> [String] {
        let names = list.names
        let always = [names.search, names.sort, names.order]
        switch list.style {
        case .none: return always
        case .offset: return always + [names.limit, names.offset]
        case .page: return always + [names.limit, names.page]
        case .cursor: return always + [names.limit, names.cursor]
        }
    }

    /// Returns the member and the comparison that a parameter names; nil if it is no filter.
    private static func filter(
        _ name: String,
        _ list: ListDefinition,
        _ table: TableDefinition
    ) -> (ScalarMember, ListFilter.Comparison)? {
        // A member that is really called so wins over a suffix.
        if let member = member(name, list, table) { return (member, .equal) }
        for comparison in ListFilter.Comparison.allCases where comparison != .equal && comparison != .exact {
            guard name.hasSuffix(comparison.rawValue) else { continue }
            if let member = member(String(name.dropLast(comparison.rawValue.count)), list, table) {
                return (member, comparison)
            }
        }
        return nil
    }

    private static func member(_ path: String, _ list: ListDefinition, _ table: TableDefinition) -> ScalarMember? {
        guard let filters = list.filterNames else { return table.member(path) }
        guard filters.contains(path) else { return nil }
        return table.member(path) ?? ScalarMember(MemberPath(path.split(separator: ".").map(String.init)), [])
    }

    /// Throws for a value that can't be in an order with those of a member.
    private static func check(
        _ item: QueryItems.Item,
        _ comparison: ListFilter.Comparison,
        _ member: ScalarMember
    ) throws(CustomAPIFailure) {
        guard comparison.isOrder, !member.types.isEmpty, !member.types.contains(.text) else { return }
        if member.types.contains(.number), JSONNumber(text: item.value) != nil { return }
        if member.types.contains(.bool), item.value == "true" || item.value == "false" { return }
        if member.types.contains(.time), ColumnValue.time(item.value) != nil { return }
        let reason = "must be \(member.types.words)"
        throw CustomAPIFailure(
            .badRequest,
            "\(item.name) \(reason).",
            details: [CustomAPIFailure.Detail(path: "?\(item.name)", reason: reason)]
        )
    }

    private static func searched(_ list: ListDefinition, _ table: TableDefinition) -> [MemberPath] {
        guard let search = list.search else {
            return table.listed.filter { $0.types.isEmpty || !$0.types.isDisjoint(with: [.text, .time]) }.map(\.path)
        }
        return search.compactMap { table.member($0)?.path }
    }

    private static func sort(
        _ query: QueryItems,
        _ list: ListDefinition,
        _ table: TableDefinition
    ) throws(CustomAPIFailure) -> [SortKey] {
        let names = list.names
        var keys = list.sort
        if let text = query.first(names.sort), !text.isEmpty {
            keys = []
            var named: Set<MemberPath> = []
            for part in text.split(separator: ",") {
                let isDescending = part.hasPrefix("-")
                let name = String(isDescending ? part.dropFirst() : part)
                guard let member = table.member(name) else {
                    throw CustomAPIFailure(
                        .badRequest,
                        "There is no member \(name.shortened) to sort by.",
                        details: [
                            CustomAPIFailure.Detail(path: "?\(names.sort)", reason: "\(name.shortened) is not known")
                        ]
                    )
                }
                // A member that is there twice has no further say.
                if named.insert(member.path).inserted {
                    keys.append(SortKey(member.path, isDescending: isDescending))
                }
            }
        }
        if query.first(names.order)?.lowercased() == "desc", !keys.isEmpty { keys[0].isDescending.toggle() }
        return keys
    }

    /// Returns the whole number of a parameter; nil without one.
    private static func number(_ query: QueryItems, _ name: String, from least: Int) throws(CustomAPIFailure) -> Int? {
        guard let text = query.first(name) else { return nil }
        let digits = text.utf8.drop { $0 == 0x30 }
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        // More digits than a number has are a large number.
        guard isNumber, digits.count > 18 || (Int(text) ?? -1) >= least else {
            let reason = "must be a whole number from \(least)"
            throw CustomAPIFailure(
                .badRequest,
                "\(name) \(reason).",
                details: [CustomAPIFailure.Detail(path: "?\(name)", reason: reason)]
            )
        }
        return digits.count > 18 ? Int.max : Int(text)
    }
}

extension ScalarMember.Types {
    /// The types in words, for a message.
    fileprivate var words: String {
        var words: [String] = []
        if contains(.number) { words.append("a number") }
        if contains(.bool) { words.append("true or false") }
        if contains(.time) { words.append("a date or a time") }
        return words.joined(separator: " or ")
    }
}
