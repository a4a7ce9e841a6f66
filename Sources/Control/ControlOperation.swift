import CivilTime
package import Emulation
import HTTPMessage
import JSON

/// One control call: declared once, for the router and for the document.
package struct ControlOperation: Sendable {
    package var route: RouteSummary
    /// The query parameters it takes.
    var query: [String]
    /// How much longer the call may be put off; nil as soon as it can be answered.
    ///
    /// Nil for calls that never wait.
    var patience: (@Sendable (ControlCall) throws(ControlFault) -> Interval?)?
    var handle: @Sendable (ControlCall) throws(ControlFault) -> Response
    /// The same in two halves, for calls that may take long: what it takes of the worlds, and the rest.
    var work: (@Sendable (ControlCall) throws(ControlFault) -> ControlWork)?
    /// How a call that waits looks whether it is settled, where that takes long; nil where `patience` says it at once.
    var look: (@Sendable (ControlCall) throws(ControlFault) -> ControlLook?)?
    /// The steps of a call that would act on too many things at once; nil for other calls and where there are few.
    var steps: (@Sendable (ControlCall) throws(ControlFault) -> ControlSteps?)?
    /// How a document is read that takes long to read; nil for other calls and for short ones.
    var reading: (@Sendable (ControlCall) throws(ControlFault) -> ControlImport?)?

    init(
        _ method: HTTPMessage.Method,
        _ template: String,
        _ summary: String,
        parameters: [Parameter] = [],
        isList: Bool = false,
        body: BodyDeclaration = .none,
        answers: [AnswerDeclaration],
        patience: (@Sendable (ControlCall) throws(ControlFault) -> Interval?)? = nil,
        handle: @escaping @Sendable (ControlCall) throws(ControlFault) -> Response
    ) {
        let parameters = parameters + [ControlOperation.api] + (isList ? ControlOperation.paging : [])
        route = RouteSummary(
            method: method,
            template: "/__admin" + template,
            summary: summary,
            standing: .documented,
            authentication: .none,
            parameters: parameters,
            body: body,
            answers: answers + [ControlOperation.problem]
        )
        query = parameters.filter { $0.place == .query }.map(\.name)
        self.patience = patience
        self.handle = handle
    }

    /// A call that may take long once it has what it needs of the worlds.
    init(
        _ method: HTTPMessage.Method,
        _ template: String,
        _ summary: String,
        parameters: [Parameter] = [],
        isList: Bool = false,
        body: BodyDeclaration = .none,
        answers: [AnswerDeclaration],
        patience: (@Sendable (ControlCall) throws(ControlFault) -> Interval?)? = nil,
        work: @escaping @Sendable (ControlCall) throws(ControlFault) -> ControlWork
    ) {
        self.init(
            method,
            template,
            summary,
            parameters: parameters,
            isList: isList,
            body: body,
            answers: answers,
            patience: patience
        ) { call throws(ControlFault) in try work(call).answer() }
        self.work = work
    }

    /// The same, with how it looks whether it is settled.
    func looking(_ look: @escaping @Sendable (ControlCall) throws(ControlFault) -> ControlLook?) -> ControlOperation {
        var operation = self
        operation.look = look
        return operation
    }

    /// The same, with how it acts on many things.
    func stepping(_ steps: @escaping @Sendable (ControlCall) throws(ControlFault) -> ControlSteps?) -> ControlOperation
    {
        var operation = self
        operation.steps = steps
        return operation
    }

    /// The same, with how it reads a long document.
    func reading(_ reading: @escaping @Sendable (ControlCall) throws(ControlFault) -> ControlImport?)
        -> ControlOperation
    {
        var operation = self
        operation.reading = reading
        return operation
    }

    private static let api = Parameter(
        "api",
        in: .query,
        .string(),
        "The API that is meant; an API's own port means that one"
    )

    /// Only on lists: elsewhere they would silently do nothing.
    private static let paging = [
        Parameter("limit", in: .query, .integer(minimum: 0), "The most items; all if absent"),
        Parameter("offset", in: .query, .integer(minimum: 0), "How many items are left out before them"),
    ]

    private static let problem: AnswerDeclaration = {
        var answer = problemDeclaration
        answer.isDefault = true
        return answer
    }()

    private static let problemDeclaration = AnswerDeclaration(
        .badRequest,
        "A problem document (RFC 9457): 400, 401, 403, 404, 405, 409, 413, 415, 421 or 422",
        .json(
            name: "Problem",
            schema: .object(
                JSONSchema.Object([
                    JSONSchema.Property("type", .string()),
                    JSONSchema.Property("title", .string()),
                    JSONSchema.Property("status", .integer()),
                    JSONSchema.Property("detail", .string()),
                    JSONSchema.Property(
                        "errors",
                        .array(
                            .object(
                                JSONSchema.Object([
                                    JSONSchema.Property("path", .string()), JSONSchema.Property("reason", .string()),
                                ])
                            )
                        ),
                        isRequired: false
                    ),
                ])
            ),
            contentType: "application/problem+json"
        )
    )
}
