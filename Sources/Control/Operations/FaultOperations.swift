import Backend
import Basics
import Conditions
import Engine
import HTTPMessage
import JSON
import Journal
import Worlds

/// Faults (control contract, section 8).
enum FaultOperations {
    private static let id = Parameter("id", in: .path, .string(), "The fault's id, such as flt_1")

    static let all: [ControlOperation] = [
        ControlOperation(
            .get,
            "/faults",
            "Lists the world's faults in the order in which they are tried",
            isList: true,
            answers: [
                Schemas.answer(
                    "Faults",
                    Schemas.object([("items", .array(Schemas.fault)), ("enabled", .boolean)]),
                    "The faults with their hit counts, and whether the switch for all is on"
                )
            ]
        ) { call throws(Problem) in
            let scope = call.scope
            let registry = try call.world().world.faults
            let faults = registry.faults.filter { fault in
                scope == nil || fault.spec.matcher.api == nil || fault.spec.matcher.api == scope
            }
            return try call.page().response(faults, rest: ["enabled": .bool(registry.isEnabled)], \.json)
        },
        ControlOperation(
            .put,
            "/faults",
            "Switches all faults of the world on or off; each keeps its own switch",
            body: .json(
                name: "FaultSwitch",
                schema: .closed(switchedOn.property),
                isRequired: true,
                example: ["enabled": false]
            ),
            answers: [Schemas.answer("FaultSwitch", Schemas.object([("enabled", .boolean)]), "The new state")],
            handle: switchAll
        ),
        ControlOperation(
            .post,
            "/faults",
            "Creates a fault",
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
            "Tests a match against the requests in the journal; changes nothing",
            body: .json(
                name: "MatchCheck",
                schema: .closed(JSONSchema.Property("match", Matcher.schema), checked.property),
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
                    "The matching requests, newest first, and the five nearest misses"
                )
            ],
            act: check
        ),
        ControlOperation(
            .delete,
            "/faults",
            "Deletes all faults",
            answers: [AnswerDeclaration(.noContent, "Cleared", .none)]
        ) { call throws(Problem) in
            let hosted = try call.world()
            let scope = call.api.map { call.emulator.apis[$0].identity.name }
            hosted.world.faults.remove { scope == nil || $0.spec.matcher.api == scope }
            call.noteFaults(.deleted, api: scope, in: hosted)
            return ControlAnswer.nothing
        },
        ControlOperation(
            .get,
            "/faults/{id}",
            "Returns a fault",
            parameters: [id],
            answers: [Schemas.answer("Fault", Schemas.fault, "The fault, with its hit count")]
        ) { call throws(Problem) in
            let hosted = try call.world()
            guard let fault = hosted.world.faults[call.parameters[0]] else { throw unknown(call) }
            return ControlAnswer.json(fault.json)
        },
        ControlOperation(
            .delete,
            "/faults/{id}",
            "Deletes a fault",
            parameters: [id],
            answers: [AnswerDeclaration(.noContent, "Gone", .none)]
        ) { call throws(Problem) in
            let hosted = try call.world()
            guard let fault = hosted.world.faults[call.parameters[0]] else { throw unknown(call) }
            hosted.world.faults.remove { $0.id == fault.id }
            call.noteFaults(.deleted, fault.id, named: fault.spec.name, api: fault.spec.matcher.api, in: hosted)
            return ControlAnswer.nothing
        },
        ControlOperation(
            .patch,
            "/faults/{id}",
            "Changes a fault; a new match or when resets its counts",
            parameters: [id],
            body: .json(
                name: "FaultChange",
                schema: Schemas.faultChange,
                isRequired: true,
                example: ["enabled": false]
            ),
            answers: [Schemas.answer("Fault", Schemas.fault, "The changed fault")],
            handle: change
        ),
    ]

    private static func add(_ call: ControlCall) throws(Problem) -> Response {
        let hosted = try call.world()
        var check = BodyCheck(try call.shortObject())
        let spec = FaultSpec.read(
            &check,
            apis: call.emulator.apis.map(\.identity.name),
            scope: call.api.map { call.emulator.apis[$0].identity.name }
        )
        refuseTokens(of: spec, &check, call)
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
        call.noteFaults(.added, fault.id, api: spec.matcher.api, in: hosted)
        return ControlAnswer.json(
            MatchWarnings(call, hosted).added(to: fault.json, for: fault.spec.matcher),
            status: .created
        )
    }

    /// Refuses to end tokens where no API that the fault can act on issues any (own-API contract, section 15).
    private static func refuseTokens(of spec: FaultSpec?, _ check: inout BodyCheck, _ call: ControlCall) {
        guard let spec, case .actsOnCredentials = spec.behavior else { return }
        let named = spec.matcher.api ?? call.scope
        let apis = call.emulator.apis.filter { named == nil || $0.identity.name == named }
        guard !apis.contains(where: \.hooks.hasTokens) else { return }
        check.fault(
            "effect.tokens",
            "can't be used: \(named.map { "\($0) has no" } ?? "no API has a") sign-in, so there are no tokens"
        )
    }

    private static func switchAll(_ call: ControlCall) throws(Problem) -> Response {
        let hosted = try call.world()
        var check = BodyCheck(try call.object())
        let isEnabled = check.read(switchedOn)
        try check.finish()
        guard let isEnabled else { return ControlAnswer.nothing }
        hosted.world.faults.setEnabled(isEnabled)
        call.noteFaults(.changed, in: hosted)
        return ControlAnswer.json(["enabled": .bool(isEnabled)])
    }

    /// The members of a fault that begin its counts anew when they are given.
    private static let renewing = ["match", "when"]

    private static func change(_ call: ControlCall) throws(Problem) -> Response {
        let hosted = try call.world()
        guard let former = hosted.world.faults[call.parameters[0]] else { throw unknown(call) }
        let body = try call.shortObject()
        var merged = former.spec.order
        for member in body.members { merged[member.name] = member.value.isNull ? nil : member.value }
        var check = BodyCheck(merged)
        if body.isEmpty { check.fault("must have at least one member to change") }
        // Null takes the member away, and so gives the value of an order without it.
        let isEnabled = body["enabled"].map { $0.boolValue ?? true }
        // Places are counted among the faults that the call sees.
        let seen = hosted.world.faults.faults.filter { fault in
            call.scope == nil || fault.spec.matcher.api == nil || fault.spec.matcher.api == call.scope
        }
        let position = check.integer("position", in: 1...Int64(max(seen.count, 1))).map(Int.init)
        let spec = FaultSpec.read(&check, apis: call.emulator.apis.map(\.identity.name), scope: call.scope)
        refuseTokens(of: spec, &check, call)
        try check.finish()
        let isRead = body.members.contains { $0.name != "enabled" && $0.name != "position" }
        let fault = hosted.world.faults.change(
            former.id,
            spec: isRead ? spec : nil,
            isEnabled: isEnabled,
            startsAnew: renewing.contains { body[$0] != nil },
            movedTo: position.flatMap { place(of: $0, of: former, among: seen, in: hosted) }
        )
        guard let fault else { throw unknown(call) }
        call.noteFaults(.changed, fault.id, api: fault.spec.matcher.api, in: hosted)
        guard body["match"] != nil else { return ControlAnswer.json(fault.json) }
        return ControlAnswer.json(MatchWarnings(call, hosted).added(to: fault.json, for: fault.spec.matcher))
    }

    /// Returns the place, from 0, in the world's list without a fault, that stands for a position among those seen.
    private static func place(
        of position: Int,
        of former: Fault,
        among seen: [Fault],
        in hosted: Emulator.HostedWorld
    ) -> Int? {
        let others = seen.filter { $0.id != former.id }
        let rest = hosted.world.faults.faults.filter { $0.id != former.id }
        guard position <= others.count else {
            // Behind the last of those seen.
            return others.last.flatMap { last in rest.firstIndex { $0.id == last.id } }.map { $0 + 1 }
        }
        return rest.firstIndex { $0.id == others[position - 1].id }
    }

    private static let switchedOn = FaultSpec.Member.enabled.required()
    private static let checked = BodyMember("limit", .integer(in: 1...100))

    /// Tells what a match would have met in the journal (console contract, section 6).
    private static func check(_ call: ControlCall) throws(Problem) -> ControlDecision {
        let journal = call.emulator.journal(of: try call.world())
        var check = BodyCheck(try call.shortObject())
        let scope = call.api.map { call.emulator.apis[$0].identity.name }
        if check.value("match") == nil { check.fault("match", "is required") }
        let matcher = Matcher.read(&check, apis: call.emulator.apis.map(\.identity.name), scope: scope)
        let limit = Int(check.read(checked) ?? 10)
        try check.finish()
        return ControlJob.Work(isShort: journal.isShort && journal.entries.count <= mostInPlace, .searches) { wanted in
            var search = JournalSearch(matcher)
            var ids: [JSON] = []
            var (checked, count) = (0, 0)
            journal.entries.forEachPlaceNewestFirst { place in
                // On an API's own port there are no others.
                guard scope == nil || place.api == scope else { return wanted.holds }
                checked += 1
                if search.takes(place) {
                    count += 1
                    if ids.count < limit, let id = place.id { ids.append(.string(id)) }
                }
                return wanted.holds
            }
            return ControlAnswer.json([
                "checked": .integer(Int64(checked)), "count": .integer(Int64(count)), "requests": .array(ids),
                "nearMisses": .array(Verification.nearMisses(of: matcher, api: scope, in: journal.entries, wanted)),
            ])
        }.reply
    }

    /// The number of entries up to which a search takes well under a millisecond.
    private static let mostInPlace = 128

    private static func unknown(_ call: ControlCall) -> Problem {
        let known = (try? call.world())?.world.faults.faults.map(\.id) ?? []
        let hint = Suggestion.question(to: call.parameters[0], among: known)
        return Problem(
            .notFound,
            "There is no fault \"\(call.parameters[0].cut)\" in this world; GET /__admin/faults lists them.\(hint)"
        )
    }
}

extension ControlCall {
    /// Tells the watchers, and writes a note, that faults have changed.
    fileprivate func noteFaults(
        _ action: Emulator.ChangeAction,
        _ id: String? = nil,
        named former: String? = nil,
        api: String? = nil,
        in hosted: Emulator.HostedWorld
    ) {
        emulator.noteChange(.faults, action, id, api: api, in: hosted)
        let text: String
        if let id {
            let name = (former ?? hosted.world.faults[id]?.spec.name).map { " (\($0))" } ?? ""
            text = "The fault \(id)\(name) was \(action.rawValue)"
        } else if action == .deleted {
            text = "The faults were deleted"
        } else {
            text = "All faults were switched \(hosted.world.faults.isEnabled ? "on" : "off")"
        }
        emulator.write(.faults, text, in: hosted, at: hostTime)
    }
}

/// Latency (control contract, section 9).
enum LatencyOperations {
    static let all: [ControlOperation] = [
        ControlOperation(
            .get,
            "/latency",
            "Returns the latency of the world's network",
            answers: [Schemas.answer("Latency", Latency.schema(), "The latency as it was set")]
        ) { call throws(Problem) in ControlAnswer.json(json(try call.world(), call)) },
        ControlOperation(
            .put,
            "/latency",
            "Sets the latency of the world's network",
            body: .json(name: "Latency", schema: Latency.schema(), isRequired: true, example: ["profile": "lte"]),
            answers: [
                Schemas.answer(
                    "LatencyAnswer",
                    Latency.schema(adding: [
                        JSONSchema.Property("warnings", MatchWarnings.schema, isRequired: false)
                    ]),
                    "The new latency"
                )
            ]
        ) { call throws(Problem) in
            let hosted = try call.world()
            let scope = call.api.map { call.emulator.apis[$0].identity.name }
            var check = BodyCheck(try call.shortObject())
            let latency = Latency.read(&check, apis: call.emulator.apis.map(\.identity.name), scope: scope)
            try check.finish()
            hosted.world.latency.set(latency, .control, scope: scope)
            call.emulator.noteChange(.latency, .changed, api: scope, in: hosted)
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
