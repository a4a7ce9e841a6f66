import HTTPMessage

extension Call {
    /// The token of the Authorization field with the scheme `Bearer`, in any case; nil if there is none.
    package var bearerToken: String? {
        guard let value = fields[.authorization] else { return nil }
        let parts = value.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }
}
