import Formats
import HTTPMessage
import JSON

/// The notes on the parts of a document.
extension DocumentSurvey {
    mutating func note(
        _ object: JSONObject,
        _ source: Int,
        _ path: [JSONPathElement],
        _ part: DocumentPart
    ) {
        switch part {
        case .schema:
            gatherExamples(object, source, path, part)
            noteSchema(object, source, path)
        case .document:
            noteLists(["servers", "security"], object, source, path)
            if let first = object["servers"]?[0], first["url"]?.stringValue == nil {
                note(source, path + ["servers", 0], "has no url: left out")
            }
            if let webhooks = object["webhooks"]?.objectValue, !webhooks.isEmpty {
                note(source, path + ["webhooks"], "webhooks are not sent")
            }
        case .pathItem:
            noteServers(object, source, path)
            for member in object.members where !Self.isOfPathItem(member.name) {
                note(source, path + [.key(member.name)], "is not a field of a path item: left out")
            }
        case .operation:
            noteLists(["security"], object, source, path)
            noteServers(object, source, path)
            if let callbacks = object["callbacks"]?.objectValue, !callbacks.isEmpty {
                note(source, path + ["callbacks"], "callbacks are not sent")
            }
        case .responses:
            for member in object.members where !member.name.hasPrefix("x-") {
                guard OpenAPIResponse.Status(member.name) == nil else { continue }
                note(source, path + [.key(member.name)], "is not a status code: the response is left out")
            }
        case .response:
            noteContent(object, source, path)
            if let links = object["links"]?.objectValue, !links.isEmpty {
                note(source, path + ["links"], "links are not followed")
            }
        case .securityScheme:
            guard !signsIn else { break }
            let reason =
                OpenAPICredential(.object(object)) == nil
                ? "is not checked" : "without auth in api.json any credential of this form is accepted"
            note(source, path, reason)
        case .example:
            if object["externalValue"] != nil { note(source, path + ["externalValue"], "is not read") }
        case .parameter:
            gatherExamples(object, source, path, part)
            noteParameter(object, source, path)
        case .header: gatherExamples(object, source, path, part)
        case .encoding:
            if let headers = object["headers"]?.objectValue, !headers.isEmpty {
                note(source, path + ["headers"], "the headers of a part are ignored")
            }
        default: break
        }
    }

    private mutating func gatherExamples(
        _ object: JSONObject,
        _ source: Int,
        _ path: [JSONPathElement],
        _ part: DocumentPart
    ) {
        // Those of parameters and headers may lie in their content.
        let members = part == .schema ? ["example", "examples"] : ["example", "examples", "content"]
        guard members.contains(where: { object[$0] != nil }) else { return }
        let place = Place(source: source, path: path, value: .object(object))
        exampled.append(ExampledPart(place: place, part: part))
    }

    /// Notes members that are no arrays as they should be.
    private mutating func noteLists(
        _ names: [String],
        _ object: JSONObject,
        _ source: Int,
        _ path: [JSONPathElement]
    ) {
        for name in names {
            guard let value = object[name], value.arrayValue == nil else { continue }
            mistake(source, path + [.key(name)], "expected an array, found \(value.typeName)")
        }
    }

    private mutating func noteServers(_ object: JSONObject, _ source: Int, _ path: [JSONPathElement]) {
        guard let servers = object["servers"]?.arrayValue, !servers.isEmpty else { return }
        note(source, path + ["servers"], "are ignored: the first server of the document is used")
    }

    /// Tells whether a path item has a member of that name.
    private static func isOfPathItem(_ name: String) -> Bool {
        name.hasPrefix("x-") || DocumentPart.methods.contains(name)
            || ["$ref", "summary", "description", "parameters", "servers"].contains(name)
    }

    /// Notes the media types for which nothing can be sent.
    private mutating func noteContent(_ object: JSONObject, _ source: Int, _ path: [JSONPathElement]) {
        for member in object["content"]?.objectValue?.members ?? [] {
            guard let type = MediaType(ContentChoice.usualName(of: member.name)), !ContentChoice.isJSON(type.essence),
                !(ContentChoice.isText(type.essence) && member.value["schema"] != nil)
            else { continue }
            let examples = member.value["examples"]?.objectValue?.members.map(\.value) ?? []
            let isText = ContentChoice.isText(type.essence)
            func isShown(_ value: JSON?) -> Bool {
                value.map { $0.stringValue != nil || isText && !$0.isNull } ?? false
            }
            // Behind a reference there may be a text.
            let isShown =
                isShown(member.value["example"]) || examples.contains { isShown($0["value"]) || $0["$ref"] != nil }
            guard !isShown else { continue }
            note(
                source,
                path + ["content", .key(member.name)],
                "without a text example its content is empty"
            )
        }
    }

    private mutating func noteParameter(_ object: JSONObject, _ source: Int, _ path: [JSONPathElement]) {
        guard case .string? = object["name"] else { return mistake(source, path + ["name"], "expected a string") }
        let places = ["path", "query", "header", "cookie"]
        guard let place = object["in"]?.stringValue, places.contains(place) else {
            return mistake(
                source,
                path + ["in"],
                "expected \"path\", \"query\", \"header\" or \"cookie\"",
                hint: Self.hint(object["in"], among: places)
            )
        }
        if let style = object["style"]?.stringValue, style == "matrix" || style == "label" {
            note(source, path + ["style"], "the style \"\(style)\" is not supported: the parameter is not checked")
        }
        if object["allowReserved"]?.boolValue == true {
            note(source, path + ["allowReserved"], "is ignored: reserved characters are accepted as they are")
        }
    }

    /// The end of a sentence that names the word which a misspelt one probably means.
    private static func hint(_ value: JSON?, among words: [String]) -> String {
        Suggestion.hint(value?.stringValue.flatMap { Suggestion.nearest(to: $0, among: words) })
    }

    private mutating func noteSchema(_ object: JSONObject, _ source: Int, _ path: [JSONPathElement]) {
        let dialect = sources.sources[source].dialect
        for member in object.members {
            switch (member.name, member.value) {
            case ("format", .string(let name)):
                guard KnownFormat(format: name) == nil else { continue }
                noteFormat(name, source, path + ["format"])
            case ("contentEncoding", .string(let name)) where sources.sources[source].dialect == .jsonSchema202012:
                let isPlain = ["7bit", "8bit", "binary"].contains(name.lowercased())
                guard !isPlain, KnownFormat(contentEncoding: name) == nil else { continue }
                note(source, path + ["contentEncoding"], "the encoding \(JSON.string(name.cut).text) is not checked")
            case ("pattern", .string(let text)): notePattern(text, source, path + ["pattern"])
            case ("patternProperties", .object(let patterns)):
                for pattern in patterns.members {
                    notePattern(pattern.name, source, path + ["patternProperties", .key(pattern.name)])
                }
            case ("$dynamicRef", _), ("$recursiveRef", _), ("$vocabulary", _), ("dependencies", _):
                note(source, path + [.key(member.name)], "is not supported")
            case ("nullable", .bool(true)) where dialect == .jsonSchema202012:
                note(source, path + ["nullable"], "is ignored in OpenAPI 3.1, where null is a type")
            case (let name, _) where dialect == .openAPI30 && SchemaKeywords.later.contains(name):
                note(source, path + [.key(name)], "is a keyword of OpenAPI 3.1: ignored")
            case ("discriminator", let value) where value["propertyName"]?.stringValue == nil:
                note(source, path + ["discriminator"], "has no propertyName: ignored")
            default:
                if let expected = SchemaKeywords.mistake(member.name, member.value, dialect) {
                    let found =
                        switch member.value {
                        case .array, .object: member.value.typeName
                        default: member.value.text(upTo: 40)
                        }
                    let hint = member.name == "type" ? Self.hint(member.value, among: SchemaKeywords.types) : ""
                    note(source, path + [.key(member.name)], "expected \(expected), found \(found): not checked\(hint)")
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
        let fits: Bool
        if let known = patterns[key] {
            fits = known
        } else {
            guard patternParts <= Self.mostPatternParts else { return }
            let pattern = SchemaPattern(text)
            fits = pattern != nil
            patterns[key] = fits
            patternParts += pattern?.size ?? 0
            if patternParts > Self.mostPatternParts {
                error(source, path, "the patterns written out have more than \(Self.mostPatternParts) parts")
            }
        }
        if !fits { note(source, path, "the pattern is not supported as a regular expression: not checked") }
    }
}
