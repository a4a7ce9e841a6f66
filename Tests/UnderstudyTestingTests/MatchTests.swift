import Foundation
import TestSupport
import Testing
import UnderstudyServer

@testable import UnderstudyClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The forms of a match (control contract, section 8; own-API contract, section 6).
@Suite(.understudy()) struct MatchTests {
    static let all: [(Match, String)] = [
        (.any, "{}"),
        (Match(API("shop"), "GET", "/a/*"), #"{"api":"shop","method":"GET","path":"/a/*"}"#),
        (Match(pathRegex: "/a/[0-9]+"), #"{"path":{"regex":"/a/[0-9]+"}}"#),
        (
            Match(query: ["a": "1", "b": .contains("x"), "c": .regex("y+"), "d": .absent]),
            #"{"query":{"a":"1","b":{"contains":"x"},"c":{"regex":"y+"},"d":{"absent":true}}}"#
        ),
        (Match(headers: ["X-A": .absent]), #"{"headers":{"X-A":{"absent":true}}}"#),
        (Match(user: "a@b.c", body: ["n": 1]), #"{"body":{"n":1},"user":"a@b.c"}"#),
        (Match(bodyText: .equals("x")), #"{"bodyText":{"equals":"x"}}"#),
        (Match(bodyText: .contains("x")), #"{"bodyText":{"contains":"x"}}"#),
        (Match(bodyText: .regex("x")), #"{"bodyText":{"regex":"x"}}"#),
    ]

    @Test(arguments: all.indices)
    func `6 a match has the form of the contract, and comes back as it went`(number: Int) throws {
        let (match, wanted) = Self.all[number]
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data = try encoder.encode(match)
        expectEqual(String(decoding: data, as: UTF8.self), wanted)
        try expectEqual(encoder.encode(JSONDecoder().decode(Match.self, from: data)), data)
        #expect(!match.description.isEmpty)
    }

    @Test func `6 the server takes each of them, and tells them again`() async throws {
        let world = try World.current
        for (match, _) in Self.all where match.api != API("shop") { try await world.fail(.status(500), on: match) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let told = try await world.faults.map { String(decoding: try encoder.encode($0.match), as: UTF8.self) }
        expectEqual(told, Self.all.map(\.1).filter { !$0.contains("shop") })
    }

    @Test func `6 a text of the body is looked at`() async throws {
        let world = try World.current
        var request = URLRequest(url: world.url(.omnichat).appending(path: "api/v1/nowhere"))
        request.httpMethod = "POST"
        request.httpBody = Data("one two".utf8)
        _ = try await URLSession.shared.data(for: request)
        try await expectEqual(world.count(Match(bodyText: .contains("two"))), 1)
        try await expectEqual(world.count(Match(pathRegex: ".*/now[a-z]+", bodyText: .regex("one .*"))), 1)
        try await expectEqual(world.count(Match(headers: ["X-None": .absent], bodyText: "one")), 0)
    }
}
