import Basics
package import HTTPMessage
package import JSON

/// An operation that a document is shown with though it does not declare it.
package struct AddedOperation: Sendable {
    package let method: HTTPMethod
    /// The whole path.
    package let template: PathTemplate
    /// The operation object.
    package let operation: JSON

    package init(_ method: HTTPMethod, _ template: PathTemplate, _ operation: JSON) {
        self.method = method
        self.template = template
        self.operation = operation
    }
}

extension OpenAPIDocument {
    /// Returns the document as it is shown: references into files drawn in, the servers replaced, operations added.
    ///
    /// `servers` are the addresses under which the API is reached, without a slash at their ends. An operation that the
    /// document has already stays as it is. `schemes` are security schemes to add.
    package func shown(
        servers: [String],
        adding operations: [AddedOperation] = [],
        schemes: JSONObject = JSONObject()
    ) -> JSON {
        store.withSources { sources in
            var bundle = DocumentBundle(sources, dialect)
            var document = bundle.document()
            document["servers"] = .array(servers.map { ["url": .string($0 + basePath)] })
            var paths = document["paths"]?.objectValue ?? JSONObject()
            var addition = PathAddition(paths, basePath: basePath, servers: servers)
            for operation in operations { addition.add(operation) }
            paths = addition.paths
            if !paths.isEmpty || document["paths"] != nil { document["paths"] = .object(paths) }
            bundle.addComponents(to: &document, schemes)
            return .object(document)
        }
    }

    /// Returns the document of an API that has none: OpenAPI 3.1 with the operations that are added.
    package static func made(
        title: String,
        version: String,
        summary: String,
        servers: [String],
        adding operations: [AddedOperation],
        components: JSONObject = JSONObject()
    ) -> JSON {
        var addition = PathAddition(JSONObject(), basePath: "", servers: servers)
        for operation in operations { addition.add(operation) }
        var info: JSONObject = ["title": .string(title), "version": .string(version)]
        if !summary.isEmpty { info["description"] = .string(summary) }
        var document: JSONObject = [
            "openapi": "3.1.0", "info": .object(info), "servers": .array(servers.map { ["url": .string($0)] }),
            "paths": .object(addition.paths),
        ]
        if !components.isEmpty { document["components"] = .object(components) }
        return .object(document)
    }
}

/// The paths of a document while operations are added.
private struct PathAddition {
    private(set) var paths: JSONObject
    private let basePath: String
    private let servers: [String]
    /// The names of the paths by their shapes.
    private var names: [ExactName: String] = [:]

    init(_ paths: JSONObject, basePath: String, servers: [String]) {
        self.paths = paths
        self.basePath = basePath
        self.servers = servers
        for member in paths.members {
            guard let template = try? PathTemplate(basePath + member.name) else { continue }
            names[ExactName(text: template.shape)] = member.name
        }
    }

    mutating func add(_ added: AddedOperation) {
        let whole = added.template.text
        let isInside = basePath.isEmpty || whole.hasPrefix(basePath + "/")
        let shape = ExactName(text: added.template.shape)
        let name = names[shape] ?? (isInside ? String(whole.dropFirst(basePath.count)) : whole)
        names[shape] = name
        var item = paths[name]?.objectValue ?? JSONObject()
        let method = added.method.rawValue.lowercased()
        guard item[method] == nil else { return }
        if item.isEmpty, !isInside { item["servers"] = .array(servers.map { ["url": .string($0)] }) }
        item[method] = renamed(added, as: name)
        paths[name] = .object(item)
    }

    /// The operation with the names that the path gives to its parameters.
    private func renamed(_ added: AddedOperation, as name: String) -> JSON {
        guard let names = try? PathTemplate(name.utf8.first == 0x2F ? name : "/" + name).parameterNames,
            names != added.template.parameterNames, var operation = added.operation.objectValue,
            let parameters = operation["parameters"]?.arrayValue
        else { return added.operation }
        // Both have one shape, so that the last ones stand for the same.
        let pairs = zip(added.template.parameterNames.suffix(names.count), names)
        let renamed = parameters.map { parameter -> JSON in
            guard var object = parameter.objectValue, object["in"]?.stringValue == "path",
                let pair = pairs.first(where: { $0.0 == object["name"]?.stringValue })
            else { return parameter }
            object["name"] = .string(pair.1)
            return .object(object)
        }
        operation["parameters"] = .array(renamed)
        return .object(operation)
    }
}

/// One document out of several files: what lies in other files becomes a component.
struct DocumentBundle {
    private var sources: SourceSet
    private let dialect: Dialect
    /// The components that were drawn in, by their section.
    private var components: [(section: String, name: String, value: JSON)] = []
    private var names: [ExactName: String] = [:]
    private var waiting: [(place: Place, part: DocumentPart, index: Int)] = []
    /// Path items inside one another that are written out, for a version without components for them.
    private var depth = 0

    init(_ sources: SourceSet, _ dialect: Dialect) {
        self.sources = sources
        self.dialect = dialect
    }

    /// The document's own file with its references rewritten; the components come after it.
    mutating func document() -> JSONObject {
        let root = sources.root(0)
        let document = rewritten(root, .document).objectValue ?? JSONObject()
        while let next = waiting.popLast() {
            components[next.index].value = rewritten(next.place, next.part)
        }
        return document
    }

    /// Adds what was drawn in, and security schemes.
    func addComponents(to document: inout JSONObject, _ schemes: JSONObject) {
        guard !components.isEmpty || !schemes.isEmpty else { return }
        var all = document["components"]?.objectValue ?? JSONObject()
        for component in components {
            var section = all[component.section]?.objectValue ?? JSONObject()
            section[component.name] = component.value
            all[component.section] = .object(section)
        }
        if !schemes.isEmpty {
            var section = all["securitySchemes"]?.objectValue ?? JSONObject()
            for scheme in schemes.members where section[scheme.name] == nil { section[scheme.name] = scheme.value }
            all["securitySchemes"] = .object(section)
        }
        document["components"] = .object(all)
    }

    private mutating func rewritten(_ place: Place, _ part: DocumentPart) -> JSON {
        guard case .object(let object) = place.value else { return place.value }
        if part == .pathItem, dialect == .openAPI30, object["$ref"] != nil, depth < 16,
            let target = try? sources.resolved(place), target.source != 0
        {
            depth += 1
            defer { depth -= 1 }
            return rewritten(target, part)
        }
        var copy = JSONObject()
        copy.reserveCapacity(object.count)
        for member in object.members {
            let inner = Place(source: place.source, path: place.path + [.key(member.name)], value: member.value)
            switch member.name {
            case "$ref" where part.isReferable: copy.append("$ref", reference(member.value, place, part))
            case "servers" where part == .pathItem || part == .operation: continue
            case "discriminator" where part == .schema: copy.append("discriminator", discriminator(inner, place))
            default: copy.append(member.name, part.form(of: member.name).map { rewritten(inner, $0) } ?? member.value)
            }
        }
        return .object(copy)
    }

    private mutating func rewritten(_ place: Place, _ form: DocumentPart.Form) -> JSON {
        switch form {
        case .one(let part): return rewritten(place, part)
        case .list(let part):
            guard case .array = place.value else { return place.value }
            return .array(place.elements.map { rewritten($0, part) })
        case .map(let part):
            guard case .object = place.value else { return place.value }
            return .object(
                JSONObject(
                    place.members.map { JSONObject.Member(name: $0.name, value: rewritten($0.place, part)) }
                )
            )
        }
    }

    /// A reference as it is written in one document.
    private mutating func reference(_ value: JSON, _ place: Place, _ part: DocumentPart) -> JSON {
        guard let text = value.stringValue, let target = try? sources.target(of: text, from: place) else {
            return value
        }
        if target.source == 0 { return place.source == 0 ? value : .string("#" + Self.pointer(target.path)) }
        guard let section = part.componentsMember, dialect == .jsonSchema202012 || part != .pathItem else {
            return value
        }
        return .string("#/components/\(section)/\(name(of: target, part, section))")
    }

    /// The values of a mapping that are references.
    private mutating func discriminator(_ place: Place, _ schema: Place) -> JSON {
        guard var object = place.value.objectValue, let mapping = object["mapping"]?.objectValue else {
            return place.value
        }
        var rewritten = JSONObject()
        for member in mapping.members {
            let isReference = member.value.stringValue.map { $0.utf8.contains { $0 == 0x2F || $0 == 0x23 } } ?? false
            rewritten.append(member.name, isReference ? reference(member.value, schema, .schema) : member.value)
        }
        object["mapping"] = .object(rewritten)
        return .object(object)
    }

    /// The name of the component that something in another file becomes.
    private mutating func name(of target: Place, _ part: DocumentPart, _ section: String) -> String {
        let key = ExactName(text: "\(section) \(target.key.text)")
        if let known = names[key] { return known }
        let file = sources.sources[target.source].name.split(separator: "/").last ?? ""
        var wanted = String(file.split(separator: ".").first ?? "part")
        if case .key(let last)? = target.path.last { wanted = last }
        let clean = String(
            decoding: wanted.utf8.map { byte -> UInt8 in
                let isPlain =
                    byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || byte == 0x2D || byte == 0x2E || byte == 0x5F
                return isPlain ? byte : 0x5F
            },
            as: UTF8.self
        )
        let taken = sources.place(0, ["components", .key(section)])?.value.objectValue
        var name = clean
        var number = 1
        while taken?[name] != nil || components.contains(where: { $0.section == section && $0.name == name }) {
            number += 1
            name = "\(clean)_\(number)"
        }
        names[key] = name
        components.append((section, name, .null))
        waiting.append((target, part, components.count - 1))
        return name
    }

    private static func pointer(_ path: [JSONPathElement]) -> String {
        path.map { element in
            switch element {
            case .index(let index): return "/\(index)"
            case .key(let name):
                let escaped = name.replacing("~", with: "~0").replacing("/", with: "~1")
                return "/" + escaped.percentEncodedSegment
            }
        }
        .joined()
    }
}
