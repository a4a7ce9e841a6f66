import ConductKit
import HTTPMessage

/// `auth/malformed-credential`.
struct MalformedCredential: ConductRule {
    static let declaration = RuleDeclaration(
        "auth/malformed-credential",
        "Malformed `Authorization` header",
        .error,
        situation: "a request with `Authorization`",
        breach: """
            `Bearer` with nothing after it, with `null`, `nil`, `undefined`, `(null)`, `Optional(…`, `[object Object]`, a \
            value in quotes, with a space in it or beginning with `{`; the scheme twice; a JWT without a scheme
            """,
        excused: ["other schemes"],
        source: [.rfc(6750, "2.1"), .rfc(9110, "11.4")],
        exercisedBy: ["any protected call"],
        what: "The `Authorization` header holds something that can't be a token, such as `Bearer null`.",
        why:
            "The value was built from an empty variable or a wrapped optional. Every such request fails, but only for some users.",
        expected: "Send `Bearer`, one space and the token, or no `Authorization` header at all.",
        urlsession: """
            Unwrap the token before you interpolate it, and send no `Authorization` without one:

                guard let token else { throw NotSignedIn() }
                request.setValue("Bearer \\(token)", forHTTPHeaderField: "Authorization")
            """,
        fetch: """
            Set `Authorization` only if there is a token:

                if (token) headers.set("Authorization", `Bearer ${token}`)
            """
    )

    /// The fault of each value that was sent, by its number: most are sent again and again.
    private var faults: [Int32: String?] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.row.authorization != 0, let value = x.field(.authorization) else { return }
        context.situation(x)
        let known = faults[x.row.authorization] ?? Self.fault(of: value)
        faults[x.row.authorization] = .some(known)
        guard let fault = known else { return }
        context.breach([x.index], "\(x.row.id) was sent with an `Authorization` header that \(fault).")
    }

    /// The words for what is wrong with a value; nil for one that may hold a token.
    static func fault(of value: String) -> String? {
        let text = value.drop { $0 == " " }
        let scheme = text.prefix { $0 != " " }
        guard scheme.lowercased() == "bearer" else {
            let isJWT = text.hasPrefix("eyJ") && text.count { $0 == "." } == 2 && !text.contains(" ")
            return isJWT ? "holds a JWT without a scheme" : nil
        }
        let token = text.dropFirst(scheme.count).drop { $0 == " " }
        var end = token
        while end.last == " " { end = end.dropLast() }
        if end.isEmpty { return "has nothing after `Bearer`" }
        if end.lowercased().hasPrefix("bearer ") || end.lowercased() == "bearer" { return "has the scheme twice" }
        for word in ["null", "nil", "undefined", "(null)", "[object Object]"] where end == word {
            return "holds the word `\(word)` instead of a token"
        }
        if end.hasPrefix("Optional(") { return "holds a wrapped optional instead of a token" }
        if end.first == "\"" || end.first == "'" { return "holds a value in quotes" }
        if end.first == "{" { return "holds an object instead of a token" }
        if end.contains(" ") { return "holds a value with a space in it" }
        return nil
    }
}
