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
            return isCursor(name, member)
                || depth < 2 && member.form == .object && hasCursor(in: member, depth: depth + 1)
        }
    }

    /// Tells whether a member has the cursor of the next page where a list has pages by cursor.
    private static func isCursor(_ name: String, _ schema: Schema) -> Bool {
        guard schema.form == .text, !isAddress(schema, name) else { return false }
        let isOther = ["after", "startingafter", "marker"].contains(PlainName.of(name))
        return isOther || PagingName.fact(MemberName(name)) == .next
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
    /// `guesses` gets required members that no placeholder fills, `doubts` those that keep the list off.
    func envelope(_ paging: ProposedPaging, guesses: inout [String], doubts: inout [String]) -> JSON? {
        guard !path.isEmpty else { return nil }
        let style = paging.style
        let array = PlainName.of(path.last ?? "")
        var found: [String] = []
        var fixed: [String] = []
        let hasTotal = Self.names(in: response, depth: 0).contains { Self.totals.contains($0) }
        let maker = ProposedTemplate { path, schema in
            if path == self.path { return "{{items}}" }
            let name = path.last ?? ""
            switch schema.form {
            case .integer, .number:
                if PlainName.of(name) == "next" || PlainName.of(name) == "nextpage" { found.append(name) }
                let plain = PlainName.of(name)
                if [array + "count", PlainName.singular(array) + "count"].contains(plain) {
                    return hasTotal ? "{{count}}" : "{{total}}"
                }
                return Self.number(plain, paging, hasTotal: hasTotal).map { .string($0) }
            case .text: return Self.text(name, schema, style).map { .string($0) }
            case .boolean: return Self.flag(path, schema, isSorted: paging.sorts)
            default: return nil
            }
        } guessed: { path, value in
            fixed.append("\(path.map { JSONPathElement.key($0) }.formattedJSONPath) is always \(value.text)")
        }
        let made = maker.object(response)
        doubts += found
        guesses = fixed
        return made
    }

    private static func flag(_ path: [String], _ schema: Schema, isSorted: Bool) -> JSON? {
        let name = path.last ?? ""
        // Spring tells the order in an object of its own, whose `empty` is none of the page.
        switch (path.dropLast().last.map(PlainName.of), PlainName.of(name)) {
        case ("sort", "sorted") where !isSorted, ("pageable", "unpaged"): return schema.fits(false) ? false : nil
        case ("sort", "unsorted") where !isSorted, ("sort", "empty") where !isSorted, ("pageable", "paged"):
            return schema.fits(true) ? true : nil
        case ("sort", _): return nil
        default: break
        }
        switch PagingName.fact(MemberName(name)) {
        case .hasNext: return "{{more}}"
        case .hasPrevious: return "{{hasPrevious}}"
        case .isFirst: return "{{isFirst}}"
        case .isLast: return "{{isLast}}"
        case .isEmpty: return "{{isEmpty}}"
        default: return PlainName.of(name) == "morepages" ? "{{more}}" : nil
        }
    }

    static func names(in schema: Schema, depth: Int) -> [String] {
        schema.memberNames.flatMap { name -> [String] in
            guard depth < 2, let inner = schema.member(name), inner.form == .object else { return [PlainName.of(name)] }
            return names(in: inner, depth: depth + 1)
        }
    }

    private static func number(_ plain: String, _ paging: ProposedPaging, hasTotal: Bool) -> String? {
        let style = paging.style
        if totals.contains(plain) { return "{{total}}" }
        switch plain {
        case "count", "itemcount", "numberofelements": return hasTotal ? "{{count}}" : "{{total}}"
        case "limit", "perpage", "pagesize", "itemsperpage", "pagelimit", "maxresults", "size", "take",
            "top":
            // A whole list is one page of all rows; what is not sure to be whole is none.
            return style == .none && paging.doubt == nil ? "{{total}}" : "{{limit}}"
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
        if style == .cursor, isCursor(name, schema) { return "{{cursor" + ending }
        switch plain {
        case "next", "nexturl", "nextlink", "nextpage", "nextpageurl", "nexthref": return "{{next" + ending
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
            for (name, value) in [("offset", 0), ("page", 1), ("pages", rows.isEmpty ? 0 : 1)] as [(String, JSON)] {
                values[name] = value
            }
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
