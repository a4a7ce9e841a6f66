/// The parts of a request that a replay ignores when it compares it with a recorded one (control contract, section 13).
package struct MatchRules: Sendable, Equatable {
    /// Names of header fields, in lower case; they apply to comparisons of responses.
    package var headers: Set<String> = []
    package var query: Set<String> = []
    /// Tells whether the whole query does not count (own-API contract, section 18).
    package var ignoresQuery = false
    /// Paths into a JSON body, such as `a.b`; they pass through elements of arrays.
    package var body: [[String]] = []
    /// Tells whether the whole body does not count (own-API contract, section 18).
    package var ignoresBody = false
    /// The name that stands for everything.
    private static let everything = "*"

    package init() {}

    package init(headers: [String], query: [String], body: [String]) {
        self.headers = Set(headers.map { $0.lowercased() })
        self.query = Set(query)
        ignoresQuery = query.contains(Self.everything)
        self.body = body.filter { $0 != Self.everything }.map(Self.path)
        ignoresBody = body.contains(Self.everything)
    }

    /// The names of a path such as `a.b`, `$.a[0].b` or `items[*].id`.
    static func path(_ text: String) -> [String] {
        text.split { $0 == "." || $0 == "[" || $0 == "]" || $0 == "/" }
            .map(String.init)
            .filter { $0 != "$" && $0 != "*" && !$0.utf8.allSatisfy { $0 &- 0x30 < 10 } }
    }
}

/// The names of values that change from run to run, for any client.
package enum VolatileNames {
    package static func contains(_ name: String) -> Bool {
        // A parameter that prevents a browser from using its cache.
        if name == "_" { return true }
        let plain = String(decoding: name.utf8.filter { $0 != 0x2D && $0 != 0x5F }, as: UTF8.self).lowercased()
        return names.contains(plain)
    }

    private static let names: Set<String> = [
        "traceid", "traceparent", "tracestate", "spanid", "requestid", "xrequestid", "correlationid",
        "xcorrelationid", "nonce", "idempotencykey", "cachebuster", "cb", "rnd", "ts", "timestamp", "useragent",
        "clienttime", "clienttimestamp", "devicetime", "xb3traceid", "xb3spanid", "boundary", "codechallenge",
    ]

    // MARK: Sign-in

    /// Tells whether a name is that of the value by which a client recognises its own sign-in (RFC 6749, 10.12).
    ///
    /// It names other things too, so it changes from run to run only in a sign-in, or where its value is opaque.
    static func isState(_ name: String) -> Bool { name.utf8.count == 5 && name.lowercased() == "state" }

    /// Tells whether parameters are those of a sign-in by OAuth 2.0, or of the way back from it.
    static func isSignIn(_ items: some Sequence<(name: String, value: String)>) -> Bool {
        items.contains { name, value in
            let plain = String(decoding: name.utf8.filter { $0 != 0x2D && $0 != 0x5F }, as: UTF8.self).lowercased()
            // `code` also names errors and countries, by short words.
            guard plain == "code" else { return signIn.contains(plain) }
            return value.utf8.count >= 8 || value.utf8.contains { $0 &- 0x30 < 10 }
        }
    }

    private static let signIn: Set<String> = [
        "clientid", "redirecturi", "responsetype", "granttype", "codechallenge", "codechallengemethod",
    ]
}
