import Basics
import HTTPMessage
import JSON

/// Makes the operations of a document that has been surveyed.
struct OperationBuilder {
    private(set) var operations: [OpenAPIOperation] = []
    private(set) var basePath = ""
    let store: SchemaStore
    private var sources: SourceSet
    /// The security schemes by their names; nil for one of which nothing is in a request.
    private var schemes: [ExactName: OpenAPICredential?] = [:]
    private let dialect: Dialect
    private let options: OpenAPIReader.Options

    init(_ survey: DocumentSurvey, _ dialect: Dialect, _ options: OpenAPIReader.Options) {
        sources = survey.sources
        self.dialect = dialect
        self.options = options
        store = SchemaStore(sources, inPlace: survey.building)
    }

    /// Makes all operations; what is wrong with their paths goes to the survey.
    mutating func run(_ survey: inout DocumentSurvey) {
        let document = sources.root(0)
        basePath = options.basePath.map(Self.trimmed) ?? serverPath(document, &survey)
        guard let paths = document.member("paths") else {
            if dialect == .openAPI30 { survey.error(0, ["paths"], "missing") }
            return
        }
        for scheme in document.member("components")?.member("securitySchemes")?.members ?? [] {
            guard let found = try? sources.resolved(scheme.place) else { continue }
            schemes[ExactName(text: scheme.name)] = .some(OpenAPICredential(found.value))
        }
        let security = document.value["security"]
        var taken: [ExactName: OpenAPIOperation] = [:]
        for path in paths.members where !path.name.hasPrefix("x-") {
            let template: PathTemplate
            do throws(PathTemplate.Defect) {
                template = try Self.template(path.name, below: basePath)
            } catch {
                survey.note(0, path.place.path, "\(error.reason): its operations are left out")
                continue
            }
            let item = item(path.place)
            let shared = parameters(item["parameters"])
            for member in item where DocumentPart.methods.contains(member.name) {
                guard operations.count < options.limits.operations else {
                    return survey.error(
                        member.place.source,
                        member.place.path,
                        "more than \(options.limits.operations) operations"
                    )
                }
                guard case .object = member.place.value else { continue }
                let operation = operation(member, path.name, template, shared, security)
                let key = ExactName(text: "\(operation.method.rawValue) \(template.shape)")
                if let other = taken[key] {
                    // Both are one path, since a slash at the end does not count.
                    if other.template.parameterNames == template.parameterNames, other.path != path.name {
                        let reason = "matches the same requests as \(other.path.cut): left out"
                        survey.note(operation.place.source, operation.place.path, reason)
                        continue
                    }
                    let line = sources.sources[other.place.source].positions.closestLine(to: other.place.path).line
                    survey.error(
                        operation.place.source,
                        operation.place.path,
                        "matches the same requests as \(other.path.cut) in line \(line)"
                    )
                    continue
                }
                taken[key] = operation
                operations.append(operation)
            }
        }
    }

    private static func template(_ path: String, below basePath: String) throws(PathTemplate.Defect) -> PathTemplate {
        // Joined to the base path, a path without a slash would be part of its last segment.
        if path.utf8.first != UInt8(ascii: "/") { return try PathTemplate(path) }
        return try PathTemplate(basePath + path)
    }

    /// The members of a path item, with those of what it refers to; its own win.
    private mutating func item(_ place: Place) -> [(name: String, place: Place)] {
        guard place.value["$ref"] != nil else { return place.members }
        guard let target = try? sources.resolved(place) else { return [] }
        guard dialect == .jsonSchema202012 else { return target.members }
        let own = place.members.filter { $0.name != "$ref" }
        return target.members.filter { member in !own.contains { $0.name == member.name } } + own
    }

    private mutating func operation(
        _ member: (name: String, place: Place),
        _ path: String,
        _ template: PathTemplate,
        _ shared: [OpenAPIParameter],
        _ security: JSON?
    ) -> OpenAPIOperation {
        let place = member.place
        let own = parameters(place.member("parameters"))
        let inherited = shared.filter { parameter in
            !own.contains { $0.name == parameter.name && $0.location == parameter.location }
        }
        let required = place.value["security"] ?? security
        return OpenAPIOperation(
            index: operations.count,
            method: HTTPMethod(rawValue: member.name.uppercased()),
            template: template,
            path: path,
            operationID: place.value["operationId"]?.stringValue,
            summary: place.value["summary"]?.stringValue ?? "",
            details: place.value["description"]?.stringValue ?? "",
            tags: place.value["tags"]?.arrayValue?.compactMap(\.stringValue) ?? [],
            isDeprecated: place.value["deprecated"]?.boolValue == true,
            security: Self.security(required),
            credentials: credentials(required),
            parameters: inherited + own,
            body: body(place.member("requestBody")),
            responses: responses(place.member("responses")),
            place: OpenAPIOperation.OperationPlace(source: place.source, path: place.path)
        )
    }

    private static func security(_ json: JSON?) -> OpenAPIOperation.Security {
        guard let alternatives = json?.arrayValue, !alternatives.isEmpty else { return .open }
        return alternatives.contains { $0.objectValue?.isEmpty ?? true } ? .open : .needed
    }

    /// The credentials of each alternative; none if one of them asks for nothing that can be checked.
    private func credentials(_ json: JSON?) -> [[OpenAPICredential]] {
        guard !options.signsIn, Self.security(json) == .needed else { return [] }
        let alternatives = (json?.arrayValue ?? []).map { alternative in
            (alternative.objectValue?.members ?? []).compactMap { schemes[ExactName(text: $0.name)].flatMap(\.self) }
        }
        return alternatives.contains(where: \.isEmpty) ? [] : alternatives
    }

    // MARK: Parameters

    private mutating func parameters(_ list: Place?) -> [OpenAPIParameter] {
        (list?.elements ?? []).compactMap { parameter($0) }
    }

    private mutating func parameter(_ place: Place) -> OpenAPIParameter? {
        guard let found = try? sources.resolved(place), let name = found.value["name"]?.stringValue,
            let location = found.value["in"]?.stringValue.flatMap(OpenAPIParameter.Location.init)
        else { return nil }
        let usual: OpenAPIParameter.Style = location == .path || location == .header ? .simple : .form
        let style = found.value["style"]?.stringValue.flatMap(OpenAPIParameter.Style.init) ?? usual
        let content = found.member("content")?.members.first
        let isJSON = content.map { self.content($0).isJSON } ?? false
        return OpenAPIParameter(
            name: name,
            location: location,
            isRequired: location == .path || found.value["required"]?.boolValue == true,
            style: style,
            explode: found.value["explode"]?.boolValue ?? (style == .form),
            allowsEmptyValue: found.value["allowEmptyValue"]?.boolValue == true,
            schema: content == nil || isJSON ? schema(content?.place ?? found) : nil,
            isJSON: isJSON,
            summary: found.value["description"]?.stringValue ?? "",
            example: found.value["example"] ?? examples(found.member("examples")).first?.value
        )
    }

    private func schema(_ place: Place) -> Schema? {
        guard let schema = place.member("schema"), schema.value.objectValue != nil || schema.value.boolValue != nil
        else {
            return nil
        }
        return Schema(store, store.number(of: schema))
    }

    // MARK: Bodies

    private mutating func body(_ place: Place?) -> OpenAPIRequestBody? {
        guard let place, let found = try? sources.resolved(place), case .object = found.value else { return nil }
        return OpenAPIRequestBody(
            isRequired: found.value["required"]?.boolValue == true,
            content: contents(found.member("content"))
        )
    }

    private mutating func contents(_ place: Place?) -> [OpenAPIContent] {
        (place?.members ?? []).map { content($0) }
    }

    private mutating func content(_ member: (name: String, place: Place)) -> OpenAPIContent {
        let place = member.place
        let isText = ContentChoice.isText(member.name)
        return OpenAPIContent(
            name: member.name,
            schema: schema(place),
            example: shown(place.member("example"), isText),
            examples: examples(place.member("examples"), isText: isText),
            encodings: (place.member("encoding")?.members ?? []).map { encoding in
                let style = encoding.place.value["style"]?.stringValue.flatMap(OpenAPIParameter.Style.init) ?? .form
                return OpenAPIContent.Encoding(
                    name: encoding.name,
                    contentType: encoding.place.value["contentType"]?.stringValue,
                    style: style,
                    explode: encoding.place.value["explode"]?.boolValue ?? (style == .form)
                )
            },
            place: OpenAPIOperation.OperationPlace(source: place.source, path: place.path)
        )
    }

    private mutating func examples(_ place: Place?, isText: Bool = false) -> [OpenAPIContent.Example] {
        (place?.members ?? []).map { member in
            let found = try? sources.resolved(member.place)
            return OpenAPIContent.Example(name: member.name, value: shown(found?.member("value"), isText))
        }
    }

    /// The value of an example: in content of text a number or a truth value is the text that is written.
    private func shown(_ place: Place?, _ isText: Bool) -> JSON? {
        guard let place else { return nil }
        switch place.value {
        case .bool, .integer, .number: return isText ? .string(sources.text(of: place)) : place.value
        case .null, .string, .array, .object: return place.value
        }
    }

    // MARK: Responses

    private mutating func responses(_ place: Place?) -> [OpenAPIResponse] {
        var found: [OpenAPIResponse] = []
        for member in place?.members ?? [] {
            guard let status = OpenAPIResponse.Status(member.name), let target = try? sources.resolved(member.place)
            else {
                continue
            }
            found.append(
                OpenAPIResponse(
                    status: status,
                    summary: target.value["description"]?.stringValue ?? "",
                    headers: headers(target.member("headers")),
                    content: contents(target.member("content"))
                )
            )
        }
        return found
    }

    private mutating func headers(_ place: Place?) -> [OpenAPIResponse.Header] {
        var found: [OpenAPIResponse.Header] = []
        for member in place?.members ?? [] {
            guard let target = try? sources.resolved(member.place) else { continue }
            let content = target.member("content")?.members.first
            found.append(
                OpenAPIResponse.Header(
                    name: member.name,
                    isRequired: target.value["required"]?.boolValue == true,
                    schema: schema(content?.place ?? target),
                    example: target.value["example"] ?? examples(target.member("examples")).first?.value,
                    explode: target.value["explode"]?.boolValue == true,
                    isJSON: content != nil
                )
            )
        }
        return found
    }

    // MARK: Servers

    /// The path of the first server, its variables by their defaults.
    private func serverPath(_ document: Place, _ survey: inout DocumentSurvey) -> String {
        guard let server = document.value["servers"]?[0], var url = server["url"]?.stringValue else { return "" }
        for variable in server["variables"]?.objectValue?.members ?? [] {
            guard let value = variable.value["default"] else { continue }
            url = url.replacing("{\(variable.name)}", with: value.stringValue ?? value.text(upTo: 100))
        }
        var path = url.prefix { $0 != "?" && $0 != "#" }
        // `//host/v1` is a host without a scheme (RFC 3986 section 4.2).
        let host = path.hasPrefix("//") ? path.dropFirst(2) : path.firstRange(of: "://").map { path[$0.upperBound...] }
        if let host {
            path = host.firstIndex(of: "/").map { host[$0...] } ?? ""
        } else if let first = path.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).first,
            Self.isHost(first)
        {
            path = path.dropFirst(first.count)
            let rest = Self.trimmed(String(path))
            let reason =
                "has no scheme: \(String(first).cut) is taken as the host, and \(rest.isEmpty ? "/" : rest.cut) as the path"
            survey.note(0, ["servers", 0, "url"], reason)
        }
        guard !path.contains("{"), !path.contains("}") else {
            survey.error(0, ["servers", 0, "url"], "a variable of the path has no default")
            return ""
        }
        return Self.trimmed(String(path))
    }

    /// Tells whether the first segment of a URL without a scheme is meant as a host: `localhost`, an address, or a name
    /// with a dot whose end is letters.
    private static func isHost(_ segment: Substring) -> Bool {
        let parts = segment.split(separator: ":", omittingEmptySubsequences: false)
        guard let name = parts.first, !name.isEmpty, parts.count <= 2 else { return false }
        if parts.count == 2 { return !parts[1].isEmpty && parts[1].utf8.allSatisfy { $0 &- 0x30 < 10 } }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count > 1, labels.allSatisfy({ !$0.isEmpty }) else { return name == "localhost" }
        let isAddress = labels.count == 4 && labels.allSatisfy { UInt8($0) != nil }
        return isAddress || labels[labels.count - 1].utf8.allSatisfy { ($0 | 0x20) &- 0x61 < 26 }
    }

    /// A path with a slash in front and none at its end, its dot segments removed; empty for the root.
    private static func trimmed(_ path: String) -> String {
        var segments: [Substring] = []
        for segment in path.split(separator: "/") where segment != "." {
            if segment == ".." { _ = segments.popLast() } else { segments.append(segment) }
        }
        return segments.map { "/\($0)" }.joined()
    }
}

extension [(name: String, place: Place)] {
    fileprivate subscript(name: String) -> Place? { last { $0.name == name }?.place }
}
