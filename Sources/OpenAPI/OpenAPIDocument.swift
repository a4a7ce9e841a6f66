package import JSON

/// An OpenAPI document with all that it refers to (own-API contract, section 16).
package struct OpenAPIDocument: Sendable {
    package let dialect: Dialect
    /// As it is written, such as `3.0.3`.
    package let version: String
    package let info: Info
    /// The path in front of the document's paths, without a slash at its end; empty for none.
    package let basePath: String
    /// In the order of the document.
    package let operations: [OpenAPIOperation]
    let store: SchemaStore
    /// The schemas, parameters and headers that show examples.
    let exampled: [ExampledPart]
    /// The folder as the user gave it, which stands in front of each file's name.
    let folder: String

    /// The facts about the API.
    package struct Info: Sendable, Hashable {
        package let title: String?
        package let version: String?
        package let summary: String?
    }

    /// The document as it was read.
    package var json: JSON { store.withSources { $0.sources[0].root } }

    /// The place of an operation as `FILE:LINE`.
    package func location(of operation: OpenAPIOperation) -> String {
        store.withSources { sources in
            let source = sources.sources[operation.place.source]
            let line = source.positions.closestLine(to: operation.place.path).line
            return "\(OpenAPIReader.shown(source.name, in: folder)):\(line)"
        }
    }

    /// Returns a schema from outside the document, such as that of a table: JSON Schema 2020-12, whose references lead
    /// into the schema itself or into the document.
    package func schema(_ json: JSON) -> Schema {
        Schema(store, store.add(json, dialect: .jsonSchema202012, fallback: 0))
    }

    /// Looks at a schema from outside: references that lead nowhere, and what is not supported.
    package func survey(_ json: JSON) -> Schema.Survey {
        store.withSources { sources in
            var sources = sources
            return Schema.Survey(json, fallback: 0, &sources)
        }
    }
}

extension Schema {
    /// Looks at a schema that lies in no document: references that lead nowhere, and what is not supported.
    package static func survey(_ json: JSON) -> Survey {
        var sources = SourceSet()
        return Survey(json, fallback: nil, &sources)
    }

    /// The findings about a schema that lies in no document, with their paths in it.
    package struct Survey: Sendable {
        /// The references that lead nowhere, and values in the place of schemas that are none.
        package let errors: [JSONIssue]
        /// The keywords that are not checked.
        package let notes: [JSONIssue]

        init(_ json: JSON, fallback: Int?, _ sources: inout SourceSet) {
            var source = DocumentSource(name: "", root: json, positions: NoPositions(), dialect: .jsonSchema202012)
            source.fallback = fallback
            let number = sources.add(source)
            // The document has notes of its own.
            var survey = DocumentSurvey(sources, signsIn: true, within: number) { path, _ throws(Reference.Problem) in
                throw .leadsOut("the reference leads to the file \(path.cut), where none can be")
            }
            survey.run(sources.root(number), as: .schema)
            func issues(_ findings: [DocumentSurvey.Finding]) -> [JSONIssue] {
                findings.filter { $0.source == number }.map { JSONIssue(path: $0.path, reason: $0.reason) }
            }
            errors = issues(survey.errors)
            notes = issues(survey.notes)
        }
    }
}
