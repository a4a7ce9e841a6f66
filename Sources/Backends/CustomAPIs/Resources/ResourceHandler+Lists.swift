import Backend
import HTTPMessage
import JSON

/// The lists of a resource (own-API contract, section 13).
extension ResourceHandler {
    /// Answers the rows that a request asks for.
    func list(_ state: inout CustomAPIState, _ core: inout WorldCore, _ call: inout Call) throws(CustomAPIFailure)
        -> Response
    {
        let conditions = try conditions(state, call)
        let query = try ListQuery(
            call.query,
            resource.list,
            table,
            conditions.map { ListFilter(exactly: MemberPath(name: $0.member), $0.text) },
            path: call.path.withoutSlash
        )
        call.ignored = query.unknown
        call.repeated = query.repeated
        let page = ListPage(query, resource.list, &state.tables[resource.table], table, call.epoch)
        let content = try content(of: page, query, state, &core, call)
        let count = page.places.count
        call.answeredBy = (count == 1 ? "1 row" : "\(count) rows") + " of \(table.name)"
        let tag = RowTag.tag(content)
        var fields: Fields = [.contentType: "application/json", .eTag: tag.text]
        fields.append(.totalCount, decimal: page.total)
        let links = self.links(page, call)
        if !links.isEmpty { fields.append("Link", links) }
        if call.fields.contains(.ifNoneMatch), ConditionalRequest(call.fields).isNoneMatchFailed(current: tag) {
            return Response(status: .notModified, fields: fields.without(.contentType))
        }
        let status = resource.status(.list)
        guard !status.forbidsBody else { return Response(status: status, fields: fields.without(.contentType)) }
        return Response(status: status, fields: fields, body: .bytes(content))
    }

    private func content(
        of page: ListPage,
        _ query: ListQuery,
        _ state: CustomAPIState,
        _ core: inout WorldCore,
        _ call: Call
    ) throws(CustomAPIFailure) -> [UInt8] {
        let rows = state.tables[resource.table].rows
        guard let envelope = resource.list.envelope else {
            var writer = JSONWriter()
            writer.beginArray()
            for place in page.places {
                rows.read(Int(place)) { row in
                    writer.write(object: table.visible(row.members(in: call.epoch, table)))
                }
            }
            writer.endArray()
            return writer.bytes
        }
        let items = page.places.compactMap { place in
            rows.read(Int(place)) { JSON.object(table.visible($0.members(in: call.epoch, table))) }
        }
        let values = self.values(of: page, query, items, call: call)
        return try filled(envelope, showing: .array(items), values, state, &core, call)
    }

    /// Returns the values of the names that an envelope has.
    private func values(
        of page: ListPage,
        _ query: ListQuery,
        _ items: [JSON],
        call: Call
    ) -> [(name: String, value: JSON?)] {
        let list = resource.list
        func number(_ value: Int?) -> JSON? { value.map { .integer(Int64($0)) } }
        func address(_ parameters: [(name: String, value: String)]?) -> JSON? {
            parameters.map { .string(call.address(with: $0, ending: resource.linkEnding)) }
        }
        let isNumbered = list.style == .offset || list.style == .page
        let pages = query.limit.map { (page.total + $0 - 1) / $0 }
        let current = query.limit.map { query.offset / $0 + list.firstPage }
        return [
            ("items", .array(items)), ("total", number(page.total)), ("count", number(items.count)),
            ("limit", number(query.limit)), ("offset", isNumbered ? number(query.offset) : nil),
            ("page", isNumbered ? number(current) : nil), ("pages", isNumbered ? number(pages) : nil),
            ("next", address(page.next)), ("previous", address(page.previous)), ("first", address(page.first)),
            ("last", address(page.last)), ("cursor", page.cursor.map { .string($0) }),
            ("more", .bool(page.next != nil)), ("hasPrevious", .bool(page.previous != nil)),
            ("isFirst", .bool(page.previous == nil)), ("isLast", .bool(page.next == nil)),
            ("isEmpty", .bool(items.isEmpty)),
        ]
    }

    /// Returns the value of the Link field (RFC 8288); empty if there are no other pages.
    private func links(_ page: ListPage, _ call: Call) -> String {
        let links: [(String, [(name: String, value: String)]?)] = [
            ("next", page.next), ("prev", page.previous), ("first", page.first), ("last", page.last),
        ]
        return links.compactMap { relation, parameters in
            parameters.map { "<\(call.address(with: $0, ending: resource.linkEnding))>; rel=\"\(relation)\"" }
        }
        .joined(separator: ", ")
    }
}

extension Fields {
    /// The fields without those of a name.
    fileprivate func without(_ name: FieldName) -> Fields {
        var copy = self
        copy.remove(name)
        return copy
    }
}
