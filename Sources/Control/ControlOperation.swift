package import Backend
import CivilTime
package import HTTPMessage
import JSON

/// One control call, declared once for the router and for the document.
package struct ControlOperation: Sendable {
    package var route: RouteSummary
    /// The parts of the APIs that it may be the first to need, which a worker reads before it is performed.
    let reads: APIParts
    /// The query parameters it takes.
    var query: [String]
    /// The query parameters that may be given more than once.
    let repeated: Set<String>
    /// The condition for which it may wait; nil for calls that never do.
    let waiting: ControlWaiting?
    /// Performs the call.
    let act: @Sendable (ControlCall) throws(Problem) -> ControlDecision

    package init(
        _ method: HTTPMessage.HTTPMethod,
        _ template: String,
        _ summary: String,
        reads: APIParts = [],
        parameters: [Parameter] = [],
        isList: Bool = false,
        page: (usual: Int, most: Int)? = nil,
        body: BodyDeclaration = .none,
        answers: [AnswerDeclaration],
        waiting: ControlWaiting? = nil,
        repeated: Set<String> = [],
        act: @escaping @Sendable (ControlCall) throws(Problem) -> ControlDecision
    ) {
        let parameters = parameters + [ControlOperation.api] + (isList ? ControlOperation.paging(page) : [])
        route = RouteSummary(
            method: method,
            template: "/__admin" + template,
            summary: summary,
            provenance: .documented,
            authentication: .none,
            parameters: parameters,
            body: body,
            answers: answers + [ControlOperation.problem]
        )
        self.reads = reads
        query = parameters.filter { $0.place == .query }.map(\.name)
        self.waiting = waiting
        self.repeated = repeated
        self.act = act
    }

    /// Creates a call that is answered at once.
    package init(
        _ method: HTTPMessage.HTTPMethod,
        _ template: String,
        _ summary: String,
        reads: APIParts = [],
        parameters: [Parameter] = [],
        isList: Bool = false,
        body: BodyDeclaration = .none,
        answers: [AnswerDeclaration],
        waiting: ControlWaiting? = nil,
        handle: @escaping @Sendable (ControlCall) throws(Problem) -> Response
    ) {
        self.init(
            method,
            template,
            summary,
            reads: reads,
            parameters: parameters,
            isList: isList,
            body: body,
            answers: answers,
            waiting: waiting,
            act: { call throws(Problem) in .now(try handle(call)) }
        )
    }

    private static let api = Parameter(
        "api",
        in: .query,
        .string(),
        "The API to act on; an API's own port implies it"
    )

    /// The parameters of lists, refused elsewhere because they would have no effect.
    private static func paging(_ page: (usual: Int, most: Int)?) -> [Parameter] {
        let limit =
            page.map { page in
                Parameter(
                    "limit",
                    in: .query,
                    .integer(minimum: 1, maximum: Int64(page.most)),
                    "Maximum number of items; \(page.usual) if absent"
                )
            } ?? Parameter("limit", in: .query, .integer(minimum: 0), "Maximum number of items; all if absent")
        return [
            limit, Parameter("offset", in: .query, .integer(minimum: 0), "Number of items to skip"),
        ]
    }

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
