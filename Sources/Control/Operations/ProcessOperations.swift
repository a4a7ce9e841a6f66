import APIDocs
import Backend
import CivilTime
import Engine
import HTTPMessage
import JSON
import Worlds

/// The process itself: health, APIs, documents and problem types (control contract, sections 3, 15, 16).
enum ProcessOperations {
    static let all: [ControlOperation] = [
        ControlOperation(
            .get,
            "/health",
            "Returns the health of the process",
            answers: [
                Schemas.answer(
                    "Health",
                    Schemas.object([("status", .string()), ("version", .string()), ("uptimeSeconds", .number)]),
                    "The process is up"
                )
            ]
        ) { call throws(Problem) in
            let uptime = Double((call.hostTime.monotonic - call.startedAt).wholeMilliseconds) / 1_000
            return ControlAnswer.json([
                "status": "ok", "version": .string(call.version), "uptimeSeconds": .double(uptime),
            ])
        },
        ControlOperation(
            .get,
            "/apis",
            "Lists the emulated APIs",
            reads: [.endpoints, .scenarios],
            isList: true,
            answers: [
                Schemas.answer(
                    "APIs",
                    Schemas.list(
                        Schemas.object([
                            ("name", .string()), ("title", .string()), ("url", .string()), ("endpoints", .integer()),
                            ("scenarios", .integer()),
                            ("source", .string(enumeration: APISource.allCases.map(\.rawValue))),
                        ])
                    ),
                    "The built-in APIs in the order of their ports, then custom ones by name"
                )
            ]
        ) { call throws(Problem) in
            let urls = call.origins.apis(for: call.request.head)
            return try call.list(
                zip(call.emulator.apis, urls).map { api, url in
                    [
                        "name": .string(api.identity.name), "title": .string(api.identity.title),
                        "url": .string(url), "endpoints": .integer(Int64(api.routes.count)),
                        "scenarios": .integer(Int64(api.scenarios.count)),
                        "source": .string(api.hooks.source.rawValue),
                    ]
                }
            )
        },
        ControlOperation(
            .get,
            "/problems/{slug}",
            "Explains a problem type",
            parameters: [
                Parameter(
                    "slug",
                    in: .path,
                    .string(enumeration: Problem.Slug.allCases.map(\.rawValue)),
                    "The last path segment of the type"
                )
            ],
            answers: [
                Schemas.answer(
                    "ProblemType",
                    Schemas.object([
                        ("type", .string()), ("title", .string()), ("status", .integer()), ("explanation", .string()),
                    ]),
                    "The explanation"
                )
            ]
        ) { call throws(Problem) in
            guard let slug = Problem.Slug(rawValue: call.parameters[0]) else {
                let all = Problem.Slug.allCases.map(\.rawValue)
                let hint = Suggestion.question(to: call.parameters[0], among: all)
                throw Problem(.notFound, "There is no problem type \"\(call.parameters[0].cut)\".\(hint)")
            }
            return ControlAnswer.json([
                "type": .string("/__admin/problems/\(slug.rawValue)"), "title": .string(slug.title),
                "status": .integer(Int64(slug.status.code)), "explanation": .string(slug.explanation),
            ])
        },
        ControlOperation(
            .get,
            "/openapi.json",
            "Returns the OpenAPI document of the control API",
            answers: [Schemas.answer("OpenAPIDocument", .object(JSONSchema.Object()), "OpenAPI 3.1")]
        ) { call throws(Problem) in written("control", call, ownDocument(call)) },
        ControlOperation(
            .get,
            "/openapi/{file}",
            "Returns the OpenAPI document of an API",
            parameters: [Parameter("file", in: .path, .string(pattern: "\\.json$"), "NAME.json, or control.json")],
            answers: [Schemas.answer("OpenAPIDocument", .object(JSONSchema.Object()), "OpenAPI 3.1")]
        ) { call throws(Problem) in
            let file = call.parameters[0]
            let name = file.hasSuffix(".json") ? String(file.dropLast(5)) : ""
            if name == "control" {
                return written(name, call, ownDocument(call))
            }
            guard let index = call.emulator.apis.firstIndex(where: { $0.identity.name == name }) else {
                let names = call.emulator.apis.map { $0.identity.name + ".json" } + ["control.json"]
                throw Problem(
                    .notFound,
                    "There is no document \"\(file.cut)\". There are \(names.joined(separator: ", "))."
                )
            }
            let api = call.emulator.apis[index]
            let origins = call.origins.asReached(by: call.request.head)
            let servers = [origins.apis[index], origins.hub + "/" + name]
            return written(name, call) { OpenAPIDescription.document(of: api, servers: servers) }
        },
    ]

    /// Returns a document, which is written at its first use and kept: routes and addresses do not change while the
    /// process runs.
    private static func written(
        _ name: String,
        _ call: ControlCall,
        _ document: @escaping @Sendable () -> JSON
    ) -> ControlDecision {
        let key = call.request.head.isSecure == true ? "https \(name)" : name
        let documents = call.emulator.documents
        return ControlJob.Work(isShort: documents[key] != nil) { _ in
            let bytes = documents[key] ?? document().serialized()
            documents[key] = bytes
            return Response(
                status: .ok,
                fields: [.contentType: "application/json; charset=utf-8"],
                body: .bytes(bytes)
            )
        }.reply
    }

    private static func ownDocument(_ call: ControlCall) -> @Sendable () -> JSON {
        let hub = call.origins.asReached(by: call.request.head).hub
        let apis = call.emulator.apis.map(\.identity.name)
        return { [table = call.table] in table.document(servers: [hub], apis: apis).document }
    }
}
