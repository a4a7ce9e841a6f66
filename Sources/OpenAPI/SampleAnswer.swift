import Basics
import Formats
import HTTPMessage
import JSON

/// The sample of a response that fits its request: members have the values of parameters, and a list is the page that
/// was asked for (own-API contract, section 17).
struct SampleAnswer {
    /// The page of a list as its answer tells of it.
    struct Facts: Equatable {
        var total: Int
        var limit: Int
        var offset: Int
        var count: Int
        var firstPage = 1

        var end: Int { offset + max(count, limit) }
        var isLast: Bool { end >= total || limit == 0 }
        var page: Int { firstPage + (limit > 0 ? offset / limit : 0) }
        var pages: Int { limit > 0 ? (total + limit - 1) / limit : 0 }

        /// The number that a header tells; nil for other facts.
        func number(of fact: PagingName.Fact) -> Int? {
            switch fact {
            case .total: total
            case .totalPages: pages
            case .shown: count
            case .page: page
            case .limit: limit
            case .offset: offset
            case .hasNext, .hasPrevious, .isLast, .isFirst, .isEmpty, .next, .previous: nil
            }
        }
    }

    private let operation: OpenAPIOperation
    private let call: OpenAPICall
    private let schema: Int
    private var maker: SampleMaker
    /// The page that was made; nil for a sample without one.
    private(set) var facts: Facts?

    init(_ operation: OpenAPIOperation, _ call: OpenAPICall, _ schema: Int, by maker: SampleMaker) {
        self.operation = operation
        self.call = call
        self.schema = schema
        self.maker = maker
    }

    /// The work and the outlay so far.
    var work: Int { maker.work + maker.outlay + former }
    var isStopped: Bool { maker.isStopped }
    /// The work of makers before this one.
    private var former = 0

    /// The members in which answers have what tells of a list.
    private static let parts: Set<String> = [
        "meta", "metadata", "pagination", "paging", "page", "pageinfo", "links", "cursors", "responsemetadata",
        "resultinfo", "listinfo", "pager", "pagedetails", "cursor",
    ]
    /// Items of all lists: enough for many pages, few enough to read all of them.
    private static let totals = 51...79
    /// Items before a page; more are as many.
    private static let mostBefore = 1_000_000_000_000

    /// A member at the top that is called as a parameter of the path, or `id` for the last one, takes its value if that
    /// fits.
    mutating func withPathValues(_ value: JSON) -> JSON {
        let names = operation.template.parameterNames
        var wishes: [SampleWish] = []
        for (place, name) in names.enumerated() where call.pathValues.indices.contains(place) {
            wishes.append(SampleWish(name: name, texts: [call.pathValues[place]]))
            guard place == names.count - 1, !names.contains("id") else { continue }
            wishes.append(SampleWish(name: "id", texts: [call.pathValues[place]]))
        }
        return maker.told(value, wishes, [schema], isDeclared: false).value
    }

    /// Returns the sample as the request has it.
    mutating func shaped(_ sample: SampleMaker.Sample, ceiling: Int) -> JSON {
        var value = sample.value
        let list = list(in: value)
        let item = list.flatMap { value.at($0)?[0]?.objectValue }
        let store = maker.store
        let view = SchemaView(store)
        var elements = [schema]
        for name in list ?? [] { elements = elements.flatMap { view.schemas(ofMember: name, in: $0) } }
        if list != nil { elements = elements.flatMap { view.schemas(ofElement: 0, in: $0) } }
        let members =
            list == nil ? [] : elements.flatMap { view.memberNames(in: $0) } + (item?.members.map(\.name) ?? [])
        let keys = Set(members.map { MemberName($0).key })
        let request = SampleRequest(operation, call, items: keys)
        guard let list, isAnswerOfList(list, request) else {
            return maker.told(value, request.filters, [schema]).value
        }
        let filters = request.filters.filter { keys.contains($0.key) }
        var total =
            request.isPaged ? total(list, filters, request.others, in: value) : value.at(list)?.arrayValue?.count ?? 0
        // An element shows whether there can be any with those values.
        if let item, !maker.told(.object(item), filters, elements).fits { total = 0 }
        let ids = idKeys(list)
        if let id = filters.first(where: { ids.contains($0.key) }) { total = min(total, id.texts.count) }
        let most = schemas(at: list).flatMap { view.all($0) }.compactMap(\.maxItems).min() ?? .max
        let asked = min(request.isPaged ? request.asked : total, most)
        let texts = texts(filters, request.others) + ["list"]
        func page(_ offset: Int, _ count: Int) -> SamplePage {
            SamplePage(
                path: list,
                offset: offset,
                count: count,
                seed: call.seed,
                texts: texts,
                wishes: request.pathWishes + filters,
                idKeys: ids
            )
        }
        let asks = request.start(asked) { text in
            guard let first = made(page(0, 1), ceiling)?.at(list)?[0]?.objectValue else { return nil }
            let one = page(0, 1)
            guard let name = one.idName(first), let id = first[name] else { return nil }
            return (0..<total).first { number in
                one.ids(number, after: id).contains { $0.stringValue == text || $0.text == text }
            }
        }
        let start = min(asks, Self.mostBefore)
        let count = max(0, min(asked, total - start))
        if request.isPaged || !filters.isEmpty || request.pathWishes.contains(where: { keys.contains($0.key) }) {
            guard let whole = made(page(start, count), ceiling) else {
                return maker.told(value, request.filters, [schema]).value
            }
            value = whole
        }
        let found = Facts(
            total: total,
            limit: asked,
            offset: start,
            count: value.at(list)?.arrayValue?.count ?? 0,
            firstPage: request.firstPage
        )
        facts = found
        if !list.isEmpty {
            value = maker.told(value, request.filters, [schema]).value
            value = told(found, in: value, list, request)
        }
        return value
    }

    /// The facts that lists and their elements depend on.
    private func texts(_ filters: [SampleWish], _ others: [String]) -> [String] {
        [operation.method.rawValue, operation.template.text, call.path]
            + filters.map { "\($0.key)=\($0.texts.joined(separator: ","))" } + others
    }

    /// A sample with a page; nil if none was found.
    private mutating func made(_ page: SamplePage, _ ceiling: Int) -> JSON? {
        let stream = SampleStream(seed: call.seed, page.texts)
        var other = SampleMaker(
            maker.store,
            start: call.start,
            stream: stream,
            page: page,
            ceiling: max(0, ceiling - work)
        )
        let sample = other.sample(schema)
        former += maker.work + maker.outlay
        maker = other
        return sample?.value
    }

    // MARK: Lists

    /// The names of the members that lead to the list of an answer; nil for an answer without one.
    private func list(in value: JSON) -> [String]? {
        switch value {
        case .array: return []
        case .object(let object):
            let arrays = object.members.filter { $0.value.arrayValue != nil }.map(\.name)
            if let name = likeliest(arrays) { return [name] }
            for key in PagingName.lists + ["embedded"] {
                guard let member = object.members.first(where: { MemberName($0.name).key == key }),
                    let inner = member.value.objectValue,
                    let name = likeliest(inner.members.filter { $0.value.arrayValue != nil }.map(\.name))
                else { continue }
                return [member.name, name]
            }
            return nil
        default: return nil
        }
    }

    private func likeliest(_ names: [String]) -> String? {
        for key in [resource] + PagingName.lists {
            if let name = names.first(where: { MemberName($0).key == key }) { return name }
        }
        return names.count == 1 ? names[0] : nil
    }

    /// The last segment of the path that is no parameter, as a key.
    private var resource: String {
        let last = operation.path.split(separator: "/").last { !$0.contains("{") }
        return MemberName(last.map { String($0) } ?? "").key
    }

    /// Tells whether the answer is that list, not something that has one.
    private func isAnswerOfList(_ list: [String], _ request: SampleRequest) -> Bool {
        guard !request.isPaged, let name = list.last else { return true }
        guard operation.path.split(separator: "/").last?.contains("{") != true else { return false }
        let key = MemberName(name).key
        return key == resource || PagingName.lists.contains(key)
    }

    /// The names by which elements are told apart, as keys.
    private func idKeys(_ list: [String]) -> [String] {
        let names = [resource, list.last.map { MemberName($0).key } ?? ""]
        let singular = names.filter { $0.hasSuffix("s") }.map { String($0.dropLast()) + "id" }
        return ["id", "uuid", "guid", "key"] + singular
    }

    /// The number of all items, which a member that tells it takes.
    private mutating func total(
        _ list: [String],
        _ filters: [SampleWish],
        _ others: [String],
        in value: JSON
    ) -> Int {
        var stream = SampleStream(seed: call.seed, texts(filters, others) + ["total"])
        let total = stream.within(Self.totals)
        for (path, name) in told(in: value, list) where PagingName.fact(MemberName(name)) == .total {
            let inner = schemas(at: path + [name])
            guard let shown = value.at(path + [name])?.intValue, !inner.isEmpty else { continue }
            let values = [total] + (0...9).map { total >> ($0 / 2) } + [Int(clamping: shown)]
            return values.first { number in (0...1_000).contains(number) && fits(.integer(Int64(number)), inner) }
                ?? total
        }
        return total
    }

    private mutating func fits(_ value: JSON, _ schemas: [Int]) -> Bool {
        for schema in schemas where maker.fits(value, [schema]) { return true }
        return schemas.isEmpty
    }

    private func schemas(at path: [String]) -> [Int] {
        let view = SchemaView(maker.store)
        return path.reduce([schema]) { found, name in found.flatMap { view.schemas(ofMember: name, in: $0) } }
    }

    // MARK: What tells of the page

    /// The members that may tell of the page, each with the names that lead to the object that has it.
    private func told(in value: JSON, _ list: [String]) -> [(path: [String], name: String)] {
        func members(_ path: [String]) -> [(path: [String], name: String)] {
            guard let object = value.at(path)?.objectValue else { return [] }
            let own = object.members.filter { path + [$0.name] != list && $0.value.arrayValue == nil }
            return own.flatMap { member -> [(path: [String], name: String)] in
                let isPart =
                    Self.parts.contains(MemberName(member.name).key) || list.first == member.name && path.isEmpty
                let inner = member.value.objectValue != nil && isPart && path.count < 2
                return [(path, member.name)] + (inner ? members(path + [member.name]) : [])
            }
        }
        return members([])
    }

    /// Gives the members that tell of the page its facts, where these fit.
    private mutating func told(_ facts: Facts, in value: JSON, _ list: [String], _ request: SampleRequest) -> JSON {
        let places = told(in: value, list)
        let kinds = places.map { PagingName.fact(MemberName($0.name)) }
        let hasTotal = kinds.contains(.total)
        let hasNext = kinds.contains(.next)
        var all = value
        var edits: [(path: [String], values: [JSON?])] = []
        for (place, kind) in zip(places, kinds) {
            guard let kind, let old = value.at(place.path + [place.name]) else { continue }
            let key = MemberName(place.name).key
            guard key != "number" || kinds.contains(.totalPages) || hasTotal else { continue }
            // A cursor beside the next one is that of the request.
            if key == "cursor", hasNext, places.contains(where: { MemberName($0.name).key.hasPrefix("next") }) {
                continue
            }
            var path = place.path + [place.name]
            var values = values(of: kind, key, facts, request, hasTotal: hasTotal)
            if let object = old.objectValue {
                guard kind == .next || kind == .previous else { continue }
                // `"next": {"href": …}`
                if values.first != .some(nil), values.first != .some(.null) {
                    guard let link = object.members.first(where: { ["href", "url"].contains(MemberName($0.name).key) })
                    else { continue }
                    path.append(link.name)
                } else {
                    values = [.null, nil]
                }
            }
            let inner = schemas(at: path)
            guard let first = values.first(where: { candidate in candidate.map { fits($0, inner) } ?? true }) else {
                continue
            }
            edits.append((path, [first] + values))
            all = all.setting(path[...], to: first)
        }
        if maker.fits(all, [schema]) { return all }
        all = value
        for (path, values) in edits {
            for candidate in values {
                let changed = all.setting(path[...], to: candidate)
                guard maker.fits(changed, [schema]) else { continue }
                all = changed
                break
            }
        }
        return all
    }

    /// The values that a member may have that tells a fact, the likeliest first; nil is no member.
    private func values(
        of fact: PagingName.Fact,
        _ key: String,
        _ facts: Facts,
        _ request: SampleRequest,
        hasTotal: Bool
    ) -> [JSON?] {
        func number(_ value: Int) -> [JSON?] { [.integer(Int64(value)), .string(String(value))] }
        switch fact {
        case .total: return number(facts.total)
        case .totalPages: return key == "lastpage" ? [.bool(facts.isLast)] + number(facts.pages) : number(facts.pages)
        case .shown: return number(hasTotal ? facts.count : facts.total)
        case .page: return number(facts.page)
        case .limit: return number(facts.limit)
        case .offset: return number(facts.offset)
        case .hasNext: return [.bool(!facts.isLast)]
        case .hasPrevious: return [.bool(facts.offset > 0)]
        case .isLast: return [.bool(facts.isLast)]
        case .isFirst: return [.bool(facts.offset == 0)]
        case .isEmpty: return [.bool(facts.count == 0)]
        case .next:
            if facts.isLast { return [.null, nil, .bool(false), .string(""), .integer(0)] }
            return way(to: facts.offset + facts.limit, key, facts, request)
        case .previous:
            if facts.offset == 0 { return [.null, nil, .bool(false), .string(""), .integer(0)] }
            return way(to: max(0, facts.offset - facts.limit), key, facts, request)
        }
    }

    /// The values that lead to the page with so many items before it.
    private func way(to offset: Int, _ key: String, _ facts: Facts, _ request: SampleRequest) -> [JSON?] {
        let page = facts.firstPage + (facts.limit > 0 ? offset / facts.limit : 0)
        let isOfPages = request.page != nil && request.cursor == nil || key.hasSuffix("page") || key.hasSuffix("number")
        let isOffset = key.contains("offset") || key.contains("skip") || !isOfPages
        let number: JSON = .integer(Int64(isOffset ? offset : page))
        var parameter = (name: "", value: "")
        if let cursor = request.cursor {
            parameter = (cursor.name, SampleCursor.texts(offset)[0].stringValue ?? "")
        } else if let start = request.offset {
            parameter = (start.name, String(offset))
        } else if let name = request.page?.name {
            parameter = (name, String(page))
        }
        let kept = request.query.pairs.filter { $0.name != parameter.name }
            .map { "\($0.name.percentEncodedComponent)=\(String(decoding: $0.value, as: UTF8.self))" }
        let query =
            kept + [parameter].filter { !$0.name.isEmpty }.map { "\($0.name.percentEncodedComponent)=\($0.value)" }
        let relative = call.path + (query.isEmpty ? "" : "?") + query.joined(separator: "&")
        let links: [JSON?] = [.string(call.origin + relative), .string(relative)]
        let tokens: [JSON?] =
            (key.hasSuffix("page") && request.cursor == nil ? [.string(String(page))] : [])
            + SampleCursor.texts(offset).map { $0 }
        let isNamedLink = ["url", "link", "href", "uri", "path"].contains { key.hasSuffix($0) }
        let isLink = isNamedLink || request.cursor == nil && key == "next" || key == "previous" || key == "prev"
        return [number] + (isLink ? links + tokens : tokens + links) + [.bool(true)]
    }
}

extension JSON {
    /// The value at the end of members inside one another.
    func at(_ path: [String]) -> JSON? { path.reduce(self) { (value: JSON?, name) in value?.objectValue?[name] } }

    /// The value with another one, or none, for the member of a path.
    func setting(_ path: ArraySlice<String>, to value: JSON?) -> JSON {
        guard let name = path.first, case .object(var object) = self else { return value ?? self }
        if path.count == 1 {
            object[name] = value
        } else {
            object[name] = (object[name] ?? .null).setting(path.dropFirst(), to: value)
        }
        return .object(object)
    }
}
