package import HTTPMessage
package import JSON

/// The origin of an endpoint (contract README).
package enum Provenance: String, Sendable, CaseIterable {
    case documented
    case planned
    case beyondTheDocument = "beyond the document"
    case assumed
}

/// The credentials that an endpoint demands of the caller.
package enum Authentication: String, Sendable {
    case none
    case optional
    case bearer
}

/// The place of the credential that leads a request back to its world (control contract, section 4).
package enum CredentialPlace: Sendable, Equatable {
    case bearer
    /// The bearer token, or without one the cookie of that name.
    case bearerOrCookie(String)
    /// A member of the JSON body or a value of the form, for routes that take a token there.
    case body(String)
    /// The first of these members that the JSON body has, for routes that take one token or another.
    case bodyMembers([String])
    /// A value of the query, for links that hold a token.
    case query(String)
}

/// A parameter in one of four places, for the documents and the reports.
package struct Parameter: Sendable {
    package enum Place: String, Sendable { case path, query, header, cookie }

    package var name: String
    package var place: Place
    package var schema: JSONSchema
    package var isRequired: Bool
    package var description: String

    package init(
        _ name: String,
        in place: Place,
        _ schema: JSONSchema,
        required: Bool = false,
        _ description: String
    ) {
        self.name = name
        self.place = place
        self.schema = schema
        isRequired = required || place == .path
        self.description = description
    }
}

/// The content that an endpoint takes.
package enum BodyDeclaration: Sendable {
    /// Reads a body only to find what is wrong with it.
    package typealias Check = @Sendable (JSON) -> [FieldIssue]

    case none
    case json(name: String, schema: JSONSchema, isRequired: Bool, example: JSON?, check: Check? = nil)
    /// Parts by name.
    case multipart(parts: [Parameter])
    /// The bytes themselves, of any type.
    case binary

    /// A body that is read into a model.
    package static func json<Value: RequestModel>(
        _ type: Value.Type,
        isRequired: Bool = true,
        example: JSON? = nil
    ) -> BodyDeclaration {
        json(name: Value.shape.name, .object(type), isRequired: isRequired, example: example)
    }

    /// A body that is a value of any kind.
    package static func json<Value>(
        name: String,
        _ kind: RequestValue<Value>,
        isRequired: Bool = true,
        example: JSON? = nil
    ) -> BodyDeclaration {
        .json(name: name, schema: kind.schema, isRequired: isRequired, example: example) { json in
            var issues: [FieldIssue] = []
            _ = kind.read(json, &issues)
            return issues
        }
    }

    /// Tells whether content is declared.
    package var isDeclared: Bool {
        if case .none = self { false } else { true }
    }
}

/// One way in which an endpoint responds.
package struct AnswerDeclaration: Sendable {
    package enum Content: Sendable {
        case none
        case json(name: String?, schema: JSONSchema, contentType: String)
        case eventStream(description: String)
        case text(contentType: String)
        /// Bytes of any of these media types.
        case bytes([String])

        package var isNone: Bool {
            if case .none = self { true } else { false }
        }
    }

    package var status: Status
    package var description: String
    package var content: Content
    package var example: JSON?
    /// Tells whether it describes every status that is not listed.
    package var isDefault = false

    package init(_ status: Status, _ description: String, _ content: Content, example: JSON? = nil) {
        self.status = status
        self.description = description
        self.content = content
        self.example = example
    }

    package static func json<Value: ResponseModel>(
        _ type: Value.Type,
        _ description: String,
        status: Status = .ok,
        example: JSON? = nil
    ) -> AnswerDeclaration {
        AnswerDeclaration(
            status,
            description,
            .json(name: Value.shape.name, schema: Value.shape.schema, contentType: "application/json"),
            example: example
        )
    }
}

/// Work that takes milliseconds and needs nothing of the world, such as decoding an image.
///
/// For large bodies a worker does it before the endpoint runs. It is pure, so it may as well run in place.
package typealias Preparation = @Sendable (HTTPRequest) -> any Sendable

/// The facts by which the engine treats the requests of an endpoint.
package struct EndpointTraits: Sendable {
    package let credential: CredentialPlace
    /// The query parameter that leads a request without a credential back to its world.
    ///
    /// Its value is one that `WorldTag.handle` made.
    package let handleParameter: String?
    /// The bytes of content that are kept.
    ///
    /// A longer body marks the request as too large.
    package let bodyLimit: Int
    /// The preparation, whose result is `Call.prepared`.
    package let prepare: Preparation?
    /// Tells that its preparation takes long even for little content, as that of an image does.
    package let preparesSlowly: Bool
    /// Tells whether it works on a few rows only, so that it takes the same time however many there are.
    ///
    /// Such an endpoint runs on the loop in a large state too, unless a worker is looking at that state.
    package let worksOnFewRows: Bool
    /// Tells whether it wants no more of its content than the length, whatever that is: no limit holds, and what came
    /// before a client left counts as well (wire contract, section 8).
    package let countsContent: Bool

    package init(
        credential: CredentialPlace,
        handleParameter: String? = nil,
        bodyLimit: Int,
        prepare: Preparation? = nil,
        preparesSlowly: Bool = false,
        worksOnFewRows: Bool = false,
        countsContent: Bool = false
    ) {
        self.credential = credential
        self.handleParameter = handleParameter
        self.bodyLimit = bodyLimit
        self.prepare = prepare
        self.preparesSlowly = preparesSlowly
        self.worksOnFewRows = worksOnFewRows
        self.countsContent = countsContent
    }
}

/// An endpoint.
///
/// It is declared once; route, validation, documents and reports follow from the declaration.
package final class Endpoint<State: Sendable, Metadata: Sendable>: Sendable {
    package typealias Handler = @Sendable (inout State, inout WorldCore, inout Call) throws(APIError) -> Response
    /// Runs before the endpoints of an API, and throws to refuse a request.
    package typealias Precheck =
        @Sendable (inout State, inout WorldCore, inout Call, Endpoint) throws(APIError) -> Void

    package let method: HTTPMethod
    /// The API's own path with `{name}` for a segment and `{name…}` for the rest of the path.
    package let template: String
    package let summary: String
    package let provenance: Provenance
    package let authentication: Authentication
    package let parameters: [Parameter]
    package let body: BodyDeclaration
    package let traits: EndpointTraits
    /// The declared responses, made only when a document needs them: they bring the schemas of all responses of the
    /// API.
    package var answers: [AnswerDeclaration] { declaredAnswers() }
    let declaredAnswers: @Sendable () -> [AnswerDeclaration]
    /// Metadata of the API itself, such as the endpoint's rate bucket.
    package let metadata: Metadata
    package let handle: Handler

    package init(
        _ method: HTTPMethod,
        _ template: String,
        _ summary: String,
        provenance: Provenance,
        authentication: Authentication = .bearer,
        credential: CredentialPlace = .bearer,
        handleParameter: String? = nil,
        parameters: [Parameter] = [],
        body: BodyDeclaration = .none,
        bodyLimit: Int = 1_048_576,
        answers: @autoclosure @escaping @Sendable () -> [AnswerDeclaration],
        metadata: Metadata,
        prepare: Preparation? = nil,
        preparesSlowly: Bool = false,
        worksOnFewRows: Bool = false,
        handle: @escaping Handler
    ) {
        self.method = method
        self.template = template
        self.summary = summary
        self.provenance = provenance
        self.authentication = authentication
        self.parameters = parameters
        self.body = body
        traits = EndpointTraits(
            credential: credential,
            handleParameter: handleParameter,
            bodyLimit: bodyLimit,
            prepare: prepare,
            preparesSlowly: preparesSlowly,
            worksOnFewRows: worksOnFewRows
        )
        declaredAnswers = answers
        self.metadata = metadata
        self.handle = handle
    }

    /// Returns the same endpoint with further responses.
    package func answering(
        also more: @autoclosure @escaping @Sendable () -> [AnswerDeclaration]
    ) -> Endpoint {
        let own = declaredAnswers
        return Endpoint(
            method,
            template,
            summary,
            provenance: provenance,
            authentication: authentication,
            credential: traits.credential,
            handleParameter: traits.handleParameter,
            parameters: parameters,
            body: body,
            bodyLimit: traits.bodyLimit,
            answers: own() + more(),
            metadata: metadata,
            prepare: traits.prepare,
            preparesSlowly: traits.preparesSlowly,
            worksOnFewRows: traits.worksOnFewRows,
            handle: handle
        )
    }
}
