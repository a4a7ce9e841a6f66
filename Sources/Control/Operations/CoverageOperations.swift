import Backend
import Engine
import HTTPMessage
import JSON
import Journal
import Worlds

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
            "Returns which endpoints and scenarios the world has seen",
            reads: [.endpoints, .scenarios],
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
            let (apis, chosen, scope, page) = (call.emulator.apis, call.api, call.scope, try call.page())
            return ControlJob.Work(isShort: false) { _ in list(book, apis, chosen, scope, page) }.reply
        }
    ]

    private static func list(
        _ book: CoverageCounts,
        _ apis: [AnyAPI],
        _ chosen: Int?,
        _ scope: String?,
        _ page: ListPage
    ) -> Response {
        var rows: [(api: String, operation: DocumentedOperation, answers: [CoverageCounts.Count])] = []
        var (seen, scenarios) = (0, 0)
        for (index, api) in apis.enumerated() where chosen == nil || chosen == index {
            scenarios += api.scenarios.count
            for operation in api.documentedOperations {
                let answers = book.answers(api: index, endpoint: operation.place)
                rows.append((api.identity.name, operation, answers))
                if !answers.isEmpty { seen += 1 }
            }
        }
        let names = book.scenarios.filter { name in scope.map { name.hasPrefix($0 + "/") } ?? true }.sorted()
        let totals: JSONObject = [
            "endpoints": ["total": .integer(Int64(rows.count)), "seen": .integer(Int64(seen))],
            "scenarios": [
                "total": .integer(Int64(scenarios)), "seen": .integer(Int64(names.count)),
                "names": .array(names.map { .string($0) }),
            ],
            "unmatched": .integer(Int64(book.unmatched(api: chosen))),
        ]
        return page.response(rows, first: totals) { json($0.api, $0.operation, $0.answers) }
    }

    private static func json(_ api: String, _ operation: DocumentedOperation, _ answers: [CoverageCounts.Count]) -> JSON
    {
        let unseen = operation.statuses.filter { status in !answers.contains { $0.status == status } }
        return [
            "api": .string(api), "method": .string(operation.method.rawValue),
            "route": .string(operation.template), "count": .integer(Int64(answers.reduce(0) { $0 + $1.count })),
            "answers": .array(
                answers.map { ["status": .integer(Int64($0.status)), "count": .integer(Int64($0.count))] }
            ),
            "unseen": .array(unseen.map { .integer(Int64($0)) }),
        ]
    }
}
