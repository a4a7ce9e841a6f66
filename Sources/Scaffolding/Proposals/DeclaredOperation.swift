import HTTPMessage
import JSON
import OpenAPI

/// Questions to an operation of a document.
extension OpenAPIOperation {
    /// The path with the base path, without a slash at its end.
    var route: String {
        template.text.utf8.count > 1 && template.text.hasSuffix("/") ? String(template.text.dropLast()) : template.text
    }

    /// The method and the path, for people.
    var words: String { "\(method.rawValue) \(route)" }

    /// The successful response that is sent, with its status; nil without a declared one.
    ///
    /// A status of `2XX` is nil.
    var success: (status: Int?, response: OpenAPIResponse)? {
        let coded = responses.compactMap { response -> (status: Int?, response: OpenAPIResponse)? in
            if case .code(let code) = response.status, (200...299).contains(code) { return (code, response) }
            return nil
        }
        if let first = coded.min(by: { ($0.status ?? 0) < ($1.status ?? 0) }) { return first }
        return responses.first { $0.status == .range(2) }.map { (nil, $0) }
    }

    /// The JSON of the successful response.
    var answer: OpenAPIContent? {
        let contents = success?.response.content ?? []
        return contents.first(where: \.isPlainJSON) ?? contents.first(where: \.isJSON)
    }

    /// The media type of a successful response that is not JSON; nil for one that is, or has no content.
    var foreignType: String? {
        guard let contents = success?.response.content, let first = contents.first else { return nil }
        return contents.contains(where: \.isJSON) ? nil : first.name
    }

    /// The body as JSON, or as a form.
    var taken: OpenAPIContent? {
        let contents = body?.content ?? []
        return contents.first { $0.isJSON && $0.essence.subtype != "json-patch+json" }
            ?? contents.first { $0.essence.subtype == "x-www-form-urlencoded" }
    }

    /// Path, id and summary as one text of small letters and digits.
    var spelled: String { PlainName.of("\(path) \(operationID ?? "") \(summary)") }

    /// The query parameters, those over which an object is spread by their own names.
    var queryParameters: [(name: String, schema: Schema?, isRequired: Bool)] {
        parameters.filter { $0.location == .query }.flatMap { parameter in
            let isSpread = parameter.style == .form && parameter.explode && !parameter.isJSON
            guard let schema = parameter.schema, schema.form == .object, !schema.memberNames.isEmpty,
                isSpread || parameter.style == .deepObject
            else { return [(parameter.name, parameter.schema, parameter.isRequired)] }
            if isSpread {
                let required = parameter.isRequired ? schema.required : []
                return schema.memberNames.map { ($0, schema.member($0), required.contains($0)) }
            }
            return schema.memberNames.map { ("\(parameter.name)[\($0)]", schema.member($0), false) }
        }
    }
}

extension OpenAPIContent {
    /// Tells whether `application/json` is of the type.
    var isPlainJSON: Bool { isJSON && ["json", "*"].contains(essence.subtype) && essence.type != "text" }

    /// The values that the document shows.
    var shown: [JSON] { [example].compactMap { $0 } + examples.compactMap(\.value) }
}

extension PathTemplate {
    /// The names of whole segments that are literal, nil for those with a parameter.
    var literals: [String?] {
        segments.map { pieces in
            if pieces.count == 1, case .literal(let text) = pieces[0] { text } else { nil }
        }
    }

    /// The parameter that is the whole last segment.
    var lastParameter: String? {
        guard let last = segments.last, last.count == 1, case .parameter(let name) = last[0] else { return nil }
        return name
    }
}

extension Schema {
    /// The members that name a row with that parameter of a path, the likeliest first; nil where none is there.
    func key(_ parameter: String?) -> String? {
        guard form == .object else { return nil }
        let names = memberNames
        var wanted = ["id", "uuid", "guid"]
        if let parameter { wanted.insert(PlainName.of(parameter), at: 0) } else { wanted += ["slug", "code", "key"] }
        let exact = parameter.flatMap { names.contains($0) ? $0 : nil }
        let near = wanted.lazy.compactMap { plain in names.first { PlainName.of($0) == plain } }
        return ([exact].compactMap { $0 } + near).first { isScalar($0) }
    }

    /// Tells whether a member is a text or a number.
    func isScalar(_ name: String) -> Bool { [.text, .integer, .number, .mixed].contains(member(name)?.form) }

    /// The members that are neither objects nor arrays.
    var scalarNames: [String] {
        memberNames.filter { name in
            switch member(name)?.form {
            case .object, .array, nil: false
            default: true
            }
        }
    }

    /// The first thing about a value in a response that does not fit.
    func misfit(_ value: JSON) -> String? {
        validate(value, direction: .response, limit: 1).first.map { "\($0.formattedPath): \($0.reason)" }
    }
}
