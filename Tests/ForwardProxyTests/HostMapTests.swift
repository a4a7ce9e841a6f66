import CivilTime
import ForwardProxy
import TestSupport
import Testing

/// Proxy contract, sections 1, 4, 5, 7 and 8.
@Suite struct HostMapTests {
    private static func map(
        _ entries: [String],
        _ tunnels: [String] = [],
        _ unmapped: HostMap.Unmapped = .refuse,
        apis: [String] = ["omnichat", "sawaed"]
    ) throws -> HostMap {
        try HostMap(
            entries.enumerated().map { place, text in
                let parts = text.split(separator: "=").map(String.init)
                return HostMap.Draft(
                    host: parts[0],
                    api: parts.count > 1 ? parts[1] : nil,
                    place: parts.count > 2 ? parts[2] : "--map",
                    rank: parts.count > 2 ? 3 : 0
                )
            },
            tunnels: tunnels.map { ($0, "--tunnel") },
            unmapped: unmapped,
            apis: apis
        ) { "no API is named \($0)" }
    }

    private static func answer(_ map: HostMap, _ target: String) throws -> HostMap.Answer {
        map.answer(for: try #require(ProxyTarget(target, standardPort: 443)))
    }

    @Test func `1 the most exact entry of map and tunnel wins, on every port`() throws {
        let map = try Self.map(
            ["*.a.example=omnichat", "b.a.example=sawaed", "*.c.a.example=sawaed"],
            ["x.a.example", "*.t.a.example:8443"]
        )
        let cases: [(String, HostMap.Answer)] = [
            ("d.a.example", .api("omnichat")), ("d.a.example:1", .api("omnichat")), ("b.a.example:9", .api("sawaed")),
            ("e.c.a.example", .api("sawaed")), ("c.a.example", .api("omnichat")),
            ("x.a.example", .passed(HostMap.PassedHost(allowsPrivate: true, isNamed: true))),
            ("x.a.example:80", .passed(HostMap.PassedHost(allowsPrivate: true, isNamed: true))),
            ("x.a.example:81", .refused(.port)),
            ("y.t.a.example:8443", .passed(HostMap.PassedHost(isNamed: true))), ("y.t.a.example", .refused(.port)),
            ("a.example", .refused(.unmapped)), ("other.example", .refused(.unmapped)),
        ]
        for (target, expected) in cases { expectEqual(try Self.answer(map, target), expected, target) }
    }

    @Test func `5 under tunnel the ports 80 and 443 are open, and what is named`() throws {
        let map = try Self.map(["a.example=omnichat"], ["b.example:9443", "127.0.0.1:9443", "10.1.2.3"], .tunnel)
        let cases: [(String, HostMap.Answer)] = [
            ("o.example", .passed(HostMap.PassedHost())), ("o.example:80", .passed(HostMap.PassedHost())),
            ("o.example:79", .refused(.port)), ("o.example:444", .refused(.port)),
            ("b.example:9443", .passed(HostMap.PassedHost(allowsPrivate: true, isNamed: true))),
            ("b.example:443", .passed(HostMap.PassedHost(isNamed: true))), ("b.example:9444", .refused(.port)),
            ("127.0.0.1:9443", .passed(HostMap.PassedHost(allowsPrivate: true, allowsLoopback: true, isNamed: true))),
            ("127.0.0.1:443", .passed(HostMap.PassedHost(isNamed: true))), ("127.0.0.2:9443", .refused(.port)),
            ("10.1.2.3", .passed(HostMap.PassedHost(allowsPrivate: true, isNamed: true))),
        ]
        for (target, expected) in cases { expectEqual(try Self.answer(map, target), expected, target) }
    }

    @Test func `1 mistakes of the map are told`() throws {
        let cases: [([String], [String], [String], String)] = [
            (["a.example=nope"], [], ["omnichat"], "no API is named nope"),
            (["a.example"], [], ["omnichat", "sawaed"], "names no API"),
            (["a.example=omnichat", "A.example.=sawaed"], [], ["omnichat", "sawaed"], "both omnichat and sawaed"),
            (["a.example=omnichat=x/api.json", "a.example=sawaed=y/api.json"], [], ["omnichat", "sawaed"], "both"),
            (["a.example=omnichat"], ["a.example"], ["omnichat"], "can't be passed on"),
            (["a.example=omnichat"], ["a.example:8443"], ["omnichat"], "can't be passed on"),
            (["*.com=omnichat"], [], ["omnichat"], "top-level"), (["1.2.3.4=omnichat"], [], ["omnichat"], "address"),
            (["a.example=omnichat"], ["*.com"], ["omnichat"], "top-level"),
            (["a.example=omnichat"], ["b.example:0"], ["omnichat"], "port"),
            (["a.example=omnichat"], ["b.example:65536"], ["omnichat"], "port"),
            (["a.example=omnichat"], ["localhost:9443"], ["omnichat"], "this machine"),
        ]
        for (entries, tunnels, apis, part) in cases {
            let fault = #expect(throws: HostMap.Fault.self) { try Self.map(entries, tunnels, apis: apis) }
            expectEqual(fault?.message.contains(part), true, "\(entries) \(tunnels): \(fault?.message ?? "")")
        }
        // The first source counts.
        expectEqual(
            try Self.map(["a.example=omnichat", "a.example=sawaed=x/api.json"]).entries.map(\.api),
            ["omnichat"]
        )
    }

    @Test func `1 the API may be absent where one is served`() throws {
        let map = try Self.map(["a.example"], apis: ["omnichat"])
        expectEqual(map.entries.map(\.api), ["omnichat"])
        expectEqual(
            try Self.map([], ["[fd00::1]:8443", "10.0.0.1", "*.b.example"]).tunnels.map(\.text),
            ["[fd00::1]:8443", "10.0.0.1", "*.b.example"]
        )
    }

    @Test func `4 credentials are Basic of world and token`() {
        let cases: [(String, String?, String?)] = [
            ("Basic dzE6dG9rZW4=", "w1", "token"), ("basic dzE6dG9rZW4=", "w1", "token"),
            ("Basic OnRva2Vu", "", "token"),
            ("Basic dzE6", "w1", ""), ("Basic dzE6YTpi", "w1", "a:b"), ("Basic dzE=", nil, nil), ("Basic", nil, nil),
            ("Bearer dzE6dG9rZW4=", nil, nil), ("Basic !!!!", nil, nil), ("Basic dzE6dG9rZW4= x", nil, nil),
            ("", nil, nil),
        ]
        for (value, world, token) in cases {
            expectEqual(ProxyCredentials(value)?.world, world, value)
            expectEqual(ProxyCredentials(value)?.token, token, value)
        }
        let read = ProxyCredentials("Basic dzE6dG9rZW4=")
        for (token, isRight) in [("token", true), ("Token", false), ("token2", false), ("", false)] {
            expectEqual(read?.has(token: token), isRight, token)
        }
        expectEqual(read?.has(token: nil), true)
    }

    @Test func `8 the script sends mapped hosts here, the most exact entry first`() throws {
        let map = try Self.map(["*.a.example=omnichat", "b.example=sawaed"], ["t.a.example"])
        let lines = PACFile.text(map, proxy: "127.0.0.1:4679").split(separator: "\n").map(String.init)
        let decisions = lines.filter { $0.contains("return") }
        expectEqual(decisions.count, 4)
        #expect(lines.contains("  var proxy = \"PROXY 127.0.0.1:4679\";"))
        expectEqual(decisions.first?.contains("t.a.example"), true)
        let star = decisions.firstIndex { $0.contains("\".a.example\"") }
        let own = decisions.firstIndex { $0.contains("t.a.example") }
        #expect((own ?? 9) < (star ?? 0))
        expectEqual(decisions.last, "  return \"DIRECT\";")
        #expect(PACFile.text(map, proxy: "h:1", takesAll: true).contains("return proxy;"))
    }

    @Test func `7 hosts are listed newest first, and mapped ones go first when full`() {
        var seen = SeenHosts()
        func sight(_ host: String, _ outcome: SeenHosts.Outcome, world: String = "main") -> SeenHosts.Sight {
            var made = SeenHosts.Sight(
                SeenHosts.Key(host: host, port: 443, world: world),
                outcome,
                isTunnel: true,
                isOther: outcome == .refused
            )
            if outcome == .api { made.api = "omnichat" }
            return made
        }
        expectEqual(seen.note(sight("a", .refused), at: .epoch)?.tunnels, 1)
        expectNil(seen.note(sight("a", .refused), at: .epoch)?.tunnels)
        expectEqual(seen.note(sight("b", .api), at: .epoch)?.api, "omnichat")
        expectEqual(seen.note(sight("a", .tunnelled), at: .epoch)?.tunnels, 3)
        expectEqual(seen.list().map(\.key.host), ["a", "b"])
        _ = seen.note(sight("a", .refused, world: "w"), at: .epoch)
        expectEqual(seen.list(world: "w", othersOnly: true).map(\.key.host), ["a"])
        for number in 3..<SeenHosts.capacity { _ = seen.note(sight("h\(number)", .refused), at: .epoch) }
        expectEqual(seen.list().count, SeenHosts.capacity)
        _ = seen.note(sight("more", .refused), at: .epoch)
        expectEqual(seen.list().count, SeenHosts.capacity)
        #expect(!seen.list().contains { $0.key.host == "b" })
        seen.clear(world: "w")
        expectEqual(seen.list(world: "w").count, 0)
        seen.clear()
        expectEqual(seen.list().count, 0)
        #expect(seen.others.contains { $0.world == "w" })
    }
}
