import Backend
import HTTPMessage
import JSON

/// One page of a list, with what leads to the others (own-API contract, section 13).
struct ListPage {
    /// The places of its rows in the table.
    var places: [Int32] = []
    /// The rows of all pages.
    var total = 0
    /// The parameters of other pages by name; nil for one that is not there.
    var next: [(name: String, value: String)]?
    var previous: [(name: String, value: String)]?
    var first: [(name: String, value: String)]?
    var last: [(name: String, value: String)]?
    /// The cursor of the next page.
    var cursor: String?

    /// Finds the rows of a page.
    init(
        _ query: ListQuery,
        _ list: ListDefinition,
        _ table: inout CustomTable,
        _ definition: TableDefinition,
        _ epoch: Epoch
    ) {
        guard !query.rows.isPlain || !table.isDense else {
            // Each place has a row: nothing has to be looked up.
            takeDense(query, list, table)
            return
        }
        let (columns, order) = query.rows.columns(&table, definition, epoch)
        let selection = ListRows.Selection(query.rows, columns, order)
        total = selection.count
        guard let cursor = query.cursor, let limit = query.limit else {
            places = selection.page(query.offset, query.limit ?? .max)
            finish(query, list, table, columns)
            return
        }
        let keys = query.rows.sort
        let sorted = keys.map { key in columns.columns.first { $0.path == key.path } }
        let rows = table.rows
        let position = selection.position { place in
            for (index, key) in keys.enumerated() {
                guard let value = sorted[index]?.value(at: Int(place)) else { continue }
                let result = SortKey.compare(value, cursor.values[index], isDescending: key.isDescending)
                if result != 0 { return result < 0 }
            }
            let serial = rows.read(Int(place)) { $0.serial } ?? 0
            return cursor.direction == .after ? serial <= cursor.serial : serial < cursor.serial
        }
        switch cursor.direction {
        case .after: places = selection.after(position, limit)
        case .before: places = selection.before(position, limit)
        }
        let (first, count) = (position, places.count)
        finishCursor(query, list, table, columns) { side in
            switch (side, cursor.direction) {
            case (.before, .after): !selection.before(first, 1).isEmpty
            case (.after, .after): selection.after(first, count + 1).count > count
            case (.after, .before): !selection.after(first, 1).isEmpty
            case (.before, .before): selection.before(first, count + 1).count > count
            }
        }
    }

    /// Takes the rows of a page where the list is the whole table and each place has a row.
    private mutating func takeDense(_ query: ListQuery, _ list: ListDefinition, _ table: CustomTable) {
        total = table.count
        guard let cursor = query.cursor, let limit = query.limit else {
            let start = min(query.offset, total)
            places = (start..<start + min(query.limit ?? total, total - start)).map { Int32($0) }
            finish(query, list, table, nil)
            return
        }
        // The rows stand in the order of their serial numbers.
        var range = 0..<total
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            let serial = table.rows.read(middle) { $0.serial } ?? 0
            let isBefore = cursor.direction == .after ? serial <= cursor.serial : serial < cursor.serial
            range = isBefore ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
        }
        let position = range.lowerBound
        let page =
            switch cursor.direction {
            case .after: position..<min(position + limit, total)
            case .before: max(position - limit, 0)..<position
            }
        places = page.map { Int32($0) }
        let total = total
        finishCursor(query, list, table, nil) { side in
            side == .before ? page.lowerBound > 0 : page.upperBound < total
        }
    }

    private mutating func finish(
        _ query: ListQuery,
        _ list: ListDefinition,
        _ table: CustomTable,
        _ columns: TableColumns?
    ) {
        guard let limit = query.limit else { return }
        let names = list.names
        func page(_ offset: Int) -> [(name: String, value: String)] {
            list.style == .page
                ? [(names.page, "\(offset / limit + list.firstPage)")] : [(names.offset, "\(offset)")]
        }
        let end = query.offset.addingReportingOverflow(limit)
        switch list.style {
        case .none: break
        case .offset, .page:
            if !end.overflow, end.partialValue < total { next = page(end.partialValue) }
            let end = total == 0 ? 0 : (total - 1) / limit * limit
            if query.offset > 0 { previous = page(query.offset < total ? max(query.offset - limit, 0) : end) }
            first = page(0)
            last = page(end)
        case .cursor:
            guard places.count < total, let place = places.last else { return }
            setNext(Self.cursor(.after, place, query, table, columns).text(of: query.identity), query, list)
        }
    }

    /// Sets what leads on from a page that a cursor has led to; `hasRows` tells whether there are rows beside it.
    private mutating func finishCursor(
        _ query: ListQuery,
        _ list: ListDefinition,
        _ table: CustomTable,
        _ columns: TableColumns?,
        hasRows: (ListCursor.Direction) -> Bool
    ) {
        guard let cursor = query.cursor else { return }
        guard let start = places.first, let end = places.last else {
            // A page beyond the end leads back, one before the start leads on.
            let other = cursor.direction == .after ? ListCursor.Direction.before : .after
            guard hasRows(other) else { return }
            let text = ListCursor(other, cursor.values, Self.turned(cursor)).text(of: query.identity)
            if other == .before { setPrevious(text, query, list) } else { setNext(text, query, list) }
            return
        }
        if hasRows(.after) {
            setNext(Self.cursor(.after, end, query, table, columns).text(of: query.identity), query, list)
        }
        if hasRows(.before) {
            setPrevious(Self.cursor(.before, start, query, table, columns).text(of: query.identity), query, list)
        }
    }

    /// The place from which a cursor at an end of the list leads back over the row that it names.
    private static func turned(_ cursor: ListCursor) -> Int {
        cursor.direction == .after ? cursor.serial + 1 : cursor.serial - 1
    }

    private mutating func setNext(_ text: String, _ query: ListQuery, _ list: ListDefinition) {
        cursor = text
        next = [(list.names.cursor, text)]
    }

    private mutating func setPrevious(_ text: String, _ query: ListQuery, _ list: ListDefinition) {
        previous = [(list.names.cursor, text)]
    }

    private static func cursor(
        _ direction: ListCursor.Direction,
        _ place: Int32,
        _ query: ListQuery,
        _ table: CustomTable,
        _ columns: TableColumns?
    ) -> ListCursor {
        let values = query.rows.sort.map { key in
            columns?.columns.first { $0.path == key.path }?.value(at: Int(place)) ?? .absent
        }
        return ListCursor(direction, values, table.rows.read(Int(place)) { $0.serial } ?? 0)
    }
}

extension Call {
    /// Returns the whole address of this request with other values of some parameters.
    ///
    /// Its path has that ending, and no slash before it.
    func address(with parameters: [(name: String, value: String)], ending: String) -> String {
        var pairs: [(String, String)] = []
        var set: Set<String> = []
        for item in query.items {
            guard let parameter = parameters.first(where: { $0.name == item.name }) else {
                pairs.append((item.name, item.value))
                continue
            }
            if set.insert(item.name).inserted { pairs.append((item.name, parameter.value)) }
        }
        for parameter in parameters where !set.contains(parameter.name) { pairs.append(parameter) }
        let text = pairs.map { "\($0.0.percentEncodedComponent)=\($0.1.percentEncodedComponent)" }
        return origin + path.withoutSlash + ending + (text.isEmpty ? "" : "?" + text.joined(separator: "&"))
    }
}
