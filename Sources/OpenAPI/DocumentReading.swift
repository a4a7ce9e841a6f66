import Basics
import HTTPMessage
import JSON

/// One reading of a document.
struct DocumentReading {
    private let name: String
    private let options: OpenAPIReader.Options
    private let folder: DocumentFolder

    init(_ name: String, _ options: OpenAPIReader.Options, _ open: @escaping (String) -> DocumentFile) {
        self.name = name
        self.options = options
        folder = DocumentFolder(options.limits, open)
    }

    mutating func run() -> OpenAPIReader.Reading {
        let entry: DocumentSource
        switch folder.read(name, dialect: .openAPI30) {
        case .success(let source): entry = source
        case .failure(let finding): return failed([finding])
        }
        let dialect: Dialect
        switch Self.dialect(of: entry) {
        case .success(let found): dialect = found
        case .failure(let finding): return failed([finding])
        }
        var sources = SourceSet()
        _ = sources.add(
            DocumentSource(name: name, root: entry.root, positions: entry.positions, dialect: dialect)
        )
        let folder = folder
        var survey = DocumentSurvey(sources, signsIn: options.signsIn) { path, sources throws(Reference.Problem) in
            try folder.load(path, dialect, &sources)
        }
        survey.run(sources.root(0), as: .document)
        var builder = OperationBuilder(survey, dialect, options)
        builder.run(&survey)
        let errors = survey.sources.located(survey.errors, options.folder, options.limits) + folder.failures.map(shown)
        let notes = survey.sources.located(survey.notes, options.folder, options.limits)
        guard errors.isEmpty else { return OpenAPIReader.Reading(document: nil, errors: errors, notes: notes) }
        let document = OpenAPIDocument(
            dialect: dialect,
            version: entry.root["openapi"]?.stringValue ?? "",
            info: Self.info(entry.root["info"]),
            basePath: builder.basePath,
            operations: builder.operations,
            store: builder.store,
            exampled: survey.exampled,
            folder: options.folder
        )
        return OpenAPIReader.Reading(document: document, errors: [], notes: notes)
    }

    private static func info(_ json: JSON?) -> OpenAPIDocument.Info {
        // An unquoted version such as 1.0 is a number of YAML's.
        func text(_ name: String) -> String? {
            switch json?[name] {
            case .string(let text): text
            case .integer, .number: json?[name]?.text
            default: nil
            }
        }
        return OpenAPIDocument.Info(title: text("title"), version: text("version"), summary: text("description"))
    }

    private static func dialect(of source: DocumentSource) -> Result<Dialect, DocumentFinding> {
        func refusal(_ path: [JSONPathElement], _ reason: String) -> Result<Dialect, DocumentFinding> {
            let line = source.positions.closestLine(to: path).line
            return .failure(DocumentFinding(file: source.name, line: line, path: path, reason: reason))
        }
        guard case .object(let object) = source.root else {
            return refusal([], "expected an OpenAPI document, found \(source.root.typeName)")
        }
        guard let version = object["openapi"] else {
            if let swagger = object["swagger"] {
                let number = swagger.stringValue ?? swagger.text(upTo: 20)
                return refusal(
                    ["swagger"],
                    "OpenAPI \(number.cut) is not supported; 3.0 and 3.1 are: convert it with a tool "
                        + "such as swagger2openapi"
                )
            }
            return refusal(["openapi"], "missing: \(otherKind(object))")
        }
        guard case .string(let text) = version else {
            return refusal(["openapi"], "expected a string such as \"3.1.0\", found \(version.text(upTo: 20))")
        }
        let numbers = text.split(separator: ".", omittingEmptySubsequences: false)
        let isVersion = (2...3).contains(numbers.count) && numbers.allSatisfy { Int($0) != nil }
        switch (isVersion, numbers.prefix(2)) {
        case (true, ["3", "0"]): return .success(.openAPI30)
        case (true, ["3", "1"]): return .success(.jsonSchema202012)
        default: return refusal(["openapi"], "OpenAPI \(text.cut) is not supported; 3.0 and 3.1 are")
        }
    }

    /// Says what an object is that is no document.
    private static func otherKind(_ object: JSONObject) -> String {
        let schema = object["info"]?["schema"]?.stringValue ?? ""
        if object["info"]?["_postman_id"] != nil || schema.contains("postman.com") || object["collection"] != nil {
            return
                "this is a Postman collection; convert it to OpenAPI with a tool such as postman-to-openapi"
        }
        if object["asyncapi"] != nil { return "this is an AsyncAPI document; OpenAPI 3.0 and 3.1 are supported" }
        if object["log"] != nil { return "this is a recording: import it with --har" }
        let parts = ["paths", "components", "properties", "type", "allOf", "oneOf", "anyOf", "responses", "parameters"]
        if parts.contains(where: { object[$0] != nil }) || DocumentPart.methods.contains(where: { object[$0] != nil }) {
            return "this is not an OpenAPI document; if it is a part of one, name the file that refers to it"
        }
        return "this is not an OpenAPI document"
    }

    private func failed(_ findings: [DocumentFinding]) -> OpenAPIReader.Reading {
        OpenAPIReader.Reading(document: nil, errors: findings.map(shown), notes: [])
    }

    private func shown(_ finding: DocumentFinding) -> DocumentFinding {
        DocumentFinding(
            file: OpenAPIReader.shown(finding.file, in: options.folder),
            line: finding.line,
            path: finding.path,
            reason: finding.reason
        )
    }
}

extension SourceSet {
    /// Looks the lines up: the findings of each file by line, up to the limit.
    func located(
        _ findings: [DocumentSurvey.Finding],
        _ folder: String,
        _ limits: DocumentLimits
    ) -> [DocumentFinding] {
        var located: [DocumentFinding] = []
        for (number, source) in sources.enumerated() {
            let own = findings.filter { $0.source == number }
            let lines = source.positions.closestLines(to: own.map(\.path)).map(\.line)
            let placed = zip(own, lines).enumerated().map { (order: $0, finding: $1.0, line: $1.1) }
            let sorted = placed.sorted { ($0.line, $0.order) < ($1.line, $1.order) }
            let file = OpenAPIReader.shown(source.name, in: folder)
            for item in sorted.prefix(limits.findings) {
                located.append(
                    DocumentFinding(
                        file: file,
                        line: item.line,
                        path: item.finding.path,
                        reason: item.finding.reason
                    )
                )
            }
        }
        return located
    }
}
