import Emulation
import HTTPMessage
import JSON

/// The endpoints and scenarios that a world has seen (console contract, section 8).
enum CoverageOperations {
    private static let count = JSONSchema.integer(minimum: 0)
    private static let item = Schemas.object([
        ("api", .string()), ("method", .string()), ("route", .string()), ("count", count),
        ("answers", .array(Schemas.object([("status", .integer()), ("count", count)]))),
        ("unseen", .array(.integer())),
    ])

    static let all: [ControlOperation] = [
        ControlOperation(
            .get,
            "/coverage",
            "Which endpoints and scenarios the world has seen",
            isList: true,
            answers: [
                Schemas.answer(
                    "Coverage",
                    Schemas.object([
                        ("endpoints", Schemas.object([("total", count), ("seen", count)])),
                        (
                            "scenarios",
                            Schemas.object([("total", count), ("seen", count), ("names", .array(.string()))])
                        ),
                        ("unmatched", count), ("items", .array(item)),
                    ]),
                    "Totals, and every endpoint in the order of the OpenAPI documents"
                )
            ]
        ) { call throws(Problem) in
            let book = try call.world().world.coverage
            let apis = call.emulator.apis
            var rows: [(api: Int, endpoint: Int)] = []
            var (seen, scenarios) = (0, 0)
            for (index, api) in apis.enumerated() where call.api == nil || call.api == index {
                scenarios += api.scenarios.count
                for endpoint in order(of: api) {
                    rows.append((index, endpoint))
                    if !book.answers(api: index, endpoint: endpoint).isEmpty { seen += 1 }
                }
            }
            let names = book.scenarios.filter { name in call.scope.map { name.hasPrefix($0 + "/") } ?? true }.sorted()
            let totals: JSONObject = [
                "endpoints": ["total": .integer(Int64(rows.count)), "seen": .integer(Int64(seen))],
                "scenarios": [
                    "total": .integer(Int64(scenarios)), "seen": .integer(Int64(names.count)),
                    "names": .array(names.map { .string($0) }),
                ],
                "unmatched": .integer(Int64(book.unmatched(api: call.api))),
            ]
            return try call.page().response(rows, first: totals) { row in
                json(apis[row.api], row.endpoint, book.answers(api: row.api, endpoint: row.endpoint))
            }
        }
    ]

    /// Returns the endpoints of an API in the order of its document, which has the methods of a path together.
    private static func order(of api: AnyAPI) -> [Int] {
        var places: [String: Int] = [:]
        for (place, route) in api.routes.enumerated() where places[route.template] == nil {
            places[route.template] = place
        }
        return api.routes.indices.sorted { one, other in
            let (first, second) = (places[api.routes[one].template] ?? 0, places[api.routes[other].template] ?? 0)
            return first == second ? one < other : first < second
        }
    }

    private static func json(_ api: AnyAPI, _ endpoint: Int, _ answers: [CoverageBook.Count]) -> JSON {
        let route = api.routes[endpoint]
        var declared: [Int] = []
        for answer in route.answers where !answer.isDefault && !declared.contains(answer.status.code) {
            declared.append(answer.status.code)
        }
        let unseen = declared.sorted().filter { status in !answers.contains { $0.status == status } }
        return [
            "api": .string(api.identity.name), "method": .string(route.method.rawValue),
            "route": .string(route.template), "count": .integer(Int64(answers.reduce(0) { $0 + $1.count })),
            "answers": .array(
                answers.map { ["status": .integer(Int64($0.status)), "count": .integer(Int64($0.count))] }
            ),
            "unseen": .array(unseen.map { .integer(Int64($0)) }),
        ]
    }
}
