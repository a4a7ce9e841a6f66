import APIFolders
import Backend
import Conditions
import Engine
import HTTPMessage
import JSON
import Journal
import Templates
import Worlds

/// The resources of an API (own-API contract, sections 12 and 13).
extension CustomAPIReader {
    /// Reads all resources, and adds their routes.
    mutating func readResources(_ checks: [FileCheck]) {
        for check in checks {
            var check = check
            let isEnabled = check.isEnabled()
            guard let resource = readResource(&check), isEnabled else { continue }
            definition.resources.append(resource)
            let place = check.report.routePlace(check.path + [.key("path")])
            definition.routes += ResourceRoutes.routes(of: resource, in: definition, place: place)
        }
    }

    private mutating func readResource(_ check: inout FileCheck) -> ResourceDefinition? {
        let template = readPath(&check)
        let table = readTableName(&check)
        var resource = ResourceDefinition(path: template?.path ?? "/", table: table ?? 0)
        let names = template?.template.parameterNames ?? []
        let written = check.string("path") ?? ""
        resource.endsInSlash = written.utf8.count > 1 && written.hasSuffix("/")
        if resource.endsInSlash, definition.slashes != .either { resource.linkEnding = "/" }
        resource.isSingle = check.boolean("single") ?? false
        resource.methods = readMethods(&check, isSingle: resource.isSingle)
        resource.bindings = readBindings(&check, names, isKnown: template != nil)
        resource.owner = check.name("owner")
        if resource.owner != nil, definition.users == nil {
            check.error("owner", "needs auth: rows belong to a user")
        }
        resource.upserts = check.boolean("upsert") ?? false
        resource.requiresIfMatch = check.boolean("requireIfMatch") ?? false
        readStatuses(&check, &resource)
        resource.item = check.template("item", templateNames(names, ["row"]))
        if var list = check.object("list") { readList(&list, &resource, table, names) }
        check.refuseUnknown()
        return template == nil || table == nil ? nil : resource
    }

    private func readPath(_ check: inout FileCheck) -> (path: String, template: RouteTemplate)? {
        guard let text = check.string("path") else {
            if check.object["path"] == nil { check.error(nil, "path is missing") }
            return nil
        }
        let path = text.utf8.count > 1 && text.hasSuffix("/") ? String(text.dropLast()) : text
        guard let template = RouteTemplate(path), template.isWithoutRest else {
            check.error("path", "must be a path such as /v1/users/{userId}/orders, each parameter once")
            return nil
        }
        if let reason = Self.refusal(ofPath: path) {
            check.error("path", reason)
            return nil
        }
        return (path, template)
    }

    private func readTableName(_ check: inout FileCheck) -> Int? {
        guard let name = check.string("table") else {
            if check.object["table"] == nil { check.error(nil, "table is missing") }
            return nil
        }
        return tablePlace(name) { check.error("table", $0) }
    }

    /// Returns the place of a table, or tells that there is none.
    func tablePlace(_ name: String, _ refuse: (String) -> Void) -> Int? {
        if let place = definition.table(named: name) { return place }
        let near = Suggestion.nearest(to: name, among: definition.tables.map(\.name))
        refuse("there is no table \"\(name.shortened)\"" + Suggestion.hint(near))
        return nil
    }

    private func readMethods(_ check: inout FileCheck, isSingle: Bool) -> [ResourceDefinition.Method] {
        let all = isSingle ? ResourceDefinition.Method.single : ResourceDefinition.Method.allCases
        guard let names = check.strings("methods") else { return all }
        var methods: [ResourceDefinition.Method] = []
        for (index, name) in names.enumerated() {
            guard let method = ResourceDefinition.Method(rawValue: name), all.contains(method) else {
                let allowed = all.map(\.rawValue)
                let reason = MemberReason.choice(.string(name), among: allowed)
                check.report.error(check.path + [.key("methods"), .index(index)], reason)
                continue
            }
            methods.append(method)
        }
        if names.isEmpty { check.error("methods", "must not be empty") }
        return methods
    }

    private func readBindings(
        _ check: inout FileCheck,
        _ names: [String],
        isKnown: Bool
    ) -> [ResourceDefinition.Binding] {
        var bindings = names.indices.map { ResourceDefinition.Binding(parameter: $0, member: names[$0]) }
        if let inner = check.object("bind") {
            for member in inner.object.members {
                guard let place = parameter(member.name, names, inner, isKnown) else { continue }
                guard let text = member.value.stringValue, !text.isEmpty else {
                    inner.error(member.name, "must be the name of a member")
                    continue
                }
                bindings[place].member = text
            }
        }
        if let inner = check.object("parents") {
            for member in inner.object.members {
                guard let place = parameter(member.name, names, inner, isKnown) else { continue }
                guard let text = member.value.stringValue else {
                    inner.error(member.name, "must be the name of a table")
                    continue
                }
                bindings[place].parent = tablePlace(text) { inner.error(member.name, $0) }
            }
        }
        return bindings
    }

    private func parameter(_ name: String, _ names: [String], _ check: FileCheck, _ isKnown: Bool) -> Int? {
        if let place = names.firstIndex(of: name) { return place }
        if isKnown {
            let near = Suggestion.nearest(to: name, among: names)
            check.error(name, "the path has no parameter of this name" + Suggestion.hint(near))
        }
        return nil
    }

    private func readStatuses(_ check: inout FileCheck, _ resource: inout ResourceDefinition) {
        guard let inner = check.object("statuses") else { return }
        for member in inner.object.members {
            guard let method = ResourceDefinition.Method(rawValue: member.name), resource.methods.contains(method)
            else {
                let names = resource.methods.map(\.rawValue)
                inner.error(member.name, MemberReason.choice(.string(member.name), among: names))
                continue
            }
            guard let status = member.value.intValue, (200...299).contains(status) else {
                inner.error(member.name, "must be a whole number from 200 to 299")
                continue
            }
            resource.statuses[method] = Status(Int(status))
        }
    }

    /// Returns the names that the templates of a resource can use.
    private func templateNames(_ parameters: [String], _ locals: [String]) -> TemplateNames {
        TemplateNames(
            locals: locals,
            structures: ["row", "items"].filter { locals.contains($0) },
            pathParameters: parameters,
            states: definition.states.map(\.name)
        )
    }

    // MARK: Lists

    private func readList(
        _ check: inout FileCheck,
        _ resource: inout ResourceDefinition,
        _ table: Int?,
        _ names: [String]
    ) {
        resource.list.envelope = check.template("envelope", templateNames(names, ListDefinition.valueNames))
        resource.list.filters = check.strings("filters")
        resource.list.search = check.strings("search")
        if let paging = check.object("paging") { readPaging(paging, &resource.list) }
        if let names = check.object("names") { readNames(names, &resource.list) }
        if let sort = check.string("sort"), let table {
            resource.list.sort = readSort(sort, check, definition.tables[table])
        }
        check.refuseUnknown()
        guard let table else { return }
        for (member, names) in [("filters", resource.list.filters), ("search", resource.list.search)] {
            for (index, name) in (names ?? []).enumerated() where isHidden(name, definition.tables[table]) {
                check.report.error(check.path + [.key(member), .index(index)], "\(name.shortened) is write-only")
            }
        }
    }

    private func isHidden(_ path: String, _ table: TableDefinition) -> Bool {
        table.writeOnly.contains { path == $0 || path.hasPrefix($0 + ".") }
    }

    private func readPaging(_ check: FileCheck, _ list: inout ListDefinition) {
        var check = check
        if let style = check.choice("style", ListDefinition.Style.self) { list.style = style }
        let most = check.integer("max", in: 1...Int64(CustomAPILimits.rows)).map(Int.init)
        if let most { list.most = most }
        if let limit = check.integer("limit", in: 1...Int64(CustomAPILimits.rows)).map(Int.init) {
            list.limit = limit
            if limit > list.most {
                if most == nil { list.most = limit } else { check.error("limit", "must not be above max") }
            }
        } else {
            list.limit = min(list.limit, list.most)
        }
        if let first = check.integer("from", in: 0...1).map(Int.init) {
            if list.style == .page { list.firstPage = first } else { check.error("from", "is for pages by number") }
        }
        check.refuseUnknown()
    }

    private func readNames(_ check: FileCheck, _ list: inout ListDefinition) {
        var check = check
        let members: [(String, WritableKeyPath<ListDefinition.Names, String>)] = [
            ("q", \.search), ("sort", \.sort), ("order", \.order), ("limit", \.limit), ("offset", \.offset),
            ("page", \.page), ("cursor", \.cursor),
        ]
        for (name, path) in members {
            if let text = check.name(name) { list.names[keyPath: path] = text }
        }
        check.refuseUnknown()
        for (index, (name, path)) in members.enumerated() {
            let text = list.names[keyPath: path]
            guard let other = members[..<index].first(where: { list.names[keyPath: $0.1] == text }) else { continue }
            check.error(
                check.object[name] == nil ? other.0 : name,
                "\"\(text.shortened)\" is the name of two parameters"
            )
        }
    }

    private func readSort(_ text: String, _ check: FileCheck, _ table: TableDefinition) -> [SortKey] {
        var keys: [SortKey] = []
        for part in text.split(separator: ",") {
            let isDescending = part.hasPrefix("-")
            let name = String(isDescending ? part.dropFirst() : part)
            guard let member = table.member(name) else {
                let near = Suggestion.nearest(to: name, among: table.members.map(\.path.text))
                check.error("sort", "no row has a member \"\(name.shortened)\"" + Suggestion.hint(near))
                continue
            }
            keys.append(SortKey(member.path, isDescending: isDescending))
        }
        return keys
    }
}

extension RouteTemplate {
    /// Tells whether no parameter takes the rest of a path.
    var isWithoutRest: Bool {
        segments.allSatisfy { segment in
            if case .rest = segment { false } else { true }
        }
    }
}
