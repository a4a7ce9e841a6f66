/// The names by which requests ask for pages of a list, and by which answers tell of them.
package enum PagingName {
    /// The meaning of a parameter.
    package enum Parameter: Sendable {
        /// The number of items.
        case limit
        /// The number of the page.
        case page
        /// The number of items before it.
        case offset
        /// A text that leads to it.
        case cursor
    }

    private static let limits: Set<String> = [
        "limit", "perpage", "pagesize", "pagelimit", "size", "count", "first", "top", "take", "maxresults", "results",
        "rows", "itemsperpage", "resultsperpage", "maxitems", "num", "max", "length", "maxpagesize", "pagefirst",
        "paginglimit", "paginationlimit", "pagingsize", "paginationsize", "recordsperpage", "n",
    ]
    private static let pages: Set<String> = [
        "page", "pagenumber", "pageno", "pagenum", "pageindex", "currentpage", "p", "pagingpage", "paginationpage",
        "pagepage",
    ]
    private static let offsets: Set<String> = [
        "offset", "skip", "start", "startindex", "startat", "from", "pageoffset", "pagingoffset", "paginationoffset",
    ]
    private static let cursors: Set<String> = [
        "cursor", "after", "pagetoken", "nexttoken", "nextpagetoken", "continuationtoken", "continuation",
        "startingafter", "pageafter", "pagecursor", "marker", "nextcursor", "aftercursor", "paginationtoken",
        "paginationcursor", "scrollid", "bookmark", "nextpage", "startafter", "endcursor", "pagingcursor",
        "exclusivestartkey", "afterid", "lastid", "sinceid",
    ]
    /// Names that are as often those of an ordinary member.
    private static let ambiguous: Set<String> = [
        "size", "count", "first", "top", "take", "results", "rows", "num", "max", "length", "n", "p", "start", "from",
        "after", "marker", "sinceid", "bookmark",
    ]
    /// Parameters that choose the order, and no items.
    private static let orders: Set<String> = [
        "sort", "sortby", "order", "orderby", "sortorder", "direction", "sortdirection", "fields", "include", "expand",
        "embed", "select", "q", "query", "search",
    ]

    /// The meaning of a parameter; `isNumber` and `isText` tell what its values may be.
    package static func parameter(_ key: String, isNumber: Bool, isText: Bool) -> Parameter? {
        if isNumber, limits.contains(key) { return .limit }
        if isNumber, pages.contains(key) { return .page }
        if isNumber, offsets.contains(key) { return .offset }
        return cursors.contains(key) && (isText || isNumber) ? .cursor : nil
    }

    /// Tells whether a parameter of that name is rather an ordinary member, where items have one of the name.
    package static func isAmbiguous(_ key: String) -> Bool { ambiguous.contains(key) }

    /// Tells whether a parameter chooses the order or the form, but no items.
    package static func isOfOrder(_ key: String) -> Bool { orders.contains(key) }

    /// Tells whether a cursor is the id of the item before.
    package static func isOfItem(_ key: String) -> Bool {
        ["startingafter", "startafter", "afterid", "lastid", "sinceid", "after", "marker", "pageafter"].contains(key)
    }

    // MARK: Answers

    /// The fact that a member of an answer tells of the page.
    package enum Fact: Sendable {
        case total, totalPages, shown, page, limit, offset
        case hasNext, hasPrevious, isLast, isFirst, isEmpty
        case next, previous
    }

    private static let facts: [String: Fact] = [
        "total": .total, "totalcount": .total, "totalitems": .total, "totalresults": .total, "totalelements": .total,
        "totalrecords": .total, "totalhits": .total, "totalnumber": .total, "totalsize": .total, "totalrows": .total,
        "totalentries": .total, "totalamountofitems": .total, "itemstotal": .total, "recordstotal": .total,
        "recordcount": .total, "totalrecordcount": .total, "resultcount": .total, "resultscount": .total,
        "itemscount": .total, "numfound": .total, "hits": .total, "countall": .total, "grandtotal": .total,
        "numberofitems": .total, "totalnum": .total, "totalobjects": .total, "fullcount": .total,
        "totalpages": .totalPages, "pagecount": .totalPages, "pages": .totalPages, "pagestotal": .totalPages,
        "numpages": .totalPages, "numberofpages": .totalPages, "lastpage": .totalPages, "maxpage": .totalPages,
        "totalpagecount": .totalPages,
        "count": .shown, "numberofelements": .shown, "returned": .shown, "currentitemcount": .shown,
        "page": .page, "pagenumber": .page, "currentpage": .page, "pageno": .page, "pageindex": .page,
        "pagenum": .page, "number": .page,
        "perpage": .limit, "pagesize": .limit, "limit": .limit, "size": .limit, "itemsperpage": .limit,
        "maxresults": .limit, "resultsperpage": .limit, "pagelimit": .limit,
        "offset": .offset, "skip": .offset, "start": .offset, "startindex": .offset, "from": .offset,
        "more": .hasNext, "moreavailable": .hasNext, "istruncated": .hasNext, "truncated": .hasNext,
        "last": .isLast, "islast": .isLast, "islastpage": .isLast, "end": .isLast, "isend": .isLast, "done": .isLast,
        "complete": .isLast, "eof": .isLast, "first": .isFirst, "isfirst": .isFirst, "isfirstpage": .isFirst,
        "empty": .isEmpty, "isempty": .isEmpty,
    ]

    /// The words that may stand behind `next` where it leads to a page.
    private static let targets: Set<String> = [
        "cursor", "page", "token", "link", "url", "uri", "href", "offset", "skip", "key", "marker", "number", "index",
        "start", "results", "records", "continuation", "path", "id", "params", "position",
    ]

    /// The fact that a member tells; nil for an ordinary one.
    package static func fact(_ name: MemberName) -> Fact? {
        let key = name.key
        if key.hasPrefix("hasmore") || key.hasPrefix("hasnext") { return .hasNext }
        if key.hasPrefix("hasprev") { return .hasPrevious }
        if let known = facts[key] { return known }
        let words = name.words.filter { $0 != "x" && $0 != "odata" }
        guard let first = words.first else { return nil }
        let rest = words.dropFirst()
        if ["prev", "previous", "before", "starting"].contains(first), rest.allSatisfy(targets.contains) {
            return first == "starting" ? nil : .previous
        }
        if first == "next" || first == "nextlink", rest.allSatisfy(targets.contains) { return .next }
        if ["continuationtoken", "continuation", "scrollid", "pagetoken"].contains(key) { return .next }
        if words.last == "cursor", first != "start" { return .next }
        if key == "startcursor" { return .previous }
        return nil
    }

    /// Members that are usually the list of an answer, the likeliest first.
    package static let lists = [
        "items", "data", "results", "records", "entries", "content", "values", "list", "rows", "elements", "hits",
        "docs", "edges", "nodes", "objects", "value", "resources", "members", "collection", "entities", "result",
        "response", "payload", "embedded",
    ]
}
