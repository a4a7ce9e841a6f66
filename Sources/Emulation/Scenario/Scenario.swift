package import CivilTime
package import JSON

/// A named, documented edge case (control contract, section 7): data from `seeds/<api>/scenarios/<name>.json`.
package struct Scenario: Sendable {
    /// `<api>/<name>`.
    package let name: String
    package let title: String
    /// What a good client does.
    package let expect: String
    /// Settings of its API that hold while it is on.
    package let settings: JSON
    /// How far the world's clock moves forward when it is switched on.
    package let advance: Interval
    /// Faults of its API that hold while it is on.
    package let faults: [FaultSpec]
    /// The latency of its API that holds while it is on.
    package let latency: Latency?
    /// Where the clock moves to instead, counted from what it then shows.
    let destination: ScenarioClock?
    /// Makes the changes of rows and answers which rows they were.
    let apply: @Sendable (inout World, Int) -> [String]
    /// Takes back what of them is no change of rows.
    let undo: @Sendable (inout World, Int) -> Void
}

/// The form of a scenario file.
struct ScenarioFile<Change: Decodable & Sendable>: Decodable {
    struct Clock: Decodable {
        var advance: String?
        var to: String?
    }

    var title: String
    var expect: String
    var settings: JSON?
    var clock: Clock?
    var faults: JSON?
    var latency: JSON?
    var changes: [Change]?
}

/// A scenario that is on in a world.
package struct ActiveScenario: Sendable {
    package let name: String
    /// What its settings were before; they return when it is switched off.
    var former: JSON
    /// The rows it changed; they stay changed.
    package let changed: [String]
}

extension Scenario {
    /// Reads the scenario files of a seed folder, each checked as far as it can be without a world.
    static func read<API: EmulatedAPI>(
        _ api: API.Type,
        _ files: SeedFiles,
        _ tree: SettingTree<API.State>
    ) throws(SeedError) -> [Scenario] {
        let folder = "scenarios/"
        var scenarios: [Scenario] = []
        var problems: [SeedError.Item] = []
        for file in files.files where file.name.hasPrefix(folder) && file.name.hasSuffix(".json") {
            do throws(SeedError) {
                let name = String(file.name.dropFirst(folder.count).dropLast(".json".count))
                scenarios.append(try read(api, file, name: "\(API.identity.name)/\(name)", tree))
            } catch {
                problems += error.items
            }
        }
        guard problems.isEmpty else { throw SeedError(problems) }
        return scenarios.sorted { $0.name < $1.name }
    }

    private static func read<API: EmulatedAPI>(
        _ api: API.Type,
        _ file: SeedFiles.File,
        name: String,
        _ tree: SettingTree<API.State>
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
        let content: ScenarioFile<API.Change>
        do throws(JSONDecodingError) {
            content = try JSONDecoding.decode(
                ScenarioFile<API.Change>.self,
                from: json,
                options: JSONDecoding.Options(rejectUnknownMembers: true)
            )
        } catch {
            throw refuse(positions.closestLine(to: error.path).line, error.formattedPath, error.reason)
        }
        var advance = Interval.zero
        if let text = content.clock?.advance {
            do throws(DurationError) {
                advance = try Interval(iso8601Duration: text)
            } catch {
                throw refuse(positions.closestLine(to: ["clock", "advance"]).line, "$.clock.advance", "\(error)")
            }
            guard advance >= .zero else {
                let line = positions.closestLine(to: ["clock", "advance"]).line
                throw refuse(line, "$.clock.advance", "must not be negative: scenarios only move the clock forward")
            }
        }
        var destination: ScenarioClock?
        if let text = content.clock?.to {
            destination = ScenarioClock(text)
            let line = positions.closestLine(to: ["clock", "to"]).line
            guard destination != nil else { throw refuse(line, "$.clock.to", ScenarioClock.form) }
        }
        if let clock = content.clock, (clock.advance == nil) == (clock.to == nil) {
            throw refuse(positions.closestLine(to: ["clock"]).line, "$.clock", "give either advance or to")
        }
        let settings = content.settings ?? .object(JSONObject())
        if let fault = tree.faults(in: settings, at: "$.settings").first {
            throw refuse(positions.closestLine(to: ["settings"]).line, fault.path, fault.reason)
        }
        let (faults, latency) = try conditions(
            content.faults,
            content.latency,
            api: API.identity.name,
            positions,
            place: file.place
        )
        let changes = content.changes ?? []
        return Scenario(
            name: name,
            title: content.title,
            expect: content.expect,
            settings: settings,
            advance: advance,
            faults: faults,
            latency: latency,
            destination: destination,
            apply: { world, index in
                let epoch = world.parts[index].epoch
                return world.with(index, API.State.self) { state, core in
                    changes.flatMap { API.apply($0, to: &state, core: &core, epoch: epoch) }
                }
            },
            undo: { world, index in
                world.with(index, API.State.self) { state, core in
                    for change in changes { API.undo(change, in: &state, core: &core) }
                }
            }
        )
    }

    /// The faults and the latency of a scenario file, narrowed to its API.
    private static func conditions(
        _ faults: JSON?,
        _ latency: JSON?,
        api: String,
        _ positions: JSONPositions,
        place: String
    ) throws(SeedError) -> ([FaultSpec], Latency?) {
        var problems: [ControlFault.Item] = []
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
                ControlFault.Item(path: "$.latency", reason: "must be an object, found \(latency.typeName)")
            )
        }
        guard problems.isEmpty else { throw SeedError(problems.located(in: positions, place: place)) }
        return (specs, slowness)
    }
}
