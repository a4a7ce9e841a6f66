import Handshakes
import TestSupport
import Testing

@testable import Transport

/// The choice of a connection fault (transport contract, section 6).
@Suite struct ConnectionFaultRegistryTests {
    private func subject(
        _ api: String = "sawaed",
        _ serverName: String? = "a.localhost",
        _ peer: String = "127.0.0.1"
    ) -> ConnectionFaultRegistry.Subject {
        ConnectionFaultRegistry.Subject(api: api, serverName: serverName, peer: peer)
    }

    private func acts(_ match: ConnectionFault.Match, on subject: ConnectionFaultRegistry.Subject) -> Bool {
        match.covers(subject)
    }

    @Test func `6 without an api the ports of the APIs are meant, never the hub`() {
        #expect(acts(.init(), on: subject("sawaed")) && acts(.init(), on: subject("trendy")))
        #expect(!acts(.init(), on: subject("hub")))
        #expect(acts(.init(api: "hub"), on: subject("hub")) && !acts(.init(api: "hub"), on: subject()))
        #expect(acts(.init(api: "trendy"), on: subject("trendy")) && !acts(.init(api: "trendy"), on: subject()))
    }

    @Test(arguments: [
        ("*.localhost", "a.localhost", true), ("*.localhost", "A.LOCALHOST", true), ("*.localhost", "localhost", false),
        ("*", "x", true), ("*", "", true), ("", "", true), ("", "x", false), ("a*c", "abbc", true), ("a*c", "ac", true),
        ("a*c", "abcd", false), ("*a*b*", "xaybz", true), ("*a*b*", "xbya", false), ("a.test", "a.test", true),
        ("a.test", "b.test", false), ("**", "abc", true), ("*aab", "aaaab", true), ("a?c", "abc", false),
    ])
    func `6 sni is a glob`(pattern: String, name: String, isMatch: Bool) {
        expectEqual(acts(.init(serverName: pattern), on: subject("sawaed", name)), isMatch)
        #expect(!acts(.init(serverName: pattern), on: subject("sawaed", nil)), "no name is no match")
    }

    @Test func `6 a glob of many stars takes no long`() {
        let pattern = String(repeating: "a*", count: 120) + "b"
        #expect(!acts(.init(serverName: pattern), on: subject("sawaed", String(repeating: "a", count: 253))))
    }

    @Test func `6 peer is an address`() {
        #expect(acts(.init(peer: "127.0.0.1"), on: subject()) && !acts(.init(peer: "127.0.0.2"), on: subject()))
    }

    @Test func `6 skip, every and times count connections that match`() {
        var when = ConnectionFault.When()
        when.skip = 2
        when.every = 3
        when.times = 2
        var book = ConnectionFaultRegistry(seed: 1)
        _ = book.add(ConnectionFault(.handshake(.reset), match: .init(api: "sawaed"), when: when))
        var acted: [Int] = []
        for place in 0..<12 {
            expectNil(book.decide(subject("trendy")))
            if book.decide(subject()) != nil { acted.append(place) }
        }
        expectEqual(acted, [2, 5])
        expectEqual(book.entries[0].hits, 2)
    }

    @Test func `6 the first that acts wins, in the order in which they were added`() {
        var once = ConnectionFault.When()
        once.times = 1
        var book = ConnectionFaultRegistry(seed: 1)
        _ = book.add(ConnectionFault(.handshake(.reset), when: once))
        _ = book.add(ConnectionFault(.handshake(.close)))
        _ = book.add(ConnectionFault(.handshake(.garbage)))
        expectEqual((0..<3).map { _ in book.decide(subject())?.id }, ["cfl_1", "cfl_2", "cfl_2"])
        expectEqual(book.entries.map(\.hits), [1, 2, 0])
        expectEqual(book.remove("cfl_2")?.effect, .handshake(.close))
        expectNil(book.remove("cfl_2"))
        expectEqual(book.decide(subject())?.id, "cfl_3")
        expectEqual(book.add(ConnectionFault(.handshake(.reset)))?.id, "cfl_4", "an id is given once")
        book.removeAll()
        expectNil(book.decide(subject()))
    }

    @Test func `6 probability draws from a stream of the seed`() {
        func run(_ seed: UInt64, probability: Double) -> [Bool] {
            var when = ConnectionFault.When()
            when.probability = probability
            var book = ConnectionFaultRegistry(seed: seed)
            _ = book.add(ConnectionFault(.handshake(.reset), when: when))
            return (0..<1_000).map { _ in book.decide(subject()) != nil }
        }
        let run1 = run(7, probability: 0.3)
        expectEqual(run1, run(7, probability: 0.3))
        #expect(run1 != run(8, probability: 0.3))
        #expect((250...350).contains(run1.count { $0 }))
        #expect(run(7, probability: 0).allSatisfy { !$0 } && run(7, probability: 1).allSatisfy { $0 })
    }

    @Test func `6 a thousand faults are kept, the next is refused`() {
        var book = ConnectionFaultRegistry(seed: 1)
        for _ in 0..<1_000 { #expect(book.add(ConnectionFault(.handshake(.reset))) != nil) }
        expectNil(book.add(ConnectionFault(.handshake(.reset))))
        #expect(book.remove("cfl_500") != nil)
        expectEqual(book.add(ConnectionFault(.handshake(.reset)))?.id, "cfl_1001")
    }
}
