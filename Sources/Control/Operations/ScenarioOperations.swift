import Backend
import CivilTime
import Engine
import HTTPMessage
import JSON
import Journal
import Worlds

/// Scenarios and settings (control contract, section 7).
enum ScenarioOperations {
    private static let scenario = Schemas.object([
        ("name", .string()), ("title", .string()), ("expect", .string()), ("active", .boolean),
    ])
    private static let names = [
        Parameter("api", in: .path, .string(), "The API"),
        Parameter("name", in: .path, .described(.string(), example: "rate-limited"), "The scenario"),
    ]

    static let all: [ControlOperation] = [
        ControlOperation(
            .get,
            "/scenarios",
            "Lists the scenarios, and whether each is on",
            reads: [.scenarios, .seed],
            isList: true,
            answers: [Schemas.answer("Scenarios", Schemas.list(scenario), "The scenarios")]
        ) { call throws(Problem) in
            let hosted = try call.world()
            let places = call.api.map { [$0] } ?? Array(call.emulator.apis.indices)
            return try call.list(
                places.flatMap { call.emulator.apis[$0].scenarios }.map { json($0, hosted) }
            )
        },
        ControlOperation(
            .put,
            "/scenarios/{api}/{name…}",
            "Switches a scenario on",
            reads: [.scenarios, .seed],
            parameters: names,
            answers: [Schemas.answer("Scenario", scenario, "The scenario, now on")],
            act: activate
        ),
        ControlOperation(
            .delete,
            "/scenarios/{api}/{name…}",
            "Switches a scenario off; rows it changed stay changed",
            reads: [.scenarios, .seed],
            parameters: names,
            answers: [
                Schemas.answer(
                    "ScenarioOff",
                    Schemas.object([("name", .string()), ("active", .boolean), ("changed", .array(.string()))]),
                    "The rows it changed"
                )
            ]
        ) { call throws(Problem) in
            let hosted = try call.world()
            let name = try find(call)
            let changed = call.emulator.deactivate(name, in: hosted) ?? []
            call.emulator.note(
                .scenario,
                in: hosted,
                ["name": .string(call.emulator.scenario(name).name), "active": false]
            )
            let text = "The scenario \(call.emulator.scenario(name).name) was switched off"
            call.emulator.write(.scenario, text, in: hosted, at: call.hostTime)
            return ControlAnswer.json([
                "name": .string(call.emulator.scenario(name).name), "active": false,
                "changed": .array(changed.map { .string($0) }),
            ])
        },
        ControlOperation(
            .get,
            "/settings",
            "Returns the settings",
            reads: .seed,
            answers: [Schemas.answer("Settings", .object(JSONSchema.Object()), "All settings, nested, by API")]
        ) { call throws(Problem) in ControlAnswer.json(.object(settings(try call.world(), call))) },
        ControlOperation(
            .put,
            "/settings",
            "Changes the given settings; others stay",
            reads: .seed,
            body: .json(
                name: "SettingsChange",
                schema: .object(JSONSchema.Object()),
                isRequired: false,
                example: ["omnichat": ["apple": ["mode": "strict"]]]
            ),
            answers: [Schemas.answer("Settings", .object(JSONSchema.Object()), "All settings after the change")],
            handle: change
        ),
    ]

    private static func find(_ call: ControlCall) throws(Problem) -> ScenarioName {
        let text = "\(call.parameters[0])/\(call.parameters[1])"
        guard let name = call.emulator.scenario(named: text) else {
            let hint =
                Suggestion.question(to: text, among: call.emulator.scenarioNames)
            throw Problem(.notFound, "There is no scenario \"\(text.cut)\".\(hint)")
        }
        return name
    }

    private static func activate(_ call: ControlCall) throws(Problem) -> ControlDecision {
        let hosted = try call.world()
        let name = try find(call)
        var check = BodyCheck(try call.object())
        try check.finish()
        func activated() -> Response {
            let scenario = call.emulator.scenario(name)
            call.emulator.note(.scenario, in: hosted, ["name": .string(scenario.name), "active": true])
            let text = "The scenario \(scenario.name) was switched on"
            call.emulator.write(.scenario, text, in: hosted, at: call.hostTime)
            return ControlAnswer.json(json(scenario, hosted))
        }
        guard !call.emulator.isActive(name, in: hosted) else { return .now(activated()) }
        if let refusal = call.emulator.refusal(of: [name], in: hosted) { throw refusal }
        return try call.working(on: [name.api], of: hosted) { hostTime in
            call.emulator.changes(of: [name], at: hostTime)
        } then: { outcomes, hostTime in
            // Another call may have switched it on meanwhile; this outcome then changes nothing more.
            for outcome in outcomes where !call.emulator.isActive(name, in: hosted) {
                let former = hosted.world.core.clock
                guard call.emulator.activate(name, in: hosted, outcome, at: hostTime) else { continue }
                var late = call
                late.hostTime = hostTime
                _ = ClockOperations.moved(hosted, late)
                if hosted.world.core.clock != former { ClockOperations.noteMove(hosted, late) }
            }
            return .success(activated())
        }
    }

    private static func json(_ scenario: Scenario, _ hosted: Emulator.HostedWorld) -> JSON {
        [
            "name": .string(scenario.name), "title": .string(scenario.title), "expect": .string(scenario.expect),
            "active": .bool(hosted.world.activeScenarios.contains { $0.name == scenario.name }),
        ]
    }

    private static func settings(_ hosted: Emulator.HostedWorld, _ call: ControlCall) -> JSONObject {
        var root = JSONObject()
        for (index, api) in call.emulator.apis.enumerated() where call.api == nil || call.api == index {
            root.append(api.identity.name, api.readSettings(hosted.world, index))
        }
        // These settings belong to the whole world, not to an API.
        guard call.api == nil else { return root }
        root.append("cors", ["origins": .array(hosted.world.crossOrigin.origins.map { .string($0) })])
        for setting in call.table.settings { root.append(setting.name, setting.json(hosted)) }
        return root
    }

    /// The maximum length of an origin in bytes; no longer field is read.
    private static let longestOrigin = 2_048

    /// Reads `{"cors":{"origins":[…]}}`, which belongs to no API.
    private static func crossOrigin(_ check: inout BodyCheck) -> CrossOrigin? {
        guard check.value("cors") != nil, let part = check.object("cors") else { return nil }
        for member in part.members where member.name != "origins" && !check.isFull {
            check.fault("cors.\(member.name.cut)", "unknown member; allowed: origins")
        }
        guard let items = part["origins"]?.arrayValue else {
            check.fault("cors.origins", "must be an array of origins such as http://localhost:3000, or of *")
            return nil
        }
        guard items.count <= BodyCheck.mostNames else {
            check.fault("cors.origins", "must have at most \(BodyCheck.mostNames) origins, found \(items.count)")
            return nil
        }
        var origins: [String] = []
        for (place, item) in items.enumerated() where !check.isFull {
            guard let text = item.stringValue, text.utf8.count <= longestOrigin, CrossOrigin.isOrigin(text) else {
                check.fault("cors.origins[\(place)]", "must be an origin such as http://localhost:3000, or *")
                continue
            }
            origins.append(text)
        }
        return CrossOrigin(origins: origins)
    }

    /// Applies all changes, or none if any of them does not fit.
    private static func change(_ call: ControlCall) throws(Problem) -> Response {
        let hosted = try call.world()
        let body = try call.object()
        var check = BodyCheck(body)
        for (index, api) in call.emulator.apis.enumerated() where call.api == nil || call.api == index {
            guard check.value(api.identity.name) != nil, let part = check.object(api.identity.name) else { continue }
            check.add(api.settingFaults(.object(part)))
        }
        let crossOrigin = call.api == nil ? crossOrigin(&check) : nil
        var changes: [(name: String, make: () -> Void)] = []
        for setting in call.api == nil ? call.table.settings : [] {
            if let make = setting.change(&check, hosted, call.emulator) { changes.append((setting.name, make)) }
        }
        try check.finish()
        if let crossOrigin { hosted.world.crossOrigin = crossOrigin }
        for change in changes { change.make() }
        for (index, api) in call.emulator.apis.enumerated() {
            guard let part = body[api.identity.name], !part.isNull else { continue }
            call.emulator.change(part, ofAPI: index, in: hosted)
            call.emulator.noteChange(.settings, .changed, api: api.identity.name, in: hosted)
            call.emulator.write(
                .settings,
                "Settings of \(api.identity.title) were changed",
                in: hosted,
                at: call.hostTime
            )
        }
        let names = (crossOrigin == nil ? [] : ["cors"]) + changes.map(\.name)
        if !names.isEmpty {
            call.emulator.noteChange(.settings, .changed, in: hosted)
            let text = "The settings \(names.joined(separator: " and ")) were changed"
            call.emulator.write(.settings, text, in: hosted, at: call.hostTime)
        }
        var answer = settings(hosted, call)
        let warnings = warnings(body, hosted, call)
        if !warnings.isEmpty { answer.append("warnings", .array(warnings)) }
        return ControlAnswer.json(.object(answer))
    }

    /// The switches of a body that scenarios which are on have set otherwise: what they show may no longer come about.
    private static func warnings(_ body: JSONObject, _ hosted: Emulator.HostedWorld, _ call: ControlCall) -> [JSON] {
        let active = Set(hosted.world.activeScenarios.map(\.name))
        var warnings: [JSON] = []
        func compare(_ value: JSON, _ wanted: JSON, of scenario: Scenario, at path: String) {
            if case .object(let members) = value, case .object(let others) = wanted {
                for member in members.members {
                    guard let other = others[member.name] else { continue }
                    compare(member.value, other, of: scenario, at: "\(path).\(member.name)")
                }
            } else if value != wanted {
                let reason = "the active scenario \(scenario.name) has set \(wanted.text) and may have no effect now"
                warnings.append(["path": .string(path), "reason": .string(reason)])
            }
        }
        for api in call.emulator.apis {
            guard let part = body[api.identity.name], !part.isNull else { continue }
            for scenario in api.scenarios where active.contains(scenario.name) {
                compare(part, scenario.settings, of: scenario, at: "$.\(api.identity.name)")
            }
        }
        return warnings
    }
}
