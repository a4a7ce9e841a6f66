import Backend
import CivilTime
import Engine
import ForwardProxy
import HTTPMessage
import JSON
import Journal
import Worlds

/// Worlds, and their reset to the seed (control contract, sections 3 and 4).
enum WorldOperations {
    /// The number of worlds up to which the list is written on the loop.
    private static let mostLines = 200

    static let all: [ControlOperation] = [
        ControlOperation(
            .post,
            "/reset",
            "Resets the world, or one API in it, to its seed",
            parameters: [
                Parameter("keep", in: .query, .string(enumeration: ["clock"]), "Keeps the clock as it is set")
            ],
            answers: [
                Schemas.answer(
                    "Reset",
                    Schemas.object([("world", .string()), ("cancelled", .integer())]),
                    "The world, and the number of responses cut"
                )
            ],
            handle: reset
        ),
        ControlOperation(
            .get,
            "/worlds",
            "Lists all worlds, main first",
            isList: true,
            answers: [Schemas.answer("Worlds", Schemas.list(Schemas.world), "The worlds")],
            // Only the values that the list shows are taken from the worlds; a worker writes the list.
            act: { call throws(Problem) in
                let page = try call.page()
                let names = call.emulator.worldNames
                let shown = names.dropFirst(page.offset).prefix(page.limit)
                var lines: [WorldLine] = []
                lines.reserveCapacity(shown.count)
                for name in shown {
                    if let hosted = call.emulator[world: name] { lines.append(WorldLine(hosted, call.hostTime)) }
                }
                return ControlJob.Work(isShort: lines.count <= mostLines) { [lines] _ in
                    var writer = PieceWriter()
                    writer.append(text: "{\"items\":")
                    writer.append(rows: lines.lazy.map(\.json))
                    writer.append(text: "}")
                    return writer.response(total: names.count)
                }.reply
            }
        ),
        ControlOperation(
            .post,
            "/worlds",
            "Creates a world from the seed, from another world, or from a snapshot",
            reads: .scenarios,
            body: .json(
                name: "NewWorld",
                schema: .closed(
                    worldName.property,
                    from.property,
                    seed.property,
                    JSONSchema.Property("clock", ClockOperations.settingSchema, isRequired: false),
                    JSONSchema.Property("scenarios", .array(.string()), isRequired: false),
                    life.property
                ),
                isRequired: false,
                example: ["name": "checkout-test", "ttlSeconds": 600]
            ),
            answers: [
                Schemas.answer(
                    "CreatedWorld",
                    Schemas.object(
                        [
                            ("name", .string()),
                            ("urls", .object(JSONSchema.Object([], additionalProperties: .schema(.string())))),
                        ],
                        optional: [("proxy", .string())]
                    ),
                    "The world's name and the addresses of its APIs",
                    .created
                )
            ],
            act: make
        ),
        ControlOperation(
            .delete,
            "/worlds/{name}",
            "Deletes a world and cuts its responses in progress",
            parameters: [Parameter("name", in: .path, .string(), "The world")],
            answers: [AnswerDeclaration(.noContent, "Deleted", .none)]
        ) { call throws(Problem) in
            let key = try call.emulator.deleteWorld(call.parameters[0])
            _ = call.host.cut(world: key, api: nil)
            call.host.forwardProxy?.clear(world: call.parameters[0])
            return ControlAnswer.nothing
        },
    ]

    private static let worldName = BodyMember("name", .name())
    private static let from = BodyMember("from", .string())
    private static let seed = BodyMember(
        "seed",
        RequestValue.integer(in: 0...Int64.max).documented(as: .integer(minimum: 0))
    )
    private static let life = BodyMember("ttlSeconds", .seconds)

    private static func reset(_ call: ControlCall) throws(Problem) -> Response {
        let hosted = try call.world()
        let keep = call.query.last("keep")
        if let keep, keep != "clock" {
            throw Problem(
                .invalidParameter,
                "?keep= must be clock.",
                items: [Problem.Item(path: "?keep", reason: "must be clock, found \"\(keep.cut)\"")]
            )
        }
        var check = BodyCheck(try call.object())
        try check.finish()
        let cancelled = ControlAPI.reset(
            hosted,
            api: call.api,
            keepsClock: keep == "clock",
            emulator: call.emulator,
            host: call.host,
            at: call.hostTime
        )
        return ControlAnswer.json(["world": .string(hosted.world.name), "cancelled": .integer(Int64(cancelled))])
    }

    private static func make(_ call: ControlCall) throws(Problem) -> ControlDecision {
        var check = BodyCheck(try call.object())
        var order = Emulator.WorldOrder()
        order.name = check.read(worldName)
        order.from = check.read(from)
        order.seed = check.read(seed).map(UInt64.init)
        if order.from != nil, order.seed != nil { check.fault("seed", "a fork keeps the seed of its original") }
        order.clock = check.inner("clock", ClockOperations.setting)
        order.timeToLive = check.read(life)
        let scenarios = scenarioNames(&check, call)
        try check.finish()
        if order.from != nil { order.snapshotsOf = (try? call.world())?.world.name }
        let name = try call.emulator.makeWorld(order, at: call.hostTime)
        var urls = JSONObject()
        let origins = call.origins.apis(for: call.request.head, namingWorld: true)
        for (api, origin) in zip(call.emulator.apis, origins) {
            urls.append(api.identity.name, .string("\(origin)/@\(name)"))
        }
        var answer: JSONObject = ["name": .string(name), "urls": .object(urls)]
        if let proxy = call.host.forwardProxy {
            let host = call.request.head.authority.flatMap { ControlSafety.host(of: $0) }
            answer.append("proxy", .string(proxy.url(world: name, host: host)))
        }
        let response = ControlAnswer.json(.object(answer), status: .created)
        guard let hosted = call.emulator[world: name], !scenarios.isEmpty else { return .now(response) }
        // Scenarios that are on in the original are on already.
        let coming = scenarios.indices.filter { place in
            !scenarios[..<place].contains(scenarios[place]) && !call.emulator.isActive(scenarios[place], in: hosted)
        }.map { scenarios[$0] }
        if let refusal = call.emulator.refusal(of: coming, in: hosted) {
            _ = try call.emulator.deleteWorld(name)
            throw refusal
        }
        hosted.world.tick(to: call.hostTime)
        return try call.working(on: Array(Set(coming.map(\.api))).sorted(), of: hosted) { hostTime in
            call.emulator.changes(of: coming, at: hostTime)
        } then: { outcomes, hostTime in
            for (scenario, outcome) in zip(coming, outcomes) {
                _ = call.emulator.activate(scenario, in: hosted, outcome, at: hostTime)
            }
            return .success(response)
        }
    }

    /// The number of misspelt names for which the nearest ones are suggested.
    private static let mostHints = 10

    private static func scenarioNames(_ check: inout BodyCheck, _ call: ControlCall) -> [ScenarioName] {
        guard let value = check.value("scenarios") else { return [] }
        guard let items = value.arrayValue else {
            check.fault("scenarios", "must be an array of names such as omnichat/rate-limited")
            return []
        }
        guard items.count <= BodyCheck.mostNames else {
            check.fault("scenarios", "must have at most \(BodyCheck.mostNames) names, found \(items.count)")
            return []
        }
        var names: [ScenarioName] = []
        let known = call.emulator.scenarioNames
        var hintsLeft = mostHints
        for (place, item) in items.enumerated() where !check.isFull {
            if let text = item.stringValue, let name = call.emulator.scenario(named: text) {
                names.append(name)
            } else {
                var hint = ""
                // Each suggestion takes a search among hundreds of names.
                if hintsLeft > 0, let text = item.stringValue {
                    hintsLeft -= 1
                    hint = Suggestion.hint(to: text, among: known)
                }
                check.fault("scenarios[\(place)]", "there is no such scenario\(hint)")
            }
        }
        return names
    }

    static func json(_ hosted: Emulator.HostedWorld, _ hostTime: HostTime) -> JSON { WorldLine(hosted, hostTime).json }
}

/// The values of a world that the list shows.
private struct WorldLine: Sendable {
    private let name: String
    private let createdAt: Instant
    private let forkedFrom: String?
    private let scenario: String?
    /// All that are on, where they are more than one.
    private let scenarios: [String]
    private let clock: WorldClock
    private let now: Instant
    private let requests: Int
    private let bytes: Int

    /// Reads each value in place: a copy of the world would cost more than all of them.
    init(_ hosted: Emulator.HostedWorld, _ hostTime: HostTime) {
        name = hosted.world.core.name
        createdAt = hosted.world.createdAt
        forkedFrom = hosted.world.forkedFrom
        scenario = hosted.world.activeScenarios.last?.name
        scenarios = hosted.world.activeScenarios.count > 1 ? hosted.world.activeScenarios.map(\.name) : []
        clock = hosted.world.core.clock
        now = clock.now(hostTime)
        requests = hosted.world.requestCount
        bytes = hosted.world.journal.bytes
    }

    var json: JSON {
        var object: JSONObject = ["name": .string(name), "createdAt": .string(createdAt.iso8601(.milliseconds))]
        if let forkedFrom { object.append("forkedFrom", .string(forkedFrom)) }
        if let scenario { object.append("scenario", .string(scenario)) }
        if !scenarios.isEmpty { object.append("scenarios", .array(scenarios.map { .string($0) })) }
        object.append("clock", ClockOperations.json(clock, now))
        object.append("requests", .integer(Int64(requests)))
        object.append("bytes", .integer(Int64(bytes)))
        return .object(object)
    }
}
