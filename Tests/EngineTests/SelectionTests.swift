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
        _ bench: Bench,
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
        let address = try #require(bench.emulator.address(of: head, entryPoint: .api(0)))
        return try bench.emulator.chooseWorld(
            address,
            credential: credential.map { NotesAPI.token(issuer: WorldCore.issuerPrefix + $0) }
        )
    }

    private func choose(_ bench: Bench, _ names: [Way: String]) throws -> String {
        try choose(
            bench,
            header: names[.header],
            path: names[.path],
            host: names[.host],
            credential: names[.credential]
        )
    }

    private func bench(required: Bool = false) throws -> Bench {
        let bench = try Bench { $0.isWorldRequired = required }
        try bench.make("one")
        try bench.make("two")
        return bench
    }

    @Test func `each way leads to its world`() throws {
        let bench = try bench()
        for way in Way.allCases { try expectEqual(choose(bench, [way: "one"]), "one", "\(way)") }
        try expectEqual(choose(bench, [:]), "main")
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
        let bench = try bench()
        for first in Way.allCases {
            for second in Way.allCases where second != first {
                try expectEqual(choose(bench, [first: "one", second: "one"]), "one", "\(first), \(second)")
            }
        }
    }

    @Test func `two names among header, path and host are refused, whether or not they exist`() throws {
        let bench = try bench()
        let ways: [Way] = [.header, .path, .host]
        for first in ways {
            for second in ways where second != first {
                for name in ["two", "main", "unknown"] {
                    let found = fault { _ = try choose(bench, [first: "one", second: name]) }
                    expectEqual(found?.slug, .conflictingWorlds, "\(first), \(second), \(name)")
                    expectEqual(found?.slug.status, .badRequest)
                }
            }
        }
    }

    @Test func `an explicit name beats the credential`() throws {
        let bench = try bench()
        for way in [Way.header, .path, .host] {
            try expectEqual(choose(bench, [way: "one", .credential: "two"]), "one", "\(way)")
            try expectEqual(choose(bench, [way: "main", .credential: "two"]), "main", "\(way)")
        }
    }

    @Test func `an unknown world named explicitly is 404, never a fallback`() throws {
        let bench = try bench()
        for way in [Way.header, .path, .host] {
            for name in ["three", "One", "main2"] where !(way == .host && name == "One") {
                let found = fault { _ = try choose(bench, [way: name, .credential: "two"]) }
                expectEqual(found?.slug, .unknownWorld, "\(way), \(name)")
                expectEqual(found?.slug.status, .notFound)
            }
        }
        expectEqual(fault { _ = try choose(bench, path: "") }?.slug, .unknownWorld)
    }

    @Test func `a credential of an unknown world, a foreign one or none falls back to main`() throws {
        let bench = try bench()
        try expectEqual(choose(bench, credential: "three"), "main")
        let head = RequestHead(method: .get, target: RequestTarget(rawPath: "/notes/n1"))
        let address = try #require(bench.emulator.address(of: head, entryPoint: .api(0)))
        let foreign = [
            NotesAPI.token(issuer: "https://auth.example.com/@one"), NotesAPI.token(issuer: "one"), "opaque", "a.b.c",
            "..", "",
            NotesAPI.token(issuer: WorldCore.issuerPrefix), String(repeating: "x", count: 100_000),
        ]
        for token in foreign {
            try expectEqual(bench.emulator.chooseWorld(address, credential: token), "main")
        }
    }

    @Test func `with --world-required a request that names none is 421, a credential is enough`() throws {
        let bench = try bench(required: true)
        expectEqual(fault { _ = try choose(bench, [:]) }?.slug, .worldRequired)
        expectEqual(fault { _ = try choose(bench, [:]) }?.slug.status, .misdirectedRequest)
        expectEqual(fault { _ = try choose(bench, credential: "three") }?.slug, .worldRequired)
        for way in Way.allCases { try expectEqual(choose(bench, [way: "two"]), "two", "\(way)") }
        try expectEqual(choose(bench, header: "main"), "main")
        let alone = try Bench { $0.isWorldRequired = true }
        try expectEqual(choose(alone, credential: "main"), "main")
        expectEqual(fault { _ = try choose(alone, [:]) }?.slug, .worldRequired)
    }

    @Test func `a token leads back to a deleted world's successor of the same name only`() throws {
        let bench = try bench()
        try expectEqual(choose(bench, credential: "one"), "one")
        _ = try bench.emulator.deleteWorld("one")
        try expectEqual(choose(bench, credential: "one"), "main")
        try bench.make("one")
        try expectEqual(choose(bench, credential: "one"), "one")
    }

    @Test func `requests follow the bearer credential, or the body's where the endpoint takes it there`() throws {
        let bench = try bench()
        let token = NotesAPI.token(issuer: WorldCore.issuerPrefix + "one")
        try bench.send(.get, "/notes/n1", fields: ["Authorization": "Bearer \(token)"])
        try bench.send(.post, "/slow", body: #"{"token": "\#(token)"}"#)
        // On that endpoint the header is not the place.
        try bench.send(.post, "/slow", fields: ["Authorization": "Bearer \(token)"], body: "{}")
        try bench.send(.post, "/slow", body: "no JSON")
        try expectEqual(bench.journal("one").map(\.path), ["/notes/n1", "/slow"])
        try expectEqual(bench.journal("main").map(\.path), ["/slow", "/slow"])
    }

    @Test func `a world that can't be chosen is answered with a problem document`() throws {
        let bench = try bench()
        let exchange = try bench.begin(.get, "/notes/n1", fields: ["X-Understudy-World": "three"])
        expectEqual(exchange.status, 404)
        expectEqual(exchange.answer.response.fields[.contentType], "application/problem+json")
        #expect(exchange.text.hasPrefix(#"{"type":"/__admin/problems/unknown-world","title":"#))
        expectNil(exchange.answer.group)
        bench.finish(exchange)
        #expect(try bench.journal().isEmpty)
    }
}
