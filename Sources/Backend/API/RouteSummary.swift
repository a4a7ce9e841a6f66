package import HTTPMessage
import JSON

/// An endpoint without its types, for documents, lists and reports.
package struct RouteSummary: Sendable {
    package var method: HTTPMessage.HTTPMethod
    package var template: String
    package var summary: String
    package var provenance: Provenance
    package var authentication: Authentication
    package var parameters: [Parameter]
    package var body: BodyDeclaration
    package var facts = RouteFacts()
    package var answers: [AnswerDeclaration] { declaredAnswers() }
    private let declaredAnswers: @Sendable () -> [AnswerDeclaration]

    package init(
        method: HTTPMessage.HTTPMethod,
        template: String,
        summary: String,
        provenance: Provenance,
        authentication: Authentication,
        parameters: [Parameter],
        body: BodyDeclaration,
        answers: @autoclosure @escaping @Sendable () -> [AnswerDeclaration]
    ) {
        self.method = method
        self.template = template
        self.summary = summary
        self.provenance = provenance
        self.authentication = authentication
        self.parameters = parameters
        self.body = body
        declaredAnswers = answers
    }

    package init<State, Metadata>(_ endpoint: Endpoint<State, Metadata>) {
        method = endpoint.method
        template = endpoint.template
        summary = endpoint.summary
        provenance = endpoint.provenance
        authentication = endpoint.authentication
        parameters = endpoint.parameters
        body = endpoint.body
        let (declared, takesContent) = (endpoint.declaredAnswers, endpoint.body.isDeclared)
        declaredAnswers = {
            let answers = declared()
            guard takesContent, !answers.contains(where: { $0.status == .unsupportedMediaType }) else { return answers }
            // The refusal of content in a coding has the form of the others.
            guard let like = answers.first(where: { $0.status.code >= 400 && !$0.content.isNone }) else {
                return answers
            }
            return answers + [AnswerDeclaration(.unsupportedMediaType, "Unsupported Content-Encoding", like.content)]
        }
    }
}
