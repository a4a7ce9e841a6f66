import Backend
import CivilTime
package import Control
import Engine
import ForwardProxy
import HTTPMessage
package import JSON
import Worlds

/// The forward proxy and the hosts that it was asked for (proxy contract, sections 1 and 7).
package enum ProxyOperations {
    package static let all: [ControlOperation] = [
        ControlOperation(
            .get,
            "/proxy",
            "Returns the address and the hosts of the forward proxy",
            answers: [Schemas.answer("ForwardProxy", schema, "The address, the mapped hosts and those passed on")]
        ) { call throws(Problem) in
            let proxy = try call.forwardProxy()
            var answer = members(of: proxy, host: call.request.head.authority.flatMap { ControlSafety.host(of: $0) })
            answer.append("unmapped", .string(proxy.map.unmapped.rawValue))
            if proxy.token != nil { answer.append("needsToken", true) }
            answer.append("tunnel", .array(proxy.map.tunnels.map { .string($0.text) }))
            answer.append(
                "map",
                .array(
                    proxy.map.entries.map {
                        ["host": .string($0.pattern.text), "api": .string($0.api), "from": .string($0.place)]
                    }
                )
            )
            return ControlAnswer.json(.object(answer))
        },
        ControlOperation(
            .get,
            "/hosts",
            "Lists the hosts that clients asked the forward proxy for, newest first",
            parameters: [
                world,
                Parameter("other", in: .query, .boolean, "Only hosts that are neither mapped nor passed on by name"),
            ],
            isList: true,
            answers: [
                Schemas.answer("SeenHosts", Schemas.list(item), "The hosts, with what became of the last request")
            ]
        ) { call throws(Problem) in
            let proxy = try call.forwardProxy()
            let others = try call.choice("other", Flag.self) == .true
            return try call.list(proxy.seen.list(world: try world(call), othersOnly: others).map(\.json))
        },
        ControlOperation(
            .delete,
            "/hosts",
            "Clears the hosts that clients asked the forward proxy for",
            parameters: [world],
            answers: [AnswerDeclaration(.noContent, "Cleared", .none)]
        ) { call throws(Problem) in
            try call.forwardProxy().clear(world: try world(call))
            return ControlAnswer.nothing
        },
    ]

    private enum Flag: String, CaseIterable { case `true`, `false` }

    private static let world = Parameter("world", in: .query, .string(), "The world of the clients; all if absent")

    private static let schema = Schemas.object(
        [
            ("url", .string()), ("pac", .string()),
            ("unmapped", .string(enumeration: HostMap.Unmapped.allCases.map(\.rawValue))),
            ("tunnel", .array(.string())),
            ("map", .array(Schemas.object([("host", .string()), ("api", .string()), ("from", .string())]))),
        ],
        optional: [("ca", .string()), ("sha256", .string()), ("needsToken", .boolean)]
    )

    private static let item = Schemas.object(
        [
            ("host", .string()), ("port", .integer()), ("world", .string()),
            ("outcome", .string(enumeration: SeenHosts.Outcome.allCases.map(\.rawValue))), ("requests", .integer()),
            ("tunnels", .integer()), ("firstSeen", .string()), ("lastSeen", .string()),
        ],
        optional: [("api", .string()), ("reason", .string()), ("advice", .string())]
    )

    /// The world that a call means; nil for all.
    private static func world(_ call: ControlCall) throws(Problem) -> String? {
        let names = call.address.namedWorlds + (call.query.last("world").map { [$0] } ?? [])
        guard !names.isEmpty else { return nil }
        return try call.world(named: call.query.last("world")).world.name
    }

    /// The members of the ready line.
    static func members(of proxy: ForwardProxyState, host: String?) -> JSONObject {
        let url = "http://\(proxy.authority(host ?? proxy.host))"
        var members: JSONObject = ["url": .string(url), "pac": .string(url + "/__proxy.pac")]
        if let root = proxy.root {
            members.append("ca", .string(root.file))
            members.append("sha256", .string(root.fingerprint))
        }
        return members
    }
}

extension ForwardProxyState {
    /// The member `proxy` of the ready line.
    package var ready: JSON { .object(ProxyOperations.members(of: self, host: nil)) }
}

extension SeenHosts.Item {
    /// The item as lists and events have it.
    package var json: JSON { .object(members) }

    package var members: JSONObject {
        var members: JSONObject = [
            "host": .string(key.host), "port": .integer(Int64(key.port)), "world": .string(key.world),
            "outcome": .string(outcome.rawValue),
        ]
        if let api { members.append("api", .string(api)) }
        members.append("requests", .integer(Int64(requests)))
        members.append("tunnels", .integer(Int64(tunnels)))
        members.append("firstSeen", .string(firstSeen.iso8601(.milliseconds)))
        members.append("lastSeen", .string(lastSeen.iso8601(.milliseconds)))
        if let reason { members.append("reason", .string(reason)) }
        if let advice { members.append("advice", .string(advice)) }
        return members
    }
}
