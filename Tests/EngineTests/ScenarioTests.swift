import Backend
import CivilTime
import Engine
import HTTPMessage
import JSON
import TestSupport
import Testing
import Worlds

/// Control contract, section 7: scenarios are data, switched on and off.
@Suite struct ScenarioTests {
    private func emulator(_ files: [String: String]) throws -> Emulator {
        var seed = NotesAPI.seedFiles()
        for name in files.keys.sorted() {
            seed.files.append(
                SeedFiles.File(
                    name: "scenarios/\(name).json",
                    place: "\(name).json",
                    bytes: Array((files[name] ?? "").utf8)
                )
            )
        }
        let harness = try EngineHarness()
        return Emulator(
            apis: [try AnyAPI(NotesAPI.definition, seed: seed)],
            configuration: EmulatorConfiguration(),
            at: harness.hostTime
        )
    }

    private func scenario(_ settings: String, _ rest: String = "") -> String {
        #"{"title":"t","expect":"e","settings":\#(settings)\#(rest)}"#
    }

    @Test func `settings return to what they were, in whatever order scenarios go`() throws {
        let files = [
            "a": scenario(#"{"greeting":"a","check":{"mode":"strict"}}"#), "b": scenario(#"{"greeting":"b"}"#),
        ]
        for goesFirst in ["notes/a", "notes/b"] {
            let harness = try EngineHarness()
            let emulator = try emulator(files)
            let hosted = try #require(emulator[world: "main"])
            func greeting() -> String { hosted.world.state(0, NotesAPI.State.self).greeting }
            for name in ["notes/a", "notes/b"] {
                emulator.activate(try #require(emulator.scenario(named: name)), in: hosted, at: harness.hostTime)
                emulator.activate(try #require(emulator.scenario(named: name)), in: hosted, at: harness.hostTime)
            }
            expectEqual(greeting(), "b")
            expectEqual(emulator.deactivate(try #require(emulator.scenario(named: goesFirst)), in: hosted), [])
            expectEqual(greeting(), goesFirst == "notes/a" ? "b" : "a")
            let other = goesFirst == "notes/a" ? "notes/b" : "notes/a"
            expectEqual(emulator.deactivate(try #require(emulator.scenario(named: other)), in: hosted), [])
            expectEqual(greeting(), "hello")
            expectEqual(hosted.world.state(0, NotesAPI.State.self).mode, .lenient)
            expectNil(emulator.deactivate(try #require(emulator.scenario(named: other)), in: hosted))
        }
    }

    @Test func `rows that a scenario changed stay changed, and the clock has moved`() throws {
        let harness = try EngineHarness()
        let emulator = try emulator([
            "rows": scenario(
                "{}",
                #","clock":{"advance":"P1D"},"changes":[{"note":"n1","text":"x"},{"note":"n9","text":"y"}]"#
            )
        ])
        let hosted = try #require(emulator[world: "main"])
        let name = try #require(emulator.scenario(named: "notes/rows"))
        #expect(emulator.activate(name, in: hosted, at: harness.hostTime))
        expectEqual(hosted.world.now(harness.hostTime), harness.hostTime.wall + .days(1))
        expectEqual(emulator.deactivate(name, in: hosted), ["notes/n1"])
        expectEqual(hosted.world.state(0, NotesAPI.State.self).notes["n1"]?.text, "x")
    }

    @Test(
        arguments: [
            ("{", "x.json:1: $: "), (#"{"title":"t"}"#, "x.json:1: $.expect: "),
            ("{\"title\":\"t\",\"expect\":\"e\",\n\"colour\":1}", "x.json:2: $.colour: unknown member"),
            (
                #"{"title":"t","expect":"e","settings":{"greting":"x"}}"#,
                "x.json:1: $.settings.greting: unknown setting"
            ),
            (#"{"title":"t","expect":"e","clock":{"advance":"P1M"}}"#, "x.json:1: $.clock.advance: "),
            (#"{"title":"t","expect":"e","changes":[{"note":1}]}"#, "x.json:1: $.changes[0].note: "),
        ]
    )
    func `a scenario file that is wrong is refused with the place`(text: String, start: String) throws {
        let error = #expect(throws: SeedError.self) { try emulator(["x": text]) }
        #expect(try #require(error?.items.first).text.hasPrefix(start), "\(error?.items.first?.text ?? "")")
    }
}
