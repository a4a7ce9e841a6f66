import Backend
import CivilTime
import Engine
import EngineTesting
import JSON
import TestSupport
import Testing
import Worlds

@testable import Trendy

/// Control contract, section 4: an imported world equals the exported one.
@Suite struct StateTests {
    /// The document that another harness reads, whatever its own world contains.
    private func moved(_ harness: Harness, start: Int64 = 0) throws -> Harness {
        let document = try JSONReader.read(
            harness.emulator.dump(try harness.hosted(), at: harness.hostTime).document.serialized(),
            options: JSONReader.Options(maxDepth: StateDepth.maximum)
        )
        let other = try Harness(start: Harness.noon + .days(start))
        try other.emulator.load(try #require(document.objectValue), into: try other.hosted(), at: other.hostTime)
        return other
    }

    @Test(arguments: [0, 1, 2, 3, 4] as [Int64])
    func `4 events and change log of a world that is loaded are its own, not the seed's`(start: Int64) throws {
        let harness = try Harness()
        let token = try harness.mint("tracker@trendy.example")
        let run = try harness.typeID("Run", token)
        let created = try harness.post(
            "/api/v1/events",
            token: token,
            json: ["event_type_id": .string(run), "timestamp": "2025-01-01T10:00:00Z"]
        )
        expectEqual(created.status, 201)
        let newest = created.text(at: "id")
        let oldest = try harness.get("/api/v1/changes?since=6&limit=1", token: token).json["changes"]?[0]?
            .string("entity_id")
        try expectEqual(harness.delete("/api/v1/events/\(try #require(oldest))", token: token).status, 204)
        let other = try moved(harness, start: start)
        for path in ["events?limit=1000", "changes?limit=500", "changes/latest-cursor", "event-types", "geofences"] {
            try expectEqual(
                other.get("/api/v1/\(path)", token: token).text,
                harness.get("/api/v1/\(path)", token: token).text,
                "\(path)"
            )
        }
        try expectEqual(other.get("/api/v1/events/\(newest)", token: token).status, 200)
        try expectEqual(other.get("/api/v1/events/\(oldest ?? "")", token: token).status, 404)
    }

    @Test func `4 a loaded world that is reset has the seed's events again`() throws {
        let other = try moved(try Harness())
        try other.hosted().world.reset(other.emulator.apis, keepClock: false, at: other.hostTime)
        let token = try other.mint("tracker@trendy.example")
        try expectEqual(other.get("/api/v1/changes/latest-cursor", token: token).json["cursor"], 64)
    }
}
