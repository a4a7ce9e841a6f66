import CivilTime
package import HTTPMessage
import JSON

/// A request as matchers see it: one under way, or one in the journal.
///
/// A reference, so that what many matchers look at is read once.
package final class MatchSubject {
    package let api: String
    package let method: HTTPMessage.Method
    /// The API's own path, decoded.
    package let segments: [String]
    package let fields: Fields
    package let user: CallUser?
    let rawQuery: String?
    let content: [UInt8]
    /// Whether `content` is all of the body.
    let isWhole: Bool

    private(set) lazy var query = QueryItems(rawQuery)
    /// The body as JSON; nil if it is none or is not there in full.
    private(set) lazy var json: JSON? = isWhole ? try? JSONReader.read(content, options: Self.reading) : nil

    private static var reading: JSONReader.Options {
        JSONReader.Options(maxDepth: 512, maxValues: BodyBounds.usualValues, allowBOM: true)
    }

    /// A request on its way through an API.
    package init(_ call: Call, api: String, user: CallUser?) {
        self.api = api
        method = call.method
        segments = call.path.segments
        fields = call.fields
        self.user = user
        rawQuery = call.request.head.target.rawQuery
        content = call.request.body.bytes
        isWhole = !call.request.body.exceedsLimit
    }

    /// An exchange of the journal.
    package init(_ entry: JournalEntry) {
        api = entry.api
        method = entry.method
        segments = Self.segments(of: entry.path)
        fields = entry.headers
        user = entry.user
        rawQuery = entry.query
        content = entry.body.kept
        isWhole = !entry.body.isTruncated
    }

    /// The segments of a path as the journal has it.
    static func segments(of path: String) -> [String] {
        Path(raw: path)?.segments ?? path.split(separator: "/").map(String.init)
    }

    /// The path written out again, for people.
    var path: String { Path(segments: segments).text }
}
