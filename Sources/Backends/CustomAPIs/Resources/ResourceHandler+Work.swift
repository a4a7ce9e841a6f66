import Backend
import Engine
import HTTPMessage
import Templates

/// The judgement of a resource's work before it is done (control contract, section 17).
extension ResourceHandler {
    /// The bytes of a query beyond which it takes long to read.
    private static let longQuery = 2_048
    private static let nanosecondsOfRow = 1_000
    private static let nanosecondsOfByte = 10
    /// A row's part of a column, of an order, of one of these that is there already, and of a search in a text.
    private static let nanosecondsOfCell = 500
    private static let nanosecondsOfPlace = 500
    private static let nanosecondsOfTest = 20
    private static let nanosecondsOfSearch = 200

    /// Returns the approximate nanoseconds that a call takes.
    func work(_ method: ResourceDefinition.Method, _ call: Call, _ state: CustomAPIState) -> Int {
        let rows = state.tables[resource.table]
        let row = Self.nanosecondsOfRow + rows.largestRow * Self.nanosecondsOfByte
        guard method == .list else {
            let template = resource.item.map { call.work(of: $0.load) } ?? 0
            guard resource.isSingle, !resource.bindings.isEmpty || resource.owner != nil else { return row + template }
            return row + template + choosing(ListRows(filters: conditionFilters), rows)
        }
        guard call.request.head.target.rawQuery?.utf8.count ?? 0 <= Self.longQuery else {
            return WorkBudget.endless
        }
        // A list that is refused takes little.
        guard let query = try? ListQuery(call.query, resource.list, table, conditionFilters, path: "") else { return 0 }
        let page = min(query.limit ?? .max, rows.count)
        let template = resource.list.envelope.map { call.work(of: $0.load) } ?? 0
        let chosen = query.rows.isPlain && rows.isDense ? 0 : choosing(query.rows, rows)
        return page * row + template + chosen
    }

    /// The conditions that path and user set, without their values.
    private var conditionFilters: [ListFilter] {
        (resource.bindings.map(\.member) + [resource.owner].compactMap { $0 }).map {
            ListFilter(exactly: MemberPath(name: $0), "")
        }
    }

    /// Returns the nanoseconds that it takes to choose rows.
    private func choosing(_ choice: ListRows, _ rows: CustomTable) -> Int {
        let missing = rows.missing(for: choice.paths, sortedBy: choice.sort)
        var each = missing.columns * Self.nanosecondsOfCell + missing.orders * Self.nanosecondsOfPlace
        each += (choice.filters.count + 2) * Self.nanosecondsOfTest
        let search = Self.nanosecondsOfSearch + rows.largestRow * 2
        for filter in choice.filters where filter.comparison == .like || filter.comparison.isOrder {
            each += filter.texts.count * search
        }
        each += (choice.search?.members.count ?? 0) * search
        return rows.count * each
    }
}
