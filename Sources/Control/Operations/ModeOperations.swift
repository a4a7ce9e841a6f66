import Backend
import Engine
import HTTPMessage
import JSON
import Recording
import Worlds

/// The modes of the APIs, which decide the source of their responses (control contract, section 13).
enum ModeOperations {
    private static let names = APIMode.allCases.map(\.rawValue)

    private static let ignore = Schemas.closed(optional: [
        ("headers", .array(.string())), ("query", .array(.string())), ("body", .array(.string())),
    ])

    private static let shown = Schemas.object(
        [("api", .string()), ("mode", .string(enumeration: names))],
        optional: [
            ("upstream", .string()), ("recording", .string()), ("miss", .any), ("exhausted", .string()),
            ("speed", .number), ("ignore", ignore), ("refresh", .boolean), ("links", .string(enumeration: links)),
        ]
    )

    /// The targets of links in responses.
    private static let links = ModeOrder.Links.allCases.map(\.rawValue)

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
                schema: Schemas.closed(
                    [("mode", .string(enumeration: names))],
                    optional: [
                        ("api", .string()), ("upstream", .string()), ("recording", .string()), ("miss", .any),
                        ("exhausted", .string(enumeration: ["repeat", "fail"])), ("speed", .number), ("ignore", ignore),
                        ("refresh", .boolean), ("links", .string(enumeration: links)),
                    ]
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
        let mode = check.choice("mode", APIMode.self)
        if mode == nil, !check.items.contains(where: { $0.path == "$.mode" }) {
            check.fault("mode", "is required: one of \(names.joined(separator: ", "))")
        }
        var order = ModeOrder(api: api ?? 0, mode: mode ?? .emulate)
        order.upstream = short("upstream", &check)
        order.recording = short("recording", &check)
        if let miss = check.value("miss") {
            let text = miss.stringValue ?? miss.intValue.map { "\($0)" } ?? ""
            if let policy = MissPolicy(text) {
                order.miss = policy
            } else {
                check.fault("miss", "must be fail, emulate, forward, or a status from 200 to 599")
            }
        }
        if let exhausted = check.string("exhausted") {
            if exhausted != "repeat", exhausted != "fail" { check.fault("exhausted", "must be one of repeat, fail") }
            order.failsWhenExhausted = exhausted == "fail"
        }
        if let speed = check.value("speed") {
            if let number = speed.doubleValue, number >= 0, number <= 1_000_000 {
                order.speed = number
            } else {
                check.fault("speed", "must be a number from 0 to 1000000: 0 for no waits, 1 as recorded")
            }
        }
        if let object = check.object("ignore") {
            var inner = BodyCheck(object, at: "$.ignore")
            order.ignoredHeaders = texts("headers", &inner)
            order.ignoredQuery = texts("query", &inner)
            order.ignoredBody = texts("body", &inner)
            do throws(Problem) { try inner.finish() } catch { check.add(error.items) }
        }
        if let refresh = check.value("refresh") {
            if let flag = refresh.boolValue {
                order.refresh = flag
            } else {
                check.fault("refresh", "must be true or false")
            }
        }
        if let text = check.string("links") {
            order.links = ModeOrder.Links(rawValue: text)
            if order.links == nil { check.fault("links", "must be one of \(links.joined(separator: ", "))") }
        }
        if mode?.needsUpstream == true || order.miss == .forward, order.upstream == nil {
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
        guard let name = check.string("api") else {
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

    /// The maximum length of an address or a name in bytes.
    private static let longestText = 8 * 1024

    private static func short(_ name: String, _ check: inout BodyCheck) -> String? {
        guard let text = check.string(name) else { return nil }
        guard text.utf8.count <= longestText else {
            check.fault(name, "must be at most \(longestText) bytes long")
            return nil
        }
        return text
    }

    private static func texts(_ name: String, _ check: inout BodyCheck) -> [String] {
        guard let value = check.value(name) else { return [] }
        guard let items = value.arrayValue, items.allSatisfy({ $0.stringValue != nil }) else {
            check.fault(name, "must be a list of strings")
            return []
        }
        guard items.count <= BodyCheck.mostNames else {
            check.fault(name, "must have at most \(BodyCheck.mostNames) names, found \(items.count)")
            return []
        }
        guard items.allSatisfy({ ($0.stringValue?.utf8.count ?? 0) <= longestText }) else {
            check.fault(name, "must have names of at most \(longestText) bytes each")
            return []
        }
        return items.compactMap(\.stringValue)
    }
}
