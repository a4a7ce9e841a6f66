import Backend
import HTTPMessage
import Recording

/// The content of a real backend's complete response, to be fitted to the client.
struct KeptContent: Sendable {
    private let bytes: [UInt8]
    private let type: String
    private let codings: [String]
    /// Leads addresses of the backend here; nil if they stay.
    private let links: LinkRewriter?

    init(_ bytes: [UInt8], _ fields: Fields, links: LinkRewriter?) {
        self.bytes = bytes
        self.links = links
        type = fields[.contentType] ?? "application/octet-stream"
        codings = fields.listElements("Content-Encoding").filter { $0 != "identity" }
    }

    /// The content as it leaves.
    struct Fitted: Sendable {
        let bytes: [UInt8]
        /// Tells whether it was coded before.
        let isDecoded: Bool
    }

    /// The length up to which links are replaced on the loop.
    private static let longestInPlace = 8 * 1_024

    /// Tells whether a worker should fit it: how long it takes to decode depends on the plain content.
    var takesLong: Bool { !codings.isEmpty || links != nil && bytes.count > Self.longestInPlace }

    /// Leads the links of the content here, which takes its codings off; content in an unknown coding can't be changed.
    ///
    /// What effects change they decode themselves.
    func fitted() -> Fitted {
        guard let links, let plain = ContentCoding.decoded(bytes, codings, limit: CapturedExchange.bodyLimit) else {
            return Fitted(bytes: bytes, isDecoded: false)
        }
        return Fitted(bytes: links.content(plain, type: type), isDecoded: !codings.isEmpty)
    }
}
