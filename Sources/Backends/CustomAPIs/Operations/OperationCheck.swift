import APIFolders
import Backend
import HTTPMessage
import JSON
import OpenAPI

/// Holds requests against the operation of their route, as the setting `validation` says (own-API contract,
/// section 16).
struct OperationCheck: RequestCheck {
    func check(
        _ route: CustomRoute,
        _ state: inout CustomAPIState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(CustomAPIFailure) {
        // What was not kept can't be answered for, whether it is checked or not.
        if let operation = route.operation { Self.noteSlash(of: operation, state, &call) }
        guard route.operation == nil || !call.request.body.exceedsLimit else { throw CustomAPIFailure(.tooLarge) }
        if route.operation != nil { try RowBody.refuseCoded(call) }
        try Self.check(route, call.parameters, state, &call)
    }

    /// Holds a request against the operation of a route whose template has these values.
    ///
    /// `isOpen` tells that no credential is asked for, whatever the document says.
    static func check(
        _ route: CustomRoute,
        _ parameters: [String],
        _ state: CustomAPIState,
        _ call: inout Call,
        isOpen: Bool = false
    ) throws(CustomAPIFailure) {
        // A trial finds out who may ask.
        guard let operation = route.operation, state.settings.validation != .off, !call.isTrial else { return }
        guard !call.request.body.exceedsLimit else {
            // A part of a body breaks a schema that the whole one may fit.
            guard state.settings.validation == .enforce else { return }
            throw CustomAPIFailure(.tooLarge)
        }
        // The folder may have been read again since.
        let known = call.knownOperation.flatMap { $0.route === route ? $0.result : nil }
        let result = known ?? operation.check(OpenAPIRequest(call.request, parameters))
        let missing = isOpen ? [] : result.missing
        guard result.verdict != .fits || !missing.isEmpty else { return }
        note(missing + result.violations, in: &call)
        guard state.settings.validation == .enforce else { return }
        if let failure = failure(result, of: route, isOpen: isOpen) { throw failure }
    }

    /// Notes that a path differs from the operation's by the slash at its end, which is no reason for a refusal.
    private static func noteSlash(of operation: OpenAPIOperation, _ state: CustomAPIState, _ call: inout Call) {
        let text = operation.template.text
        let endsInSlash = text.utf8.count > 1 && text.hasSuffix("/")
        guard state.settings.validation != .off, !call.isTrial, !call.path.segments.isEmpty,
            endsInSlash != call.path.hasTrailingSlash
        else { return }
        let reason = "the document has this path \(endsInSlash ? "with" : "without") a slash at its end"
        note([OpenAPIViolation(path: call.path.text.shortened, reason: reason)], in: &call)
    }

    /// Returns the refusal of a request with that result; nil if it fits.
    static func failure(
        _ result: OpenAPIRequestResult,
        of route: CustomRoute,
        isOpen: Bool = false
    ) -> CustomAPIFailure? {
        if let lack = result.missing.first, !isOpen {
            let message = "A credential is required: \(lack.path) \(lack.reason)."
            let details = result.missing.map { CustomAPIFailure.Detail(path: $0.path, reason: $0.reason) }
            let fields = route.operation?.challenge.map { Fields(dictionaryLiteral: ("WWW-Authenticate", $0)) }
            return CustomAPIFailure(.unauthorized, message, details: details, fields: fields ?? Fields())
        }
        let details = result.violations.map { CustomAPIFailure.Detail(path: $0.path, reason: $0.reason) }
        let cause: Cause
        switch result.verdict {
        case .fits: return nil
        case .unreadable: cause = .badRequest
        case .foreignMediaType: cause = .unsupportedMediaType
        // The API turns the status into the one that the operation declares.
        case .violates: cause = .validationFailed
        }
        return CustomAPIFailure(cause, details: details)
    }

    /// The status with which an operation refuses a request that is not as it should be, where it declares that one
    /// and not the usual one: 400 and 422 stand for one another.
    static func status(of failure: CustomAPIFailure, _ operation: OpenAPIOperation) -> Status? {
        let declares = operation.responses.map(\.status)
        func declaresOnly(_ code: Int, not other: Int) -> Bool {
            declares.contains(.code(code)) && !declares.contains(.code(other))
        }
        if failure.stands(for: .validationFailed), declaresOnly(400, not: 422) { return .badRequest }
        return failure.stands(for: .badRequest) && declaresOnly(422, not: 400) ? .unprocessableContent : nil
    }

    /// Notes what is wrong with the response of any source.
    static func inspect(
        _ response: Response,
        of operation: OpenAPIOperation?,
        _ state: CustomAPIState,
        _ call: inout Call
    ) {
        guard let operation, state.settings.validation != .off else { return }
        // A stream has no content to hold against a schema.
        if case .steps = response.body { return }
        let known = call.source == .openapi ? call.knownOperation?.verdict(of: response) : nil
        note(
            known
                ?? operation.violations(
                    ofResponse: Int(response.status.code),
                    fields: response.fields,
                    content: response.body.content
                ),
            in: &call
        )
    }

    /// The ignored parameters that are told of.
    private static let mostIgnored = 10

    /// Notes which parameters of a list mean nothing to it and are declared nowhere, and of which an earlier value counts
    /// (own-API contract, section 13).
    static func noteIgnored(of operation: OpenAPIOperation?, _ state: CustomAPIState, _ call: inout Call) {
        guard !call.ignored.isEmpty || !call.repeated.isEmpty, state.settings.validation != .off else { return }
        let declared = QueryNames(operation?.parameters ?? [])
        var told: Set<String> = []
        let unknown = call.ignored.filter { !declared.contains($0) && told.insert($0).inserted }.map {
            (name: $0, reason: "is ignored: this list has no filter, search, order or page of that name")
        }
        let repeated = call.repeated.filter { told.insert($0).inserted }.map {
            (name: $0, reason: OpenAPIViolation.firstCounts)
        }
        let violations = (unknown + repeated).prefix(mostIgnored).map { name, reason in
            OpenAPIViolation(path: "?\(name.shortened)", reason: reason)
        }
        note(violations, in: &call)
    }

    private static func note(_ violations: [OpenAPIViolation], in call: inout Call) {
        guard !violations.isEmpty else { return }
        let shown: [JSON] = violations.map { ["path": .string($0.path), "reason": .string($0.reason)] }
        // A list may ignore what the operation has told already.
        call.violations = (call.violations ?? []) + shown.filter { call.violations?.contains($0) != true }
    }
}
