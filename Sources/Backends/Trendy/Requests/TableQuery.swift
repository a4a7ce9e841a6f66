import Backend
import Basics
import HTTPMessage

/// The query and the preferences of a request to the server of the tables (contract, section 10.12).
struct TableQuery: Sendable {
    /// The members of a row that are asked for, each with its column; nil for all.
    private(set) var members: [(name: String, column: TableColumn)]?
    private var filters: [TableFilter] = []
    private var limit: Int?
    private var offset = 0
    /// The only columns of a body that are stored; nil for all.
    private(set) var storedColumns: Set<TableColumn>?
    let preferences: Preferences

    /// The parts of `Prefer` that the server of the tables knows.
    struct Preferences: Sendable {
        enum Duplicates: Sendable { case refused, merged, ignored }

        let returnsRows: Bool
        let counts: Bool
        let duplicates: Duplicates

        init(_ fields: Fields) {
            let elements = fields.listElements("Prefer").flatMap { $0.split(separator: ";") }
                .map { part in String(part.filter { $0 != " " && $0 != "\t" }) }
            func has(_ preference: String) -> Bool { elements.contains(preference) }
            returnsRows = has("return=representation")
            // Planner's estimates of one row are exact.
            counts = has("count=exact") || has("count=planned") || has("count=estimated")
            duplicates =
                has("resolution=merge-duplicates") ? .merged : has("resolution=ignore-duplicates") ? .ignored : .refused
        }
    }

    /// Rows that a query has selected.
    struct Selection: Sendable {
        var rows: [Profile]
        /// The number of rows that the filters leave, and the place of the first one that is answered.
        var total: Int
        var offset: Int
    }

    /// Reads a query; an insert has no filters.
    init(_ call: Call, isInsert: Bool = false) throws(APIError) {
        preferences = Preferences(call.fields)
        for item in call.query.items {
            switch item.name {
            case "select": members = try Self.members(item.value)
            case "order": try Self.checkOrder(item.value)
            case "limit": limit = try Self.number(item)
            case "offset": offset = try Self.number(item)
            case "columns":
                var columns: Set<TableColumn> = []
                for name in item.value.split(separator: ",") { columns.insert(try Self.stored(String(name))) }
                storedColumns = columns
            case "on_conflict":
                guard item.value.isEmpty || item.value == "id" || item.value == "\"id\"" else {
                    throw APIError(
                        .badRequest,
                        code: "42P10",
                        "there is no unique or exclusion constraint matching the ON CONFLICT specification"
                    )
                }
            // The gateway in front of the tables takes the key out.
            case "apikey": break
            case "and", "or", "not.and", "not.or": throw TableError.beyondTheEmulator(item.name)
            default:
                guard !isInsert else { continue }
                if item.name.contains("->") { throw TableError.beyondTheEmulator("a path into a column") }
                if item.name.contains(".") { throw TableError.beyondTheEmulator("a filter on an embedded table") }
                filters.append(try TableFilter(TableColumn.named(item.name), item.value))
            }
        }
    }

    /// The caller's row, unless a filter, the offset or the limit excludes it.
    func selection(_ state: TrendyState, _ call: Call) -> Selection {
        let all = [state.profiles[TrendyAPI.user(call)]].compactMap(\.self)
            .filter { row in filters.allSatisfy { $0.passes(row, in: call.epoch) } }
        return Selection(
            rows: Array(all.dropFirst(offset).prefix(limit ?? .max)),
            total: all.count,
            offset: offset
        )
    }

    // MARK: Parts

    private static func number(_ item: QueryItems.Item) throws(APIError) -> Int {
        guard let number = Int(item.value), number >= 0 else {
            throw APIError(.badRequest, code: "PGRST100", "\"failed to parse \(item.name) parameter (\(item.value))\"")
        }
        return number
    }

    /// The members of `select`; nil for all.
    private static func members(_ select: String) throws(APIError) -> [(name: String, column: TableColumn)]? {
        guard !select.contains("(") else { throw TableError.beyondTheEmulator("an embedded table or an aggregate") }
        var members: [(name: String, column: TableColumn)] = []
        var isAll = false
        for part in select.split(separator: ",") {
            let item = part.filter { $0 != " " }
            if item == "*" {
                isAll = true
                continue
            }
            if item.contains("::") { throw TableError.beyondTheEmulator("a cast") }
            if item.contains("->") { throw TableError.beyondTheEmulator("a path into a column") }
            let pieces = item.split(separator: ":", maxSplits: 1).map(String.init)
            guard let name = pieces.first, let last = pieces.last else { continue }
            let column = try TableColumn.named(last)
            members.append((pieces.count == 1 ? column.rawValue : name, column))
        }
        return isAll || members.isEmpty ? nil : members
    }

    /// One row has no order, but what stands there has to be one.
    private static func checkOrder(_ order: String) throws(APIError) {
        for part in order.split(separator: ",") {
            let words = part.filter { $0 != " " }.split(separator: ".").map(String.init)
            guard let name = words.first else { continue }
            if name.contains("->") || name.contains("(") {
                throw TableError.beyondTheEmulator("an order by other than columns")
            }
            _ = try TableColumn.named(name)
            var rest = words.dropFirst()
            if let word = rest.first, ["asc", "desc"].contains(word) { rest = rest.dropFirst() }
            if let word = rest.first, ["nullsfirst", "nullslast"].contains(word) { rest = rest.dropFirst() }
            guard rest.isEmpty else {
                throw APIError(.badRequest, code: "PGRST100", "\"failed to parse order (\(order))\" (line 1, column 1)")
            }
        }
    }

    private static func stored(_ name: String) throws(APIError) -> TableColumn {
        let plain = name.filter { $0 != "\"" && $0 != " " }
        guard let column = TableColumn(rawValue: plain) else { throw TableError.unknownColumn(plain) }
        return column
    }
}
