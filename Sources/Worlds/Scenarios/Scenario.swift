package import Backend
package import CivilTime
package import Conditions
package import JSON

/// A named, documented edge case (control contract, section 7): data from `seeds/<api>/scenarios/<name>.json`.
package struct Scenario: Sendable {
    /// `<api>/<name>`.
    package let name: String
    package let title: String
    /// The expected behaviour of a good client.
    package let expect: String
    /// Settings of its API that hold while it is on.
    package let settings: JSON
    /// The interval by which the world's clock moves forward when it is switched on.
    package let advance: Interval
    /// Faults of its API that hold while it is on.
    package let faults: [FaultSpec]
    /// Stubs of its API that stand in front of all others while it is on.
    package let stubs: [StubSpec]
    /// The latency of its API that holds while it is on.
    package let latency: Latency?
    /// The moment that the clock moves to instead, relative to its present time.
    package let destination: ScenarioClock?
    /// Makes the changes of rows and returns the changed rows.
    package let apply: @Sendable (inout World, Int) -> [String]
    /// Reverts the effects of the changes that are not rows.
    package let undo: @Sendable (inout World, Int) -> Void

    /// Creates a scenario whose file an owner has read.
    package init(
        name: String,
        title: String,
        expect: String,
        settings: JSON,
        advance: Interval,
        faults: [FaultSpec],
        stubs: [StubSpec],
        latency: Latency?,
        destination: ScenarioClock?,
        apply: @escaping @Sendable (inout World, Int) -> [String],
        undo: @escaping @Sendable (inout World, Int) -> Void
    ) {
        self.name = name
        self.title = title
        self.expect = expect
        self.settings = settings
        self.advance = advance
        self.faults = faults
        self.stubs = stubs
        self.latency = latency
        self.destination = destination
        self.apply = apply
        self.undo = undo
    }
}

/// The members of a scenario file that every API has, once they are read.
package struct ScenarioFrame: Sendable {
    /// Settings of its API that hold while it is on.
    package var settings: JSON = .object(JSONObject())
    /// The interval by which the world's clock moves forward.
    package var advance = Interval.zero
    /// Faults of its API.
    package var faults: [FaultSpec] = []
    /// Stubs of its API, which their owner reads.
    package var stubs: [StubSpec] = []
    /// The latency of its API.
    package var latency: Latency?
    var destination: ScenarioClock?

    /// Reads these members of a scenario file, and returns their problems with the paths inside the file.
    ///
    /// `settingFaults` tells what is wrong with the settings.
    package static func read(
        _ file: JSONObject,
        api: String,
        settingFaults: (JSON) -> [Problem.Item]
    ) -> (frame: ScenarioFrame, problems: [Problem.Item]) {
        func member(_ name: String) -> JSON? { file[name].flatMap { $0.isNull ? nil : $0 } }
        var frame = ScenarioFrame()
        var problems: [Problem.Item] = []
        var clock: ScenarioFileClock?
        if let sent = member("clock") {
            do throws(JSONDecodingError) {
                clock = try JSONDecoding.decodeOrExplain(
                    ScenarioFileClock.self,
                    from: sent,
                    options: JSONDecoding.Options(rejectUnknownMembers: true)
                )
            } catch {
                for issue in error.issues {
                    let path = [JSONPathElement.key("clock")] + issue.path
                    problems.append(Problem.Item(path: path.formattedJSONPath, reason: issue.reason))
                }
            }
        }
        (frame.advance, frame.destination) = Scenario.motion(clock) { path, reason in
            problems.append(Problem.Item(path: path.formattedJSONPath, reason: reason))
        }
        if let settings = member("settings") { frame.settings = settings }
        problems += settingFaults(frame.settings)
        let (faults, latency, refused) = Scenario.conditions(member("faults"), member("latency"), api: api)
        frame.faults = faults
        frame.latency = latency
        return (frame, problems + refused)
    }
}

extension Scenario {
    /// Creates a scenario of those parts.
    ///
    /// - Parameters:
    ///   - name: The name, `<api>/<name>`.
    ///   - title: The title.
    ///   - expect: The expected behaviour of a good client.
    ///   - frame: Settings, clock, faults, stubs and latency.
    ///   - apply: Makes the changes of rows and returns the changed rows.
    ///   - undo: Reverts the effects of the changes that are not rows.
    package init(
        name: String,
        title: String,
        expect: String,
        frame: ScenarioFrame,
        apply: @escaping @Sendable (inout World, Int) -> [String],
        undo: @escaping @Sendable (inout World, Int) -> Void
    ) {
        self.init(
            name: name,
            title: title,
            expect: expect,
            settings: frame.settings,
            advance: frame.advance,
            faults: frame.faults,
            stubs: frame.stubs,
            latency: frame.latency,
            destination: frame.destination,
            apply: apply,
            undo: undo
        )
    }
}

/// A scenario that is switched on in a world.
package struct ActiveScenario: Sendable {
    package let name: String
    /// The former values of its settings, which return when it is switched off.
    package var former: JSON
    /// The rows that it changed; they stay changed.
    package let changed: [String]

    package init(name: String, former: JSON, changed: [String]) {
        self.name = name
        self.former = former
        self.changed = changed
    }
}

extension Scenario {
    /// Reads the scenario files of a seed folder.
    ///
    /// Each is checked as far as possible without a world.
    static func read<State>(
        _ api: APIDefinition<State>,
        _ files: SeedFiles,
        _ tree: SettingTree<State>
    ) throws(SeedError) -> [Scenario] {
        let folder = "scenarios/"
        var scenarios: [Scenario] = []
        var problems: [SeedError.Item] = []
        for file in files.files where file.name.hasPrefix(folder) && file.name.hasSuffix(".json") {
            do throws(SeedError) {
                let name = String(file.name.dropFirst(folder.count).dropLast(".json".count))
                scenarios.append(try read(api, file, name: "\(api.identity.name)/\(name)", tree))
            } catch {
                problems += error.items
            }
        }
        guard problems.isEmpty else { throw SeedError(problems) }
        return scenarios.sorted { $0.name < $1.name }
    }

    private static func read<State>(
        _ api: APIDefinition<State>,
        _ file: SeedFiles.File,
        name: String,
        _ tree: SettingTree<State>
    ) throws(SeedError) -> Scenario {
        func refuse(_ line: Int, _ path: String, _ reason: String) -> SeedError {
            SeedError([SeedError.Item(place: file.place, line: line, path: path, reason: reason)])
        }
        let json: JSON
        let positions: JSONPositions
        do throws(JSONSyntaxError) {
            (json, positions) = try JSONReader.readWithPositions(
                file.bytes,
                options: JSONReader.Options(allowDuplicateNames: false)
            )
        } catch {
            throw refuse(error.line, "$", "\(error)")
        }
        var problems: [SeedError.Item] = []
        func note(_ path: [JSONPathElement], _ reason: String) {
            let line = positions.closestLine(to: path).line
            let item = SeedError.Item(place: file.place, line: line, path: path.formattedJSONPath, reason: reason)
            problems.append(item)
        }
        var content: ScenarioContent<State>?
        do throws(JSONDecodingError) {
            content = try api.readScenario(json.objectValue.map { .object($0.withoutSchemaAddress) } ?? json)
        } catch {
            for issue in error.issues { note(issue.path, issue.reason) }
        }
        // These are reported even if the rest could not be read.
        func member(_ name: String) -> JSON? { json.objectValue?[name].flatMap { $0.isNull ? nil : $0 } }
        let clock = member("clock").flatMap { try? JSONDecoding.decode(ScenarioFileClock.self, from: $0) }
        let (advance, destination) = motion(clock, note)
        let settings = member("settings") ?? .object(JSONObject())
        problems += tree.faults(in: settings, at: "$.settings").located(in: positions, place: file.place)
        let (faults, latency, refused) = conditions(member("faults"), member("latency"), api: api.identity.name)
        problems += refused.located(in: positions, place: file.place)
        guard let content, problems.isEmpty else { throw SeedError(problems) }
        return Scenario(
            name: name,
            title: content.title,
            expect: content.expect,
            settings: settings,
            advance: advance,
            faults: faults,
            stubs: [],
            latency: latency,
            destination: destination,
            apply: { world, index in
                let epoch = world.parts[index].epoch
                return world.with(index, State.self) { content.apply(&$0, &$1, epoch) }
            },
            undo: { world, index in world.with(index, State.self) { content.undo(&$0, &$1) } }
        )
    }

    /// Returns the interval or the destination by which the clock moves.
    fileprivate static func motion(
        _ clock: ScenarioFileClock?,
        _ note: ([JSONPathElement], String) -> Void
    ) -> (Interval, ScenarioClock?) {
        var advance = Interval.zero
        if let text = clock?.advance {
            do throws(DurationError) {
                advance = try Interval(iso8601Duration: text)
            } catch {
                note(["clock", "advance"], "\(error)")
            }
            if advance < .zero {
                note(["clock", "advance"], "must not be negative: scenarios only move the clock forward")
            }
        }
        var destination: ScenarioClock?
        if let text = clock?.to {
            destination = ScenarioClock(text)
            if destination == nil { note(["clock", "to"], ScenarioClock.form) }
        }
        if let clock, (clock.advance == nil) == (clock.to == nil) { note(["clock"], "give either advance or to") }
        return (advance, destination)
    }

    /// Returns the faults and the latency of a scenario file, narrowed to its API, and their problems.
    fileprivate static func conditions(
        _ faults: JSON?,
        _ latency: JSON?,
        api: String
    ) -> ([FaultSpec], Latency?, [Problem.Item]) {
        var problems: [Problem.Item] = []
        var specs: [FaultSpec] = []
        if let faults {
            let read = FaultFile.read(faults, at: "$.faults", apis: [api], scope: api)
            specs = read.specs
            problems += read.faults
        }
        var slowness: Latency?
        if case .object(let object)? = latency {
            var check = BodyCheck(object, at: "$.latency")
            slowness = Latency.read(&check, apis: [api], scope: api)
            check.refuseUnknown()
            problems += check.items
        } else if let latency {
            problems.append(
                Problem.Item(path: "$.latency", reason: "must be an object, found \(latency.typeName)")
            )
        }
        return (specs, slowness, problems)
    }
}
