package import HTTPMessage
package import JSON

/// Where an endpoint comes from (contract README).
package enum Standing: String, Sendable, CaseIterable {
    case documented
    case planned
    case beyondTheDocument = "beyond the document"
    case assumed
}

/// What an endpoint asks of the caller.
package enum Authentication: String, Sendable {
    case none
    case optional
    case bearer
}

/// Where the credential lies that leads a request back to its world (control contract, section 4).
package enum CredentialPlace: Sendable, Equatable {
    case bearer
    /// The bearer, or without one the cookie of that name.
    case bearerOrCookie(String)
    /// A member of the JSON body, for routes that take a token there.
    case body(String)
    /// The first of these members that the JSON body has, for routes that take one token or another.
    case bodyMembers([String])
    /// A value of the query, for links that hold a token.
    case query(String)
}

/// A query or path parameter, for the documents and the reports.
package struct Parameter: Sendable {
    package enum Place: String, Sendable { case path, query, header }

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
    case none
    case json(name: String, schema: JSONSchema, isRequired: Bool, example: JSON?)
    /// Parts by name.
    case multipart(parts: [Parameter])

    package static func json<Value: RequestShaped>(_ type: Value.Type, example: JSON? = nil) -> BodyDeclaration {
        .json(name: Value.shape.name, schema: Value.shape.schema, isRequired: true, example: example)
    }
}

/// One way in which an endpoint answers.
package struct AnswerDeclaration: Sendable {
    package enum Content: Sendable {
        case none
        case json(name: String?, schema: JSONSchema, contentType: String)
        case eventStream(description: String)
        case text(contentType: String)
        case binary
    }

    package var status: Status
    package var description: String
    package var content: Content
    package var example: JSON?
    /// Whether it stands for every status that is not listed.
    package var isDefault = false

    package init(_ status: Status, _ description: String, _ content: Content, example: JSON? = nil) {
        self.status = status
        self.description = description
        self.content = content
        self.example = example
    }

    package static func json<Value: Shaped>(
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

/// What takes milliseconds and needs nothing of the world, such as decoding an image.
///
/// A worker does it before the endpoint
/// runs, for large bodies. Pure, so that it may as well run in place.
package typealias Preparation = @Sendable (Request) -> any Sendable

/// One endpoint, declared once: the route, the validation, the documents and the reports follow from it.
package struct Endpoint<API: EmulatedAPI>: Sendable {
    package typealias Handler =
        @Sendable (inout API.State, inout WorldCore, inout Call) throws(Failure) -> Response

    package var method: Method
    /// The API's own path with `{name}` for a segment and `{name…}` for the rest of the path.
    package var template: String
    package var summary: String
    package var standing: Standing
    package var authentication: Authentication
    package var credential: CredentialPlace
    package var parameters: [Parameter]
    package var body: BodyDeclaration
    /// Bytes of content that are kept; more marks the request as too large.
    package var bodyLimit: Int
    package var answers: [AnswerDeclaration]
    /// What the API itself notes of an endpoint, such as its rate bucket.
    package var trait: API.Trait
    /// Its result is `Call.prepared`.
    package var prepare: Preparation?
    package var handle: Handler

    package init(
        _ method: Method,
        _ template: String,
        _ summary: String,
        standing: Standing,
        authentication: Authentication = .bearer,
        credential: CredentialPlace = .bearer,
        parameters: [Parameter] = [],
        body: BodyDeclaration = .none,
        bodyLimit: Int,
        answers: [AnswerDeclaration],
        trait: API.Trait,
        prepare: Preparation? = nil,
        handle: @escaping Handler
    ) {
        self.method = method
        self.template = template
        self.summary = summary
        self.standing = standing
        self.authentication = authentication
        self.credential = credential
        self.parameters = parameters
        self.body = body
        self.bodyLimit = bodyLimit
        self.answers = answers
        self.trait = trait
        self.prepare = prepare
        self.handle = handle
    }
}
