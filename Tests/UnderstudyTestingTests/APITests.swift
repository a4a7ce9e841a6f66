import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyServer

/// The public names of the APIs are those of the catalogue.
@Test func `each API of the build has a public name`() {
    expectEqual(API.allCases.map(\.rawValue), APICatalogue.names)
}

/// Custom APIs by their names (own-API contract, section 1).
@Suite struct CustomAPINameTests {
    @Test func `1 a custom API is named by its folder and has an address in a world`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("understudy-\(UUID().uuidString)")
        let shop = folder.appendingPathComponent("shop")
        try FileManager.default.createDirectory(at: shop, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("{}".utf8).write(to: shop.appendingPathComponent("api.json"))
        let server = try UnderstudyServer.start([API("shop"), .trendy], apiFolders: [folder.path])
        let world = try await server.world()
        #expect(world.url(API("shop")).absoluteString.hasSuffix("/@\(world.name)"))
        #expect(world.url(API("shop")).port != world.url(.trendy).port)
        try await world.reset(API("shop"))
        #expect(throws: ControlError.self) { try UnderstudyServer.start([API("shp")], apiFolders: [folder.path]) }
        #expect(throws: ControlError.self) { try UnderstudyServer.start(apiFolders: [folder.path + "/none"]) }
    }

    @Test func `1 a text that no API can have as its name is none`() throws {
        expectEqual(API(rawValue: "shop"), API("shop"))
        expectNil(API(rawValue: "No Name"))
        let text = try JSONEncoder().encode([API.trendy, API("shop")])
        expectEqual(String(decoding: text, as: UTF8.self), #"["trendy","shop"]"#)
        try expectEqual(JSONDecoder().decode([API].self, from: text), [.trendy, API("shop")])
    }
}
