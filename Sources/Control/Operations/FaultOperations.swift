import Emulation
import HTTPMessage
import JSON
import Locking

/// Faults (control contract, section 8).
enum FaultOperations {
    private static let id = Parameter("id", in: .path, .string(), "The fault's id, such as flt_1")

    static let all: [ControlOperation] = [
        ControlOperation(
            .get,
            "/faults",
            "The faults of the world in the order in which they are tried",
            isList: true,
            answers: [Schemas.answer("Faults", Schemas.list(Schemas.fault), "The faults, with their hits")]
        ) { call throws(Problem) in
            let scope = call.api.map { call.emulator.apis[$0].identity.name }
            let faults = try call.world().world.faults.faults.filter { fault in
                scope == nil || fault.spec.matcher.api == nil || fault.spec.matcher.api == scope
            }
            return try call.list(faults, \.json)
        },
        ControlOperation(
            .post,
            "/faults",
            "Adds a fault",
            body: .json(
                name: "FaultOrder",
                schema: Schemas.faultOrder,
                isRequired: true,
                example: [
                    "name": "first two refreshes fail",
                    "match": ["method": "POST", "path": "/api/v1/auth/*"],
                    "when": ["times": 2],
                    "effect": ["status": 500],
                ]
            ),
            answers: [Schemas.answer("Fault", Schemas.fault, "The fault with its id", .created)],
            handle: add
        ),
        ControlOperation(
            .post,
            "/faults/check",
            "Which requests of the journal a match would have met; nothing changes",
            body: .json(
                name: "MatchCheck",
                schema: Schemas.closed(
                    [("match", Schemas.match)],
                    optional: [("limit", .integer(minimum: 1, maximum: mostChecked))]
                ),
                isRequired: true,
                example: ["match": ["method": "POST", "path": "/api/v1/auth/*"], "limit": 3]
            ),
            answers: [
                Schemas.answer(
                    "MatchFinding",
                    Schemas.object([
                        ("checked", .integer()), ("count", .integer()), ("requests", .array(.string())),
                        (
                            "nearMisses",
                            .array(Schemas.object([("id", .string()), ("differences", .array(.string()))]))
                        ),
                    ]),
                    "What it would have met, newest first, and the five nearest misses"
                )
            ],
            act: check
        ),
        ControlOperation(
            .delete,
            "/faults",
            "Takes all faults away",
            answers: [AnswerDeclaration(.noContent, "Cleared", .none)]
        ) { call throws(Problem) in
            let hosted = try call.world()
            let scope = call.api.map { call.emulator.apis[$0].identity.name }
            hosted.world.faults.remove { scope == nil || $0.spec.matcher.api == scope }
            return ControlAnswer.nothing
        },
        ControlOperation(
            .get,
            "/faults/{id}",
            "One fault",
            parameters: [id],
            answers: [Schemas.answer("Fault", Schemas.fault, "The fault, with its hits")]
        ) { call throws(Problem) in
            let hosted = try call.world()
            guard let fault = hosted.world.faults[call.parameters[0]] else { throw unknown(call) }
            return ControlAnswer.json(fault.json)
        },
        ControlOperation(
            .delete,
            "/faults/{id}",
            "Takes a fault away",
            parameters: [id],
            answers: [AnswerDeclaration(.noContent, "Gone", .none)]
        ) { call throws(Problem) in
            let hosted = try call.world()
            guard hosted.world.faults.remove({ $0.id == call.parameters[0] }) > 0 else { throw unknown(call) }
            return ControlAnswer.nothing
        },
    ]

    private static func add(_ call: ControlCall) throws(Problem) -> Response {
        let hosted = try call.world()
        var check = BodyCheck(try call.shortObject())
        let spec = FaultSpec.read(
            &check,
            apis: call.emulator.apis.map(\.identity.name),
            scope: call.api.map { call.emulator.apis[$0].identity.name }
        )
        try check.finish()
        guard let spec else { return ControlAnswer.nothing }
        let limit = call.emulator.configuration.maximumFaults
        guard hosted.world.faults.count < limit else {
            throw Problem(
                .tooManyFaults,
                "The world \(hosted.world.name) has \(hosted.world.faults.count) faults, which is the limit. Nothing was changed."
            )
        }
        let fault = hosted.world.faults.add(spec, .control)
        return ControlAnswer.json(
            MatchWarnings(call, hosted).added(to: fault.json, for: fault.spec.matcher),
            status: .created
        )
    }

    private static let mostChecked: Int64 = 100

    /// Tells what a match would have met in the journal (console contract, section 6).
    private static func check(_ call: ControlCall) throws(Problem) -> ControlDecision {
        let journal = call.emulator.journal(of: try call.world())
        var check = BodyCheck(try call.shortObject())
        let scope = call.api.map { call.emulator.apis[$0].identity.name }
        if check.value("match") == nil { check.fault("match", "is required") }
        let matcher = Matcher.read(&check, apis: call.emulator.apis.map(\.identity.name), scope: scope)
        let limit = Int(check.integer("limit", in: 1...mostChecked) ?? 10)
        try check.finish()
        return ControlJob.Work(isShort: journal.isShort && journal.entries.count <= mostInPlace, .searches) { wanted in
            var search = JournalSearch(matcher)
            var ids: [JSON] = []
            var (checked, count) = (0, 0)
            journal.entries.forEachPlaceNewestFirst { place in
                checked += 1
                if search.takes(place) {
                    count += 1
                    if ids.count < limit, let id = place.id { ids.append(.string(id)) }
                }
                return wanted.holds
            }
            return ControlAnswer.json([
                "checked": .integer(Int64(checked)), "count": .integer(Int64(count)), "requests": .array(ids),
                "nearMisses": .array(Verification.nearMisses(of: matcher, in: journal.entries, wanted)),
            ])
        }.reply
    }

    /// The number of entries up to which a search takes well under a millisecond.
    private static let mostInPlace = 128

    private static func unknown(_ call: ControlCall) -> Problem {
        Problem(
            .notFound,
            "There is no fault \"\(call.parameters[0].cut)\" in this world; GET /__admin/faults lists them."
        )
    }
}

/// Latency (control contract, section 9).
enum LatencyOperations {
    static let all: [ControlOperation] = [
        ControlOperation(
            .get,
            "/latency",
            "How slow the world's network is",
            answers: [Schemas.answer("Latency", Schemas.latency, "As it was set")]
        ) { call throws(Problem) in ControlAnswer.json(json(try call.world(), call)) },
        ControlOperation(
            .put,
            "/latency",
            "Sets how slow the world's network is",
            body: .json(name: "Latency", schema: Schemas.latency, isRequired: true, example: ["profile": "lte"]),
            answers: [Schemas.answer("LatencyAnswer", Schemas.latencyAnswer, "As it is now")]
        ) { call throws(Problem) in
            let hosted = try call.world()
            let scope = call.api.map { call.emulator.apis[$0].identity.name }
            var check = BodyCheck(try call.shortObject())
            let latency = Latency.read(&check, apis: call.emulator.apis.map(\.identity.name), scope: scope)
            try check.finish()
            hosted.world.latency.set(latency, .control, scope: scope)
            let answer = json(hosted, call)
            guard let matcher = latency?.matcher else { return ControlAnswer.json(answer) }
            return ControlAnswer.json(MatchWarnings(call, hosted).added(to: answer, for: matcher))
        },
    ]

    private static func json(_ hosted: Emulator.HostedWorld, _ call: ControlCall) -> JSON {
        let scope = call.api.map { call.emulator.apis[$0].identity.name }
        return hosted.world.latency.current(scope: scope)?.json ?? Latency.noneJSON
    }
}
