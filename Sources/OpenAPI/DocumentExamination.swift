import CivilTime
import Formats
import JSON

extension OpenAPIDocument {
    /// Returns the notes that take the most work: examples that break their schema, and schemas that no sample fits.
    ///
    /// They are beside those of the reading. The work is bounded; a document for which it does not do is noted.
    package func examine(limits: DocumentLimits = DocumentLimits()) -> [DocumentFinding] {
        var examination = DocumentExamination(self)
        while !examination.isDone { examination.advance() }
        return examination.findings(limits: limits)
    }
}

/// One look at the examples and the samples of a document, which can be made in parts.
package struct DocumentExamination: Sendable {
    /// Steps of all comparisons, which take a second.
    private static let mostWork = 3_000_000
    /// Steps after which a part ends.
    private static let partWork = 30_000

    /// Something to look at.
    private enum Item: Sendable {
        case examples(ExampledPart)
        case request(OpenAPIContent)
        case response(OpenAPIContent)
        case header(OpenAPIResponse.Header)
    }

    private let document: OpenAPIDocument
    private let store: SchemaStore
    private var notes: [DocumentSurvey.Finding] = []
    private var noted: Set<DocumentSurvey.Finding> = []
    private var seen: Set<ExactName> = []
    private var sampled: Set<Int> = []
    private var work = 0
    /// The things that are left to be looked at, the next at the end.
    private var items: [Item]

    package init(_ document: OpenAPIDocument) {
        self.document = document
        store = document.store
        var items = document.exampled.map { Item.examples($0) }
        for operation in document.operations {
            items += (operation.body?.content ?? []).map { .request($0) }
            items += operation.responses.flatMap(\.content).map { .response($0) }
            items += operation.responses.flatMap(\.headers).map { .header($0) }
        }
        self.items = items.reversed()
    }

    /// Tells whether everything has been looked at.
    package var isDone: Bool { items.isEmpty }

    /// Looks at the next part.
    package mutating func advance() {
        let end = work + Self.partWork
        while work < end, let item = items.popLast() {
            guard work < Self.mostWork else {
                note(0, [], "there are too many examples and schemas to check all of them")
                items = []
                return
            }
            switch item {
            case .examples(let shown):
                switch shown.part {
                case .parameter: check(shown.place, .request)
                case .header: check(shown.place, .response)
                default: check(schema: shown.place)
                }
            case .request(let content): check(content, .request)
            case .response(let content):
                check(content, .response)
                checkSample(content)
            case .header(let header): checkSample(header)
            }
        }
    }

    /// Returns the notes so far, with file and line.
    package func findings(limits: DocumentLimits = DocumentLimits()) -> [DocumentFinding] {
        store.withSources { $0.located(notes, document.folder, limits) }
    }

    private mutating func note(_ source: Int, _ path: [JSONPathElement], _ reason: String) {
        let finding = DocumentSurvey.Finding(source: source, path: path, reason: reason)
        // Many references lead to one part.
        if noted.insert(finding).inserted { notes.append(finding) }
    }

    private mutating func breaks(_ source: Int, _ path: [JSONPathElement], _ issue: JSONIssue) {
        let inner = issue.path.isEmpty ? "" : " at \(issue.formattedPath)"
        note(source, path, "the example violates its schema\(inner): \(issue.reason)")
    }

    /// The first thing about a value that does not fit.
    private mutating func issue(_ value: JSON, _ schema: Int, _ direction: Schema.Direction) -> JSONIssue? {
        var validation = SchemaValidation(store, direction: direction, limit: 1)
        let found = validation.run(value, schema).first
        work += validation.steps
        return found
    }

    /// The first thing about an example of content that does not fit.
    private mutating func issue(
        _ value: JSON,
        _ schema: Int,
        _ direction: Schema.Direction,
        isText: Bool
    ) -> JSONIssue? {
        guard let found = issue(value, schema, direction) else { return nil }
        // A text may be the JSON of a value, as that of a sample is.
        guard isText, case .string(let text) = value, let inner = try? JSONReader.read(text: text),
            issue(inner, schema, direction) == nil
        else { return found }
        return nil
    }

    /// The examples of a schema; one may be of a request or of a response.
    private mutating func check(schema place: Place) {
        let schema = store.number(of: place)
        var examples: [(path: [JSONPathElement], value: JSON)] = []
        if let example = place.member("example") { examples.append((example.path, example.value)) }
        examples += (place.member("examples")?.elements ?? []).map { ($0.path, $0.value) }
        for example in examples {
            guard let found = issue(example.value, schema, .request), issue(example.value, schema, .response) != nil
            else { continue }
            breaks(place.source, example.path, found)
        }
    }

    /// The examples of a parameter or a header, which lie beside its schema: in itself or in its content.
    private mutating func check(_ place: Place, _ direction: Schema.Direction) {
        let content = place.member("content")?.members.first
        // Of content, only the JSON that is looked at in a request as well.
        if let content, !ContentChoice.isJSON(content.name) { return }
        let place = content?.place ?? place
        guard let schema = place.member("schema").map({ store.number(of: $0) }) else { return }
        if let example = place.member("example"), let found = issue(example.value, schema, direction) {
            breaks(place.source, example.path, found)
        }
        for example in place.member("examples")?.members ?? [] {
            let target = store.withSources { try? $0.resolved(example.place) }
            guard let value = target?.value["value"], let found = issue(value, schema, direction) else { continue }
            breaks(place.source, example.place.path, found)
        }
    }

    private mutating func check(_ content: OpenAPIContent, _ direction: Schema.Direction) {
        let isText = content.isText
        guard let schema = content.schema, content.isJSON || isText, isNew(content) else { return }
        let shown: [([JSONPathElement], JSON?)] =
            [(["example"], content.example)] + content.examples.map { (["examples", .key($0.name)], $0.value) }
        for (path, value) in shown {
            guard let value, let found = issue(value, schema.number, direction, isText: isText) else { continue }
            breaks(content.place.source, content.place.path + path, found)
        }
    }

    private mutating func isNew(_ content: OpenAPIContent) -> Bool {
        let text = "\(content.place.source)\(content.place.path.formattedJSONPath)"
        return seen.insert(ExactName(text: text)).inserted
    }

    private mutating func checkSample(_ content: OpenAPIContent) {
        guard let schema = content.schema, content.isJSON || content.isText else { return }
        // Many contents refer to few schemas.
        let target = referred(schema.number)
        guard !sampled.contains(target) else { return }
        var maker = SampleMaker(store, start: .epoch, stream: SampleStream(seed: 0, []))
        let sample = maker.sample(schema.number)
        work += maker.work + maker.outlay
        sampled.insert(target)
        let path = content.place.path + ["schema"]
        guard let sample else { return note(content.place.source, path, "no sample fits this schema") }
        if sample.isLoose {
            let reason = "no sample was found that fits exactly one alternative of oneOf: one that fits several is sent"
            note(content.place.source, path, reason)
        }
        if sample.isShort {
            note(content.place.source, path, "a sample of this schema is too large: its arrays are cut short")
        }
    }

    private mutating func checkSample(_ header: OpenAPIResponse.Header) {
        guard header.isRequired, header.example == nil, let schema = header.schema else { return }
        var maker = SampleMaker(store, start: .epoch, stream: SampleStream(seed: 0, []))
        let sample = maker.sample(schema.number)
        work += maker.work + maker.outlay
        guard sample == nil else { return }
        let place = store.place(of: schema.number)
        note(place.source, place.path, "no sample fits this schema: the header is not sent")
    }

    /// The schema that a reference leads to if nothing beside it counts, else the schema itself.
    private func referred(_ schema: Int) -> Int {
        guard let target = store.rules(schema).reference else { return schema }
        guard document.dialect == .jsonSchema202012 else { return target }
        let words = ["$ref", "summary", "description", "title"]
        let names = store.place(of: schema).members.map(\.name)
        return names.allSatisfy { words.contains($0) || $0.hasPrefix("x-") } ? target : schema
    }
}
