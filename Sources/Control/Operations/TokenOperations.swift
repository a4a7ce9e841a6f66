import Backend
import CivilTime
import Engine
import HTTPMessage
import JSON
import Worlds

/// The outbox, and the minting and ending of tokens (control contract, section 12).
enum TokenOperations {
    /// The number of messages up to which the outbox is searched on the loop.
    private static let mostMessages = 200

    private static let ended = BodyMember("tokens", .choice(TokenEnding.Scope.self))
        .required("is required: access, refresh or all")
    private static let delay = BodyMember("inSeconds", .seconds)
    private static let ending = JSONSchema.closed(ended.property, delay.property)

    private static let user = BodyMember("user", RequestValue.nonEmpty).required()
    private static let kind = BodyMember("kind", .choice(TokenOrder.Kind.self)).required()
    private static let named = BodyMember("api", .string())
    private static let state = BodyMember("state", .choice(TokenOrder.State.self))
    private static let life = BodyMember("ttlSeconds", .seconds)
    private static let claims = BodyMember("claims", .anyObject)

    private static let who = Parameter(
        "who",
        in: .path,
        .described(.string(), example: "test@icloud.com"),
        "An e-mail or an id"
    )

    static let all: [ControlOperation] = [
        ControlOperation(
            .get,
            "/outbox",
            "Lists the messages that the backends would have sent, newest first",
            reads: .seed,
            parameters: [Parameter("to", in: .query, .string(), "Only messages to this address; case is ignored")],
            isList: true,
            answers: [
                Schemas.answer(
                    "Outbox",
                    Schemas.list(
                        Schemas.object(
                            [("to", .string()), ("kind", .string()), ("api", .string()), ("at", Schemas.instant)],
                            optional: [
                                ("code", .string()), ("token", .string()), ("url", .string()),
                                ("title", .string()), ("body", .string()), ("data", .object(JSONSchema.Object())),
                                ("expiresAt", Schemas.instant),
                            ]
                        )
                    ),
                    "The messages"
                )
            ],
            act: { call throws(Problem) in
                let to = call.query.last("to")?.lowercased()
                let api = call.api.map { call.emulator.apis[$0].identity.name }
                let outbox = try call.world().world.core.outbox
                let page = try call.page()
                return ControlJob.Work(isShort: outbox.count <= mostMessages) { _ in
                    let messages = outbox.messages.reversed().filter { message in
                        (to == nil || message.to.lowercased() == to) && (api == nil || message.api == api)
                    }
                    return page.response(messages, \.json)
                }.reply
            }
        ),
        ControlOperation(
            .post,
            "/tokens",
            "Issues a token",
            reads: .seed,
            body: .json(
                name: "TokenOrder",
                schema: .closed(
                    user.property,
                    kind.property,
                    named.property,
                    state.property,
                    life.property,
                    claims.property
                ),
                isRequired: true,
                example: ["user": "test@icloud.com", "kind": "access"]
            ),
            answers: [
                Schemas.answer(
                    "Token",
                    Schemas.object([("token", .string())], optional: [("expiresAt", Schemas.instant)]),
                    "The token",
                    .created
                )
            ],
            act: mint
        ),
        ControlOperation(
            .post,
            "/users/{who}/expire",
            "Expires a user's sessions and tokens",
            reads: .seed,
            parameters: [who],
            body: .json(name: "TokenEnding", schema: ending, isRequired: true, example: ["tokens": "access"]),
            answers: [Schemas.answer("TokensEnded", Schemas.object([("user", .string())]), "The user")],
            act: { call throws(Problem) in try end(call, .expire) }
        ),
        ControlOperation(
            .post,
            "/users/{who}/revoke",
            "Revokes a user's sessions and tokens",
            reads: .seed,
            parameters: [who],
            body: .json(name: "TokenEnding", schema: ending, isRequired: true, example: ["tokens": "all"]),
            answers: [Schemas.answer("TokensEnded", Schemas.object([("user", .string())]), "The user")],
            act: { call throws(Problem) in try end(call, .revoke) }
        ),
        ControlOperation(
            .get,
            "/apple/keys",
            "Returns the signing keys of the emulated Apple sign-in, as a JWKS",
            reads: .seed,
            answers: [
                Schemas.answer("JWKS", Schemas.object([("keys", .array(.object(JSONSchema.Object())))]), "The keys")
            ]
        ) { call throws(Problem) in
            let hosted = try call.world()
            // The hub has the keys of all APIs together: a token's `kid` selects the one that signed it.
            let places = call.api.map { [$0] } ?? Array(call.emulator.apis.indices)
            let keys = places.flatMap { place in
                call.emulator.apis[place].appleKeys(hosted.world, place)["keys"]?.arrayValue ?? []
            }
            return ControlAnswer.json(["keys": .array(keys)])
        },
    ]

    private static let applePath = ["auth", "keys"]

    /// Returns the key set under Apple's path, on an API's own origin; nil for other requests, and for an API that has
    /// this path itself.
    ///
    /// Clients and libraries fetch it there as they would from Apple.
    static func appleKeys(
        for exchange: Exchange,
        api: Int,
        emulator: Emulator,
        at hostTime: HostTime
    ) throws(Problem) -> Response? {
        // An API with an endpoint at that path answers itself: with faults, journal and settings.
        guard exchange.context.address.path.segments == applePath else { return nil }
        let address = exchange.context.address
        guard [.get, .head].contains(exchange.call.request.head.method), !emulator.apis[api].knows(address.path) else {
            return nil
        }
        let name = try emulator.chooseWorld(address, credential: nil)
        guard let hosted = emulator[world: name] else { throw Emulator.unknownWorld(name) }
        hosted.lastUsed = hostTime.monotonic
        return ControlAnswer.json(emulator.apis[api].appleKeys(hosted.world, api))
    }

    /// The maximum length of an e-mail address or an id in bytes.
    private static let longestUser = 1_024

    private static func mint(_ call: ControlCall) throws(Problem) -> ControlDecision {
        let hosted = try call.world()
        var check = BodyCheck(try call.object())
        let named = check.read(named)
        let user = check.read(user)
        if let user, user.utf8.count > longestUser {
            check.fault("user", "must be at most \(longestUser) bytes long")
        }
        let kind = check.read(kind)
        let state = check.read(state)
        let life = check.read(life)
        let claims = check.read(claims)
        if let claims, JSON.object(claims).text(upTo: BodyCheck.mostBytes).utf8.count > BodyCheck.mostBytes {
            check.fault("claims", "must be at most \(BodyCheck.mostBytes) bytes of JSON")
        }
        var index = call.api
        if let named {
            if let found = call.emulator.apis.firstIndex(where: { $0.identity.name == named }) {
                if let api = call.api, api != found { check.fault("api", "must be the API of the port or the query") }
                index = found
            } else {
                let names = call.emulator.apis.map(\.identity.name)
                check.fault("api", MemberReason.choice(.string(named), among: names))
            }
        } else if index == nil {
            check.fault("api", "is required on the hub, here or as ?api=NAME")
        }
        try check.finish()
        guard let index, let user, let kind else { return .now(ControlAnswer.nothing) }
        let order = TokenOrder(
            user: user,
            kind: kind,
            state: state ?? .valid,
            life: life,
            claims: claims ?? JSONObject()
        )
        let api = call.emulator.apis[index]
        return try call.working(on: [index], of: hosted) { _ in
            { world in api.mint(&world, index, order) }
        } then: { minted, _ in
            minted.map { minted in
                call.emulator.noteChange(.users, .changed, user, api: api.identity.name, in: hosted)
                var answer: JSONObject = ["token": .string(minted.token)]
                if let end = lastMoment(of: minted) { answer.append("expiresAt", .string(end.iso8601(.milliseconds))) }
                return ControlAnswer.json(.object(answer), status: .created)
            }
        }
    }

    /// Returns the expiry of a token.
    ///
    /// A signed token states its own, in whole seconds and as the claims of the order may have set it.
    private static func lastMoment(of minted: MintedToken) -> Instant? {
        guard let payload = TokenText.payload(of: minted.token) else { return minted.expiresAt }
        guard let seconds = payload["exp"]?.doubleValue,
            seconds >= Double(WorldClock.earliest.seconds), seconds <= Double(WorldClock.latest.seconds)
        else { return nil }
        return Instant(microseconds: Int64(seconds * 1_000_000))
    }

    private static func end(_ call: ControlCall, _ manner: TokenEnding.Manner) throws(Problem) -> ControlDecision {
        let hosted = try call.world()
        var check = BodyCheck(try call.object())
        let scope = check.read(ended)
        let delay = check.read(delay) ?? .zero
        try check.finish()
        guard let scope else { return .now(ControlAnswer.nothing) }
        let who = call.parameters[0]
        let places = call.api.map { [$0] } ?? Array(call.emulator.apis.indices)
        let apis = call.emulator.apis
        return try call.working(on: places, of: hosted) { _ in
            { world in
                let order = TokenEnding(user: who, scope: scope, manner: manner, at: world.core.now + delay)
                // On the hub without ?api= the call acts on every API that knows the user.
                return places.map { apis[$0].endTokens(&world, $0, order) }.contains(true)
            }
        } then: { isKnown, _ in
            guard isKnown else {
                let detail = "No API has a user \"\(who.cut)\" in the world \(hosted.world.name)."
                return .failure(Problem(.unknownUser, detail))
            }
            call.emulator.noteChange(.users, .changed, who, api: call.scope, in: hosted)
            return .success(ControlAnswer.json(["user": .string(who)]))
        }
    }
}
