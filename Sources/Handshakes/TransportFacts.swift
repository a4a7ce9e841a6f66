/// The way in which a request came, where it is not HTTP/1.1 in the clear (transport contract, section 3).
///
/// An object, since all requests of a connection of HTTP/1.1 share it.
package final class TransportFacts: Hashable, Sendable {
    package enum Scheme: String, Hashable, Sendable { case http, https }

    package enum Version: String, Hashable, Sendable {
        case http1 = "HTTP/1.1"
        case http2 = "HTTP/2"
    }

    package let scheme: Scheme
    package let version: Version
    /// The number of the stream; nil for HTTP/1.1.
    package let stream: UInt32?
    /// The outcome of the handshake; nil without TLS.
    package let tls: TLSFacts?

    package init(scheme: Scheme, version: Version, stream: UInt32? = nil, tls: TLSFacts? = nil) {
        self.scheme = scheme
        self.version = version
        self.stream = stream
        self.tls = tls
    }

    package static func == (one: TransportFacts, other: TransportFacts) -> Bool {
        one === other
            || one.scheme == other.scheme && one.version == other.version && one.stream == other.stream
                && one.tls == other.tls
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(scheme)
        hasher.combine(version)
        hasher.combine(stream)
        hasher.combine(tls)
    }
}
