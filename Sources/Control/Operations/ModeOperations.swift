import Backend
import Engine
import ForwardProxy
import HTTPMessage
import JSON
import Recording
import Worlds

/// The modes of the APIs, which decide the source of their responses (control contract, section 13).
enum ModeOperations {
    private static let names = APIMode.allCases.map(\.rawValue)

    /// The maximum length of an address or a name in bytes.
    private static let longestText = 8 * 1024

    private enum Exhausted: String, CaseIterable { case again = "repeat", fail }

    private static let named = BodyMember("api", .string())
    private static let mode = BodyMember("mode", .choice(APIMode.self))
        .required("is required: one of \(names.joined(separator: ", "))")
    private static let upstream = BodyMember("upstream", .short(longestText))
    private static let recording = BodyMember("recording", .short(longestText))
    private static let miss = BodyMember(
        "miss",
        RequestValue.any.map(orIssue: .rule("must be fail, emulate, forward, or a status from 200 to 599")) {
            MissPolicy($0.stringValue ?? $0.intValue.map { "\($0)" } ?? "")
        }
    )
    private static let exhausted = BodyMember("exhausted", .choice(Exhausted.self))
    private static let speed = BodyMember(
        "speed",
        RequestValue.number(in: 0...1_000_000).documented(as: .number)
            .withOneIssue(.rule("must be a number from 0 to 1000000: 0 for no waits, 1 as recorded"))
    )
    private static let refresh = BodyMember("refresh", .boolean)
    private static let fresh = BodyMember("fresh", .boolean)
    private static let links = BodyMember("links", .choice(ModeOrder.Links.self))

    private static let headers = BodyMember("headers", .names)
    private static let query = BodyMember("query", .names)
    private static let body = BodyMember("body", .names)
    private static let ignore = JSONSchema.Property(
        "ignore",
        .closed(headers.property, query.property, body.property),
        isRequired: false
    )

    private static let shown = Schemas.object(
        [("api", .string()), ("mode", .string(enumeration: names))],
        optional: [
            ("upstream", .string()), ("recording", .string()), ("miss", .any), ("exhausted", .string()),
            ("speed", .number), ("ignore", ignore.schema), ("refresh", .boolean), ("links", links.property.schema),
            ("fresh", .boolean),
        ]
    )

    static let all: [ControlOperation] = [
        ControlOperation(
            .get,
            "/mode",
            "Returns the mode of an API, or of all APIs if none is named",
            isList: true,
            answers: [Schemas.answer("Mode", .any, "The mode, or a list of them")]
        ) { call throws(Problem) in
            if let api = call.api { return ControlAnswer.json(try mode(api, call)) }
            return try call.list(
                call.host.modes(of: Array(call.emulator.apis.indices)).map {
                    $0.json(name: call.emulator.apis[$0.api].identity.name)
                }
            )
        },
        ControlOperation(
            .put,
            "/mode",
            "Sets the mode of an API",
            body: .json(
                name: "ModeOrder",
                schema: .closed(
                    mode.property,
                    named.property,
                    upstream.property,
                    recording.property,
                    miss.property,
                    exhausted.property,
                    speed.property,
                    ignore,
                    refresh.property,
                    links.property,
                    fresh.property
                ),
                isRequired: true,
                example: ["api": "omnichat", "mode": "emulate"]
            ),
            answers: [Schemas.answer("Mode", shown, "The new mode")]
        ) { call throws(Problem) in
            let order = try order(call)
            switch try call.host.setMode(order) {
            case .done(let json):
                call.emulator.noteMode(order.mode.rawValue, api: order.api)
                return ControlAnswer.json(json)
            // The host answers the call in the end.
            case .later: return ControlAnswer.nothing
            }
        },
    ]

    private static func mode(_ api: Int, _ call: ControlCall) throws(Problem) -> JSON {
        guard let order = call.host.modes(of: [api]).first else { return .null }
        return order.json(name: call.emulator.apis[api].identity.name)
    }

    private static func order(_ call: ControlCall) throws(Problem) -> ModeOrder {
        var check = BodyCheck(try call.object())
        let api = api(&check, call)
        let mode = check.read(mode)
        var order = ModeOrder(api: api ?? 0, mode: mode ?? .emulate)
        order.upstream = check.read(upstream)
        order.recording = check.read(recording)
        order.miss = check.read(miss) ?? order.miss
        order.failsWhenExhausted = check.read(exhausted).map { $0 == .fail } ?? order.failsWhenExhausted
        order.speed = check.read(speed) ?? order.speed
        check.inner("ignore") { inner in
            order.ignoredHeaders = inner.read(headers) ?? []
            order.ignoredQuery = inner.read(query) ?? []
            order.ignoredBody = inner.read(body) ?? []
        }
        order.refresh = check.read(refresh) ?? order.refresh
        order.links = check.read(links)
        order.fresh = check.read(fresh) ?? order.fresh
        let isMapped = api.map { call.host.forwardProxy?.answers(for: call.emulator.apis[$0].identity.name) == true }
        if mode?.needsUpstream == true || order.miss == .forward, order.upstream == nil, isMapped != true {
            check.fault("upstream", "is required here: an address such as https://api.example.com")
        }
        if mode == .replay, order.recording == nil {
            check.fault("recording", "is required here: the name of a file in recordings/")
        }
        try check.finish()
        return order
    }

    private static func api(_ check: inout BodyCheck, _ call: ControlCall) -> Int? {
        let known = call.emulator.apis.map(\.identity.name)
        guard let name = check.read(named) else {
            if call.api == nil { check.fault("api", "is required: one of \(known.joined(separator: ", "))") }
            return call.api
        }
        guard let index = known.firstIndex(of: name) else {
            check.fault("api", MemberReason.choice(.string(name), among: known))
            return nil
        }
        if let own = call.api, own != index { check.fault("api", "must be \(known[own]), as in the port or query") }
        return index
    }
}

extension RequestValue where Output == [String] {
    /// A list of names, of a bounded number and length.
    fileprivate static var names: Self {
        Self(.array(.string())) { json, issues in
            guard let names = strings.read(json, &issues) else { return nil }
            if names.count > BodyCheck.mostNames {
                issues.note(.rule("must have at most \(BodyCheck.mostNames) names, found \(names.count)"), json)
            } else if names.contains(where: { $0.utf8.count > longestName }) {
                issues.note(.rule("must have names of at most \(longestName) bytes each"), json)
            }
            return names
        }
    }

    private static var longestName: Int { 8 * 1024 }
}
