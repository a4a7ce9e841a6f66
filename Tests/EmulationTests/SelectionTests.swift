import CivilTime
import Emulation
import HTTPMessage
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
        for way in Way.allCases { #expect(try choose(bench, [way: "one"]) == "one", "\(way)") }
        #expect(try choose(bench, [:]) == "main")
    }

    @Test func `4 the handle of a chat session carries the mark of its world, and no other text does`() {
        var stream = SeededStream(seed: 1)
        let handle = WorldTag.handle(&stream, number: 17, world: "one")
        #expect(handle.hasPrefix("sess_") && handle.hasSuffix("_17") && handle.utf8.count == 19)
        #expect(WorldTag.handleMark(in: handle) == WorldTag.shortMark(of: "one"))
        #expect(WorldTag.shortMark(of: "one") != WorldTag.shortMark(of: "two"))
        for other in ["", "sess_", "sess_abcdefghijk", "sess_abcdefghij_1", "sess_ABCDEFGHIJK_1", "tok_abcdefghijk_1"] {
            #expect(WorldTag.handleMark(in: other) == nil, "\(other)")
        }
    }

    @Test func `two ways that agree are one`() throws {
        let bench = try bench()
        for first in Way.allCases {
            for second in Way.allCases where second != first {
                #expect(try choose(bench, [first: "one", second: "one"]) == "one", "\(first), \(second)")
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
                    #expect(found?.slug == .conflictingWorlds, "\(first), \(second), \(name)")
                    #expect(found?.slug.status == .badRequest)
                }
            }
        }
    }

    @Test func `an explicit name beats the credential`() throws {
        let bench = try bench()
        for way in [Way.header, .path, .host] {
            #expect(try choose(bench, [way: "one", .credential: "two"]) == "one", "\(way)")
            #expect(try choose(bench, [way: "main", .credential: "two"]) == "main", "\(way)")
        }
    }

    @Test func `an unknown world named explicitly is 404, never a fallback`() throws {
        let bench = try bench()
        for way in [Way.header, .path, .host] {
            for name in ["three", "One", "main2"] where !(way == .host && name == "One") {
                let found = fault { _ = try choose(bench, [way: name, .credential: "two"]) }
                #expect(found?.slug == .unknownWorld, "\(way), \(name)")
                #expect(found?.slug.status == .notFound)
            }
        }
        #expect(fault { _ = try choose(bench, path: "") }?.slug == .unknownWorld)
    }

    @Test func `a credential of an unknown world, a foreign one or none falls back to main`() throws {
        let bench = try bench()
        #expect(try choose(bench, credential: "three") == "main")
        let head = RequestHead(method: .get, target: RequestTarget(rawPath: "/notes/n1"))
        let address = try #require(bench.emulator.address(of: head, entryPoint: .api(0)))
        let foreign = [
            NotesAPI.token(issuer: "https://auth.example.com/@one"), NotesAPI.token(issuer: "one"), "opaque", "a.b.c",
            "..", "",
            NotesAPI.token(issuer: WorldCore.issuerPrefix), String(repeating: "x", count: 100_000),
        ]
        for token in foreign {
            #expect(try bench.emulator.chooseWorld(address, credential: token) == "main")
        }
    }

    @Test func `with --world-required a request that names none is 421, a credential is enough`() throws {
        let bench = try bench(required: true)
        #expect(fault { _ = try choose(bench, [:]) }?.slug == .worldRequired)
        #expect(fault { _ = try choose(bench, [:]) }?.slug.status == .misdirectedRequest)
        #expect(fault { _ = try choose(bench, credential: "three") }?.slug == .worldRequired)
        for way in Way.allCases { #expect(try choose(bench, [way: "two"]) == "two", "\(way)") }
        #expect(try choose(bench, header: "main") == "main")
        let alone = try Bench { $0.isWorldRequired = true }
        #expect(try choose(alone, credential: "main") == "main")
        #expect(fault { _ = try choose(alone, [:]) }?.slug == .worldRequired)
    }

    @Test func `a token leads back to a deleted world's successor of the same name only`() throws {
        let bench = try bench()
        #expect(try choose(bench, credential: "one") == "one")
        _ = try bench.emulator.deleteWorld("one")
        #expect(try choose(bench, credential: "one") == "main")
        try bench.make("one")
        #expect(try choose(bench, credential: "one") == "one")
    }

    @Test func `requests follow the bearer credential, or the body's where the endpoint takes it there`() throws {
        let bench = try bench()
        let token = NotesAPI.token(issuer: WorldCore.issuerPrefix + "one")
        try bench.send(.get, "/notes/n1", fields: ["Authorization": "Bearer \(token)"])
        try bench.send(.post, "/slow", body: #"{"token": "\#(token)"}"#)
        // On that endpoint the header is not the place.
        try bench.send(.post, "/slow", fields: ["Authorization": "Bearer \(token)"], body: "{}")
        try bench.send(.post, "/slow", body: "no JSON")
        #expect(try bench.journal("one").map(\.path) == ["/notes/n1", "/slow"])
        #expect(try bench.journal("main").map(\.path) == ["/slow", "/slow"])
    }

    @Test func `a world that can't be chosen is answered with a problem document`() throws {
        let bench = try bench()
        let exchange = try bench.begin(.get, "/notes/n1", fields: ["X-Understudy-World": "three"])
        #expect(exchange.status == 404)
        #expect(exchange.answer.response.fields[.contentType] == "application/problem+json")
        #expect(exchange.text.hasPrefix(#"{"type":"/__admin/problems/unknown-world","title":"#))
        #expect(exchange.answer.group == nil)
        bench.finish(exchange)
        #expect(try bench.journal().isEmpty)
    }
}
