import JSON
import OpenAPI

/// The pages of a list and the meaning of its other parameters, by the names that the document declares.
struct ProposedPaging {
    enum Style: String { case none, offset, page, cursor }

    private(set) var style = Style.none
    private(set) var limit: Int64?
    private(set) var most: Int64?
    /// The names of parameters that are not the usual ones, by their usual name.
    private(set) var names: [(usual: String, name: String)] = []
    /// The reason why a request could be answered in another way than it is meant.
    private(set) var doubt: String?
    /// Tells whether a parameter chooses the order.
    private(set) var sorts = false
    /// Tells whether the first page is 0.
    private(set) var countsFromZero = false
    /// The declared parameters that mean nothing to the list.
    private(set) var ignored: [String] = []

    private static let limits = [
        "limit", "perpage", "pagesize", "pagelimit", "size", "maxresults", "take", "top", "count", "resultsperpage",
        "itemsperpage",
    ]
    private static let pages = ["page", "pagenumber", "pageno", "p", "currentpage"]
    private static let offsets = ["offset", "skip", "start", "pageoffset"]
    private static let cursors = [
        "cursor", "pagetoken", "nexttoken", "continuationtoken", "continuation", "nextcursor", "pagecursor",
        "nextpagetoken",
    ]
    /// Names that are of cursors where the response has one, else of rows.
    private static let ambiguous = ["after", "pageafter", "startingafter"]
    private static let byRows = ["maxid", "sinceid", "minid", "before", "around", "endingbefore", "lastid"]
    private static let odd = ["pageindex", "startindex"]

    /// - Parameters:
    ///   - operation: The list.
    ///   - members: The names of the row's scalar members.
    ///   - hasCursor: Tells whether the response has a member for the next cursor.
    init(_ operation: OpenAPIOperation, members: [String], hasCursor: Bool) {
        let parameters = operation.queryParameters
        var used: [String] = []
        var named: [(usual: String, name: String)] = []
        func find(_ plain: [String]) -> (name: String, schema: Schema?)? {
            for wanted in plain {
                if let found = parameters.first(where: { PlainName.of($0.name) == wanted && !members.contains($0.name) }
                ) {
                    return (found.name, found.schema)
                }
            }
            return nil
        }
        func take(_ found: (name: String, schema: Schema?), as usual: String) {
            used.append(found.name)
            if found.name != usual { named.append((usual, found.name)) }
        }
        let size = find(Self.limits)
        // A marker beside an offset is another way to the same pages.
        let isNumbered = find(Self.pages + Self.offsets) != nil
        let others = Self.ambiguous + (isNumbered ? [] : ["marker"])
        let cursor = find(Self.cursors) ?? (hasCursor ? find(others) : nil)
        if let cursor, hasCursor {
            style = .cursor
            take(cursor, as: "cursor")
        } else if let page = find(Self.pages) ?? Self.counted(find([Self.odd[0]])) {
            style = .page
            take(page, as: "page")
            countsFromZero = ["minimum", "default"].contains { page.schema?.keyword($0)?.intValue == 0 }
            if page.schema?.form == .object { doubt = "?\(page.name) is an object" }
        } else if let offset = find(Self.offsets) {
            style = .offset
            take(offset, as: "offset")
        } else if let cursor {
            style = .cursor
            doubt = "?\(cursor.name) is a cursor, and no member of the response has the next one"
        } else if let row = find(Self.ambiguous + Self.byRows + ["marker"]) {
            doubt = "?\(row.name) chooses the page by a row, and a resource has pages by number, offset or cursor"
        } else if let odd = find(Self.odd) {
            doubt = "?\(odd.name) may count from 0 or 1"
        } else if size != nil {
            style = .offset
        }
        if let size, style != .none {
            take(size, as: "limit")
            limit = size.schema?.keyword("default")?.intValue.flatMap { (1...100_000).contains($0) ? $0 : nil }
            most = size.schema?.keyword("maximum")?.intValue.flatMap { (1...100_000).contains($0) ? $0 : nil }
            if let limit, let most, limit > most { self.limit = most }
        }
        if let sort = find(["sort", "sortby", "orderby", "ordering", "sortfield"]) {
            let choices = sort.schema?.choices?.compactMap(\.stringValue) ?? []
            if Self.areMembers(choices, members), sort.schema?.form == .text {
                take(sort, as: "sort")
                sorts = true
            } else if sort.name == "sort" {
                named.append(("sort", "_sort"))
            }
        }
        if let order = find(["order", "sortorder", "sortdir", "direction", "sortdirection", "orderdirection", "dir"]) {
            let choices = order.schema?.choices?.compactMap { $0.stringValue?.lowercased() } ?? []
            // Without a member to sort by it changes nothing.
            if sorts, !choices.isEmpty, choices.allSatisfy({ ["asc", "desc"].contains($0) }) {
                take(order, as: "order")
            } else if order.name == "order" {
                named.append(("order", "_order"))
            }
        }
        if let search = find(["q", "search", "query", "searchterm", "searchquery", "keyword", "keywords"]) {
            take(search, as: "q")
        }
        for parameter in parameters where !used.contains(parameter.name) && !members.contains(parameter.name) {
            if parameter.isRequired, doubt == nil {
                doubt = "?\(parameter.name) is required, and no member of the rows has this name"
            }
            ignored.append(parameter.name)
        }
        names = named
        let spelled = named.map(\.name)
        if Set(spelled).count != spelled.count { doubt = "a parameter has two meanings" }
    }

    /// The parameter, if the document says from where it counts.
    private static func counted(_ page: (name: String, schema: Schema?)?) -> (name: String, schema: Schema?)? {
        let values = ["minimum", "default"].compactMap { page?.schema?.keyword($0)?.intValue }
        return values.contains { $0 == 0 || $0 == 1 } ? page : nil
    }

    /// Tells whether values name members, each with a minus in front or without.
    private static func areMembers(_ choices: [String], _ members: [String]) -> Bool {
        choices.allSatisfy { members.contains($0.hasPrefix("-") ? String($0.dropFirst()) : $0) }
    }

    /// `paging` and `names` of a list, as `api.json` has them.
    var members: JSONObject {
        var list = JSONObject()
        if style != .none {
            var paging: JSONObject = ["style": .string(style.rawValue)]
            if let limit { paging.append("limit", .integer(limit)) }
            if let most { paging.append("max", .integer(most)) }
            if countsFromZero { paging.append("from", 0) }
            list.append("paging", .object(paging))
        }
        if !names.isEmpty {
            let usual = ["q", "sort", "order", "limit", "offset", "page", "cursor"]
            let ordered = usual.compactMap { name in names.first { $0.usual == name } }
            list.append("names", .object(JSONObject(ordered.map { .init(name: $0.usual, value: .string($0.name)) })))
        }
        return list
    }
}
