import Basics
import ConductKit
import HTTPMessage

/// `privacy/personal-in-url`.
struct PersonalInURL: ConductRule {
    static let declaration = RuleDeclaration(
        "privacy/personal-in-url",
        "E-mail address in the URL",
        .warning,
        situation: "any request",
        breach: """
            an e-mail address (decoded) in a path segment, or in a query member that the operation does not declare for one
            """,
        excused: [
            "`login_hint`, which OpenID Connect has for it",
            "a member whose name, description, schema or format says that it is for an address, or for a list of them",
        ],
        source: [.rfc(9110, "17.9")],
        exercisedBy: ["any call"],
        what: "The path or the query of a request held an e-mail address.",
        why: "URLs are kept in logs that nobody treats as personal data.",
        expected: "Send e-mail addresses in the body, or use the user's id.",
        urlsession: """
            Put the user's id into the URL in place of the address:

                let url = base.appending(path: "users/\\(user.id)")
            """,
        fetch: """
            Put the user's id into the URL in place of the address:

                fetch(`/users/${user.id}`)
            """
    )

    /// The member that OpenID Connect has for it.
    private static let hint = "login_hint"

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        context.situation(x)
        if Self.mayHold(x.exchange.path), let path = Path(raw: x.exchange.path),
            let segment = path.segments.first(where: Self.isMail)
        {
            context.breach([x.index], "\(x.row.id) had `\(ShownText.mail(segment))` in its path.")
            return
        }
        guard let query = x.exchange.query, Self.mayHold(query) else { return }
        for item in x.query.items where Self.isMail(item.value) {
            if item.name == Self.hint || Self.isDeclared(item.name, x) { continue }
            context.breach(
                [x.index],
                "\(x.row.id) had `\(ShownText.mail(item.value))` in the query parameter `\(ShownText.clean(item.name))`."
            )
            return
        }
    }

    /// Tells whether the operation declares a member of the query for an address: itself, or what it is an element or a
    /// member of, such as `cc` for `cc[]` and `cc[0]`.
    private static func isDeclared(_ name: String, _ x: JudgedExchange) -> Bool {
        guard let declared = x.operation?.emailParameters, !declared.isEmpty else { return false }
        // The index of an element is no part of a name, unless it is declared so.
        return [name, withoutIndexes(name)].contains { name in
            var rest = name[...]
            while !declared.contains(String(rest)) {
                guard rest.hasSuffix("]"), let bracket = rest.lastIndex(of: "[") else { return false }
                rest = rest[..<bracket]
            }
            return true
        }
    }

    /// `to[email]` for `to[0][email]` and `to[][email]`.
    private static func withoutIndexes(_ name: String) -> String {
        let parts = name.split(separator: "[", omittingEmptySubsequences: false)
        let named = parts.dropFirst().filter { !$0.hasSuffix("]") || !$0.dropLast().allSatisfy(\.isNumber) }
        return (parts.prefix(1) + named).joined(separator: "[")
    }

    private static func mayHold(_ text: String) -> Bool {
        text.utf8.contains(UInt8(ascii: "@")) || text.contains("%40")
    }

    /// Tells whether a text is an e-mail address.
    static func isMail(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, text.utf8.count <= 254 else { return false }
        let labels = parts[1].split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count >= 2, labels.allSatisfy({ !$0.isEmpty }), (labels.last?.count ?? 0) >= 2 else {
            return false
        }
        return text.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ":") }
    }
}
