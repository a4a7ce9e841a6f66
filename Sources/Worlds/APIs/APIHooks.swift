package import Backend
package import Conditions
package import HTTPMessage
package import JSON

/// The functions and values of custom APIs beyond their definition, with the defaults of a built-in API.
///
/// A function that takes a world and the index of the API's part is for the API with which that part began.
package struct APIHooks: Sendable {
    package var source = APISource.builtIn
    /// The object that has the functions below; nil where they are the usual ones.
    package var owner: (any AnyObject & Sendable)?

    // MARK: Documents

    /// Returns the OpenAPI document that the API has of its own; nil where it follows from the endpoints.
    package var document: (@Sendable (_ servers: [String]) -> JSON)?
    /// The operations of that document in its order.
    package var documentedOperations: (@Sendable () -> [DocumentedOperation])?
    /// The stubs of the API's files that are operations of its document of their own.
    package var stubOperations: [StubOperation] = []
    /// The routes as a listing shows them: those of stubs are among those of a custom API.
    package var listedRoutes: (@Sendable () -> [ListedRoute])?

    // MARK: Requests

    /// Tells whether `preparation` has something to say of calls, those without content included.
    package var preparesCalls = false
    /// Prepares a call that comes to a world; nil if there is nothing to prepare.
    ///
    /// It changes neither, and gets both where they lie: copies cost more than most calls need.
    package var preparation: @Sendable (inout Call, RouteMatch, inout World, Int) -> CallPreparation? = { _, _, _, _ in
        nil
    }
    /// Returns the approximate nanoseconds that a call takes beside what every call takes.
    package var work: (@Sendable (Call, RouteMatch, World, Int) -> Int)?
    /// Returns what `work` does where the route and the number of the world's stubs alone decide on it; nil elsewhere.
    ///
    /// `work` gets copies of the call and of the world.
    package var settledWork: (@Sendable (RouteMatch, _ stubs: Int) -> Int?)?
    /// Tells whether an endpoint answers its requests even where a recording of the API's folder has them.
    package var precedesRecordings: @Sendable (_ endpoint: Int) -> Bool = { _ in true }
    /// Tells whether the endpoint itself follows the preference `code`, by its OpenAPI document (own-API contract,
    /// section 16).
    package var choosesStatus: @Sendable (RouteMatch) -> Bool = { _ in false }
    /// Tells whether the API issues tokens, which faults and calls can end.
    package var hasTokens = true
    /// Returns a reader of the credentials that say nothing of themselves to others; nil where all can be read.
    package var credentialReader: @Sendable (World, Int) -> CredentialReader? = { _, _ in nil }
    /// Notes on a call what a response that no route of its own gave breaks of the API's document.
    package var inspect: @Sendable (Response, World, Int, inout Call) -> Void = { _, _, _, _ in }
    /// Returns what holds a request and the answer of a real backend against the API's document; nil where nothing
    /// does.
    package var judge: @Sendable (Call, World, Int) -> ExchangeJudge? = { _, _, _ in nil }

    /// Keeps answers for requests that clients repeat; nil where none are kept.
    package var repeats: RepeatHooks?

    // MARK: Tables

    /// Returns the JSON Schema of a row of a table where files declare one.
    package var schemaOfTable: @Sendable (String, World, Int) -> JSON? = { _, _, _ in nil }
    /// Returns what is wrong with a row of a table, beside its form.
    package var issuesInRow: @Sendable (_ row: JSON, _ table: String, World, Int) -> [JSONIssue] = { _, _, _, _ in [] }
    /// The tables whose rows can't be written one by one.
    package var readOnlyTables: Set<String> = []

    // MARK: Stubs and states (own-API contract, sections 4, 7 and 10)

    /// The named states of the API with their values, the first of which they begin with.
    package var declaredStates: [(name: String, values: [String])] = []
    /// Returns the value of a named state.
    package var state: @Sendable (_ name: String, World, Int) -> String? = { _, _, _ in nil }
    /// Sets a named state.
    package var setState: @Sendable (_ name: String, _ value: String, inout World, Int) -> Void = { _, _, _, _ in }
    /// The stubs of the API's files in their order; a reset brings them back.
    package var seedStubs: [SeedStub] = []
    /// The contents below `files/` by their paths; nil for an API without a folder.
    package var stubFiles: [String: [UInt8]]?
    /// Returns the refusal of a request that a recording is about to answer: because it is not valid.
    package var admitRecording: @Sendable (inout World, Int, inout Call) -> Response? = { _, _, _ in nil }
    /// Returns the refusal of a request that a stub is about to answer: for its token, or because it is not valid.
    package var admitStub: @Sendable (inout World, Int, inout Call, _ isOpen: Bool) -> Response? = { _, _, _, _ in nil }
    /// Returns the row of the signed-in user as placeholders see it: the id and the e-mail address, unless more is
    /// known.
    package var templateUser: @Sendable (World, Int, Call) -> JSON? = { _, _, call in
        call.user.map { user in
            var row: JSONObject = ["id": .string(user.id)]
            if let email = user.email { row.append("email", .string(email)) }
            return .object(row)
        }
    }

    package init() {}
}

/// The declaration of an API (own-API contract, section 1).
package enum APISource: String, CaseIterable, Sendable {
    /// A target of the build.
    case builtIn = "built-in"
    /// A folder of the user's.
    case folder
    /// No more than its name.
    case name
}

/// Holds an exchange with a real backend against the API's document, on any thread.
///
/// `content` is that of the request, decoded, and nil where it is not known; `answer` is nil where there is none that
/// can be judged.
package typealias ExchangeJudge =
    @Sendable (
        _ content: [UInt8]?, _ answer: (status: Int, fields: Fields, content: [UInt8])?
    ) -> [(path: String, reason: String)]

/// A route as a listing shows it.
package struct ListedRoute: Sendable {
    package let method: HTTPMethod
    package let template: String
    package let summary: String
    /// The standing of a built-in API's endpoint; the source that answers a route of a custom API.
    package let standing: String

    package init(method: HTTPMethod, template: String, summary: String, standing: String) {
        self.method = method
        self.template = template
        self.summary = summary
        self.standing = standing
    }
}
