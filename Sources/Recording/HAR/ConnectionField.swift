/// Fields that belong to one connection and are not passed on (RFC 9110, section 7.6.1).
package enum ConnectionField {
    private static let names: Set<String> = ["connection", "keep-alive", "proxy-connection", "te", "upgrade"]

    /// Whether a field of an answer says something about the connection to the real backend alone.
    ///
    /// `Connection: keep-alive` says nothing that does not hold for every connection of HTTP/1.1, and an answer that has
    /// it keeps it.
    package static func isOfOneHop(_ name: String, _ value: String) -> Bool {
        let lower = name.lowercased()
        guard lower == "connection" else { return names.contains(lower) }
        return value.lowercased() != "keep-alive"
    }
}
