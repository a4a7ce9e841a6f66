import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 6: `--watch`.
@Suite(.serialized) struct WatchTests {
    private static let scenario = "omnichat/scenarios/mine.json"

    private func scenario(_ title: String) -> String { #"{"title":"\#(title)","expect":"y"}"# }

    /// The built-in users with another name for the first.
    private func users(_ name: String) throws -> String {
        let files = try Checkout.seeds("omnichat")
        let text = String(decoding: try #require(files.first { $0.name == "users.json" }).bytes, as: UTF8.self)
        return text.replacingOccurrences(of: #""name": "Test User""#, with: #""name": "\#(name)""#)
    }

    private func folder() throws -> Folder {
        let folder = try Folder([Self.scenario: scenario("first")])
        for file in try Checkout.seeds("omnichat") where !file.name.contains("/") {
            try folder.write("omnichat/\(file.name)", String(decoding: file.bytes, as: UTF8.self))
        }
        return folder
    }

    private func title(_ served: Served) throws -> String? {
        let items = try served.control("GET", "/scenarios").json["items"]?.arrayValue ?? []
        return items.first { $0["name"] == "omnichat/mine" }?["title"]?.stringValue
    }

    private func name(_ served: Served, world: String = "main") throws -> String? {
        let token = try served.token(world: world)
        let path = "/@\(world)/api/v1/user/profile"
        return try Wire(port: served.api).ask("GET", path, token: token).json["name"]?.stringValue
    }

    /// The data of the `reload` events so far.
    private func reloads(_ served: Served) throws -> [JSON] {
        let wire = try Wire(port: served.hub)
        try wire.send(Wire.request("GET", "/__admin/events", fields: ["Last-Event-ID: 0"]))
        try wire.wait(for: ": understudy")
        let mark = "\(UUID())"
        _ = try served.control("POST", "/worlds", #"{"name":"\#(mark.lowercased())"}"#)
        try wire.wait(for: mark.lowercased())
        return try wire.text.components(separatedBy: "event: reload\n").dropFirst().map { piece in
            let line = piece.split(separator: "\n").first ?? ""
            return try JSONReader.read(text: String(line.dropFirst("data: ".count)))
        }
    }

    @Test func `6 a changed set resets main with its clock kept, and later worlds begin with it`() throws {
        let folder = try folder()
        let served = try Served(Served.frozen + ["--watch", "--seeds", folder.url.path, "--latency", "wifi"])
        _ = try served.control("POST", "/worlds", #"{"name":"old"}"#)
        _ = try served.control("POST", "/clock/advance", #"{"seconds":60}"#)
        _ = try served.control("POST", "/faults", #"{"effect":{"delay":{"ms":1}}}"#)
        _ = try served.control("PUT", "/latency", #"{"profile":"none"}"#)
        try expectEqual(name(served), "Test User")
        try folder.write("omnichat/users.json", try users("Renamed"))
        try Deadline().wait(for: "the reset") { try served.control("GET", "/faults").json["items"] == [] }
        try expectEqual(name(served), "Renamed")
        try expectEqual(served.control("GET", "/clock").json["now"], "2025-01-01T12:01:00.000Z")
        try expectEqual(
            served.control("GET", "/latency").json["profile"],
            "wifi",
            "what it was started with is there again"
        )
        try expectEqual(name(served, world: "old"), "Test User", "a world that is there keeps its rows")
        _ = try served.control("POST", "/worlds", #"{"name":"new"}"#)
        try expectEqual(name(served, world: "new"), "Renamed")
        _ = try Wire(port: served.hub).ask("POST", "/@old/__admin/reset")
        try expectEqual(name(served, world: "old"), "Renamed", "until it is reset")
        let events = try reloads(served)
        expectEqual(events.count, 1)
        #expect(events.first?["files"]?.intValue ?? 0 > 5)
        try Deadline().wait(for: "the log") { try served.child.errors().contains("reload") }
    }

    @Test func `6 a set that is refused changes nothing, and the log says why`() throws {
        let folder = try folder()
        let served = try Served(Served.frozen + ["--watch", "--seeds", folder.url.path])
        _ = try served.control("POST", "/faults", #"{"effect":{"delay":{"ms":1}}}"#)
        try folder.write("omnichat/users.json", "[\n  {\"id\": 1}\n]")
        try folder.write(Self.scenario, "{\n  \"titel\": \"x\"\n}")
        let reason = "\(folder.url.path)/omnichat/users.json:2: $[0]"
        try Deadline().wait(for: "the log") {
            let log = try served.child.errors()
            return log.contains("reload refused") && log.contains(reason) && log.contains("mine.json:1: $.title")
        }
        #expect(try served.control("GET", "/faults").json["items"] != [])
        try expectEqual(title(served), "first")
        let refused = try #require(try reloads(served).last?["refused"]?.arrayValue)
        #expect(refused.contains { $0.stringValue?.hasPrefix(reason) == true })
        try folder.write("omnichat/users.json", try users("Mended"))
        try folder.write(Self.scenario, scenario("second"))
        try Deadline().wait(for: "the next set") { try title(served) == "second" }
        try expectEqual(name(served), "Mended")
    }

    @Test func `6 a scenario that main starts with can't go`() throws {
        let folder = try folder()
        let served = try Served(
            Served.frozen + ["--watch", "--seeds", folder.url.path, "--scenario", "omnichat/mine"]
        )
        try FileManager.default.removeItem(at: folder.url.appendingPathComponent(Self.scenario))
        try Deadline().wait(for: "the log") {
            try served.child.errors().contains("--scenario names omnichat/mine, which the new seeds do not have")
        }
        try expectEqual(title(served), "first")
    }

    @Test func `6 without --watch nothing is reloaded`() throws {
        let folder = try folder()
        let served = try Served(Served.frozen + ["--seeds", folder.url.path])
        try folder.write(Self.scenario, scenario("second"))
        usleep(1_200_000)
        try expectEqual(title(served), "first")
    }
}
