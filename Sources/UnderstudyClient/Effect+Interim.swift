extension Effect {
    /// A response that comes before the response, such as `103 Early Hints`.
    public struct Interim: Sendable {
        /// The status, from 100 to 199 but not 101.
        public var status: Int
        /// The header fields.
        public var headers: KeyValuePairs<String, String>
        /// The time from the response before it, or from the beginning.
        public var afterMilliseconds: Int?

        /// Creates an interim response.
        ///
        ///     let hints = Effect.Interim(103, headers: ["Link": "</app.css>; rel=preload"])
        public init(
            _ status: Int,
            headers: KeyValuePairs<String, String> = [:],
            afterMilliseconds: Int? = nil
        ) {
            self.status = status
            self.headers = headers
            self.afterMilliseconds = afterMilliseconds
        }

        var json: JSONValue {
            var members: [String: JSONValue] = ["status": status.json]
            if !headers.isEmpty { members["headers"] = headers.map { [$0.key, $0.value] }.json }
            if let afterMilliseconds { members["afterMs"] = afterMilliseconds.json }
            return .object(members)
        }
    }
}
