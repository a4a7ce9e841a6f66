import APIFolders
import Backend
import CivilTime
import Conditions
import JSON
import Worlds

/// The scenarios of an API (own-API contract, section 10).
extension CustomAPIReader {
    /// Reads all scenario files, once everything that they can change is known.
    mutating func readScenarios() {
        var scenarios: [Scenario] = []
        for file in folder.files(in: "scenarios", ending: ".json") {
            guard let (json, report) = json(of: file) else { continue }
            defer { close(report) }
            guard let object = json.objectValue else {
                report.error([], "must be an object, found \(json.typeName)")
                continue
            }
            let name = String(file.name.dropFirst("scenarios/".count).dropLast(".json".count))
            guard Self.isName(name) else {
                report.error([], "the name of a scenario has 1 to 64 of a-z A-Z 0-9 _ -")
                continue
            }
            if let scenario = readScenario(object, name, report) { scenarios.append(scenario) }
        }
        definition.scenarios = scenarios.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    private func readScenario(_ object: JSONObject, _ name: String, _ report: FileReport) -> Scenario? {
        var check = FileCheck(object, in: report)
        let title = check.name("title")
        let expect = check.name("expect")
        for (member, text) in [("title", title), ("expect", expect)] where text == nil && object[member] == nil {
            check.error(nil, "\(member) is missing")
        }
        let tree = SettingTree(definition.allSettings)
        var (frame, problems) = ScenarioFrame.read(object, api: definition.name) {
            tree.faults(in: $0, at: "$.settings")
        }
        if let stubs = check.value("stubs") {
            let read = SeedStub.read(stubs, at: "$.stubs", file: "scenarios/\(name).json", stubContext)
            frame.stubs = read.stubs.filter(\.isEnabled).map(\.spec)
            problems += read.problems
            let all = definition.stubs.count + frame.stubs.count
            if all > StubRegistry.most {
                check.error(
                    "stubs",
                    "with those of the files there are \(all); a world has at most \(StubRegistry.most)"
                )
            }
        }
        for (place, fault) in frame.faults.enumerated() where definition.signIn == nil {
            guard case .actsOnCredentials = fault.behavior else { continue }
            let reason = "the API has no sign-in, so it has no tokens"
            problems.append(Problem.Item(path: "$.faults[\(place)].effect.tokens", reason: reason))
        }
        for member in ["settings", "clock", "faults", "latency"] { _ = check.value(member) }
        report.add(problems)
        let changes = check.objects("changes").compactMap { readChange($0) }
        check.refuseUnknown()
        guard !report.hasErrors, let title, let expect else { return nil }
        let all = CustomChanges(
            changes: changes,
            tables: definition.tables,
            signIn: definition.signIn,
            keyStream: "\(definition.name).key"
        )
        return Scenario(
            name: "\(definition.name)/\(name)",
            title: title,
            expect: expect,
            frame: frame,
            apply: { world, index in
                let epoch = world.parts[index].epoch
                return world.with(index, CustomAPIState.self) { state, core in all.apply(to: &state, &core, epoch) }
            },
            undo: { _, _ in }
        )
    }

    // MARK: Changes

    private func readChange(_ check: FileCheck) -> CustomChange? {
        var check = check
        let kinds = ["set", "delete", "insert", "tokens"].filter { check.object[$0]?.isNull == false }
        guard kinds.count == 1, let kind = kinds.first else {
            check.error(nil, "must have exactly one of set, delete, insert and tokens")
            return nil
        }
        guard kind != "tokens" else { return readTokens(&check) }
        guard let name = check.string("table") else {
            if check.object["table"] == nil { check.error(nil, "table is missing") }
            return nil
        }
        guard let place = tablePlace(name, { check.error("table", $0) }) else { return nil }
        let table = definition.tables[place]
        let condition = kind == "insert" ? nil : check.object("where")?.object
        let change: CustomChange.Kind?
        switch kind {
        case "set": change = readSet(&check, table)
        case "delete":
            let isDelete = check.boolean("delete")
            if isDelete == false { check.error("delete", "must be true") }
            change = .delete
        default: change = readInsert(&check, table)
        }
        check.refuseUnknown()
        return change.map { CustomChange(kind: $0, table: place, condition: condition.map { StoredText.seed($0) }) }
    }

    private func readSet(_ check: inout FileCheck, _ table: TableDefinition) -> CustomChange.Kind? {
        guard let inner = check.object("set") else { return nil }
        if inner.object[table.key] != nil { inner.error(table.key, "the key of a row can't be changed") }
        return .set(StoredText.seed(inner.object))
    }

    private func readInsert(_ check: inout FileCheck, _ table: TableDefinition) -> CustomChange.Kind? {
        guard let inner = check.object("insert") else { return nil }
        if let key = inner.object[table.key] {
            if RowKey(key) == nil { inner.error(table.key, RowKey.form) }
        } else if table.newKey == .client {
            inner.error(nil, "the key \(table.key) is missing")
        }
        let stored = StoredText.seed(inner.object)
        if let schema = table.schema {
            // What a world sets is there when the row is made.
            var members = StoredText.members(stored, in: Self.sampleEpoch, table.time)
            if members[table.key] == nil { members[table.key] = table.newKey == .integer ? 1 : "key" }
            for name in [table.createdAt, table.updatedAt].compactMap({ $0 }) where members[name] == nil {
                members[name] = table.time.json(Self.sampleEpoch.t0)
            }
            for issue in schema.issues(in: .object(members)) where issue.path != [.key(table.key)] {
                inner.report.error(inner.path + issue.path, issue.reason)
            }
        }
        return .insert(stored)
    }

    private func readTokens(_ check: inout FileCheck) -> CustomChange? {
        let manner = check.choice("tokens", TokenEnding.Manner.self)
        let scope = check.choice("of", TokenEnding.Scope.self) ?? .all
        let user = check.name("user")
        check.refuseUnknown()
        guard definition.signIn != nil else {
            check.error("tokens", "the API has no sign-in, so it has no tokens")
            return nil
        }
        return manner.map { CustomChange(kind: .tokens($0, scope, user: user), table: nil, condition: nil) }
    }
}
