package import Backend
import CivilTime
package import HTTPMessage
package import JSON

/// A request as matchers see it: one in progress, or one in the journal.
///
/// It is a reference, so that parts which many matchers read are parsed once.
package final class MatchSubject {
    package let api: String
    package let method: HTTPMessage.HTTPMethod
    /// The API's own path, decoded.
    package let segments: [String]
    /// Tells whether the path ends in a slash, which counts.
    let hasTrailingSlash: Bool
    package let fields: Fields
    package let user: CallUser?
    let rawQuery: String?
    package let content: [UInt8]
    /// Tells whether `content` is all of the body.
    package let isWhole: Bool
    /// Tells whether another request came on its connection before.
    let isReused: Bool
    /// The version of HTTP that it came by.
    let version: Version

    enum Version { case http10, http11, http2 }

    /// The results of a worker for the matchers that take long.
    let forecast: MatchForecast?

    package private(set) lazy var query = QueryItems(rawQuery)
    /// The pairs of the query, for look-ups.
    private(set) lazy var queryPairs = Set(query.items.map { ExactPair($0.name, $0.value) })
    /// The names of the query, for look-ups.
    private(set) lazy var queryNames = Set(query.items.map { ExactName(text: $0.name) })
    /// The lines of each field, separate and joined, for look-ups.
    private(set) lazy var fieldPairs: Set<ExactPair> = {
        var pairs = Set<ExactPair>()
        var lines: [String: [String]] = [:]
        for pair in fields.pairs {
            let name = pair.name.lowercased()
            pairs.insert(ExactPair(name, pair.value))
            lines[name, default: []].append(pair.value)
        }
        for (name, values) in lines where values.count > 1 {
            pairs.insert(ExactPair(name, values.joined(separator: ", ")))
        }
        return pairs
    }()
    /// The body as JSON; nil if it is not JSON or not complete.
    package private(set) lazy var json: JSONSubject? =
        isWhole ? (try? JSONReader.read(content, options: Self.reading)).map { JSONSubject($0) } : nil

    private static var reading: JSONReader.Options {
        JSONReader.Options(maxDepth: 512, maxValues: BodyBounds.usualValues, allowBOM: true)
    }

    /// Creates the subject of a request in progress.
    package init(_ call: Call, api: String, user: CallUser?) {
        self.api = api
        method = call.method
        segments = call.path.segments
        hasTrailingSlash = call.path.hasTrailingSlash
        fields = call.fields
        self.user = user
        rawQuery = call.request.head.target.rawQuery
        content = call.request.body.bytes
        isWhole = !call.request.body.exceedsLimit && !call.request.body.isCounted
        isReused = call.connection.isReused
        version = Self.version(of: call.request.head, call.connection)
        forecast = call.forecast as? MatchForecast
    }

    /// Creates the subject of a request by its own content and its connection alone.
    package init(_ request: HTTPRequest, on connection: CallConnection, path: Path, api: String) {
        self.api = api
        method = request.head.method
        segments = path.segments
        hasTrailingSlash = path.hasTrailingSlash
        fields = request.head.fields
        user = nil
        rawQuery = request.head.target.rawQuery
        content = request.body.bytes
        isWhole = !request.body.exceedsLimit && !request.body.isCounted
        isReused = connection.isReused
        version = Self.version(of: request.head, connection)
        forecast = nil
    }

    private static func version(of head: RequestHead, _ connection: CallConnection) -> Version {
        if connection.isMultiplexed { return .http2 }
        return head.version == .http10 ? .http10 : .http11
    }

    /// Creates the same subject with another method.
    package init(_ subject: MatchSubject, method: HTTPMethod) {
        api = subject.api
        self.method = method
        segments = subject.segments
        hasTrailingSlash = subject.hasTrailingSlash
        fields = subject.fields
        user = subject.user
        rawQuery = subject.rawQuery
        content = subject.content
        isWhole = subject.isWhole
        isReused = subject.isReused
        version = subject.version
        forecast = subject.forecast
    }

    /// Creates the subject of a request that was made earlier.
    package init(
        api: String,
        method: HTTPMessage.HTTPMethod,
        path: Path,
        fields: Fields,
        user: CallUser?,
        rawQuery: String?,
        content: [UInt8],
        isWhole: Bool,
        isReused: Bool
    ) {
        self.api = api
        self.method = method
        segments = path.segments
        hasTrailingSlash = path.hasTrailingSlash
        self.fields = fields
        self.user = user
        self.rawQuery = rawQuery
        self.content = content
        self.isWhole = isWhole
        self.isReused = isReused
        version = .http11
        forecast = nil
    }

    /// Reads a path as the journal has it.
    package static func path(_ text: String) -> Path {
        Path(raw: text) ?? Path(segments: text.split(separator: "/").map(String.init))
    }

    /// The path written out again, for people and for regular expressions.
    private(set) lazy var path = Path(segments: segments, hasTrailingSlash: hasTrailingSlash).text
    /// The body as text; nil if it is not UTF-8 or not complete.
    private(set) lazy var text: String? = isWhole ? String(validating: content, as: UTF8.self) : nil
}

/// A name with a value, both by their code points.
struct ExactPair: Hashable, Sendable {
    private let name: ExactName
    private let value: ExactName

    init(_ name: String, _ value: String) {
        self.name = ExactName(text: name)
        self.value = ExactName(text: value)
    }
}
