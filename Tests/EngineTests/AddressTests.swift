import Backend
import HTTPMessage
import TestSupport
import Testing

/// Control contract, sections 1 and 4: parsing an address before a world is selected.
@Suite struct AddressTests {
    private static let names = ["sawaed", "omnichat"]

    private func address(
        _ raw: String,
        _ entryPoint: EntryPoint = .hub,
        fields: Fields = Fields(),
        form: RequestTarget.Form = .origin
    ) throws -> Address {
        let head = RequestHead(method: .get, target: RequestTarget(form: form, rawPath: raw), fields: fields)
        return Address(head, path: try #require(Path(raw: raw)), entryPoint: entryPoint, apiNames: Self.names)
    }

    @Test(
        arguments: [
            ("/", .hub, .hub, [], "", []),
            ("/index", .hub, .hub, ["index"], "", []),
            ("/omnichat/api/x", .hub, .api(1), ["api", "x"], "/omnichat", []),
            ("/omnichat", .hub, .api(1), [], "/omnichat", []),
            ("/Omnichat/api", .hub, .hub, ["Omnichat", "api"], "", []),
            ("/@w/sawaed/x", .hub, .api(0), ["x"], "/@w/sawaed", ["w"]),
            ("/@w", .hub, .hub, [], "/@w", ["w"]),
            ("/@", .hub, .hub, [], "/@", [""]),
            ("/%40w/sawaed/x", .hub, .api(0), ["x"], "/@w/sawaed", ["w"]),
            ("/@a%2Fb/x", .hub, .hub, ["x"], "/@a%2Fb", ["a/b"]),
            ("/@%CC%81w/x", .hub, .hub, ["x"], "/@%CC%81w", ["\u{301}w"]),
            // On the hub the world comes first, then the mount.
            ("/sawaed/@w/x", .hub, .api(0), ["@w", "x"], "/sawaed", []),
            ("/api/x", .api(1), .api(1), ["api", "x"], "", []),
            ("/omnichat/x", .api(1), .api(1), ["omnichat", "x"], "", []),
            ("/@w/api/x", .api(0), .api(0), ["api", "x"], "/@w", ["w"]),
            ("/x/@w", .api(0), .api(0), ["x", "@w"], "", []),
        ] as [(String, EntryPoint, Address.Destination, [String], String, [String])]
    )
    func `an address names a world, an API and a path`(
        raw: String,
        entryPoint: EntryPoint,
        destination: Address.Destination,
        path: [String],
        prefix: String,
        worlds: [String]
    ) throws {
        let found = try address(raw, entryPoint)
        expectEqual(found.destination, destination)
        expectEqual(found.path.segments, path)
        expectEqual(found.linkPrefix, prefix)
        expectEqual(found.namedWorlds, worlds)
    }

    @Test(
        arguments: [
            "/__admin/health", "/%5F_admin/health", "//__admin//health", "/x/../__admin/health", "/./__admin/./health",
            "/%5f%5fadmin/health", "/x/%2e%2e/__admin/health", "/../__admin/health", "/__admin/y/../health",
        ]
    )
    func `control calls are found however they are spelled, on every port`(raw: String) throws {
        for (entryPoint, api) in [(EntryPoint.hub, nil), (.api(0), 0), (.api(1), 1)] as [(EntryPoint, Int?)] {
            let found = try address(raw, entryPoint)
            expectEqual(found.destination, .control(api: api))
            expectEqual(found.path.segments, ["health"])
        }
    }

    @Test func `control calls can stand below a world and a mount`() throws {
        try expectEqual(address("/@w/__admin/clock").destination, .control(api: nil))
        try expectEqual(address("/omnichat/__admin/clock").destination, .control(api: 1))
        let both = try address("/@w/omnichat/__admin/clock")
        expectEqual(both.destination, .control(api: 1))
        expectEqual(both.namedWorlds, ["w"])
        try expectEqual(address("/@w/__admin/clock", .api(1)).destination, .control(api: 1))
        #expect(try address("/__admin").path.segments.isEmpty)
        try expectEqual(address("/api/__admin", .api(0)).destination, .api(0))
        try expectEqual(address("/__administrator", .api(0)).destination, .api(0))
        try expectEqual(address("/a%2F__admin", .api(0)).destination, .api(0))
    }

    @Test(
        arguments: [
            ("a.localhost", "a"), ("a.localhost:4680", "a"), ("A.LocalHost", "a"), ("a.b.localhost", "a.b"),
            ("a.localhost.", "a"), ("a.localhost.:80", "a"), ("my-world_1.localhost", "my-world_1"),
        ]
    )
    func `a host label names a world`(host: String, name: String) throws {
        expectEqual(Address.worldLabel(ofHost: host), name)
        var fields = Fields()
        fields.append(.host, host)
        try expectEqual(address("/x", fields: fields).namedWorlds, [name])
    }

    @Test(arguments: [
        "localhost", "localhost:1", ".localhost", "", ":", "127.0.0.1:4680", "[::1]:4680", "alocalhost",
        "a.localhost.com", ".",
    ])
    func `other hosts name none`(host: String) {
        expectNil(Address.worldLabel(ofHost: host))
    }

    @Test func `header, path and host are noted in that order, each header line for itself`() throws {
        var fields: Fields = ["X-Understudy-World": "h", "Host": "o.localhost:4680"]
        try expectEqual(address("/@p/x", fields: fields).namedWorlds, ["h", "p", "o"])
        fields.append(.world, "h2")
        try expectEqual(address("/x", fields: fields).namedWorlds, ["h", "h2", "o"])
    }

    @Test func `an absolute target's authority takes the place of Host`() throws {
        let found = try address("/x", fields: ["Host": "b.localhost"], form: .absolute(authority: "a.localhost"))
        expectEqual(found.namedWorlds, ["a"])
    }

    @Test(arguments: [
        ("a", true), ("a.b_c-9", true), ("", false), ("A", false), ("a b", false), ("å", false), ("a/b", false),
        ("@", false),
        (String(repeating: "a", count: 64), true), (String(repeating: "a", count: 65), false),
    ])
    func `a world's name is 1 to 64 of a-z 0-9 dot underscore hyphen`(name: String, isValid: Bool) {
        expectEqual(WorldName.isValid(name), isValid)
    }
}
