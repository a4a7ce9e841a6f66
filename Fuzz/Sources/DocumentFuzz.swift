import CivilTime
import HTTPMessage
import JSON
import OpenAPI
import YAML

/// The readers of what custom APIs are declared with.
enum DocumentFuzz {
    /// A YAML text is read as a value that JSON can write, and each of its parts has a place.
    static func readYAML(_ bytes: [UInt8]) {
        let limits = YAMLReader.Limits(bytes: 1 << 20, depth: 64, nodes: 10_000)
        guard let (value, positions) = try? YAMLReader.read(bytes, limits: limits) else { return }
        guard let again = try? JSONReader.read(value.serialized()) else { preconditionFailure("no JSON was made") }
        precondition(again == value, "a value of YAML reads differently as JSON")
        precondition(positions.line(at: []) != nil, "the whole has no place")
        for member in value.objectValue?.members ?? [] {
            precondition(positions.line(at: [.key(member.name)]) != nil, "a member has no place")
        }
    }

    /// A document that is read answers every operation with content that fits, and is shown as one that reads again.
    static func readDocument(_ bytes: [UInt8]) {
        var options = OpenAPIReader.Options()
        options.limits.nodes = 10_000
        let reading = OpenAPIReader.read("openapi.yaml", options: options) { name in
            name.utf8.count < 8 ? .content(bytes) : .missing
        }
        precondition(reading.document == nil || reading.errors.isEmpty, "a document in spite of errors")
        for finding in reading.errors + reading.notes { precondition(finding.line > 0, "a finding has no line") }
        guard let document = reading.document else { return }
        for operation in document.operations.prefix(4) { answer(operation) }
        let shown = document.shown(servers: ["http://h"]).serialized()
        precondition((try? JSONReader.read(shown, options: JSONReader.Options(maxDepth: 256))) != nil, "not JSON")
    }

    private static func answer(_ operation: OpenAPIOperation) {
        let values = operation.template.parameterNames.map { _ in "7" }
        _ = operation.check(OpenAPIRequest(pathValues: values, query: "a=1&b[c]=2", body: Array("{}".utf8)))
        var fields = Fields()
        fields.append("Prefer", "dynamic=true")
        let call = OpenAPICall(path: "/", pathValues: values, fields: fields, seed: 1, start: .epoch)
        guard case .answer(let answer) = operation.answer(call), let type = answer.contentType else { return }
        var sent = answer.fields
        sent.append("Content-Type", type)
        let broken = operation.violations(ofResponse: answer.status, fields: sent, content: answer.content)
        precondition(!broken.contains { $0.path.hasPrefix("response.body") }, "a sample breaks its schema")
    }
}
