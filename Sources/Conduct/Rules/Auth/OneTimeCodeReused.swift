import ConductKit
import JSON

/// `auth/one-time-code-reused`.
struct OneTimeCodeReused: ConductRule {
    static let declaration = RuleDeclaration(
        "auth/one-time-code-reused",
        "One-time code sent twice",
        .error,
        situation: "a success with a one-time code, QR token, link token or authorization code",
        breach: "the same sent again after it; for all but typed codes also after a 4xx",
        excused: ["codes: another one was requested since"],
        source: [.rfc(6749, "4.1.2")],
        exercisedBy: ["trafikskola/quick-login-used"],
        needsContract: true,
        what: "A single-use code was sent again after it had been used.",
        why: "Servers treat a second use as theft and end the session that the first one started.",
        expected: "Send each code once, and discard it whatever the response.",
        urlsession: """
            Remove the code from where the app keeps it before you send it:

                guard let code = pending.take() else { return }
            """,
        fetch: """
            Remove the code from where the app keeps it before you send it:

                const code = pending; pending = null
            """
    )

    private struct Key: Hashable {
        var api: String
        var value: String
        var mail: String
    }

    private struct Use {
        var row: Int32
        var isTyped: Bool
        var isReported = false
    }

    private var uses: [Key: Use] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        if x.role == .requestCode {
            let mail = Self.mail(x)
            if !uses.isEmpty {
                // A request of which nobody knows for whom it was may have been for any of them.
                uses = uses.filter { key, use in
                    key.api != x.exchange.api || !use.isTyped || !mail.isEmpty && key.mail != mail
                }
            }
            return
        }
        guard let code = x.operation?.code, let json = x.requestJSON,
            let value = code.members.lazy.compactMap({ json[$0]?.stringValue }).first, !value.isEmpty
        else { return }
        let key = Key(api: x.exchange.api, value: value, mail: code.isTyped ? Self.mail(x) : "")
        if var use = uses[key], context.knows(context[use.row], x.row) {
            if !use.isReported {
                use.isReported = true
                uses[key] = use
                context.breach(
                    [use.row, x.index],
                    "\(context.id(use.row)) was answered \(context[use.row].status); \(x.row.id) sent the same code again (it is not shown)."
                )
            }
            return
        }
        let isSpent = x.row.isSuccess || !code.isTyped && x.row.isDelivered && x.row.status >= 400 && x.row.status < 500
        if isSpent { context.situation(x) }
        if isSpent, uses[key] == nil { uses[key] = Use(row: x.index, isTyped: code.isTyped) }
    }

    /// The user for whom a code is, as servers compare it.
    private static func mail(_ x: JudgedExchange) -> String {
        let text = x.requestJSON?[x.operation?.identifier ?? "email"]?.stringValue ?? ""
        return String(text.filter { !$0.isWhitespace }).lowercased()
    }
}
