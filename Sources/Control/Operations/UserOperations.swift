import Backend
import Basics
import Engine
import HTTPMessage
import JSON
import Worlds

/// The users of a world and what they hold (console contract, section 5).
enum UserOperations {
    private static let count = JSONSchema.integer(minimum: 0)

    static let all: [ControlOperation] = [
        ControlOperation(
            .get,
            "/users",
            "Lists the world's users, with the numbers of their valid sessions and tokens",
            reads: .seed,
            parameters: [JournalSelection.textParameter("Only users with this text in id, e-mail or name")],
            isList: true,
            answers: [
                Schemas.answer(
                    "Users",
                    Schemas.list(
                        Schemas.object(
                            [
                                ("api", .string()), ("id", .string()), ("sessions", count), ("access", count),
                                ("refresh", count),
                            ],
                            optional: [("email", .string()), ("name", .string())]
                        )
                    ),
                    "The users, in the order of the APIs and of their tables"
                )
            ],
            act: list
        )
    ]

    private struct Row: Sendable {
        let api: String
        let user: Ledger.User
        var sessions = 0
        var access = 0
        var refresh = 0

        var json: JSON {
            var object: JSONObject = ["api": .string(api), "id": .string(user.id)]
            if let email = user.email { object.append("email", .string(email)) }
            if let name = user.name { object.append("name", .string(name)) }
            object.append("sessions", .integer(Int64(sessions)))
            object.append("access", .integer(Int64(access)))
            object.append("refresh", .integer(Int64(refresh)))
            return .object(object)
        }
    }

    private static func list(_ call: ControlCall) throws(Problem) -> ControlDecision {
        let copy = HandedOver(call.emulator.tables(of: try call.world()))
        let text = try JournalSelection.text(call.query.last("q"))
        let page = try call.page()
        let apis = call.emulator.apis
        let chosen = call.api.map { [$0] } ?? Array(apis.indices)
        return ControlJob.Work(isShort: false) { _ in
            let rows = chosen.flatMap { index in
                Self.rows(of: copy.value.ledger(index, of: apis[index]), api: apis[index].identity.name)
            }
            guard let text else { return page.response(rows, \.json) }
            return page.response(
                rows.filter { row in
                    [row.user.id, row.user.email, row.user.name].contains { part in
                        part.map { text.isIn(Array($0.utf8)) } ?? false
                    }
                },
                \.json
            )
        }.reply
    }

    private static func rows(of ledger: Ledger, api: String) -> [Row] {
        var rows = ledger.users.map { Row(api: api, user: $0) }
        var places: [String: Int] = [:]
        for (place, user) in ledger.users.enumerated() { places[user.id] = place }
        for session in ledger.sessions {
            if let place = places[session.user] { rows[place].sessions += 1 }
        }
        for holding in ledger.holdings {
            guard let place = places[holding.user] else { continue }
            switch holding.kind {
            case .access: rows[place].access += 1
            case .refresh: rows[place].refresh += 1
            }
        }
        return rows
    }
}
