package import CivilTime
package import HTTPMessage
import JSON

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

    /// The answer in words, for the journal; those of one that is kept are made once.
    package func words(by operation: OpenAPIOperation) -> String { kept ?? made(by: operation) }

    /// Keeps what is known about an answer that will be given again.
    mutating func keep(_ violations: [OpenAPIViolation], of operation: OpenAPIOperation) {
        self.violations = violations
        kept = made(by: operation)
    }

    var kept: String?

    private func made(by operation: OpenAPIOperation) -> String {
        let origin =
            switch origin {
            case .none: "response"
            case .sample: "sample"
            case .example(nil): "example"
            case .example(let name?): "example \(JSON.string(name.cut).text)"
            }
        return "\(origin) \(status) of \(operation.words)"
    }
}

/// The result of asking an operation for its response; in a box, since answers are kept and handed on.
package indirect enum OpenAPIOutcome: Sendable {
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
    /// The raw path, and the address in front of it by which the client came: both are needed by samples alone.
    package var address: @Sendable () -> (origin: String, path: String)
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
        address = { ("", path) }
        self.pathValues = pathValues
        self.query = query
        self.fields = fields
        self.seed = seed
        self.start = start
        self.isEnforced = isEnforced
        self.omitsBrokenExamples = omitsBrokenExamples
    }

    var path: String { address().path }
    var origin: String { address().origin }
}
