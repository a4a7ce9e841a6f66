import HTTPMessage
import JSON

/// Walks over all parts of a document, follows every reference, and gathers errors and notes.
struct DocumentSurvey {
    /// A finding before its line is looked up.
    struct Finding: Hashable {
        var source: Int
        var path: [JSONPathElement]
        var reason: String
    }

    var sources: SourceSet
    let load: SourceSet.Loader
    /// The findings of files, which have their lines.
    private(set) var errors: [Finding] = []
    private(set) var notes: [Finding] = []
    /// Tells whether the API signs in, so that security schemes mean something.
    let signsIn: Bool
    private var seen: Set<Finding> = []
    private var visited: Set<ExactName> = []
    private var waiting: [(place: Place, part: DocumentPart)] = []
    /// The first place of each unknown format and how often it occurs, in the order of the document.
    private var formats: [(name: String, first: Finding, count: Int)] = []
    private var patterns: [ExactName: Bool] = [:]
    /// The schemas that show examples, which may break them.
    private(set) var exampled: [Place] = []

    init(_ sources: SourceSet, signsIn: Bool, load: @escaping SourceSet.Loader) {
        self.sources = sources
        self.signsIn = signsIn
        self.load = load
    }

    /// Looks at the whole of a file's part and at everything that it refers to.
    mutating func run(_ place: Place, as part: DocumentPart) {
        visit(place.source, place.path, place.value, part)
        while let next = waiting.popLast() { visit(next.place.source, next.place.path, next.place.value, next.part) }
        for format in formats {
            let others = format.count == 1 ? "" : ", nor at \(format.count - 1) other places"
            note(
                format.first.source,
                format.first.path,
                "the format \(JSON.string(format.name.cut).text) is not checked\(others)"
            )
        }
        formats = []
    }

    mutating func error(_ source: Int, _ path: [JSONPathElement], _ reason: String) {
        let finding = Finding(source: source, path: path, reason: reason)
        if seen.insert(finding).inserted { errors.append(finding) }
    }

    mutating func note(_ source: Int, _ path: [JSONPathElement], _ reason: String) {
        let finding = Finding(source: source, path: path, reason: reason)
        if seen.insert(finding).inserted { notes.append(finding) }
    }

    private mutating func visit(_ source: Int, _ path: [JSONPathElement], _ value: JSON, _ part: DocumentPart) {
        guard case .object(let object) = value else {
            if part == .schema, case .bool = value { return }
            return error(source, path, "expected an object, found \(value.typeName)")
        }
        if part.isReferable, let reference = object["$ref"] {
            follow(reference, source, path, object, part)
            // In 3.0 nothing beside a reference counts, in 3.1 it does for schemas and path items.
            guard sources.sources[source].dialect == .jsonSchema202012, part == .schema || part == .pathItem else {
                return
            }
        }
        if !part.isReferable, object["$ref"]?.stringValue != nil {
            note(source, path + ["$ref"], "a reference counts for nothing here")
        }
        note(object, source, path, part)
        for member in object.members {
            guard let form = part.form(of: member.name) else { continue }
            descend(source, path + [.key(member.name)], member.value, form)
        }
    }

    private mutating func descend(
        _ source: Int,
        _ path: [JSONPathElement],
        _ value: JSON,
        _ form: DocumentPart.Form
    ) {
        switch (form, value) {
        // A name with nothing behind it is an empty list in YAML.
        case (.list, .null), (.map, .null): break
        case (.one(let part), _): visit(source, path, value, part)
        case (.list(let part), .array(let elements)):
            for (index, element) in elements.enumerated() { visit(source, path + [.index(index)], element, part) }
        case (.list, _): error(source, path, "expected an array, found \(value.typeName)")
        case (.map(let part), .object(let object)):
            for member in object.members where !(part != .schema && member.name.hasPrefix("x-") && part != .header) {
                visit(source, path + [.key(member.name)], member.value, part)
            }
        case (.map, _): error(source, path, "expected an object, found \(value.typeName)")
        }
    }

    private mutating func follow(
        _ reference: JSON,
        _ source: Int,
        _ path: [JSONPathElement],
        _ object: JSONObject,
        _ part: DocumentPart
    ) {
        let place = path + [.key("$ref")]
        guard case .string(let text) = reference else {
            return error(source, place, "expected a string, found \(reference.typeName)")
        }
        do throws(Reference.Problem) {
            let here = Place(source: source, path: path, value: .object(object))
            let target = try sources.target(of: text, from: here, load: load)
            if leadsToItself(here, target) { throw .leadsInCircle }
            // Named components of the document are walked over anyway.
            let isComponent =
                target.source == 0 && target.path.count == 3 && target.path[0] == "components"
                && target.path[1] == part.componentsMember.map { .key($0) }
            if !isComponent, visited.insert(ExactName(text: "\(part) \(target.key.text)")).inserted {
                waiting.append((target, part))
            }
        } catch {
            self.error(source, place, error.reason)
        }
        guard sources.sources[source].dialect == .openAPI30 else { return }
        let words = ["$ref", "summary", "description", "title"]
        let siblings = object.members.map(\.name).filter { !words.contains($0) && !$0.hasPrefix("x-") }
        guard !siblings.isEmpty else { return }
        note(source, path, "beside $ref nothing counts in OpenAPI 3.0: \(siblings.joined(separator: ", ").cut)")
    }

    /// Tells whether a chain of references and nothing else leads back to where it began.
    private mutating func leadsToItself(_ start: Place, _ target: Place) -> Bool {
        var place = target
        var steps = 0
        while let text = place.value["$ref"]?.stringValue, steps <= 100 {
            if place.source == start.source, place.path == start.path { return true }
            guard let next = try? sources.target(of: text, from: place, load: load) else { return false }
            place = next
            steps += 1
        }
        return steps > 100
    }

    // MARK: Notes

    private mutating func note(
        _ object: JSONObject,
        _ source: Int,
        _ path: [JSONPathElement],
        _ part: DocumentPart
    ) {
        switch part {
        case .schema:
            if object["example"] != nil || object["examples"] != nil {
                exampled.append(Place(source: source, path: path, value: .object(object)))
            }
            noteSchema(object, source, path)
        case .document:
            if let webhooks = object["webhooks"]?.objectValue, !webhooks.isEmpty {
                note(source, path + ["webhooks"], "webhooks are not sent")
            }
        case .operation:
            if let callbacks = object["callbacks"]?.objectValue, !callbacks.isEmpty {
                note(source, path + ["callbacks"], "callbacks are not sent")
            }
        case .response:
            noteContent(object, source, path)
            if let links = object["links"]?.objectValue, !links.isEmpty {
                note(source, path + ["links"], "links are not followed")
            }
        case .securityScheme:
            if !signsIn { note(source, path, "without auth in api.json no credentials are asked for") }
        case .example:
            if object["externalValue"] != nil { note(source, path + ["externalValue"], "is not read") }
        case .parameter: noteParameter(object, source, path)
        default: break
        }
    }

    /// Notes the media types for which nothing can be sent.
    private mutating func noteContent(_ object: JSONObject, _ source: Int, _ path: [JSONPathElement]) {
        for member in object["content"]?.objectValue?.members ?? [] {
            let type = MediaType(member.name)
            let isText = type?.type == "text" && type?.subtype != "xml"
            guard let type, type.subtype != "*", !ContentChoice.isJSON(member.name),
                !(isText && member.value["schema"] != nil)
            else { continue }
            let examples = member.value["examples"]?.objectValue?.members.map(\.value) ?? []
            // Behind a reference there may be a text.
            let isShown =
                member.value["example"]?.stringValue != nil
                || examples.contains { $0["value"]?.stringValue != nil || $0["$ref"] != nil }
            guard !isShown else { continue }
            note(
                source,
                path + ["content", .key(member.name)],
                "without an example that is a text its content is empty"
            )
        }
    }

    private mutating func noteParameter(_ object: JSONObject, _ source: Int, _ path: [JSONPathElement]) {
        guard case .string? = object["name"] else { return error(source, path + ["name"], "expected a string") }
        guard let place = object["in"]?.stringValue, ["path", "query", "header", "cookie"].contains(place) else {
            return error(source, path + ["in"], "expected \"path\", \"query\", \"header\" or \"cookie\"")
        }
        if let style = object["style"]?.stringValue, style == "matrix" || style == "label" {
            note(source, path + ["style"], "the style \"\(style)\" is not supported: the parameter is not checked")
        }
        if object["allowReserved"]?.boolValue == true {
            note(source, path + ["allowReserved"], "is not looked at: reserved characters are taken as they come")
        }
    }

    private mutating func noteSchema(_ object: JSONObject, _ source: Int, _ path: [JSONPathElement]) {
        for member in object.members {
            switch (member.name, member.value) {
            case ("format", .string(let name)):
                guard KnownFormat(rawValue: name) == nil else { continue }
                noteFormat(name, source, path + ["format"])
            case ("pattern", .string(let text)): notePattern(text, source, path + ["pattern"])
            case ("patternProperties", .object(let patterns)):
                for pattern in patterns.members {
                    notePattern(pattern.name, source, path + ["patternProperties", .key(pattern.name)])
                }
            case ("$dynamicRef", _), ("$vocabulary", _): note(source, path + [.key(member.name)], "is not supported")
            default:
                if let expected = SchemaKeywords.mistake(
                    member.name,
                    member.value,
                    sources.sources[source].dialect
                ) {
                    note(
                        source,
                        path + [.key(member.name)],
                        "expected \(expected), found \(member.value.typeName): not checked"
                    )
                }
            }
        }
    }

    private mutating func noteFormat(_ name: String, _ source: Int, _ path: [JSONPathElement]) {
        if let place = formats.firstIndex(where: { $0.name == name }) {
            formats[place].count += 1
        } else if formats.count < 1_000 {
            formats.append((name, Finding(source: source, path: path, reason: ""), 1))
        }
    }

    private mutating func notePattern(_ text: String, _ source: Int, _ path: [JSONPathElement]) {
        let key = ExactName(text: text)
        let fits = patterns[key] ?? (SchemaPattern(text) != nil)
        patterns[key] = fits
        if !fits { note(source, path, "the pattern is outside of the dialect of regular expressions: not checked") }
    }
}
