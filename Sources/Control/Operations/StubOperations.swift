import Backend
import Basics
import Conditions
import Engine
import HTTPMessage
import JSON
import Journal
import Worlds

/// Stubs (own-API contract, section 8).
enum StubOperations {
    private static let id = Parameter("id", in: .path, .string(), "The stub's id, such as stb_1")
    private static let source = Parameter(
        "source",
        in: .query,
        .string(enumeration: ["call"]),
        "Only stubs that calls have added"
    )
    private static let example: JSON = [
        "match": ["api": "omnichat", "method": "GET", "path": "/api/v1/offers/{id}"],
        "response": ["status": 200, "body": ["id": "{{path.id}}", "until": "{{now+P1D}}"]],
    ]

    static let all: [ControlOperation] = [
        ControlOperation(
            .get,
            "/stubs",
            "Lists the world's stubs in the order in which they are tried",
            isList: true,
            answers: [Schemas.answer("Stubs", Schemas.list(Schemas.stub), "The stubs, with their hit counts")],
            act: { call throws(Problem) in
                let scope = call.scope
                let stubs = try call.world().world.stubs.stubs.filter { scope == nil || $0.spec.api == scope }
                let page = try call.page()
                let isShort = stubs.count <= mostInPlace && !stubs.contains { $0.spec.isLong }
                return ControlJob.Work(isShort: isShort) { wanted in
                    page.response(stubs) { wanted.holds ? $0.json : .null }
                }.reply
            }
        ),
        ControlOperation(
            .post,
            "/stubs",
            "Creates a stub, before all others unless position is given",
            body: .json(name: "StubOrder", schema: Schemas.stubOrder, isRequired: true, example: example),
            answers: [Schemas.answer("Stub", Schemas.stub, "The stub with its id", .created)],
            act: add
        ),
        ControlOperation(
            .delete,
            "/stubs",
            "Deletes all stubs",
            parameters: [source],
            answers: [AnswerDeclaration(.noContent, "Cleared", .none)]
        ) { call throws(Problem) in
            let hosted = try call.world()
            let scope = call.scope
            let ofCalls = try readSource(call)
            hosted.world.stubs.remove { stub in
                (scope == nil || stub.spec.api == scope) && (!ofCalls || stub.origin == .call)
            }
            call.noteStubs(.deleted, nil, api: scope, in: hosted)
            return ControlAnswer.nothing
        },
        ControlOperation(
            .get,
            "/stubs/{id}",
            "Returns a stub",
            parameters: [id],
            answers: [Schemas.answer("Stub", Schemas.stub, "The stub, with its hit count")],
            act: { call throws(Problem) in reply(try find(call, try call.world())) }
        ),
        ControlOperation(
            .put,
            "/stubs/{id}",
            "Replaces a stub",
            parameters: [id],
            body: .json(name: "StubReplacement", schema: Schemas.stubReplacement, isRequired: true, example: example),
            answers: [Schemas.answer("Stub", Schemas.stub, "The changed stub")],
            act: replace
        ),
        ControlOperation(
            .patch,
            "/stubs/{id}",
            "Changes a stub",
            parameters: [id],
            body: .json(
                name: "StubChange",
                schema: Schemas.stubChange,
                isRequired: true,
                example: ["enabled": false]
            ),
            answers: [Schemas.answer("Stub", Schemas.stub, "The changed stub")],
            act: change
        ),
        ControlOperation(
            .delete,
            "/stubs/{id}",
            "Deletes a stub",
            parameters: [id],
            answers: [AnswerDeclaration(.noContent, "Gone", .none)]
        ) { call throws(Problem) in
            let hosted = try call.world()
            let stub = try find(call, hosted)
            hosted.world.stubs.remove { $0.id == stub.id }
            call.noteStubs(.deleted, stub.id, api: stub.spec.api, in: hosted)
            return ControlAnswer.nothing
        },
    ]

    private static func find(_ call: ControlCall, _ hosted: Emulator.HostedWorld) throws(Problem) -> Stub {
        guard let stub = hosted.world.stubs[call.parameters[0]] else {
            throw Problem(
                .notFound,
                "There is no stub \"\(call.parameters[0].cut)\" in this world; GET /__admin/stubs lists them."
            )
        }
        return stub
    }

    private static func readSource(_ call: ControlCall) throws(Problem) -> Bool {
        guard let text = call.query.last("source") else { return false }
        guard text == "call" else {
            throw Problem(
                .invalidParameter,
                "The query parameter source must be call.",
                items: [Problem.Item(path: "?source", reason: "must be call")]
            )
        }
        return true
    }

    // MARK: Writing

    /// Stubs up to which a list is written on the loop.
    private static let mostInPlace = 50

    /// Answers with a stub; a worker writes a long one.
    private static func reply(_ stub: Stub, _ status: Status = .ok) -> ControlDecision {
        ControlJob.Work(isShort: !stub.spec.isLong) { _ in ControlAnswer.json(stub.json, status: status) }.reply
    }

    private static func add(_ call: ControlCall) throws(Problem) -> ControlDecision {
        let hosted = try call.world()
        let body = try call.object()
        let limit = StubRegistry.most
        let reader = reader(of: body, call, mostPosition: limit)
        return try drafted(call, reader, isLong: false) { draft throws(Problem) in
            try isThere(hosted, call)
            var draft = draft
            let order = order(hosted, call, without: nil)
            if let position = draft.position, position > order.count + 1 {
                draft.check.fault("position", "must be at most \(order.count + 1), one more than the number of stubs")
            }
            try draft.check.finish()
            guard let spec = draft.spec else { return .now(ControlAnswer.nothing) }
            guard hosted.world.stubs.count < limit else {
                throw Problem(
                    .tooManyStubs,
                    "The world \(hosted.world.name) has \(hosted.world.stubs.count) stubs, which is the limit. Nothing was changed."
                )
            }
            let stub = hosted.world.stubs.add(
                spec,
                .call,
                isEnabled: draft.isEnabled ?? true,
                at: draft.position.map { place(of: $0, in: order, hosted, without: nil) } ?? 0
            )
            call.noteStubs(.added, stub.id, api: spec.api, in: hosted)
            return reply(stub, .created)
        }
    }

    private static func replace(_ call: ControlCall) throws(Problem) -> ControlDecision {
        let hosted = try call.world()
        let former = try find(call, hosted)
        let body = try call.object()
        let reader = reader(of: body, call, former, mostPosition: nil)
        return try drafted(call, reader, isLong: false) { draft throws(Problem) in
            try isThere(hosted, call)
            _ = try find(call, hosted)
            var draft = draft
            try draft.check.finish()
            let isEnabled = draft.isEnabled ?? true
            guard let spec = draft.spec,
                let stub = hosted.world.stubs.change(former.id, spec: spec, isEnabled: isEnabled, startsAnew: true)
            else { return .now(ControlAnswer.nothing) }
            call.noteStubs(.changed, stub.id, api: spec.api, in: hosted)
            return reply(stub)
        }
    }

    /// The members of a stub that begin its counts anew when they are given.
    private static let renewing = ["match", "when", "response", "responses"]

    private static func change(_ call: ControlCall) throws(Problem) -> ControlDecision {
        let hosted = try call.world()
        let former = try find(call, hosted)
        let body = try call.object()
        let isRead = body.members.contains { $0.name != "enabled" && $0.name != "position" }
        var merged = isRead ? former.merged(with: body) : JSONObject()
        // Read beside the members of the stub.
        for name in ["enabled", "position"] { merged[name] = body[name] }
        let mostPosition = order(hosted, call, without: former.id).count + 1
        let reader =
            isRead
            ? reader(of: merged, call, former, mostPosition: mostPosition)
            : StubDraft.Reader(object: merged, context: nil, problem: nil, mostPosition: mostPosition)
        return try drafted(call, reader, isLong: isRead && former.spec.isLong) { draft throws(Problem) in
            try isThere(hosted, call)
            // What another call has changed meanwhile is part of the stub.
            guard try find(call, hosted).spec === former.spec else { return try change(call) }
            var draft = draft
            if body.isEmpty { draft.check.fault("must have at least one member to change") }
            try draft.check.finish()
            let order = order(hosted, call, without: former.id)
            let stub = hosted.world.stubs.change(
                former.id,
                spec: isRead ? draft.spec : nil,
                isEnabled: body["enabled"]?.isNull == true ? true : draft.isEnabled,
                startsAnew: renewing.contains { body[$0] != nil },
                movedTo: draft.position.map { place(of: $0, in: order, hosted, without: former.id) }
            )
            guard let stub else { return .now(ControlAnswer.nothing) }
            call.noteStubs(.changed, stub.id, api: stub.spec.api, in: hosted)
            return reply(stub)
        }
    }

    /// Throws if the world of a call has gone while a worker read its body.
    private static func isThere(_ hosted: Emulator.HostedWorld, _ call: ControlCall) throws(Problem) {
        guard call.emulator.hosted(key: hosted.key) === hosted else {
            throw Emulator.unknownWorld(hosted.world.name)
        }
    }

    /// Reads a stub, on a worker if it is long, and continues with it.
    private static func drafted(
        _ call: ControlCall,
        _ reader: StubDraft.Reader,
        isLong: Bool,
        then finish: @escaping (StubDraft) throws(Problem) -> ControlDecision
    ) throws(Problem) -> ControlDecision {
        guard isLong || call.request.body.bytes.count > StubSpec.longSource else { return try finish(reader.read()) }
        let reading = ControlJob.Reading(
            read: { ControlJob.Reading.Outcome(value: .stub(reader.read())) },
            finish: { outcome, _ in
                guard case .stub(let draft) = outcome.value else { return .now(ControlAnswer.nothing) }
                do throws(Problem) {
                    return try finish(draft)
                } catch {
                    return .now(error.response)
                }
            }
        )
        return .job(.reading(reading))
    }

    /// The way to read a stub for the API that the call, the body or the former stub names.
    private static func reader(
        of body: JSONObject,
        _ call: ControlCall,
        _ former: Stub? = nil,
        mostPosition: Int?
    ) -> StubDraft.Reader {
        let apis = call.emulator.apis
        let named = body["match"]?["api"]?.stringValue
        let name = call.scope ?? former?.spec.api ?? named
        func reader(_ context: StubContext?, _ problem: String?) -> StubDraft.Reader {
            StubDraft.Reader(object: body, context: context, problem: problem, mostPosition: mostPosition)
        }
        guard let name else { return reader(nil, "is required on the hub, unless the query names an API") }
        guard let api = apis.first(where: { $0.identity.name == name }) else {
            let names = apis.map(\.identity.name)
            return reader(nil, MemberReason.choice(.string(name), among: names))
        }
        return reader(StubContext(api, scope: name), nil)
    }

    // MARK: Order

    /// The ids of the stubs that a call sees, in their order.
    private static func order(
        _ hosted: Emulator.HostedWorld,
        _ call: ControlCall,
        without id: String?
    ) -> [String] {
        let scope = call.scope
        return hosted.world.stubs.stubs.filter { ($0.spec.api == scope || scope == nil) && $0.id != id }.map(\.id)
    }

    /// The place, from 0, in the world's list without a stub that has a position, from 1, among those that a call sees.
    private static func place(
        of position: Int,
        in order: [String],
        _ hosted: Emulator.HostedWorld,
        without id: String?
    ) -> Int {
        let rest = hosted.world.stubs.stubs.filter { $0.id != id }
        guard position <= order.count else { return rest.count }
        return rest.firstIndex { $0.id == order[position - 1] } ?? rest.count
    }
}

extension ControlCall {
    /// The name of the API that the call is addressed to.
    var scope: String? { api.map { emulator.apis[$0].identity.name } }
}

extension ControlCall {
    /// Tells the watchers, and writes a note, that stubs have changed.
    fileprivate func noteStubs(
        _ action: Emulator.ChangeAction,
        _ id: String?,
        api: String?,
        in hosted: Emulator.HostedWorld
    ) {
        emulator.noteChange(.stubs, action, id, api: api, in: hosted)
        let subject = id.map { "The stub \($0) was" } ?? "Stubs were"
        emulator.write(.stubs, "\(subject) \(action.rawValue)", in: hosted, at: hostTime)
    }
}
