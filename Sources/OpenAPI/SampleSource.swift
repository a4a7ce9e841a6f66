import Basics
import CivilTime
import Formats
import HTTPMessage
import JSON

/// Makes the values of one response: the same ones for the same request in every process.
final class SampleSource {
    private let operation: OpenAPIOperation
    private let call: OpenAPICall
    /// The work, in steps of comparisons, at which the making stops; it is made elsewhere then.
    private var ceiling: Int
    /// Tells that the making has stopped, so that what was made is nothing.
    private(set) var isStopped = false
    /// The steps of all comparisons so far.
    private var comparisons = 0
    /// Tells that something was made that another request may not get.
    private(set) var isRequestNeeded = false

    init(_ operation: OpenAPIOperation, _ call: OpenAPICall, ceiling: Int = .max) {
        self.operation = operation
        self.call = call
        self.ceiling = ceiling
    }

    /// Makes the bytes of a sample of a schema, unless they have been made for an equal request.
    ///
    /// Each sample has a stream of its own, so that one does not shift another.
    private func bytes(
        _ schema: Schema,
        _ purpose: String,
        isAnswer: Bool = false,
        _ written: (JSON) -> [UInt8]?
    ) -> [UInt8]? {
        let store = schema.store
        isRequestNeeded = true
        let texts = texts(purpose)
        let key = key(schema, texts, isAnswer)
        if let known = store.samples[key] { return known }
        let isSlow = store.slow.withLock { $0.contains(schema.number) }
        guard !isStopped, ceiling == .max || !isSlow else {
            isStopped = true
            return nil
        }
        var maker = SampleMaker(
            store,
            start: call.start,
            stream: SampleStream(seed: call.seed, texts),
            ceiling: ceiling
        )
        let sample = maker.sample(schema.number)
        var answer = SampleAnswer(operation, call, schema.number, by: maker)
        var value = sample.map(\.value)
        if let sample {
            value = answer.withPathValues(sample.value)
            if isAnswer {
                let whole = SampleMaker.Sample(value: value ?? .null, isShort: sample.isShort, isLoose: sample.isLoose)
                value = answer.shaped(whole, ceiling: ceiling)
            }
        }
        if ceiling != .max { ceiling = max(0, ceiling - answer.work) }
        let made = value.flatMap(written)
        guard !answer.isStopped, !isStopped else {
            isStopped = true
            store.slow.withLock { _ = $0.insert(schema.number) }
            return nil
        }
        store.samples.keep(made, of: (made?.count ?? 0) + key.text.utf8.count + 64, for: key)
        if let facts = answer.facts { store.facts.keep(facts, of: key.text.utf8.count + 64, for: key) }
        return made
    }

    private func texts(_ purpose: String) -> [String] {
        [operation.method.rawValue, operation.template.text, purpose, call.path, call.query ?? ""]
    }

    private func key(_ schema: Schema, _ texts: [String], _ isAnswer: Bool) -> ExactName {
        let rest = "\(schema.number) \(call.seed) \(call.start.microseconds) \(isAnswer) \(call.origin)"
        return ExactName(text: (texts + [rest]).joined(separator: "\n"))
    }

    /// The declared header fields that are sent.
    func fields(of response: OpenAPIResponse?) -> Fields {
        var fields = Fields()
        for header in response?.headers ?? [] {
            guard let name = FieldName(header.name), header.name.lowercased() != "content-type",
                let text = text(of: header)
            else { continue }
            if let response, let fact = fact(header, of: response) {
                fields.append(name, fact)
                continue
            }
            fields.append(name, text)
        }
        return fields
    }

    /// The text of a header that tells of the page of a sampled list, such as X-Total-Count; nil for others.
    private func fact(_ header: OpenAPIResponse.Header, of response: OpenAPIResponse) -> String? {
        let bare = header.name.lowercased().hasPrefix("x-") ? String(header.name.dropFirst(2)) : header.name
        guard let fact = PagingName.fact(MemberName(bare)), let schema = header.schema,
            let content = response.content.first(where: \.isJSON), content.firstExample == nil,
            let list = content.schema, json(of: content, isAnswer: true) != nil,
            let facts = list.store.facts[key(list, texts(content.name), true)],
            let value = facts.number(of: fact)
        else { return nil }
        let told = TextCoercion(schema.store).value(String(value), schema.number)
        return fits(told, schema, isLoose: false) ? String(value) : nil
    }

    /// The JSON of a sample of a content's schema that tells of a refusal, which is made once for equal ones.
    func json(of content: OpenAPIContent, _ facts: RefusalFacts) -> [UInt8]? {
        guard let schema = content.schema else { return nil }
        let key = key(schema, texts("\(content.name) \(facts)"), false)
        if let known = schema.store.samples[key] { return known }
        guard let sample = filledSample(of: content) else { return nil }
        let end = comparisons + Self.mostFactWork
        var teller = RefusalTeller(sample, facts, path: call.path) { changed in
            self.comparisons < end && self.fits(changed, schema, isLoose: false)
        }
        teller.tell()
        guard !isStopped else { return nil }
        let made = teller.told.serialized()
        schema.store.samples.keep(made, of: made.count + key.text.utf8.count + 64, for: key)
        return made
    }

    /// A sample of a content's schema whose lists have elements, if one of the first few is such.
    private func filledSample(of content: OpenAPIContent) -> JSON? {
        guard let schema = content.schema else { return nil }
        var first: JSON?
        for turn in 0..<4 where !isStopped {
            let purpose = turn == 0 ? content.name : "\(content.name) \(turn)"
            guard let made = bytes(schema, purpose, { $0.serialized() }), let sample = try? JSONReader.read(made) else {
                continue
            }
            if !sample.hasEmptyList { return sample }
            first = first ?? sample
        }
        return first
    }

    /// The JSON of a sample of a content's schema, in which parameters of the path have their values.
    ///
    /// That of an answer, not of a refusal, fits the query as well.
    func json(of content: OpenAPIContent, isAnswer: Bool = false) -> [UInt8]? {
        content.schema.flatMap { bytes($0, content.name, isAnswer: isAnswer) { $0.serialized() } }
    }

    /// The JSON of an example of a content, which for a large one is kept.
    func json(of example: JSON, _ content: OpenAPIContent, _ name: String?) -> [UInt8] {
        var room = Self.smallExample
        guard let schema = content.schema, !example.fits(in: &room) else { return example.serialized() }
        let place = "\(content.place.source) \(content.place.path.formattedJSONPath)"
        let key = ExactName(text: "\(place)\n\(name ?? "")")
        if let known = schema.store.samples[key], let known { return known }
        guard ceiling == .max else {
            isStopped = true
            return []
        }
        let made = example.serialized()
        schema.store.samples.keep(made, of: made.count + key.text.utf8.count, for: key)
        return made
    }

    /// The first example of a content that fits its schema, which is looked for once; nil if none does.
    func validExample(of content: OpenAPIContent) -> JSON? {
        let all = [content.example].compactMap { $0 } + content.examples.compactMap(\.value)
        guard let schema = content.schema, !all.isEmpty else { return all.first }
        let key = ExactName(text: "\(content.place.source) \(content.place.path.formattedJSONPath)")
        if let known = schema.store.validExamples.withLock({ $0[key] }) { return known.map { all[$0] } }
        let found = all.firstIndex { value in
            if fits(value, schema, isLoose: false) { return true }
            // A text may be the JSON of a value, as that of a sample is.
            guard content.isText, case .string(let text) = value, let inner = try? JSONReader.read(text: text) else {
                return false
            }
            return fits(inner, schema, isLoose: false)
        }
        guard !isStopped else { return nil }
        schema.store.validExamples.withLock { _ = $0.updateValue(found, forKey: key) }
        return found.map { all[$0] }
    }

    /// Values and bytes of texts of an example that is written out each time.
    private static let smallExample = 4_000

    /// The steps of comparisons after which no further fact is put into a sample.
    private static let mostFactWork = 200_000

    private func fits(_ value: JSON, _ schema: Schema, isLoose: Bool) -> Bool {
        guard !isStopped else { return false }
        var validation = SchemaValidation(schema.store, direction: .response, limit: 1, ceiling: ceiling)
        validation.isLoose = isLoose
        validation.isBrief = true
        let issues = validation.run(value, schema.number)
        if validation.isStopped { isStopped = true }
        if ceiling != .max { ceiling = max(0, ceiling - validation.steps - validation.outlay) }
        comparisons += validation.steps
        return issues.isEmpty
    }

    /// The bytes of content that is not JSON: an example that is a text, for text types the JSON of another one or a
    /// sample, else nothing.
    ///
    /// Nil if there should be a sample and none fits.
    func text(of content: OpenAPIContent, as type: String, _ shown: JSON?, _ name: String?) -> [UInt8]? {
        if case .string(let text)? = shown { return Array(text.utf8) }
        guard ContentChoice.isText(type) else { return [] }
        if let shown, shown.isContainer { return json(of: shown, content, name) }
        guard let schema = content.schema else { return [] }
        return bytes(schema, content.name) { sample in
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
        return bytes(schema, header.name) { Self.simple($0, header).map { Array($0.utf8) } }
            .map { String(decoding: $0, as: UTF8.self) }
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
    /// Tells whether a list in it, or in an object in it, has no elements.
    fileprivate var hasEmptyList: Bool {
        switch self {
        case .array(let elements): elements.isEmpty
        case .object(let object): object.members.contains { $0.value.hasEmptyList }
        default: false
        }
    }

    /// Tells whether the values and the bytes of texts in it are no more than there is room, which becomes less.
    fileprivate func fits(in room: inout Int) -> Bool {
        room -= 8
        guard room >= 0 else { return false }
        switch self {
        case .null, .bool, .integer, .number: break
        case .string(let text): room -= text.utf8.count
        case .array(let elements): for element in elements where !element.fits(in: &room) { return false }
        case .object(let object):
            for member in object.members {
                room -= member.name.utf8.count
                guard member.value.fits(in: &room) else { return false }
            }
        }
        return room >= 0
    }
}
