import Emulation
import HTTPMessage
import JSON

/// Stubs (own-API contract, section 8).
enum StubOperations {
    private static let id = Parameter("id", in: .path, .string(), "The stub's id, such as stb_1")
    private static let source = Parameter(
        "source",
        in: .query,
        .string(enumeration: ["call"]),
        "Only those that calls have added"
    )
    private static let example: JSON = [
        "match": ["api": "omnichat", "method": "GET", "path": "/api/v1/offers/{id}"],
        "response": ["status": 200, "body": ["id": "{{path.id}}", "until": "{{now+P1D}}"]],
    ]

    static let all: [ControlOperation] = [
        ControlOperation(
            .get,
            "/stubs",
            "The stubs of the world in the order in which they are tried",
            isList: true,
            answers: [Schemas.answer("Stubs", Schemas.list(Schemas.stub), "The stubs, with their hits")]
        ) { call throws(Problem) in
            let scope = call.scope
            let stubs = try call.world().world.stubs.stubs.filter { scope == nil || $0.spec.api == scope }
            return try call.list(stubs, \.json)
        },
        ControlOperation(
            .post,
            "/stubs",
            "Adds a stub, in front of all others unless it says its position",
            body: .json(name: "StubOrder", schema: Schemas.stubOrder, isRequired: true, example: example),
            answers: [Schemas.answer("Stub", Schemas.stub, "The stub with its id", .created)],
            handle: add
        ),
        ControlOperation(
            .delete,
            "/stubs",
            "Takes all stubs away",
            parameters: [source],
            answers: [AnswerDeclaration(.noContent, "Cleared", .none)]
        ) { call throws(Problem) in
            let hosted = try call.world()
            let scope = call.scope
            let ofCalls = try readSource(call)
            hosted.world.stubs.remove { stub in
                (scope == nil || stub.spec.api == scope) && (!ofCalls || stub.origin == .call)
            }
            call.noteStubs( .deleted, nil, api: scope, in: hosted)
            return ControlAnswer.nothing
        },
        ControlOperation(
            .get,
            "/stubs/{id}",
            "One stub",
            parameters: [id],
            answers: [Schemas.answer("Stub", Schemas.stub, "The stub, with its hits")]
        ) { call throws(Problem) in ControlAnswer.json(try find(call, try call.world()).json) },
        ControlOperation(
            .put,
            "/stubs/{id}",
            "Puts a new stub in the place of one",
            parameters: [id],
            body: .json(name: "StubReplacement", schema: Schemas.stubReplacement, isRequired: true, example: example),
            answers: [Schemas.answer("Stub", Schemas.stub, "The stub as it is now")],
            handle: replace
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
            answers: [Schemas.answer("Stub", Schemas.stub, "The stub as it is now")],
            handle: change
        ),
        ControlOperation(
            .delete,
            "/stubs/{id}",
            "Takes a stub away",
            parameters: [id],
            answers: [AnswerDeclaration(.noContent, "Gone", .none)]
        ) { call throws(Problem) in
            let hosted = try call.world()
            let stub = try find(call, hosted)
            hosted.world.stubs.remove { $0.id == stub.id }
            call.noteStubs( .deleted, stub.id, api: stub.spec.api, in: hosted)
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

    private static func add(_ call: ControlCall) throws(Problem) -> Response {
        let hosted = try call.world()
        let body = try call.object()
        var check = BodyCheck(body)
        let isEnabled = check.boolean("enabled") ?? true
        let limit = StubBook.most
        let position = check.integer("position", in: 1...Int64(limit)).map(Int.init)
        let spec = try read(body, &check, call)
        let order = order(hosted, call, without: nil)
        if let position, position > order.count + 1 {
            check.fault("position", "must be at most \(order.count + 1), the number of stubs and one")
        }
        try check.finish()
        guard let spec else { return ControlAnswer.nothing }
        guard hosted.world.stubs.count < limit else {
            throw Problem(
                .tooManyStubs,
                "The world \(hosted.world.name) has \(hosted.world.stubs.count) stubs, which is the limit. Nothing was changed."
            )
        }
        let place = place(of: position ?? 1, in: order, hosted, without: nil)
        let stub = hosted.world.stubs.add(
            spec,
            .call,
            isEnabled: isEnabled,
            at: position == nil ? 0 : place
        )
        call.noteStubs( .added, stub.id, api: spec.api, in: hosted)
        return ControlAnswer.json(stub.json, status: .created)
    }

    private static func replace(_ call: ControlCall) throws(Problem) -> Response {
        let hosted = try call.world()
        let former = try find(call, hosted)
        let body = try call.object()
        var check = BodyCheck(body)
        let isEnabled = check.boolean("enabled") ?? true
        let spec = try read(body, &check, call, of: former)
        try check.finish()
        guard let spec,
            let stub = hosted.world.stubs.change(former.id, spec: spec, isEnabled: isEnabled, startsAnew: true)
        else { return ControlAnswer.nothing }
        call.noteStubs( .changed, stub.id, api: spec.api, in: hosted)
        return ControlAnswer.json(stub.json)
    }

    /// The members of a stub that begin its counts anew when they are given.
    private static let renewing = ["match", "when", "response", "responses"]

    private static func change(_ call: ControlCall) throws(Problem) -> Response {
        let hosted = try call.world()
        let former = try find(call, hosted)
        let body = try call.object()
        var merged = former.merged(with: body)
        // Read beside the members of the stub.
        for name in ["enabled", "position"] { merged[name] = body[name] }
        var check = BodyCheck(merged)
        if body.isEmpty { check.fault("must have a member that is to be changed") }
        var isEnabled = check.boolean("enabled")
        if body["enabled"]?.isNull == true { isEnabled = true }
        let order = order(hosted, call, without: former.id)
        let position = check.integer("position", in: 1...Int64(order.count + 1)).map(Int.init)
        let spec = try read(merged, &check, call, of: former)
        try check.finish()
        let isRead = body.members.contains { $0.name != "enabled" && $0.name != "position" }
        let stub = hosted.world.stubs.change(
            former.id,
            spec: isRead ? spec : nil,
            isEnabled: isEnabled,
            startsAnew: renewing.contains { body[$0] != nil },
            movedTo: position.map { place(of: $0, in: order, hosted, without: former.id) }
        )
        guard let stub else { return ControlAnswer.nothing }
        call.noteStubs( .changed, stub.id, api: stub.spec.api, in: hosted)
        return ControlAnswer.json(stub.json)
    }

    /// Reads a stub for the API that the call, the body or the former stub names.
    private static func read(
        _ body: JSONObject,
        _ check: inout BodyCheck,
        _ call: ControlCall,
        of former: Stub? = nil
    ) throws(Problem) -> StubSpec? {
        let apis = call.emulator.apis
        let named = body["match"]?["api"]?.stringValue
        let name = call.scope ?? former?.spec.api ?? named
        // Known members, whatever is wrong with the API.
        for member in StubSpec.members { _ = check.present(member) }
        guard let name else {
            check.fault("match.api", "is required on the hub, unless the query has api")
            return nil
        }
        guard let api = apis.first(where: { $0.identity.name == name }) else {
            let names = apis.map(\.identity.name)
            let hint = Suggestion.nearest(to: name, among: names).map { "; did you mean \($0)?" } ?? ""
            check.fault("match.api", "must be one of \(names.joined(separator: ", "))\(hint)")
            return nil
        }
        return StubSpec.read(&check, body, StubContext(api, scope: name))
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

    /// The name of the API that the call is addressed to.
    var scope: String? { api.map { emulator.apis[$0].identity.name } }
}
