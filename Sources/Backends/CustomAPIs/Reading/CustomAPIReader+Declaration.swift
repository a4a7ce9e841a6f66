import APIFolders
import Backend
import JSON

/// The members of `api.json` (own-API contract, section 3).
extension CustomAPIReader {
    /// Reads all members.
    mutating func readDeclaration(_ object: JSONObject, _ report: FileReport) {
        var check = FileCheck(object, in: report)
        // What `api.json` says of these wins over the document, and tables may refer to its schemas.
        readDocument(basePath: readBasePath(&check), signsIn: Self.signsIn(object))
        if let title = check.name("title") { definition.title = title }
        if let version = check.name("version") { definition.version = version }
        if let description = check.string("description") { definition.description = description }
        definition.port = check.integer("port", in: 1...65_535).map(Int.init)
        definition.hosts = check.strings("hosts") ?? []
        if let mode = check.choice("validation", CustomAPISettings.Validation.self) { definition.validation = mode }
        definition.omitsBrokenExamples = check.choice("examples", ShownExamples.self) == .valid
        if let slashes = check.choice("slashes", Slashes.self) { definition.slashes = slashes }
        if check.boolean("compress") == true { definition.seed.settings.compress = .on }
        if let states = check.object("states") { readStates(states) }
        readErrors(check.object("errors"))
        readTables(check.object("tables"), hidingKeys: Self.tablesOfSingles(object))
        readSignIn(check.object("auth"))
        readResources(check.objects("resources"))
        readUploads(check.objects("uploads"))
        readIdempotency(&check)
        if let recordings = check.object("recordings") { definition.recordings = RecordingSettings(recordings) }
        check.refuseUnknown()
        addOperations()
        settleRoutes(report)
        definition.seed.settings.validation = definition.validation
        definition.seed.settings.states = definition.states.map { _ in 0 }
    }

    /// The tables that only `single` resources show, whose key no address needs.
    private static func tablesOfSingles(_ object: JSONObject) -> Set<String> {
        let resources = object["resources"]?.arrayValue ?? []
        func tables(_ isSingle: Bool) -> Set<String> {
            Set(
                resources.filter { ($0["single"]?.boolValue ?? false) == isSingle }.compactMap {
                    $0["table"]?.stringValue
                }
            )
        }
        return tables(true).subtracting(tables(false)).subtracting([object["auth"]?["users"]?.stringValue ?? "users"])
    }

    /// Tells whether the API signs in: `auth` is there and not switched off.
    private static func signsIn(_ object: JSONObject) -> Bool {
        guard let auth = object["auth"], !auth.isNull else { return false }
        return auth["enabled"]?.boolValue ?? true
    }

    /// The examples of responses that are sent without being asked for by name.
    private enum ShownExamples: String, CaseIterable { case written, valid }

    /// Reads the path that takes the place of that of the document's first server.
    private func readBasePath(_ check: inout FileCheck) -> String? {
        guard let path = check.name("basePath") else { return nil }
        guard path.hasPrefix("/"), !path.utf8.contains(where: { [0x3F, 0x23, 0x7B, 0x7D].contains($0) }) else {
            check.error("basePath", "must be a path such as /v1, without query, fragment and braces")
            return nil
        }
        return path
    }

    private mutating func readStates(_ check: FileCheck) {
        if check.object.count > CustomAPILimits.states {
            check.error(nil, "has \(check.object.count) states; an API has at most \(CustomAPILimits.states)")
        }
        for member in check.object.members.prefix(CustomAPILimits.states) {
            guard Self.isName(member.name) else {
                check.error(member.name, "the name of a state has 1 to 64 of a-z A-Z 0-9 _ -")
                continue
            }
            var inner = FileCheck(check.object, at: check.path, in: check.report)
            guard let values = inner.strings(member.name) else { continue }
            if values.isEmpty { check.error(member.name, "must have at least one value") }
            if values.count > CustomAPILimits.stateValues {
                check.error(
                    member.name,
                    "has \(values.count) values; a state has at most \(CustomAPILimits.stateValues)"
                )
            }
            definition.states.append(NamedState(name: member.name, values: values))
        }
    }

    /// Tells whether a text has 1 to 64 letters, digits, `_` and `-`.
    static func isName(_ text: String) -> Bool {
        let isSpelled = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == 0x5F || byte == 0x2D
        }
        return isSpelled && (1...64).contains(text.utf8.count)
    }
}
