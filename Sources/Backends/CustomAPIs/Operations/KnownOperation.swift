import Backend
import CivilTime
import HTTPMessage
import OpenAPI

/// The findings about a call to an operation before its turn: whether it fits, and the answer by the document.
///
/// Both depend on the document and the request, and on no state of the world but what is named here.
final class KnownOperation: Sendable {
    /// Steps of comparisons that are made on the loop: about half a millisecond.
    private static let stepsInPlace = 1_500
    /// Bytes of content that are read on the loop.
    private static let bytesInPlace = 4_096

    let route: CustomRoute
    /// Nil where requests are not checked.
    let result: OpenAPIRequestResult?
    /// Nil where another source than the document answers.
    private let outcome: OpenAPIOutcome?
    /// The refusal by the operation, in the form that the document declares for it, if it does.
    private let refusal: Refusal
    private let call: OpenAPICall

    private init(_ look: consuming Look, _ refusal: Refusal) {
        (route, result, outcome, call) = (look.route, look.result, look.outcome, look.call)
        self.refusal = refusal
    }

    /// The answer by the document, if it is that of a call at its turn.
    func outcome(for call: OpenAPICall) -> OpenAPIOutcome? { isOf(call) ? outcome : nil }

    /// The form that the document declares for a refusal of a call at its turn; nil if that is not known.
    func refusal(_ shown: ErrorForm.Shown, of route: CustomRoute?, for call: OpenAPICall) -> OpenAPIAnswer?? {
        guard case .declared(shown, let answer) = refusal, self.route === route, isOf(call) else { return nil }
        return .some(answer)
    }

    /// The violations of the answer by the document, if that is known; nil for another one.
    func verdict(of response: Response) -> [OpenAPIViolation]? {
        guard case .answer(let answer)? = outcome, answer.status == Int(response.status.code),
            answer.content == response.body.content
        else { return nil }
        return answer.violations
    }

    private func isOf(_ call: OpenAPICall) -> Bool {
        call.seed == self.call.seed && call.start == self.call.start && call.isEnforced == self.call.isEnforced
    }

    /// Looks at a call to a route, or returns the work of doing so; nil where no operation has a say.
    ///
    /// `shown` returns what a refusal shows where the operation may declare the form of it.
    static func preparation(
        of call: Call,
        _ route: CustomRoute,
        _ parameters: [String],
        _ validation: CustomAPISettings.Validation,
        seed: UInt64,
        omitsBrokenExamples: Bool,
        shared: SharedRefusal?,
        _ shown: @escaping @Sendable (CustomAPIFailure) -> ErrorForm.Shown?
    ) -> CallPreparation? {
        guard let operation = route.operation else { return nil }
        let isChecked = validation != .off && !call.request.body.exceedsLimit
        // A wish for a status is for the document, whatever else the route has.
        let wishes = OpenAPIPreferences(fields: call.request.head.fields, query: call.request.head.rawQuery)
        let isAnswered = route.source == .openapi || wishes.status != nil
        guard isChecked || isAnswered else { return nil }
        let request = OpenAPIRequest(call.request, parameters)
        let order = OpenAPICall(
            call,
            parameters,
            seed: seed,
            isEnforced: validation == .enforce,
            omitsBrokenExamples: omitsBrokenExamples
        )
        var look = Look(route, operation, order)
        if isChecked, call.request.body.bytes.count <= bytesInPlace {
            look.result = operation.check(request, within: stepsInPlace)
        }
        if isAnswered { look.outcome = operation.answer(order, within: stepsInPlace) }
        let isKnown = (look.result != nil || !isChecked) && (look.outcome != nil || !isAnswered)
        if isKnown, !isChecked || look.isJudged, let known = look.known(shared, within: stepsInPlace, shown) {
            return .done(known)
        }
        return .work { [look] in
            var look = look
            if isChecked, look.result == nil { look.result = operation.check(request) }
            if isAnswered, look.outcome == nil { look.outcome = operation.answer(order) }
            if isChecked { look.judge() }
            return look.known(shared, within: .max, shown) ?? KnownOperation(look, .none)
        }
    }

    /// A refusal with the form that the document declares for it; in a box, since hardly a call has one.
    private indirect enum Refusal: Sendable {
        case none
        case declared(ErrorForm.Shown, OpenAPIAnswer?)
    }

    /// A look at a call, while it goes on.
    private struct Look: Sendable {
        let route: CustomRoute
        let operation: OpenAPIOperation
        let call: OpenAPICall
        var result: OpenAPIRequestResult?
        var outcome: OpenAPIOutcome?

        init(_ route: CustomRoute, _ operation: OpenAPIOperation, _ call: OpenAPICall) {
            (self.route, self.operation, self.call) = (route, operation, call)
        }

        /// Returns the findings with the form of the refusal, if there is one; nil if that takes more than some steps.
        func known(
            _ shared: SharedRefusal?,
            within steps: Int,
            _ shown: (CustomAPIFailure) -> ErrorForm.Shown?
        ) -> KnownOperation? {
            guard let shown = failure.flatMap(shown) else { return KnownOperation(self, .none) }
            guard let answer = operation.refusal(shown.facts, call, else: shared, within: steps) else { return nil }
            return KnownOperation(self, .declared(shown, answer))
        }

        /// The refusal by the operation; nil if it does not refuse the call.
        private var failure: CustomAPIFailure? {
            if call.isEnforced, let failure = result.flatMap({ OperationCheck.failure($0, of: route) }) {
                return failure
            }
            if case .notAcceptable(let offered)? = outcome { return OperationHandler.failure(offering: offered) }
            return nil
        }

        /// Tells whether it takes little to hold the answer against the operation.
        var isJudged: Bool {
            guard case .answer(let answer)? = outcome, answer.violations == nil,
                answer.content.count > KnownOperation.bytesInPlace
            else { return true }
            let (status, type) = (answer.status, answer.contentType)
            return operation.knowsVerdict(ofResponse: status, type: type, content: answer.content)
        }

        /// Holds the answer against the operation, which remembers what came of it.
        func judge() {
            guard case .answer(let answer)? = outcome, answer.violations == nil else { return }
            var fields = Fields()
            if let type = answer.contentType { fields.append(.contentType, type) }
            _ = operation.violations(ofResponse: answer.status, fields: fields, content: answer.content)
        }
    }
}

extension Call {
    var knownOperation: KnownOperation? { prepared as? KnownOperation }
}

extension OpenAPIRequest {
    init(_ request: HTTPRequest, _ parameters: [String]) {
        self.init(
            pathValues: parameters,
            query: request.head.rawQuery,
            fields: request.head.fields,
            body: request.body.bytes
        )
    }
}

extension OpenAPICall {
    init(_ call: Call, _ parameters: [String], seed: UInt64, isEnforced: Bool, omitsBrokenExamples: Bool) {
        self.init(
            path: "",
            pathValues: parameters,
            query: call.request.head.rawQuery,
            fields: call.request.head.fields,
            seed: seed,
            start: call.epoch.t0,
            isEnforced: isEnforced,
            omitsBrokenExamples: omitsBrokenExamples
        )
        address = { [head = call.request.head, prefix = call.linkPrefix, path = call.path] in
            (Call.origin(of: head, prefix), path.text)
        }
    }
}
