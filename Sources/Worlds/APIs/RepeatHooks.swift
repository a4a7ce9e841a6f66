package import Backend
package import HTTPMessage

/// The functions by which an API keeps its answers for requests that clients repeat (wire contract, section 8).
package struct RepeatHooks: Sendable {
    /// Returns what all repetitions of a request have in common: its key, method, path and user; nil for one that has no
    /// usable key.
    package var identity: @Sendable (Call, World, Int) -> String?
    /// Returns the response to a request that has come before, or whose first one is still under way; nil for the first.
    package var answer:
        @Sendable (_ identity: String, _ isFirstUnderWay: Bool, inout Call, inout World, Int) -> Response?
    /// Keeps the response to a first request, if it is one to be kept.
    package var keep: @Sendable (Response, _ identity: String, Call, inout World, Int) -> Void

    /// Returns the digest by which contents are compared.
    package var digest: @Sendable ([UInt8]) -> [UInt8]

    package init(
        identity: @escaping @Sendable (Call, World, Int) -> String?,
        answer:
            @escaping @Sendable (_ identity: String, _ isFirstUnderWay: Bool, inout Call, inout World, Int) ->
            Response?,
        keep: @escaping @Sendable (Response, _ identity: String, Call, inout World, Int) -> Void,
        digest: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) {
        self.identity = identity
        self.answer = answer
        self.keep = keep
        self.digest = digest
    }
}
