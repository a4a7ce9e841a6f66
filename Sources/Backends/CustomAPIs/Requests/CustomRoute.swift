package import Backend
import Basics
import Conditions
package import HTTPMessage
package import JSON
package import OpenAPI
package import Repeats

/// A route of a custom API, whichever source declares it.
package final class CustomRoute: Sendable {
    /// The kind of declaration that a route has (own-API contract, section 4).
    package enum Source: Sendable {
        case auth, resource, openapi

        /// The source of its answers, which has the word for the journal, listings and documents.
        package var answers: AnswerSource {
            switch self {
            case .auth: .auth
            case .resource: .resource
            case .openapi: .openapi
            }
        }
    }

    /// The place of a declaration.
    package struct Place: Sendable, Hashable, CustomStringConvertible {
        package var file: String
        package var line: Int
        package var path: [JSONPathElement]

        package var description: String { "\(file):\(line)" }
    }

    /// Returns the response of a source.
    package typealias Handler =
        @Sendable (inout CustomAPIState, inout WorldCore, inout Call) throws(CustomAPIFailure) -> Response

    /// Returns the approximate nanoseconds that a call takes.
    package typealias Work = @Sendable (Call, CustomAPIState) -> Int

    package let summary: RouteSummary
    package let source: Source
    /// The declaration.
    package let place: Place
    /// Bytes of content that are kept.
    package let bodyLimit: Int
    /// The place of the credential that leads a request back to its world.
    package let credential: CredentialPlace
    /// Tells whether a token is needed wherever the path is declared open.
    package let alwaysNeedsToken: Bool
    /// Returns the approximate nanoseconds that a call takes beside what every call takes; nil if each takes little.
    package let work: Work?
    package let handle: Handler
    /// The operation of the document that declares the route; nil if there is none.
    package let operation: OpenAPIOperation?
    /// Tells whether its path was declared with a slash at its end.
    package let endsInSlash: Bool
    /// The action on a resumable upload; nil for every other route.
    package let upload: UploadProtocol.Action?

    package init(
        _ summary: RouteSummary,
        source: Source,
        place: Place,
        bodyLimit: Int = CustomRoute.usualBodyLimit,
        credential: CredentialPlace = .bearer,
        alwaysNeedsToken: Bool = false,
        work: Work? = nil,
        operation: OpenAPIOperation? = nil,
        endsInSlash: Bool? = nil,
        upload: UploadProtocol.Action? = nil,
        handle: @escaping Handler
    ) {
        self.summary = summary
        self.source = source
        self.place = place
        self.bodyLimit = bodyLimit
        self.credential = credential
        self.alwaysNeedsToken = alwaysNeedsToken
        self.work = work
        self.operation = operation
        self.endsInSlash = endsInSlash ?? (summary.template.utf8.count > 1 && summary.template.hasSuffix("/"))
        self.upload = upload
        self.handle = handle
    }

    /// Returns the same route, whose requests are held against an operation as well.
    ///
    /// Of an upload there is no content that could be held against one.
    func covered(by operation: OpenAPIOperation) -> CustomRoute {
        guard upload == nil else { return self }
        return CustomRoute(
            summary,
            source: source,
            place: place,
            bodyLimit: bodyLimit,
            credential: credential,
            alwaysNeedsToken: alwaysNeedsToken,
            work: work,
            operation: operation,
            endsInSlash: endsInSlash,
            handle: handle
        )
    }

    /// Tells whether a path ends as the route's was declared.
    func ends(as path: Path) -> Bool { path.segments.isEmpty || path.hasTrailingSlash == endsInSlash }

    /// Returns the summary with what other declarations of the folder say of the route.
    func judged(by signIn: SignIn?) -> RouteSummary {
        var summary = summary
        summary.facts.authentication = .optional
        if let signIn {
            let segments = summary.template.split(separator: "/").map(String.init)
            let isOpen = signIn.isOpen(method, segments)
            let isNeeded = alwaysNeedsToken || !isOpen && isProtected
            summary.facts.authentication = isNeeded ? .bearer : .optional
        }
        if operation?.body != nil { summary.facts.declaresBody = true }
        for parameter in operation?.parameters ?? [] where parameter.location == .query {
            summary.facts.mailParameters.formUnion(parameter.mailNames)
        }
        return summary
    }

    /// Tells whether its requests need a token unless their path is open.
    private var isProtected: Bool {
        switch source {
        case .auth: false
        case .resource: true
        case .openapi: operation.map { $0.security == .needed } ?? true
        }
    }

    /// The source of its answers in words, for the journal.
    func words(for source: AnswerSource?) -> String {
        switch source {
        case .openapi: "operation \(operation?.words ?? template)"
        case .auth: "sign-in \(method.rawValue) \(template)"
        default: "resource \(template)"
        }
    }

    package var method: HTTPMethod { summary.method }
    package var template: String { summary.template }

    /// Bytes of content that a route takes unless it says otherwise.
    package static let usualBodyLimit = 8 * 1024 * 1024
}

/// A check of a request whose route is known, before its source answers.
package protocol RequestCheck: Sendable {
    /// Throws the refusal of a request; notes what it finds out in the call.
    func check(
        _ route: CustomRoute,
        _ state: inout CustomAPIState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(CustomAPIFailure)
}
