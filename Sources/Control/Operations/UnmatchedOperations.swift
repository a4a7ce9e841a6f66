import CivilTime
import Emulation
import HTTPMessage
import JSON

/// Requests that no endpoint took (control contract, section 11).
enum UnmatchedOperations {
    private static let count = 3

    private static let nearest = Schemas.object([
        ("method", .string()), ("path", .string()), ("differs", .string()),
    ])

    static let all: [ControlOperation] = [
        ControlOperation(
            .get,
            "/unmatched",
            "Requests that no endpoint took, newest first, each with the nearest routes",
            isList: true,
            answers: [
                Schemas.answer(
                    "Unmatched",
                    Schemas.list(
                        Schemas.object([
                            ("id", .string()), ("seq", .integer()), ("at", .string()), ("api", .string()),
                            ("method", .string()), ("path", .string()), ("status", .integer()),
                            ("nearest", .array(nearest)),
                        ])
                    ),
                    "The requests"
                )
            ]
        ) { call throws(ControlFault) in
            let slot = try call.world()
            let name = call.api.map { call.emulator.apis[$0].identity.name }
            var items: [JSON] = []
            slot.world.journal.forEachNewestFirst { entry in
                if entry.route == nil, name == nil || entry.api == name { items.append(json(entry, call.emulator)) }
                return true
            }
            return try call.list(items)
        }
    ]

    private static func json(_ entry: JournalEntry, _ emulator: Emulator) -> JSON {
        var routes: [JSON] = []
        if let api = emulator.apis.first(where: { $0.identity.name == entry.api }) {
            routes = api.nearestRoutes(to: entry.path, method: entry.method, count: count).map { near in
                [
                    "method": .string(near.method.rawValue), "path": .string(near.template),
                    "differs": .string(near.differs),
                ]
            }
        }
        return [
            "id": .string(entry.id), "seq": .integer(Int64(entry.seq)), "at": .string(entry.at.iso8601(.milliseconds)),
            "api": .string(entry.api), "method": .string(entry.method.rawValue), "path": .string(entry.path),
            "status": .integer(Int64(entry.status.code)), "nearest": .array(routes),
        ]
    }
}
