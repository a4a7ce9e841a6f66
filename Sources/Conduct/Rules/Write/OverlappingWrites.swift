import ConductKit
import HTTPMessage

/// `write/overlapping`.
struct OverlappingWrites: ConductRule {
    static let declaration = RuleDeclaration(
        "write/overlapping",
        "Overlapping writes",
        .warning,
        situation: "a PUT, PATCH or DELETE",
        breach: "another on the same path by the same client, with another method or body, that overlaps it",
        excused: ["unknown bodies, which may be the same"],
        exercisedBy: ["a gate"],
        what: "Two different writes to the same path were in flight at once.",
        why: "Which one wins is left to chance: the user's last input may be lost.",
        expected: "Send writes to the same path one after the other.",
        urlsession: """
            Send each change after the one before has ended, for example from an actor:

                actor Outbox { func push(_ change: Change) async throws { … } }
            """,
        fetch: """
            Send each change after the one before has ended:

                last = last.then(() => push(change))
            """
    )

    private struct Path: Hashable {
        var client: Int32
        var path: String
    }

    private struct Write {
        var row: Int32
        var end: Int64
        var method: HTTPMethod
        /// Nil for content that nobody knows.
        var content: UInt64?
    }

    private var writes: [Path: [Write]] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard [.put, .patch, .delete].contains(x.method) else { return }
        context.situation(x)
        let key = Path(client: x.row.client, path: "\(x.exchange.api)\(x.exchange.path)")
        let content = Content.mark(x.exchange.body)
        var list = writes[key] ?? []
        list.removeAll { $0.end <= x.row.begin }
        let other = list.first {
            $0.method != x.method || content != nil && $0.content != nil && $0.content != content
        }
        if let other {
            context.breach(
                [other.row, x.index],
                "\(x.row.id) (\(x.method.rawValue)) began while \(context.id(other.row)) (\(other.method.rawValue)) was under way on the same path."
            )
        }
        list.append(Write(row: x.index, end: x.row.end, method: x.method, content: content))
        writes[key] = list
    }
}
