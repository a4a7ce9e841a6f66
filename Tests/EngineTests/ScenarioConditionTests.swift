import Backend
import CivilTime
import Conditions
import Engine
import HTTPMessage
import JSON
import TestSupport
import Testing
import Worlds

/// Control contract, section 7: scenario files with faults and latency.
@Suite struct ScenarioConditionTests {
    private func api(_ scenario: String) throws -> AnyAPI {
        var files = NotesAPI.seedFiles()
        files.files.append(
            SeedFiles.File(
                name: "scenarios/bad.json",
                place: "seeds/notes/scenarios/bad.json",
                bytes: Array(scenario.utf8)
            )
        )
        return try AnyAPI(NotesAPI.definition, seed: files)
    }

    private static let scenario = """
        {"title": "t", "expect": "e",
         "faults": [{"name": "f", "effect": {"status": 503}}, {"effect": {"delay": {"ms": 5}}}],
         "latency": {"delay": {"ms": 7}}}
        """

    @Test func `7 a scenario brings faults and latency of its API, and takes them along when it goes`() throws {
        let hostTime = HostTime(wall: Instant(seconds: 1_735_732_800), monotonic: Instant(seconds: 1_000))
        let emulator = Emulator(apis: [try api(Self.scenario)], configuration: EmulatorConfiguration(), at: hostTime)
        let hosted = try #require(emulator[world: "main"])
        let name = try #require(emulator.scenario(named: "notes/bad"))
        var check = BodyCheck(["effect": ["status": 500]])
        hosted.world.faults.add(try #require(FaultSpec.read(&check, apis: ["notes"], scope: nil)), .control)
        emulator.activate(name, in: hosted, at: hostTime)
        emulator.activate(name, in: hosted, at: hostTime)
        expectEqual(hosted.world.faults.faults.map(\.id), ["flt_1", "flt_2", "flt_3"])
        expectEqual(hosted.world.faults["flt_2"]?.spec.matcher.api, "notes")
        expectEqual(hosted.world.latency.current(scope: "notes")?.json["delay"], ["ms": 7])
        _ = emulator.deactivate(name, in: hosted)
        expectEqual(hosted.world.faults.faults.map(\.id), ["flt_1"])
        #expect(hosted.world.latency.isEmpty)
    }

    @Test(arguments: [
        (
            #"{"title":"t","expect":"e","faults":{}}"#,
            "seeds/notes/scenarios/bad.json:1: $.faults: must be a list of faults, found object"
        ),
        (
            "{\"title\":\"t\",\"expect\":\"e\",\n\"faults\":[\n{\"effect\":{\"status\":9}}]}",
            "seeds/notes/scenarios/bad.json:3: $.faults[0].effect.status: must be a whole number from 200 to 599"
        ),
        (
            "{\"title\":\"t\",\"expect\":\"e\",\n\"latency\":{\"profile\":\"5g\"}}",
            "seeds/notes/scenarios/bad.json:2: $.latency.profile: must be one of wifi, lte, dsl, 3g, edge, high-latency-dns, very-bad-network, 100-loss, none; did you mean 3g?"
        ),
        (
            #"{"title":"t","expect":"e","latency":"lte"}"#,
            "seeds/notes/scenarios/bad.json:1: $.latency: must be an object, found string"
        ),
        (
            #"{"title":"t","expect":"e","faults":[{"match":{"api":"omnichat"},"effect":{"status":500}}]}"#,
            "seeds/notes/scenarios/bad.json:1: $.faults[0].match.api: must be one of notes"
        ),
    ])
    func `7 a scenario file that does not fit is refused with file, line and path`(text: String, reason: String) throws
    {
        do {
            _ = try api(text)
            Issue.record("it was taken")
        } catch let error as SeedError {
            expectEqual(error.items.map(\.text), [reason])
        }
    }

    @Test func `8 a fault file is a JSON list, each problem with its line`() throws {
        func read(_ text: String) throws -> [FaultSpec] {
            try FaultFile.read(Array(text.utf8), place: "f.json", apis: ["notes"])
        }
        try expectEqual(read(#"[{"name":"a","effect":{"status":500}},{"effect":{"connection":"reset"}}]"#).count, 2)
        #expect(try read("[]").isEmpty)
        for (text, reasons) in [
            ("{}", ["f.json:1: $: must be a list of faults, found object"]), ("[", ["f.json:1: $: "]),
            (
                "[\n1,\n{\"efect\":{}}]",
                [
                    "f.json:2: $[0]: must be an object, found number", "f.json:3: $[1].effect: is required",
                    "f.json:3: $[1].efect: unknown",
                ]
            ),
        ] {
            do {
                _ = try read(text)
                Issue.record("it was taken: \(text)")
            } catch let error as SeedError {
                expectEqual(error.items.count, reasons.count)
                for (item, reason) in zip(error.items, reasons) { #expect(item.text.hasPrefix(reason), "\(item.text)") }
            }
        }
    }
}
