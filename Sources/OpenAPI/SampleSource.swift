import HTTPMessage
import JSON

/// Makes the values of one response: the same ones for the same request in every process.
struct SampleSource {
    private let operation: OpenAPIOperation
    private let call: OpenAPICall

    init(_ operation: OpenAPIOperation, _ call: OpenAPICall) {
        self.operation = operation
        self.call = call
    }

    /// Each value has a stream of its own, so that one does not shift another.
    private func maker(_ store: SchemaStore, _ purpose: String) -> SampleMaker {
        let texts = [
            operation.method.rawValue, operation.template.text, purpose, call.path, call.query ?? "",
        ]
        return SampleMaker(store, start: call.start, stream: SampleStream(seed: call.seed, texts))
    }

    /// The declared header fields that are sent.
    func fields(of response: OpenAPIResponse?) -> Fields {
        var fields = Fields()
        for header in response?.headers ?? [] {
            guard let name = FieldName(header.name), header.name.lowercased() != "content-type",
                let text = text(of: header)
            else { continue }
            fields.append(name, text)
        }
        return fields
    }

    /// A sample of a content's schema, in which parameters of the path have their values, and members called as facts
    /// theirs.
    func value(of content: OpenAPIContent, _ facts: JSONObject = JSONObject()) -> JSON? {
        guard let schema = content.schema else { return nil }
        var maker = maker(schema.store, content.name)
        guard let sample = maker.sample(schema.number) else { return nil }
        return withFacts(facts, withPathValues(sample, schema), schema)
    }

    /// A sample whose members at the top, and in objects there, have the values of facts of their names where they fit.
    private func withFacts(_ facts: JSONObject, _ sample: JSON, _ schema: Schema) -> JSON {
        guard !facts.isEmpty, case .object(let object) = sample else { return sample }
        var told = sample
        let paths = object.members.flatMap { member in
            [[member.name]] + (member.value.objectValue?.members ?? []).map { [member.name, $0.name] }
        }
        for path in paths {
            guard let fact = facts[path[path.count - 1]] else { continue }
            let changed = told.setting(path[...], to: fact)
            if schema.fits(changed, direction: .response) { told = changed }
        }
        return told
    }

    /// A member at the top that is called as a parameter, or `id` for the last one, takes its value if that fits.
    private func withPathValues(_ sample: JSON, _ schema: Schema) -> JSON {
        guard case .object(var object) = sample else { return sample }
        let names = operation.template.parameterNames
        let coercion = TextCoercion(schema.store)
        let view = SchemaView(schema.store)
        for (place, parameter) in names.enumerated() where call.pathValues.indices.contains(place) {
            var members = [parameter]
            if place == names.count - 1, !names.contains("id") { members.append("id") }
            for name in members where object[name] != nil {
                let text = call.pathValues[place]
                let inner = view.schemas(ofMember: name, in: schema.number)
                let values = inner.map { coercion.value(text, $0) } + (inner.isEmpty ? [.string(text)] : [])
                for value in values {
                    var changed = object
                    changed[name] = value
                    guard schema.fits(.object(changed), direction: .response) else { continue }
                    object = changed
                    break
                }
            }
        }
        return .object(object)
    }

    /// The bytes of content that is not JSON: an example that is a text, for text types a sample, else nothing.
    ///
    /// Nil if there should be a sample and none fits.
    func text(of content: OpenAPIContent, as type: String, _ shown: JSON?) -> [UInt8]? {
        if case .string(let text)? = shown { return Array(text.utf8) }
        guard ContentChoice.isText(type), let schema = content.schema else { return [] }
        var maker = maker(schema.store, content.name)
        return maker.sample(schema.number).map { sample in
            if case .string(let text) = sample { Array(text.utf8) } else { sample.serialized() }
        }
    }

    /// The value of a header that is required or has an example; nil for others.
    func text(of header: OpenAPIResponse.Header) -> String? {
        if let example = header.example { return Self.simple(example, header) }
        let rules = header.schema.map { $0.store.rules($0.number) }
        let isShown = rules.map { !$0.examples.isEmpty } ?? false
        guard header.isRequired || isShown else { return nil }
        guard let schema = header.schema else { return "" }
        var maker = maker(schema.store, header.name)
        return maker.sample(schema.number).flatMap { Self.simple($0, header) }
    }

    /// A value in the style `simple`.
    private static func simple(_ value: JSON, _ header: OpenAPIResponse.Header) -> String? {
        func text(_ value: JSON) -> String { value.stringValue ?? value.text }
        if header.isJSON { return value.text }
        switch value {
        case .array(let elements): return elements.map(text).joined(separator: ",")
        case .object(let object):
            let between = header.explode ? "=" : ","
            return object.members.map { "\($0.name)\(between)\(text($0.value))" }.joined(separator: ",")
        default: return text(value)
        }
    }
}

extension JSON {
    /// The value with another one for the member of a path.
    fileprivate func setting(_ path: ArraySlice<String>, to value: JSON) -> JSON {
        guard let name = path.first, case .object(var object) = self else { return value }
        object[name] = (object[name] ?? .null).setting(path.dropFirst(), to: value)
        return .object(object)
    }
}
