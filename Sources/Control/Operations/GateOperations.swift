import Backend
import CivilTime
import Conditions
import Engine
import HTTPMessage
import JSON
import Worlds

/// Gates (control contract, section 10).
enum GateOperations {
    private static let name = Parameter("name", in: .path, .string(), "The gate")
    private static let gateName = BodyMember("name", .name(hasUppercase: true, isInPaths: true))
    private static let released = BodyMember("count", .count(from: 1))
    /// The maximum wait of a call in seconds of real time.
    private static let longestWait = 60

    static let all: [ControlOperation] = [
        ControlOperation(
            .get,
            "/gates",
            "Lists the world's gates",
            isList: true,
            answers: [Schemas.answer("Gates", Schemas.list(Schemas.gate), "The gates and their held requests")]
        ) { call throws(Problem) in
            let hosted = try call.world()
            let scope = call.api.map { call.emulator.apis[$0].identity.name }
            let gates = hosted.world.gates.gates.filter {
                scope == nil || $0.matcher.api == nil || $0.matcher.api == scope
            }
            let held = call.emulator.heldByGate(in: hosted)
            return try call.list(gates) { json($0, held[$0.name] ?? [], isWhole: true) }
        },
        ControlOperation(
            .post,
            "/gates",
            "Creates a gate",
            body: .json(
                name: "GateOrder",
                schema: .closed(
                    gateName.property,
                    Matcher.property,
                    FaultSpec.Member.phase.property,
                    FaultSpec.Member.enabled.property
                ),
                isRequired: true,
                example: ["name": "g1", "match": ["path": "/api/v1/auth/refresh"], "phase": "before"]
            ),
            answers: [Schemas.answer("Gate", Schemas.gate, "The gate", .created)],
            handle: add
        ),
        ControlOperation(
            .get,
            "/gates/{name}",
            "Returns a gate and the requests it holds; with ?wait= as soon as there is one",
            parameters: [
                name,
                Parameter(
                    "wait",
                    in: .query,
                    .boundedNumber(minimum: 0, maximum: Double(longestWait)),
                    "Seconds of real time to wait for a request"
                ),
            ],
            answers: [Schemas.answer("Gate", Schemas.gate, "The gate, with the journal keys of the held requests")],
            waiting: ControlWaiting(patience: patience)
        ) { call throws(Problem) in
            let hosted = try call.world()
            return ControlAnswer.json(json(try find(hosted, call), hosted, call))
        },
        ControlOperation(
            .patch,
            "/gates/{name}",
            "Changes a gate, which keeps the requests it holds",
            parameters: [name],
            body: .json(
                name: "GateChange",
                schema: .closed(
                    FaultSpec.Member.enabled.change,
                    Schemas.change(Matcher.property),
                    FaultSpec.Member.phase.change
                ),
                isRequired: true,
                example: ["enabled": false]
            ),
            answers: [Schemas.answer("Gate", Schemas.gate, "The changed gate")],
            handle: change
        ),
        ControlOperation(
            .post,
            "/gates/{name}/release",
            "Releases held requests",
            parameters: [name],
            body: .json(
                name: "GateRelease",
                schema: .closed(
                    released.property,
                    JSONSchema.Property("effect", FaultEffects.schema, isRequired: false),
                    JSONSchema.Property("held", .array(.string()), isRequired: false)
                ),
                isRequired: false,
                example: ["count": 1]
            ),
            answers: [
                Schemas.answer(
                    "GateReleased",
                    Schemas.object([
                        ("name", .string()), ("held", .array(.string())), ("passed", .integer()),
                        ("released", .array(.string())),
                    ]),
                    "The requests still held, and those released"
                )
            ],
            act: { call throws(Problem) in
                let isLong = try isLong(call)
                return inTurns(try release(call), isLong, call)
            }
        ),
        ControlOperation(
            .delete,
            "/gates/{name}",
            "Releases all held requests and deletes the gate",
            parameters: [name],
            answers: [AnswerDeclaration(.noContent, "Gone", .none)],
            act: { call throws(Problem) in
                let isLong = try isLong(call)
                return inTurns(try removal(call), isLong, call)
            }
        ),
    ]

    /// The maximum number of requests that a call names, more than there are connections.
    private static let mostNamed = 10_000
    /// The number of requests that are released in one step.
    private static let mostAtOnce = 32

    private static func isLong(_ call: ControlCall) throws(Problem) -> Bool {
        let hosted = try call.world()
        return hosted.heldCount > mostAtOnce
    }

    private static func inTurns(_ steps: ControlJob.Steps, _ isLong: Bool, _ call: ControlCall) -> ControlDecision {
        isLong ? .job(.steps(steps)) : .now(steps.last(at: call.hostTime))
    }

    private static func removal(_ call: ControlCall) throws(Problem) -> ControlJob.Steps {
        let hosted = try call.world()
        let gate = try find(hosted, call)
        let ids = call.emulator.held(by: gate.name, in: hosted)
        hosted.world.gates.remove(gate.name)
        return letting(ids, of: gate, nil, hosted, call) { _ in
            call.emulator.noteGate(gate.name, "deleted", held: 0, in: hosted, scope: gate.matcher.api)
            return ControlAnswer.nothing
        }
    }

    /// Releases those requests in steps.
    ///
    /// Requests that reach the gate meanwhile, and those that leave it by themselves, are not among them.
    private static func letting(
        _ ids: [String],
        of gate: Gate,
        _ effect: FaultSpec?,
        _ hosted: Emulator.HostedWorld,
        _ call: ControlCall,
        answer: @escaping ([String]) -> Response
    ) -> ControlJob.Steps {
        var left = ids[...]
        var released: [String] = []
        return ControlJob.Steps { hostTime in
            let step = left.prefix(mostAtOnce)
            left = left.dropFirst(mostAtOnce)
            let release = call.emulator.release(gate.name, in: hosted, ids: Array(step), effect: effect, at: hostTime)
            released += release.ids
            call.host.resumed(release.resumed)
            call.host.answerAside(release.unanswered)
            return left.isEmpty ? answer(released) : nil
        }
    }

    private static func add(_ call: ControlCall) throws(Problem) -> Response {
        let hosted = try call.world()
        var check = BodyCheck(try call.shortObject())
        let name = check.read(gateName)
        let matcher = Matcher.read(
            &check,
            apis: call.emulator.apis.map(\.identity.name),
            scope: call.api.map { call.emulator.apis[$0].identity.name }
        )
        let phase = check.read(FaultSpec.Member.phase) ?? .before
        let isEnabled = check.read(FaultSpec.Member.enabled) ?? true
        try check.finish()
        if let name, hosted.world.gates[name] != nil {
            throw Problem(.nameTaken, "A gate named \(name) exists. Delete it, or choose another name.")
        }
        guard hosted.world.gates.count < call.emulator.configuration.maximumGates else {
            throw Problem(
                .tooManyGates,
                "The world \(hosted.world.name) has \(hosted.world.gates.count) gates, which is the limit. Nothing was changed."
            )
        }
        let gate = hosted.world.gates.add(name, matcher, phase, isEnabled: isEnabled)
        call.emulator.noteGate(gate.name, "added", held: 0, in: hosted, scope: matcher.api)
        let answer = json(gate, hosted, call, isWhole: true)
        return ControlAnswer.json(MatchWarnings(call, hosted).added(to: answer, for: matcher), status: .created)
    }

    private static func change(_ call: ControlCall) throws(Problem) -> Response {
        let hosted = try call.world()
        let former = try find(hosted, call)
        let body = try call.shortObject()
        var check = BodyCheck(body)
        if body.isEmpty { check.fault("must have at least one member to change") }
        let matcher = Matcher.read(&check, apis: call.emulator.apis.map(\.identity.name), scope: call.scope)
        let phase = check.read(FaultSpec.Member.phase)
        let isEnabled = check.read(FaultSpec.Member.enabled)
        try check.finish()
        // Null takes a member away, and so gives the value of an order without it.
        let gate = hosted.world.gates.change(
            former.name,
            matcher: body["match"] == nil ? nil : matcher,
            phase: body["phase"] == nil ? nil : phase ?? .before,
            isEnabled: body["enabled"] == nil ? nil : isEnabled ?? true
        )
        guard let gate else { return ControlAnswer.nothing }
        call.emulator.noteGate(gate.name, "changed", in: hosted, scope: gate.matcher.api)
        let answer = json(gate, hosted, call, isWhole: true)
        guard body["match"] != nil else { return ControlAnswer.json(answer) }
        return ControlAnswer.json(MatchWarnings(call, hosted).added(to: answer, for: gate.matcher))
    }

    /// Returns the time for which the response may wait; nil once the gate holds a request.
    private static func patience(_ call: ControlCall) throws(Problem) -> Interval? {
        guard let text = call.query.last("wait") else { return nil }
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
        guard isNumber, let seconds = Double(text), seconds <= Double(longestWait) else {
            throw Problem(
                .invalidParameter,
                "?wait= takes a number of seconds from 0 to \(longestWait).",
                items: [Problem.Item(path: "?wait", reason: "must be a number from 0 to \(longestWait)")]
            )
        }
        let hosted = try call.world()
        guard !call.emulator.holdsAnything(try find(hosted, call).name, in: hosted) else { return nil }
        return .microseconds(Int64(seconds * 1_000_000))
    }

    private static func release(_ call: ControlCall) throws(Problem) -> ControlJob.Steps {
        let hosted = try call.world()
        let gate = try find(hosted, call)
        var check = BodyCheck(try call.object())
        let count = check.read(released)
        let effect = readEffect(&check, phase: gate.phase)
        var ids: [String]?
        if let value = check.value("held"), (value.arrayValue?.count ?? 0) > mostNamed {
            check.fault("held", "must have at most \(mostNamed) keys")
        } else if let value = check.value("held") {
            let held = Set(call.emulator.held(by: gate.name, in: hosted))
            if let wanted = value.arrayValue?.compactMap(\.stringValue), wanted.count == value.arrayValue?.count {
                for (place, id) in wanted.enumerated() where !held.contains(id) && !check.isFull {
                    check.fault("held[\(place)]", "the gate does not hold \"\(id.cut)\"")
                }
                ids = wanted
            } else {
                check.fault("held", "must be a list of journal keys, in the order to release them")
            }
            if count != nil { check.fault("count", "give count or held, not both") }
        }
        try check.finish()
        var leaving = ids ?? call.emulator.held(by: gate.name, in: hosted)
        if let count { leaving = Array(leaving.prefix(count)) }
        return letting(leaving, of: gate, effect, hosted, call) { released in
            let after = hosted.world.gates[gate.name] ?? gate
            guard case .object(var object) = json(after, hosted, call) else { return ControlAnswer.nothing }
            object.append("released", .array(released.map { .string($0) }))
            return ControlAnswer.json(.object(object))
        }
    }

    /// Reads an effect, which has the size limit of a fault (control contract, section 17), whatever the list of keys
    /// takes.
    private static func readEffect(_ check: inout BodyCheck, phase: FaultSpec.Phase) -> FaultSpec? {
        if let effect = check.value("effect"),
            (BodyCheck.countedBytes(of: ["effect": effect])
                ?? effect.text(upTo: BodyCheck.mostBytes).utf8.count) > BodyCheck.mostBytes
        {
            check.fault("effect", "must be at most \(BodyCheck.mostBytes) bytes of JSON")
            return nil
        }
        return FaultSpec.readEffect(&check, phase: phase)
    }

    private static func find(_ hosted: Emulator.HostedWorld, _ call: ControlCall) throws(Problem) -> Gate {
        guard let gate = hosted.world.gates[call.parameters[0]] else {
            let known = hosted.world.gates.gates.map(\.name)
            let hint = Suggestion.question(to: call.parameters[0], among: known)
            throw Problem(.notFound, "There is no gate \"\(call.parameters[0].cut)\" in this world.\(hint)")
        }
        return gate
    }

    private static func json(
        _ gate: Gate,
        _ hosted: Emulator.HostedWorld,
        _ call: ControlCall,
        isWhole: Bool = false
    ) -> JSON {
        json(gate, call.emulator.held(by: gate.name, in: hosted), isWhole: isWhole)
    }

    private static func json(_ gate: Gate, _ held: [String], isWhole: Bool) -> JSON {
        var object: JSONObject = isWhole ? gate.members : ["name": .string(gate.name)]
        object.append("held", .array(held.map { .string($0) }))
        object.append("passed", .integer(Int64(gate.passed)))
        if isWhole { object.append("enabled", .bool(gate.isEnabled)) }
        return .object(object)
    }
}
