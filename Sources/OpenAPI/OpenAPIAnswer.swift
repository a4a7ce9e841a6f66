package import CivilTime
package import HTTPMessage

/// The response that an operation gives by its declaration.
package struct OpenAPIAnswer: Sendable {
    /// The origin of the content.
    package enum Origin: Sendable, Equatable {
        /// The response declares none, or none is sent.
        case none
        /// An example, which may have a name.
        case example(String?)
        case sample
    }

    package let status: Int
    /// Declared headers and `Preference-Applied`, without `Content-Type`.
    package let fields: Fields
    /// Nil where there is no content.
    package let contentType: String?
    package let content: [UInt8]
    /// Its violations of the document, where these are known.
    package var violations: [OpenAPIViolation]?
    package var origin = Origin.none
}

/// The result of asking an operation for its response.
package enum OpenAPIOutcome: Sendable {
    case answer(OpenAPIAnswer)
    /// The status that was wished for is not declared: the error form with that status, and the text of
    /// `Preference-Applied`.
    case undeclaredStatus(Int, applied: String)
    /// The client takes none of the media types, and validation is enforced.
    case notAcceptable(offered: [String])
    /// The response has no example of the name that was wished for; `elsewhere` says where there is one.
    case unknownExample(String, known: [String], elsewhere: String?)
    /// The response has no example, and no sample fits its schema.
    case noSample
}

/// A request as a response depends on it.
package struct OpenAPICall: Sendable {
    /// The raw path.
    package var path: String
    /// The address in front of the path by which the client came, for links.
    package var origin = ""
    package var pathValues: [String]
    package var query: String?
    package var fields: Fields
    /// The world's seed.
    package var seed: UInt64
    /// T0 of the world.
    package var start: Instant
    /// Refuses a client that takes none of the media types.
    package var isEnforced: Bool
    /// Passes over examples that break their schema.
    package var omitsBrokenExamples: Bool

    package init(
        path: String,
        pathValues: [String] = [],
        query: String? = nil,
        fields: Fields = Fields(),
        seed: UInt64,
        start: Instant,
        isEnforced: Bool = false,
        omitsBrokenExamples: Bool = false
    ) {
        self.path = path
        self.pathValues = pathValues
        self.query = query
        self.fields = fields
        self.seed = seed
        self.start = start
        self.isEnforced = isEnforced
        self.omitsBrokenExamples = omitsBrokenExamples
    }
}
