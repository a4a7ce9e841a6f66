import Formats
import HTTPMessage
import JSON

/// The wishes of a request for a sample: values of members, and a part of a list.
struct SampleRequest {
    /// A parameter of the query.
    struct Parameter {
        /// As it is sent: `filter[status]`.
        let name: String
        /// The text in its last brackets, or the name.
        let member: String
        let schema: Schema?
        let style: OpenAPIParameter.Style
        let explode: Bool

        var key: String { MemberName(name).key }
    }

    /// The parameters by which the operation pages.
    private(set) var limit: Parameter?
    private(set) var page: Parameter?
    private(set) var offset: Parameter?
    private(set) var cursor: Parameter?
    /// The values that the query has for members.
    private(set) var filters: [SampleWish] = []
    /// The values that the path has for members.
    let pathWishes: [SampleWish]
    let query: RawQuery
    /// The parameters of the query that the operation does not declare.
    private(set) var others: [String] = []

    /// Tells whether the operation pages.
    var isPaged: Bool { limit != nil || page != nil || offset != nil || cursor != nil }

    /// `items` are the names of the members of a list's elements, as keys.
    init(_ operation: OpenAPIOperation, _ call: OpenAPICall, items: Set<String>) {
        query = RawQuery(call.query)
        let names = operation.template.parameterNames
        var wishes: [SampleWish] = []
        for (place, name) in names.enumerated() where call.pathValues.indices.contains(place) {
            wishes.append(SampleWish(name: name, texts: [call.pathValues[place]]))
        }
        pathWishes = wishes
        let parameters = Self.parameters(operation)
        for pair in query.pairs
        where !pair.name.hasPrefix("__") && !parameters.contains(where: { $0.name == pair.name }) {
            others.append("\(pair.name)=\(RawQuery.decoded(pair.value))")
        }
        for parameter in parameters {
            let view = parameter.schema.map { SchemaView($0.store).types(of: $0.number) } ?? .all
            let role = PagingName.parameter(
                parameter.key,
                isNumber: !view.isDisjoint(with: .number),
                isText: view.contains(.string)
            )
            let isMember = items.contains(MemberName(parameter.member).key)
            switch isMember && PagingName.isAmbiguous(parameter.key) ? nil : role {
            case .limit: limit = limit ?? parameter
            case .page: page = page ?? parameter
            case .offset: offset = offset ?? parameter
            case .cursor: cursor = cursor ?? parameter
            case nil:
                let texts = texts(of: parameter)
                guard !texts.isEmpty, isMember || !PagingName.isOfOrder(parameter.key) else { continue }
                var wish = SampleWish(name: parameter.member, texts: texts)
                if let schema = parameter.schema {
                    wish.isOfParameter = SchemaView(schema.store).all(schema.number).contains { rules in
                        rules.enumeration?.contains { value in texts.contains { $0 == value.stringValue } } == true
                    }
                }
                filters.append(wish)
            }
        }
    }

    /// The parameters of the query, those of objects by their members.
    private static func parameters(_ operation: OpenAPIOperation) -> [Parameter] {
        operation.parameters.filter { $0.location == .query && !$0.isJSON }.flatMap { parameter -> [Parameter] in
            func made(_ name: String, _ member: String, _ schema: Schema?) -> Parameter {
                Parameter(
                    name: name,
                    member: member,
                    schema: schema,
                    style: parameter.style,
                    explode: parameter.explode
                )
            }
            if let schema = parameter.schema, SchemaView(schema.store).types(of: schema.number) == .object {
                let view = SchemaView(schema.store)
                return view.memberNames(in: schema.number).compactMap { name in
                    let inner = view.schemas(ofMember: name, in: schema.number).first.map { Schema(schema.store, $0) }
                    if parameter.style == .deepObject { return made("\(parameter.name)[\(name)]", name, inner) }
                    return parameter.explode ? made(name, name, inner) : nil
                }
            }
            let pieces = parameter.name.split { $0 == "[" || $0 == "]" }
            let isNested = pieces.count > 1 && parameter.name.hasSuffix("]")
            let member = isNested ? String(pieces[pieces.count - 1]) : parameter.name
            return [made(parameter.name, member, parameter.schema)]
        }
    }

    /// The values that a parameter has in the query.
    private func texts(of parameter: Parameter) -> [String] {
        let sent = query.values(parameter.name)
        guard let schema = parameter.schema, sent.count == 1,
            TextCoercion(schema.store).form(schema.number) == .array, !parameter.explode
        else { return sent.filter { !$0.isEmpty } }
        return (query.pieces(parameter.name, at: parameter.style) ?? []).filter { !$0.isEmpty }
    }

    // MARK: Pages

    /// Items of a page where nothing says how many.
    private static let usualLimit = 2
    /// More pages than any list has.
    private static let mostPages = 1_000_000

    /// The items that a page has at most: what was asked for, within what is declared.
    var asked: Int {
        guard let limit else { return Self.usualLimit }
        let rules = limit.schema.map { SchemaView($0.store).all($0.number) } ?? []
        let most = rules.compactMap { $0.maximum?.double ?? $0.exclusiveMaximum.map { $0.double - 1 } }.min() ?? 1e9
        let least = rules.compactMap { $0.minimum?.double ?? $0.exclusiveMinimum.map { $0.double + 1 } }.max() ?? 0
        let shown = rules.compactMap(\.defaultValue).compactMap(\.value.intValue).first.map { Int(clamping: $0) }
        let sent = query.values(limit.name).first.flatMap { Int($0) }.flatMap { Double($0) < least ? nil : $0 }
        let wanted = sent ?? shown ?? max(Self.usualLimit, Int(min(max(least, 0), 1_000)))
        return max(0, min(wanted, Int(min(max(most, 0), 1e9))))
    }

    /// The number of the first page.
    var firstPage: Int {
        guard let page else { return 1 }
        let rules = page.schema.map { SchemaView($0.store).all($0.number) } ?? []
        let least = rules.compactMap { $0.minimum?.double }.max()
        let shown = rules.compactMap(\.defaultValue).compactMap(\.value.intValue).first
        if least == 0 || shown == 0 { return 0 }
        return least == nil && shown == nil && page.key == "pageindex" ? 0 : 1
    }

    /// The number of items before the page that was asked for; `place` returns the number of an item by its id.
    func start(_ asked: Int, place: (String) -> Int?) -> Int {
        func number(_ parameter: Parameter?) -> Int? {
            parameter.flatMap { query.values($0.name).first }.flatMap { Int($0) }
        }
        if let cursor, let text = query.values(cursor.name).first, !text.isEmpty {
            if let start = SampleCursor.offset(text, isNumber: !PagingName.isOfItem(cursor.key)) { return start }
            return place(text).map { $0 + 1 } ?? SampleCursor.offset(text, isNumber: true) ?? 0
        }
        if let start = number(offset) { return max(0, start) }
        guard let number = number(page) else { return 0 }
        return min(max(0, number - firstPage), Self.mostPages) * min(asked, Self.mostPages)
    }
}
