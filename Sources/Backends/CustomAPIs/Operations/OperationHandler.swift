import Backend
import Formats
import HTTPMessage
import JSON
import OpenAPI

/// The responses of an operation that nothing but the document declares: its examples and samples (own-API contract,
/// sections 16 and 17).
struct OperationHandler: Sendable {
    let operation: OpenAPIOperation
    let omitsBrokenExamples: Bool

    /// Returns the response that the document gives.
    func respond(
        _ state: inout CustomAPIState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(CustomAPIFailure) -> Response {
        let order = openAPICall(state, core, call)
        let outcome = call.knownOperation?.outcome(for: order) ?? operation.answer(order)
        switch outcome {
        case .answer(let answer):
            call.answeredBy = answer.words(by: operation)
            return Self.response(answer)
        case .undeclaredStatus(let status, let applied):
            throw CustomAPIFailure.wished(Status(status), applied: applied)
        case .notAcceptable(let offered): throw Self.failure(offering: offered)
        case .unknownExample(let name, let known, let elsewhere):
            var names = known.isEmpty ? "it has none" : "there are \(known.joined(separator: ", "))"
            if let elsewhere { names += "; \(elsewhere)" }
            let reason = "must be the name of an example of this response; \(names)"
            // The field counts before the query.
            let isInField = OpenAPIPreferences(fields: call.request.head.fields, query: nil).example != nil
            throw CustomAPIFailure(
                Problem(
                    .invalidParameter,
                    "The preference example=\(name.cut) can't be used: it \(reason).",
                    items: [Problem.Item(path: isInField ? "Prefer.example" : "?__example", reason: reason)]
                )
            )
        case .noSample: throw CustomAPIFailure(.noSample)
        }
    }

    /// Returns the refusal of a client that accepts none of those media types.
    static func failure(offering types: [String]) -> CustomAPIFailure {
        CustomAPIFailure(.notAcceptable, "The response is offered as \(types.joined(separator: ", ")).")
    }

    /// Returns a refusal in the form that the document declares for its status, or that most of its refusals have; nil if
    /// there is none.
    static func refusal(
        _ shown: ErrorForm.Shown,
        of route: CustomRoute?,
        _ shared: SharedRefusal?,
        _ state: CustomAPIState,
        seed: UInt64,
        _ call: Call
    ) -> Response? {
        guard let operation = route?.operation ?? shared?.operation else { return nil }
        let order = OpenAPICall(
            call,
            call.parameters,
            seed: seed,
            isEnforced: state.settings.validation == .enforce,
            omitsBrokenExamples: true
        )
        let known = call.knownOperation?.refusal(shown, of: route, for: order)
        return (known ?? operation.refusal(shown.facts, order, else: shared)).map { response($0) }
    }

    private func openAPICall(_ state: CustomAPIState, _ core: WorldCore, _ call: Call) -> OpenAPICall {
        let isEnforced = state.settings.validation == .enforce
        return OpenAPICall(
            call,
            call.parameters,
            seed: core.seed,
            isEnforced: isEnforced,
            omitsBrokenExamples: omitsBrokenExamples
        )
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

extension ErrorForm.Shown {
    /// The facts that forms of the document tell of the refusal; of a credential the message tells.
    var facts: RefusalFacts {
        RefusalFacts(
            status: Int(status.code),
            title: status.reasonPhrase,
            code: code,
            message: message,
            details: status == .unauthorized
                ? [] : details.map { RefusalFacts.Detail(path: $0.path, reason: $0.reason) }
        )
    }
}
