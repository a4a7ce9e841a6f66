import Emulation
import HTTPMessage
import JSON
import OpenAPI

/// The responses of an operation that nothing but the document declares: its examples and samples (own-API contract,
/// sections 16 and 17).
struct OperationHandler: Sendable {
    let operation: OpenAPIOperation

    /// Returns the response that the document gives.
    func respond(
        _ state: inout OwnState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(OwnFailure) -> Response {
        let outcome = operation.answer(
            OpenAPICall(
                path: call.path.text,
                pathValues: call.parameters,
                query: call.request.head.rawQuery,
                fields: call.request.head.fields,
                seed: core.seed,
                start: call.epoch.t0,
                isEnforced: state.settings.validation == .enforce
            )
        )
        switch outcome {
        case .answer(let answer): return Self.response(answer)
        case .undeclaredStatus(let status, let applied):
            throw OwnFailure.wished(Status(status), applied: applied)
        case .notAcceptable(let offered):
            throw OwnFailure(.notAcceptable, "Offered are \(offered.joined(separator: ", ")).")
        case .unknownExample(let name, let known):
            let names = known.isEmpty ? "it has none" : "there are \(known.joined(separator: ", "))"
            let reason = "must be the name of an example of this response; \(names)"
            // The field counts before the query.
            let isInField = OpenAPIPreferences(fields: call.request.head.fields, query: nil).example != nil
            return Problem(
                .invalidParameter,
                "The preference example=\(name.cut) can't be used: it \(reason).",
                items: [Problem.Item(path: isInField ? "Prefer.example" : "?__example", reason: reason)]
            ).response
        case .noSample: throw OwnFailure(.noSample)
        }
    }

    private static func response(_ answer: OpenAPIAnswer) -> Response {
        var fields = Fields()
        if let type = answer.contentType { fields.append(.contentType, type) }
        fields.append(contentsOf: answer.fields)
        let status = Status(answer.status)
        guard answer.contentType != nil, !status.forbidsBody else { return Response(status: status, fields: fields) }
        return Response(status: status, fields: fields, body: .bytes(answer.content))
    }
}
