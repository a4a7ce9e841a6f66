import HTTPMessage

extension Call {
    /// The token of the Authorization field with the scheme `Bearer`, in any case; nil if there is none.
    package var bearerToken: String? {
        guard let bytes = request.head.bytes(of: .authorization) else { return nil }
        // Nearly every value is that of the scheme; a mark that combines with the blank is not looked for in bytes.
        let start = bytes.startIndex + Self.bearer.count
        if bytes.count > Self.bearer.count, bytes[start] < 0x80, bytes.starts(with: Self.bearer) {
            return String(decoding: bytes[start...], as: UTF8.self)
        }
        let value = String(decoding: bytes, as: UTF8.self)
        let parts = value.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }

    private static let bearer = Array("Bearer ".utf8)
}
