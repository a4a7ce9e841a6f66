package import CivilTime

/// The limits of one connection (control contract, section 17).
///
/// Every one is tested at n and n + 1.
package struct WireLimits: Sendable {
    /// Bytes of the request line without its line end; one more is 414.
    package var requestLine = 8 * 1024
    /// Bytes of the field lines with their line ends; one more is 431.
    package var headerSection = 64 * 1024
    /// Number of header fields; one more is 431.
    ///
    /// Trailers share both header budgets.
    package var headerFields = 200
    /// Bytes of one chunk line, extensions included, without its line end; one more is 400.
    package var chunkLine = 256
    /// Bytes of all chunk extensions of one message; one more is 400.
    package var chunkExtensions = 16 * 1024
    /// Bytes read and thrown away after an answer that came before the whole request, to keep the connection.
    package var drain = 64 * 1024
    /// Bytes thrown away while closing slowly after an answer to a broken request.
    package var lingerBytes = 256 * 1024
    /// From the first byte of a head to its end; then 408.
    package var headTime = Interval.seconds(30)
    /// Between two bytes of a body; then 408.
    package var bodyTime = Interval.seconds(60)
    /// Between an answer and the next request; then a silent close.
    package var idleTime = Interval.seconds(75)
    /// The time for which a closing connection is still read, so that the client can take the last response.
    package var lingerTime = Interval.seconds(2)

    /// Tells that the port is a proxy's: it takes CONNECT, with the target `host:port`.
    package var takesConnect = false

    package init() {}

    /// The same limits, none below zero and those that buffers are measured by at most 1 GiB: positions in a buffer
    /// and in `Fields` must not overflow, whatever was configured.
    var bounded: WireLimits {
        func bound(_ limit: Int) -> Int { min(max(limit, 0), 1 << 30) }
        var limits = self
        limits.requestLine = bound(requestLine)
        limits.headerSection = bound(headerSection)
        limits.headerFields = bound(headerFields)
        limits.chunkLine = bound(chunkLine)
        limits.chunkExtensions = bound(chunkExtensions)
        limits.drain = bound(drain)
        limits.lingerBytes = bound(lingerBytes)
        return limits
    }
}
