import Backend
package import CivilTime
import Crypto
package import HTTPMessage

/// An exchange as the conduct report judges it: an entry of a journal, or one of a HAR file (conduct contract,
/// section 2).
package struct ConductExchange: Sendable {
    package enum Outcome: UInt8, Sendable {
        /// The whole answer left.
        case delivered
        /// The client left first.
        case interrupted
        /// A fault, a reset or a lost connection cut it.
        case cut
    }

    /// Content as far as it is known.
    package struct Body: Sendable {
        /// The bytes that were kept.
        package var bytes: [UInt8]
        /// The true length.
        package var length: Int
        /// A digest of the whole content, where it is not kept whole.
        package var digest: [UInt8]?

        package init(_ bytes: [UInt8] = [], length: Int? = nil, digest: [UInt8]? = nil) {
            self.bytes = bytes
            self.length = length ?? bytes.count
            self.digest = digest
        }

        /// Tells whether all of it was kept.
        package var isWhole: Bool { bytes.count == length }

        /// Tells whether it can be compared with other content.
        var isKnown: Bool { isWhole || digest != nil }

        /// The content without the codings that its fields name; content that nobody can read, but compare, where they
        /// can't be taken off.
        package func decoded(_ fields: Fields) -> Body {
            guard length > 0, fields.contains(.contentEncoding) else { return self }
            let codings = fields.listElements(.contentEncoding).filter { $0.lowercased() != "identity" }
            guard !codings.isEmpty else { return self }
            guard isWhole, let plain = ContentCoding.decoded(bytes, codings, limit: Self.mostDecoded) else {
                return Body([], length: length, digest: digest ?? (isWhole ? SHA256.digest(bytes) : nil))
            }
            return Body(plain)
        }

        private static let mostDecoded = 1_024 * 1_024
    }

    /// The name by which findings cite it.
    package var id: String
    package var seq: UInt64
    /// The world's time.
    package var at: Instant
    /// The machine's times.
    package var startedAt: Instant
    package var endedAt: Instant
    /// The address of the client without its port; nil where it is not known.
    package var peer: String?
    /// Tells whether it came over the loopback interface.
    package var isLocal = false
    /// The connection; nil where it is not known.
    package var connection: Int?
    /// The name of the API, or the host for traffic of no known API.
    package var api: String
    /// The template of the route; nil where there is none.
    package var route: String?
    /// The e-mail address or id of the user behind the credential.
    package var user: String?
    package var userID: String?
    package var method: HTTPMethod
    package var path: String
    package var query: String?
    package var fields: Fields
    package var body: Body
    /// The status; 0 if there was none.
    package var status: Int
    package var responseFields: Fields
    package var responseBody: Body
    package var outcome: Outcome
    /// The number of restores and imports before it.
    package var epoch: Int
    /// Tells whether the emulation of an API took it, so that an unknown route is the client's mistake.
    package var isEmulated: Bool
    /// Tells whether it came by the forward proxy.
    package var isProxied = false
    /// The place of its file in the list of files; negative for a journal.
    package var file = -1
    /// The world that a file names; nil where it names none.
    package var world: String?

    package init(
        id: String,
        seq: UInt64,
        at: Instant,
        startedAt: Instant,
        endedAt: Instant,
        peer: String? = nil,
        connection: Int? = nil,
        api: String,
        route: String? = nil,
        user: String? = nil,
        userID: String? = nil,
        method: HTTPMethod,
        path: String,
        query: String? = nil,
        fields: Fields = Fields(),
        body: Body = Body(),
        status: Int,
        responseFields: Fields = Fields(),
        responseBody: Body = Body(),
        outcome: Outcome = .delivered,
        epoch: Int = 0,
        isEmulated: Bool = true
    ) {
        self.id = id
        self.seq = seq
        self.at = at
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.peer = peer
        self.connection = connection
        self.api = api
        self.route = route
        self.user = user
        self.userID = userID
        self.method = method
        self.path = path
        self.query = query
        self.fields = fields
        self.body = body
        self.status = status
        self.responseFields = responseFields
        self.responseBody = responseBody
        self.outcome = outcome
        self.epoch = epoch
        self.isEmulated = isEmulated
    }

    /// Tells whether an address without a port is one of the loopback interface.
    package static func isLoopback(_ address: String) -> Bool {
        let plain = address.filter { $0 != "[" && $0 != "]" }
        return plain == "::1" || plain.hasPrefix("127.") || plain.hasPrefix("::ffff:127.")
    }
}
