import Formats
import JSON
import OpenAPI

/// The response of a list: its rows, and the template that shows them.
struct ProposedList {
    /// The schema of a row.
    let row: Schema
    /// The way to the rows; empty where the response is the array.
    let path: [String]
    let response: Schema
    /// Tells whether a member has the cursor of the next page.
    let hasCursor: Bool

    private static let usualNames = [
        "data", "items", "results", "values", "records", "rows", "content", "entries", "list",
    ]
    private static let totals = [
        "total", "totalcount", "totalitems", "totalresults", "totalelements", "totalrecords", "totalentries",
        "totalhits",
        "recordcount", "numresults", "numfound", "resultcount", "hits",
    ]
    private static let cursors = [
        "nextcursor", "cursor", "nextpagetoken", "nexttoken", "pagetoken", "endcursor", "continuationtoken",
        "continuation",
        "after", "nextpagecursor", "startingafter",
    ]

    /// Reads the schema of a response; nil if it is none of a list of objects.
    ///
    /// `name` is the last part of the path.
    init?(_ response: Schema, name: String) {
        self.response = response
        if response.form == .array {
            guard let row = response.element, row.form == .object else { return nil }
            self.row = row
            path = []
            hasCursor = false
            return
        }
        guard response.form == .object else { return nil }
        var arrays = Self.arrays(in: response, [])
        if arrays.isEmpty {
            for member in response.memberNames where response.member(member)?.form == .object {
                if let inner = response.member(member) { arrays += Self.arrays(in: inner, [member]) }
            }
        }
        let wanted = [PlainName.of(name)] + Self.usualNames
        let named = wanted.lazy.compactMap { plain in arrays.first { PlainName.of($0.path.last ?? "") == plain } }.first
        guard let chosen = named ?? (arrays.count == 1 ? arrays[0] : nil) else { return nil }
        (row, path) = (chosen.row, chosen.path)
        hasCursor = Self.hasCursor(in: response, depth: 0)
    }

    private static func arrays(in schema: Schema, _ path: [String]) -> [(path: [String], row: Schema)] {
        schema.memberNames.compactMap { name in
            guard let member = schema.member(name), member.form == .array, let row = member.element, row.form == .object
            else { return nil }
            return (path + [name], row)
        }
    }

    private static func hasCursor(in schema: Schema, depth: Int) -> Bool {
        schema.memberNames.contains { name in
            guard let member = schema.member(name) else { return false }
            if cursors.contains(PlainName.of(name)), member.form == .text { return true }
            if PlainName.of(name) == "next", member.form == .text, !isAddress(member, name) { return true }
            return depth < 2 && member.form == .object && hasCursor(in: member, depth: depth + 1)
        }
    }

    private static func isAddress(_ schema: Schema, _ name: String) -> Bool {
        if ["uri", "url", "uri-reference"].contains(schema.keyword("format")?.stringValue) { return true }
        let plain = PlainName.of(name)
        if ["url", "uri", "link", "href"].contains(where: { plain.hasSuffix($0) }) { return true }
        let shown = schema.keyword("example")?.stringValue ?? schema.keyword("examples")?.arrayValue?.first?.stringValue
        return shown.map { $0.hasPrefix("http") || $0.hasPrefix("/") } ?? false
    }

    /// Returns the template for pages of a style; nil where the array itself is sent.
    ///
    /// `doubts` gets members of which no
    /// placeholder has the value.
    func envelope(_ style: ProposedPaging.Style, doubts: inout [String]) -> JSON? {
        guard !path.isEmpty else { return nil }
        var found: [String] = []
        let hasTotal = Self.names(in: response, depth: 0).contains { Self.totals.contains($0) }
        let maker = ProposedTemplate { path, schema in
            if path == self.path { return "{{items}}" }
            let name = path.last ?? ""
            switch schema.form {
            case .integer, .number:
                if PlainName.of(name) == "next" || PlainName.of(name) == "nextpage" { found.append(name) }
                return Self.number(PlainName.of(name), style, hasTotal: hasTotal)
            case .text: return Self.text(name, schema, style)
            case .boolean: return Self.flag(name)
            default: return nil
            }
        }
        let made = maker.object(response)
        doubts += found
        return made
    }

    private static func flag(_ name: String) -> String? {
        switch PagingName.fact(MemberName(name)) {
        case .hasNext: "{{more}}"
        case .hasPrevious: "{{hasPrevious}}"
        case .isFirst: "{{isFirst}}"
        case .isLast: "{{isLast}}"
        case .isEmpty: "{{isEmpty}}"
        default: PlainName.of(name) == "morepages" ? "{{more}}" : nil
        }
    }

    static func names(in schema: Schema, depth: Int) -> [String] {
        schema.memberNames.flatMap { name -> [String] in
            guard depth < 2, let inner = schema.member(name), inner.form == .object else { return [PlainName.of(name)] }
            return names(in: inner, depth: depth + 1)
        }
    }

    private static func number(_ plain: String, _ style: ProposedPaging.Style, hasTotal: Bool) -> String? {
        if totals.contains(plain) { return "{{total}}" }
        switch plain {
        case "count", "itemcount", "numberofelements": return hasTotal ? "{{count}}" : "{{total}}"
        case "limit", "perpage", "pagesize", "itemsperpage", "pagelimit", "maxresults", "size":
            return style == .none ? "{{total}}" : "{{limit}}"
        case "offset", "skip", "start": return style == .offset || style == .page ? "{{offset}}" : nil
        // The number of a page beside the number of all rows, as Spring names it.
        case "number" where !hasTotal: return nil
        case "page", "currentpage", "pagenumber", "pageindex", "number":
            return style == .offset || style == .page ? "{{page}}" : nil
        case "pages", "totalpages", "pagecount", "lastpage", "numpages":
            return style == .offset || style == .page ? "{{pages}}" : nil
        default: return nil
        }
    }

    private static func text(_ name: String, _ schema: Schema, _ style: ProposedPaging.Style) -> String? {
        let plain = PlainName.of(name)
        let ending = schema.fits(.null) ? " ?? null}}" : "}}"
        if cursors.contains(plain) { return style == .cursor ? "{{cursor" + ending : nil }
        switch plain {
        case "next", "nexturl", "nextlink", "nextpage", "nextpageurl", "nexthref":
            if style == .cursor, !isAddress(schema, name) { return "{{cursor" + ending }
            return "{{next" + ending
        case "prev", "previous", "prevurl", "previousurl", "prevlink", "previouslink", "previouspage", "prevpageurl",
            "previouspageurl":
            return isAddress(schema, name) || style != .cursor ? "{{previous" + ending : nil
        case "first", "firsturl", "firstlink", "firstpage", "firstpageurl": return "{{first" + ending
        case "last", "lasturl", "lastlink", "lastpage", "lastpageurl": return "{{last" + ending
        default: return nil
        }
    }

    /// Returns the first thing about a list of those rows that does not fit, on its only page, a first and a last one.
    func misfit(_ envelope: JSON?, _ rows: [JSON], _ style: ProposedPaging.Style) -> String? {
        guard let envelope else { return response.misfit(.array(rows)) }
        let address: JSON = "http://127.0.0.1:4680/shop/v1/items?page=1"
        let count = JSON.integer(Int64(rows.count))
        var values: [String: JSON] = ["items": .array(rows), "total": count, "count": count, "more": false]
        (values["hasPrevious"], values["isEmpty"]) = (false, .bool(rows.isEmpty))
        (values["isFirst"], values["isLast"]) = (true, true)
        if style != .none { values["limit"] = 20 }
        if style == .offset || style == .page {
            for (name, value) in [("offset", 0), ("page", 1), ("pages", 1)] as [(String, JSON)] { values[name] = value }
            (values["first"], values["last"]) = (address, address)
        }
        if let reason = ProposedTemplate.filled(envelope, values).flatMap(response.misfit) { return reason }
        guard style != .none else { return nil }
        (values["next"], values["previous"], values["more"]) = (address, address, true)
        if style == .cursor { values["cursor"] = "eyJhZnRlciI6MjB9" }
        return ProposedTemplate.filled(envelope, values).flatMap(response.misfit)
    }

    /// The rows in an example of the response.
    func rows(in example: JSON) -> [JSON] {
        var value = example
        for name in path {
            guard let inner = value[name] else { return [] }
            value = inner
        }
        return value.arrayValue ?? []
    }
}
