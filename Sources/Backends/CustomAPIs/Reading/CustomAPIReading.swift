package import Backend
import JSON
import OpenAPI

/// The result of reading the folder of a custom API.
package struct CustomAPIReading: Sendable {
    /// The API; nil if a file has a mistake.
    package var definition: CustomAPIDefinition?
    /// Every mistake and every note, file by file.
    package var findings: [SeedError.Item]

    package var errors: [SeedError.Item] { findings.filter { $0.severity == .error } }
    package var notes: [SeedError.Item] { findings.filter { $0.severity == .note } }

    /// Returns the notes on the document that take longer than a start can spare: examples that break their schema, and
    /// schemas that no sample fits (own-API contract, section 16).
    package func examined() -> [SeedError.Item] {
        (definition?.document?.examine() ?? []).map { SeedError.Item($0, .note) }
    }
}

/// The notes on the document of an API that take longer than a start can spare, found in parts.
package struct CustomAPIExamination: Sendable {
    private var examination: DocumentExamination

    /// Begins the look at the document of an API; nil if it has none.
    package init?(_ definition: CustomAPIDefinition) {
        guard let document = definition.document else { return nil }
        examination = DocumentExamination(document)
    }

    package var isDone: Bool { examination.isDone }

    package mutating func advance() { examination.advance() }

    package var notes: [SeedError.Item] { examination.findings().map { SeedError.Item($0, .note) } }
}
