import Backend
import Engine
import HTTPMessage
import JSON
import Journal
import TestSupport
import Testing
import Worlds

/// The optional hooks of an API: QR codes, and the journal's view of a request.
struct HookTests {
    @Test func `the journal shows the fields as the API lets it`() throws {
        let harness = try EngineHarness()
        var fields = Fields()
        fields.append("X-Secret", "hush")
        fields.append("Accept", "a/b")
        _ = try harness.send(.get, "/notes", fields: fields)
        let entry = try #require(try harness.journal().first)
        expectEqual(entry.headers["X-Secret"], "***")
        expectEqual(entry.headers["Accept"], "a/b")
    }

    @Test func `an API without QR codes has no payload and nothing to offer`() throws {
        let harness = try EngineHarness()
        let hosted = try harness.hosted("main")
        let order = QROrder(query: QueryItems(nil), authority: "127.0.0.1", epoch: hosted.world.parts[0].epoch)
        try expectNil(harness.emulator.apis[0].qrPayload(&hosted.world, 0, order).get())
        #expect(harness.emulator.apis[0].qrOffers(hosted.world, 0).isEmpty)
    }
}
