import CivilTime
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
        case examples(Place)
        case request(OpenAPIContent)
        case response(OpenAPIContent)
    }

    private let document: OpenAPIDocument
    private let store: SchemaStore
    private(set) var notes: [DocumentSurvey.Finding] = []
    private var seen: Set<ExactName> = []
    private var sampled: [Int: Bool] = [:]
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
                note(0, [], "the examples are too much work to be looked at all")
                items = []
                return
            }
            switch item {
            case .examples(let place): check(place)
            case .request(let content): check(content, .request)
            case .response(let content):
                check(content, .response)
                checkSample(content)
            }
        }
    }

    /// Returns the notes so far, with file and line.
    package func findings(limits: DocumentLimits = DocumentLimits()) -> [DocumentFinding] {
        store.withSources { $0.located(notes, document.folder, limits) }
    }

    private mutating func note(_ source: Int, _ path: [JSONPathElement], _ reason: String) {
        notes.append(DocumentSurvey.Finding(source: source, path: path, reason: reason))
    }

    /// The first thing about a value that does not fit.
    private mutating func issue(_ value: JSON, _ schema: Int, _ direction: Schema.Direction) -> JSONIssue? {
        var validation = SchemaValidation(store, direction: direction, limit: 1)
        let found = validation.run(value, schema).first
        work += validation.steps
        return found
    }

    /// The examples of a schema; one may be of a request or of a response.
    private mutating func check(_ place: Place) {
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

    private mutating func breaks(_ source: Int, _ path: [JSONPathElement], _ issue: JSONIssue) {
        let inner = issue.path.isEmpty ? "" : " at \(issue.formattedPath)"
        note(source, path, "the example breaks its schema\(inner): \(issue.reason)")
    }

    private mutating func check(_ content: OpenAPIContent, _ direction: Schema.Direction) {
        guard let schema = content.schema, content.isJSON, isNew(content) else { return }
        let path = content.place.path
        if let example = content.example, let found = issue(example, schema.number, direction) {
            breaks(content.place.source, path + ["example"], found)
        }
        for example in content.examples {
            guard let value = example.value, let found = issue(value, schema.number, direction) else { continue }
            breaks(content.place.source, path + ["examples", .key(example.name)], found)
        }
    }

    private mutating func isNew(_ content: OpenAPIContent) -> Bool {
        let text = "\(content.place.source)\(content.place.path.formattedJSONPath)"
        return seen.insert(ExactName(text: text)).inserted
    }

    private mutating func checkSample(_ content: OpenAPIContent) {
        guard let schema = content.schema, content.isJSON else { return }
        // Many contents refer to few schemas.
        let target = store.rules(schema.number).reference ?? schema.number
        guard sampled[target] == nil else { return }
        var maker = SampleMaker(store, start: .epoch, stream: SampleStream(seed: 0, []))
        let isMade = maker.sample(schema.number) != nil
        work += maker.work
        sampled[target] = isMade
        if !isMade { note(content.place.source, content.place.path + ["schema"], "no sample fits this schema") }
    }
}
