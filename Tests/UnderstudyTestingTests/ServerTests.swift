import APIFolders
import CustomAPIs
import Foundation
import TestSupport
import Testing
import UnderstudyServer

@testable import UnderstudyClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Servers and what belongs to the process.
@Suite(.understudy()) struct ServerTests {
    @Test func `5 the environment names a server, and what is none is told`() throws {
        let named = try UnderstudyServer.named(by: ["UNDERSTUDY_URL": "http://10.0.0.1:4680/"])
        expectEqual(named.hub.absoluteString, "http://10.0.0.1:4680/")
        expectEqual(named.main.url(.trendy).absoluteString, "http://10.0.0.1:4680/@main/trendy")
        #expect(throws: ControlError.self) { try UnderstudyServer.named(by: ["UNDERSTUDY_URL": "here"]) }
        #expect("\(ControlError.noServer)".contains("UNDERSTUDY_URL"))
    }

    @Test func `5 a world has its addresses ready for an app's launch`() async throws {
        let world = try World.current
        expectEqual(world.urls.count, 5)
        let environment = world.launchEnvironment
        expectEqual(environment["UNDERSTUDY_WORLD"], world.name)
        expectEqual(environment["UNDERSTUDY_URL"].flatMap(URL.init), world.server.hub)
        expectEqual(environment["UNDERSTUDY_OMNICHAT_URL"], world.url(.omnichat).absoluteString)
        expectEqual(environment.count, 7)
        let arguments = world.launchArguments
        expectEqual(arguments.count, 14)
        let place = try #require(arguments.firstIndex(of: "-UNDERSTUDY_TRENDY_URL"))
        expectEqual(arguments[place + 1], world.url(.trendy).absoluteString)
        let url = world.url(.omnichat).appending(path: "api/v1/models")
        _ = try await URLSession.shared.data(from: url)
        try await expectEqual(world.requests().count, 1)
    }

    @Test func `5 an app that was launched finds its world`() async throws {
        let world = try World.current
        let found = try await world.server.world(named: world.name)
        _ = try await URLSession.shared.data(from: found.url(.omnichat).appending(path: "api/v1/models"))
        try await expectEqual(world.requests().count, 1)
        await #expect(throws: ControlError.self) { try await world.server.world(named: "no-such-world") }
    }

    @Test func `3 the process tells of itself`() async throws {
        let server = try World.current.server
        try await expectEqual(server.health.status, "ok")
        try await expectEqual(server.apis.map(\.name), API.allCases.map(\.rawValue))
        #expect(try await server.worlds.contains { $0.name == "main" })
        #expect(try await server.metrics.contains("understudy_"))
        try await expectEqual(server.document(of: .trendy)["openapi"]?.string?.hasPrefix("3."), true)
        #expect(try await server.problem("unknown-world")["explanation"] != nil)
        #expect(try await server.modes.allSatisfy { $0.mode == .emulate })
        try await expectEqual(server.set(.emulate, for: .trendy).api, "trendy")
        try await expectEqual(server.call("GET", "/health")["status"]?.string, "ok")
        await #expect(throws: ControlError.self) { try await server.call("GET", "/nowhere") }
    }

    @Test func `4 what a world has is told`() async throws {
        let world = try World.current
        try await expectEqual(world.snapshot("one").name, "one")
        try await expectEqual(world.snapshots.map(\.name), ["one"])
        try await expectEqual(world.latency["profile"]?.string, "none")
        try await expectEqual(world.clock.mode, "real")
        try await expectEqual(world.check(.any).checked, 0)
        try await expectEqual(world.appleKeys["keys"]?.array?.isEmpty, false)
        #expect(try await world.page(.documentation).contains("<html"))
        let code = World.QRCode(.quickLogin, user: "anna@example.com")
        #expect(try await world.qrPicture(code).starts(with: [0x89, 0x50]))
        try await expectEqual(world.qrPayload(code)["type"]?.string, "quick_login")
        let stub = try await world.stub(Match(.omnichat, "GET", "/x"), .init(503))
        try await expectEqual(world.change(stub, enabled: false).enabled, false)
        try await expectEqual(world.replace(stub, with: Stub(Match(.omnichat, "GET", "/y"), .init(204))).hits, 0)
        #expect(try await world.gates.isEmpty)
        let gate = try await world.gate("g", on: Match(.omnichat, "GET"))
        try await expectEqual(world.gates.map(\.name), ["g"])
        try await expectEqual(gate.status.passed, 0)
    }

    @Test func `15 events come as they happen, and go on where they were left`() async throws {
        let world = try World.current
        var seen: [World.Event] = []
        let events = world.events(after: 0)
        try await world.advance(by: .seconds(60))
        try await world.activate("omnichat/unicode")
        for try await event in events {
            seen.append(event)
            if event.kind == "scenario" { break }
        }
        let clock = try #require(seen.first { $0.kind == "clock" })
        expectEqual(clock.data["world"]?.string, world.name)
        for try await event in world.events(after: clock.id) {
            #expect(event.id > clock.id)
            break
        }
    }

    @Test func `15 a stream of events is read in any pieces`() throws {
        let text = ": hi\r\nid: 4\r\nevent: note\r\ndata: {\"a\":\r\ndata: \"ö\"}\r\n\r\ndata: x\n\n"
        for size in [1, 2, 7, 1_000] {
            var reader = EventReader()
            var events: [World.Event] = []
            let bytes = Array(text.utf8)
            for start in stride(from: 0, to: bytes.count, by: size) {
                events += reader.read(Data(bytes[start..<min(start + size, bytes.count)]))
            }
            expectEqual(events.map(\.kind), ["note", "message"])
            expectEqual(events.map(\.id), [4, 4])
            expectEqual(events[0].data["a"]?.string, "ö")
        }
    }

    @Test func `1 the names of APIs are those that folders may have`() {
        for name in [
            "a", "shop", "hub", "docs", "a-b", "a1", "", "1a", "-a", "a-", "A", "ä", "a_b", "a b",
            String(repeating: "a", count: 32),
        ] {
            expectEqual(API(rawValue: name) != nil, CustomAPIName.refusal(of: name) == nil, "\(name)")
        }
        expectNil(API(rawValue: String(repeating: "a", count: 33)))
    }
}
