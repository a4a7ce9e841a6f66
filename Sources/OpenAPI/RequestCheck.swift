import HTTPMessage
import JSON

/// One comparison of a request with its operation.
struct RequestCheck {
    private static let limit = 100

    private let operation: OpenAPIOperation
    private let request: OpenAPIRequest
    private let allowance: WorkAllowance?
    private var violations: [OpenAPIViolation] = []
    private var verdict = OpenAPIRequestResult.Verdict.fits

    init(_ operation: OpenAPIOperation, _ request: OpenAPIRequest, _ allowance: WorkAllowance? = nil) {
        self.operation = operation
        self.request = request
        self.allowance = allowance
    }

    /// Holds the whole request against the operation.
    mutating func run() -> OpenAPIRequestResult {
        if !operation.parameters.isEmpty {
            let query = RawQuery(request.query)
            for parameter in operation.parameters { check(parameter, query) }
        }
        if let body = operation.body { check(body) }
        return result
    }

    private var result: OpenAPIRequestResult {
        let isFitting = verdict == .fits && violations.isEmpty
        return OpenAPIRequestResult(
            verdict: isFitting ? .fits : verdict == .fits ? .violates : verdict,
            violations: Array(violations.prefix(Self.limit)),
            missing: OpenAPICredential.missing(of: operation.credentials, in: request)
        )
    }

    private mutating func report(_ path: String, _ reason: String) {
        if violations.count < Self.limit { violations.append(OpenAPIViolation(path: path, reason: reason)) }
    }

    /// Holds a value against a schema; the path of an issue continues that of the value.
    private mutating func check(_ value: JSON, _ schema: Schema, at path: String) {
        let issues = schema.validate(
            value,
            direction: .request,
            limit: Self.limit - min(violations.count, Self.limit - 1),
            allowance
        )
        for issue in issues { report(path + issue.formattedPath.dropFirst(), issue.reason) }
    }

    // MARK: Parameters

    /// Reports a name with more brackets than are read; returns whether there is one.
    private mutating func refusesDepth(of name: String, _ query: RawQuery, at path: String) -> Bool {
        guard query.nested(name)?.isTooDeep == true else { return false }
        report(path, "nests deeper than \(NestedTexts.mostSteps) names in brackets")
        return true
    }

    private mutating func check(_ parameter: OpenAPIParameter, _ query: RawQuery) {
        guard parameter.style != .matrix, parameter.style != .label else { return }
        let path: String
        let value: JSON?
        switch parameter.location {
        case .path:
            path = "{\(parameter.name)}"
            guard let place = operation.template.parameterNames.firstIndex(of: parameter.name),
                request.pathValues.indices.contains(place)
            else { return }
            value = simple(request.pathValues[place], parameter)
        case .header:
            // Others speak for these (OpenAPI, "Parameter Object").
            guard let name = FieldName(parameter.name),
                !["accept", "content-type", "authorization"].contains(parameter.name.lowercased())
            else { return }
            path = parameter.name
            let values = request.fields.values(name)
            value = values.isEmpty ? nil : simple(values.joined(separator: ","), parameter)
        case .cookie:
            path = "Cookie: \(parameter.name)"
            let texts = request.cookies(parameter.name)
            value = texts.isEmpty ? nil : read(texts, parameter)
        case .query:
            path = "?\(parameter.name)"
            if parameter.style == .deepObject, refusesDepth(of: parameter.name, query, at: path) { return }
            value = queryValue(parameter, query)
            if parameter.allowsEmptyValue, value != nil, query.values(parameter.name) == [""] { return }
            checkCount(query.values(parameter.name).count, as: value, at: path, isExploded: parameter.explode)
        }
        guard let value else {
            if parameter.isRequired { report(path, "missing") }
            return
        }
        if parameter.isJSON, case .string(let text) = value {
            guard let schema = parameter.schema else { return }
            do throws(JSONSyntaxError) {
                check(try JSONReader.read(text: text), schema, at: path)
            } catch {
                report(path, "is not JSON: \(error.message)")
            }
        } else if let schema = parameter.schema {
            check(value, schema, at: path)
        }
    }

    /// Reports a name that was sent several times where one value is read, the first as everywhere.
    private mutating func checkCount(_ count: Int, as value: JSON?, at path: String, isExploded: Bool = true) {
        guard count > 1 else { return }
        guard value?.arrayValue != nil else { return report(path, OpenAPIViolation.firstCounts) }
        if !isExploded { report(path, "is sent \(count) times, and its elements belong in one value") }
    }

    /// A value of one text: elements and members stand between commas.
    private func simple(_ text: String, _ parameter: OpenAPIParameter) -> JSON {
        guard let schema = parameter.schema, !parameter.isJSON else { return .string(text) }
        let coercion = TextCoercion(schema.store)
        let trimmed = text.split(",").map { $0.trimmingBlanks }
        let value = coercion.read(schema.number) { schema in
            switch coercion.form(schema) {
            case .array: coercion.value(text.isEmpty ? [] : trimmed, schema)
            case .object: coercion.object(Self.members(trimmed, parameter.explode), schema)
            default: coercion.value(text, schema)
            }
        }
        return value ?? .string(text)
    }

    /// The members of `a=1,b=2`, or of `a,1,b,2`.
    private static func members(_ pieces: [String], _ explode: Bool) -> [(name: String, text: String)] {
        guard !explode else {
            return pieces.map { piece in
                let pair = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return (String(pair[0]), pair.count == 2 ? String(pair[1]) : "")
            }
        }
        return stride(from: 0, to: pieces.count - 1, by: 2).map { (pieces[$0], pieces[$0 + 1]) }
    }

    private func read(_ texts: [String], _ parameter: OpenAPIParameter) -> JSON {
        guard let schema = parameter.schema, !parameter.isJSON else { return .string(texts.first ?? "") }
        let coercion = TextCoercion(schema.store)
        return coercion.read(schema.number) { coercion.value(texts, $0) } ?? .string(texts.first ?? "")
    }

    private func queryValue(_ parameter: OpenAPIParameter, _ query: RawQuery) -> JSON? {
        guard let schema = parameter.schema, !parameter.isJSON else {
            return query.values(parameter.name).first.map { .string($0) }
        }
        return Self.value(
            parameter.name,
            parameter.style,
            parameter.explode,
            schema,
            query
        )
    }

    /// The value of a name in a query or a form; nil if it is not there.
    private static func value(
        _ name: String,
        _ style: OpenAPIParameter.Style,
        _ explode: Bool,
        _ schema: Schema,
        _ query: RawQuery
    ) -> JSON? {
        let coercion = TextCoercion(schema.store)
        if style == .deepObject { return query.nested(name).map { coercion.value($0, schema.number) } }
        func value(cutsEscaped: Bool) -> JSON? {
            coercion.read(schema.number) { number in
                Self.value(name, style, explode, number, query, coercion, cutsEscaped: cutsEscaped)
            }
        }
        let found = value(cutsEscaped: false)
        // Many clients escape the commas of a list, too.
        guard let literal = found, query.hasEscapedComma(name), !coercion.fits(literal, schema.number),
            let cut = value(cutsEscaped: true), coercion.fits(cut, schema.number)
        else { return found }
        return cut
    }

    private static func value(
        _ name: String,
        _ style: OpenAPIParameter.Style,
        _ explode: Bool,
        _ schema: Int,
        _ query: RawQuery,
        _ coercion: TextCoercion,
        cutsEscaped: Bool
    ) -> JSON? {
        switch coercion.form(schema) {
        case .object where explode:
            // Each member is a parameter of its own.
            let names = coercion.memberNames(schema)
            let members = query.pairs.filter { names.contains($0.name) }
                .map { (name: $0.name, text: RawQuery.decoded($0.value)) }
            return members.isEmpty ? nil : coercion.object(members, schema)
        case .object:
            return query.pieces(name, at: style, cutsEscaped: cutsEscaped)
                .map { coercion.object(members($0, false), schema) }
        case .array where !explode || style != .form:
            // Several of one name are exploded, whatever was said, and reported.
            let values = query.values(name)
            if values.count > 1 { return coercion.value(values, schema) }
            return query.pieces(name, at: style, cutsEscaped: cutsEscaped).map { coercion.value($0, schema) }
        default:
            let values = query.values(name)
            return values.isEmpty ? nil : coercion.value(values, schema)
        }
    }

    // MARK: Bodies

    private mutating func check(_ body: OpenAPIRequestBody) {
        guard !request.body.isEmpty else {
            if body.isRequired { report("$", "missing: the request has no body") }
            return
        }
        guard !body.content.isEmpty else { return }
        let sent = request.fields["Content-Type"]
        guard let sent, let type = MediaType(sent), let content = ContentChoice.content(of: type, in: body.content)
        else {
            verdict = .foreignMediaType
            let taken = "the operation accepts " + body.content.map(\.name).joined(separator: ", ")
            return report("Content-Type", sent.map { "\($0.cut) is not accepted; \(taken)" } ?? "missing; \(taken)")
        }
        guard let schema = content.schema else { return }
        switch type.essence {
        case "application/x-www-form-urlencoded": checkForm(content, schema)
        case "multipart/form-data": checkMultipart(sent, content, schema)
        case _ where type.subtype == "json" || type.subtype.hasSuffix("+json"): checkJSON(schema)
        case _ where type.type == "text" && type.subtype != "xml":
            check(.string(String(decoding: request.body, as: UTF8.self)), schema, at: "$")
        default: break
        }
    }

    private mutating func checkJSON(_ schema: Schema) {
        let value: JSON
        do throws(JSONSyntaxError) {
            value = try JSONReader.read(request.body)
        } catch {
            verdict = .unreadable
            return report("$", "is not JSON: \(error.message), line \(error.line), column \(error.column)")
        }
        let (before, former) = (violations, verdict)
        check(value, schema, at: "$")
        guard violations.count > before.count else { return }
        // What a member is by default need not be sent.
        let filled = schema.withDefaults(value)
        guard filled != value else { return }
        (violations, verdict) = (before, former)
        check(filled, schema, at: "$")
    }

    private mutating func checkForm(_ content: OpenAPIContent, _ schema: Schema) {
        let form = RawQuery(request.body[...])
        let view = SchemaView(schema.store)
        var object = JSONObject()
        var seen: Set<ExactName> = []
        let deep = content.encodings.filter { $0.style == .deepObject }
        for encoding in deep {
            if refusesDepth(of: encoding.name, form, at: [.key(encoding.name)].formattedJSONPath) { continue }
            guard let inner = view.schemas(ofMember: encoding.name, in: schema.number).first,
                let value = Self.value(encoding.name, .deepObject, true, Schema(schema.store, inner), form)
            else { continue }
            object.append(encoding.name, value)
        }
        for pair in form.pairs where seen.insert(ExactName(text: pair.name)).inserted {
            if deep.contains(where: { pair.name.hasPrefix($0.name + "[") }) { continue }
            guard let inner = view.schemas(ofMember: pair.name, in: schema.number).first else {
                object.append(pair.name, .string(RawQuery.decoded(pair.value)))
                continue
            }
            let encoding = content.encodings.first { $0.name == pair.name }
            let isJSON = encoding?.contentType?.hasPrefix("application/json") == true
            if isJSON || TextCoercion(schema.store).form(inner) == .object,
                let value = try? JSONReader.read(text: RawQuery.decoded(pair.value))
            {
                object.append(pair.name, value)
                continue
            }
            let value = Self.value(
                pair.name,
                encoding?.style ?? .form,
                encoding?.explode ?? true,
                Schema(schema.store, inner),
                form
            )
            object.append(pair.name, value ?? .string(RawQuery.decoded(pair.value)))
            let path = [.key(pair.name)].formattedJSONPath
            checkCount(form.values(pair.name).count, as: value, at: path, isExploded: encoding?.explode ?? true)
        }
        check(.object(object), schema, at: "$")
    }

    private mutating func checkMultipart(_ type: String, _ content: OpenAPIContent, _ schema: Schema) {
        let parts: [MultipartPart]
        do throws(MultipartError) {
            parts = try MultipartParser.parse(body: request.body, contentType: type)
        } catch {
            verdict = .unreadable
            return report("$", "is not multipart/form-data: \(error)")
        }
        let view = SchemaView(schema.store)
        let coercion = TextCoercion(schema.store)
        var object = JSONObject()
        var seen: Set<ExactName> = []
        for part in parts where seen.insert(ExactName(text: part.name)).inserted {
            let same = parts.filter { $0.name.utf8.elementsEqual(part.name.utf8) }
            guard let inner = view.schemas(ofMember: part.name, in: schema.number).first else {
                object.append(part.name, .string(part.text))
                continue
            }
            let value = coercion.read(inner) { schema in
                let isArray = coercion.form(schema) == .array
                let values = same.map { part in
                    let element = isArray ? view.schemas(ofElement: 0, in: schema).first ?? schema : schema
                    return Self.value(of: part, element, coercion, isArray && same.count == 1 ? schema : nil)
                }
                return isArray && !(values.count == 1 && values[0].arrayValue != nil) ? .array(values) : values.first
            }
            object.append(part.name, value ?? .null)
            checkCount(same.count, as: value, at: [.key(part.name)].formattedJSONPath)
            checkTypes(of: same, content.encodings.first { $0.name == part.name }?.contentType)
        }
        check(.object(object), schema, at: "$")
    }

    /// Holds the media types of the fields of one name against those that its encoding takes.
    private mutating func checkTypes(of parts: [MultipartPart], _ taken: String?) {
        guard let taken else { return }
        for (index, part) in parts.enumerated() {
            guard let sent = part.contentType, let type = MediaType(sent), !ContentChoice.takes(type, taken) else {
                continue
            }
            let path = [.key(part.name)] + (parts.count > 1 ? [JSONPathElement.index(index)] : [])
            report(path.formattedJSONPath, "the media type \(sent.cut) is not accepted; expected \(taken.cut)")
        }
    }

    /// The value of a field: JSON where its type says so or the schema takes an object, a file's content, or a text.
    private static func value(of part: MultipartPart, _ schema: Int, _ coercion: TextCoercion, _ whole: Int?) -> JSON {
        let type = part.contentType.flatMap { MediaType($0) }
        let isJSON = type.map { $0.subtype == "json" || $0.subtype.hasSuffix("+json") } ?? false
        let isObject = type == nil && part.filename == nil && coercion.form(schema) == .object
        if isJSON || isObject, let value = try? JSONReader.read(part.content) { return value }
        // One field that holds all elements as JSON.
        if whole != nil, part.filename == nil, part.content.first == UInt8(ascii: "["),
            let value = try? JSONReader.read(part.content)
        {
            return value
        }
        if part.filename != nil { return .string(part.text) }
        return coercion.value(part.text, schema)
    }
}

extension String {
    /// The text without the blanks and tabs at its ends.
    var trimmingBlanks: String {
        var bytes = Array(utf8)[...]
        while let first = bytes.first, first == 0x20 || first == 0x09 { bytes.removeFirst() }
        while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
        return bytes.count == utf8.count ? self : String(decoding: bytes, as: UTF8.self)
    }
}
