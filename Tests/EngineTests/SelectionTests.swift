import Backend
import CivilTime
import Engine
import HTTPMessage
import Journal
import TestSupport
import Testing

/// Control contract, section 4: how a world is chosen.
@Suite struct SelectionTests {
    private enum Way: String, CaseIterable { case header, path, host, credential }

    private func choose(
        _ harness: EngineHarness,
        header: String? = nil,
        path: String? = nil,
        host: String? = nil,
        credential: String? = nil
    ) throws -> String {
        var fields = Fields()
        if let header { fields.append(.world, header) }
        if let host { fields.append(.host, "\(host).localhost:4681") }
        let head = RequestHead(
            method: .get,
            target: RequestTarget(rawPath: path.map { "/@\($0)/notes/n1" } ?? "/notes/n1"),
            fields: fields
        )
        let address = try #require(harness.emulator.address(of: head, entryPoint: .api(0)))
        return try harness.emulator.chooseWorld(
            address,
            credential: credential.map { NotesAPI.token(issuer: WorldCore.issuerPrefix + $0) }
        )
    }

    private func choose(_ harness: EngineHarness, _ names: [Way: String]) throws -> String {
        try choose(
            harness,
            header: names[.header],
            path: names[.path],
            host: names[.host],
            credential: names[.credential]
        )
    }

    private func harness(required: Bool = false) throws -> EngineHarness {
        let harness = try EngineHarness { $0.isWorldRequired = required }
        try harness.make("one")
        try harness.make("two")
        return harness
    }

    @Test func `each way leads to its world`() throws {
        let harness = try harness()
        for way in Way.allCases { try expectEqual(choose(harness, [way: "one"]), "one", "\(way)") }
        try expectEqual(choose(harness, [:]), "main")
    }

    @Test func `4 the handle of a chat session carries the mark of its world, and no other text does`() {
        var stream = SeededStream(seed: 1)
        let handle = WorldTag.handle(&stream, number: 17, world: "one")
        #expect(handle.hasPrefix("sess_") && handle.hasSuffix("_17") && handle.utf8.count == 19)
        expectEqual(WorldTag.handleMark(in: handle), WorldTag.shortMark(of: "one"))
        #expect(WorldTag.shortMark(of: "one") != WorldTag.shortMark(of: "two"))
        for other in ["", "sess_", "sess_abcdefghijk", "sess_abcdefghij_1", "sess_ABCDEFGHIJK_1", "tok_abcdefghijk_1"] {
            expectNil(WorldTag.handleMark(in: other), "\(other)")
        }
    }

    @Test func `two ways that agree are one`() throws {
        let harness = try harness()
        for first in Way.allCases {
            for second in Way.allCases where second != first {
                try expectEqual(choose(harness, [first: "one", second: "one"]), "one", "\(first), \(second)")
            }
        }
    }

    @Test func `two names among header, path and host are refused, whether or not they exist`() throws {
        let harness = try harness()
        let ways: [Way] = [.header, .path, .host]
        for first in ways {
            for second in ways where second != first {
                for name in ["two", "main", "unknown"] {
                    let found = fault { _ = try choose(harness, [first: "one", second: name]) }
                    expectEqual(found?.slug, .conflictingWorlds, "\(first), \(second), \(name)")
                    expectEqual(found?.slug.status, .badRequest)
                }
            }
        }
    }

    @Test func `an explicit name beats the credential`() throws {
        let harness = try harness()
        for way in [Way.header, .path, .host] {
            try expectEqual(choose(harness, [way: "one", .credential: "two"]), "one", "\(way)")
            try expectEqual(choose(harness, [way: "main", .credential: "two"]), "main", "\(way)")
        }
    }

    @Test func `an unknown world named explicitly is 404, never a fallback`() throws {
        let harness = try harness()
        for way in [Way.header, .path, .host] {
            for name in ["three", "One", "main2"] where !(way == .host && name == "One") {
                let found = fault { _ = try choose(harness, [way: name, .credential: "two"]) }
                expectEqual(found?.slug, .unknownWorld, "\(way), \(name)")
                expectEqual(found?.slug.status, .notFound)
            }
        }
        expectEqual(fault { _ = try choose(harness, path: "") }?.slug, .unknownWorld)
    }

    @Test func `a credential of an unknown world, a foreign one or none falls back to main`() throws {
        let harness = try harness()
        try expectEqual(choose(harness, credential: "three"), "main")
        let head = RequestHead(method: .get, target: RequestTarget(rawPath: "/notes/n1"))
        let address = try #require(harness.emulator.address(of: head, entryPoint: .api(0)))
        let foreign = [
            NotesAPI.token(issuer: "https://auth.example.com/@one"), NotesAPI.token(issuer: "one"), "opaque", "a.b.c",
            "..", "",
            NotesAPI.token(issuer: WorldCore.issuerPrefix), String(repeating: "x", count: 100_000),
        ]
        for token in foreign {
            try expectEqual(harness.emulator.chooseWorld(address, credential: token), "main")
        }
    }

    @Test func `with --world-required a request that names none is 421, a credential is enough`() throws {
        let harness = try harness(required: true)
        expectEqual(fault { _ = try choose(harness, [:]) }?.slug, .worldRequired)
        expectEqual(fault { _ = try choose(harness, [:]) }?.slug.status, .misdirectedRequest)
        expectEqual(fault { _ = try choose(harness, credential: "three") }?.slug, .worldRequired)
        for way in Way.allCases { try expectEqual(choose(harness, [way: "two"]), "two", "\(way)") }
        try expectEqual(choose(harness, header: "main"), "main")
        let alone = try EngineHarness { $0.isWorldRequired = true }
        try expectEqual(choose(alone, credential: "main"), "main")
        expectEqual(fault { _ = try choose(alone, [:]) }?.slug, .worldRequired)
    }

    @Test func `a token leads back to a deleted world's successor of the same name only`() throws {
        let harness = try harness()
        try expectEqual(choose(harness, credential: "one"), "one")
        _ = try harness.emulator.deleteWorld("one")
        try expectEqual(choose(harness, credential: "one"), "main")
        try harness.make("one")
        try expectEqual(choose(harness, credential: "one"), "one")
    }

    @Test func `requests follow the bearer credential, or the body's where the endpoint takes it there`() throws {
        let harness = try harness()
        let token = NotesAPI.token(issuer: WorldCore.issuerPrefix + "one")
        try harness.send(.get, "/notes/n1", fields: ["Authorization": "Bearer \(token)"])
        try harness.send(.post, "/slow", body: #"{"token": "\#(token)"}"#)
        // On that endpoint the header is not the place.
        try harness.send(.post, "/slow", fields: ["Authorization": "Bearer \(token)"], body: "{}")
        try harness.send(.post, "/slow", body: "no JSON")
        try expectEqual(harness.journal("one").map(\.path), ["/notes/n1", "/slow"])
        try expectEqual(harness.journal("main").map(\.path), ["/slow", "/slow"])
    }

    @Test func `a world that can't be chosen is answered with a problem document`() throws {
        let harness = try harness()
        let exchange = try harness.begin(.get, "/notes/n1", fields: ["X-Understudy-World": "three"])
        expectEqual(exchange.status, 404)
        expectEqual(exchange.answer.response.fields[.contentType], "application/problem+json")
        #expect(exchange.text.hasPrefix(#"{"type":"/__admin/problems/unknown-world","title":"#))
        expectNil(exchange.answer.group)
        harness.finish(exchange)
        #expect(try harness.journal().isEmpty)
    }
}
