import Backend
import ClientCommands
import JSON
import Transport
import Understudy

/// The value of each option with its origin: flag > environment > configuration file > default (control contract,
/// section 2).
struct Settings {
    struct Value {
        var texts: [String]
        var origin: String
    }

    private(set) var options: [Option]
    /// The custom APIs in the folders of the setting `apis`, for a command that takes it.
    private(set) var own = CustomAPICatalogue()
    private(set) var values: [String: Value] = [:]
    /// The key `conduct` of the configuration file; nil without it.
    private(set) var conduct: ConductKey?
    /// Messages for the user that are no errors.
    private(set) var warnings: [String] = []

    init(
        _ options: [Option],
        arguments: Arguments,
        environment: [(name: String, value: String)]
    ) throws(UsageError) {
        self.options = options
        let named = Self.named(arguments, environment)
        let file = try Self.file(named ?? Self.workingFile, isRequired: named != nil)
        try findCustomAPIs(arguments.values, environment, file)
        try readEnvironment(environment)
        if let file { try read(file.object, file.positions, file.path) }
        // A flag for the port of a custom API is known only now.
        for name in arguments.values.keys.sorted()
        where name.hasPrefix("port-") && !self.options.contains(where: { $0.name == name }) {
            throw Arguments.unknown("--\(name)", self.options)
        }
        let options = self.options
        for option in options {
            if let texts = arguments.values[option.name] { values[option.name] = Value(texts: texts, origin: "flag") }
        }
    }

    /// Reads the settings from the members of a file alone.
    init(
        _ options: [Option],
        object: JSONObject,
        _ positions: JSONPositions,
        path: String
    ) throws(UsageError) {
        self.options = options
        try findCustomAPIs([:], [], File(path: path, object: object, positions: positions))
        try read(object, positions, path)
    }

    /// Finds the custom APIs, and adds the options for their ports.
    ///
    /// This comes before everything else is read, since names of options depend on it.
    private mutating func findCustomAPIs(
        _ flags: [String: [String]],
        _ environment: [(name: String, value: String)],
        _ file: File?
    ) throws(UsageError) {
        let option = CustomAPIOptions.folders
        guard options.contains(where: { $0.name == option.name }) else { return }
        let variable = environment.last { $0.name == option.variable }?.value
        let named =
            flags[option.name] ?? variable.map { $0.split(separator: ",").map(String.init) }
            ?? file?.object[option.key].flatMap { Self.texts($0, option.kind) }
        for folder in named ?? [] where !FolderReader.exists(folder) {
            let place =
                flags[option.name] != nil
                ? option.flag : variable != nil ? option.variable : "\(file?.path ?? ""): \(option.key)"
            throw UsageError(message: "\(place): there is no folder \"\(folder)\"")
        }
        do throws(SeedError) {
            own = try CustomAPICatalogue(in: named)
        } catch {
            throw UsageError(message: error.items.map(\.text).joined(separator: "\n"), isAboutLine: false)
        }
        warnings += own.warnings
        guard !own.places.isEmpty, options.contains(where: { $0.name == "port" }) else { return }
        options += own.names.map(CustomAPIOptions.port)
    }

    subscript(_ name: String) -> String? { values[name]?.texts.last }

    func list(_ name: String) -> [String]? { values[name]?.texts }

    func isOn(_ name: String) -> Bool { self[name] == "true" }

    /// The origin of a value for error messages: a flag, a variable, or a file with its line.
    func place(_ name: String) -> String {
        guard let value = values[name], let option = options.first(where: { $0.name == name }) else {
            return "--\(name)"
        }
        switch value.origin {
        case "flag": return option.flag
        case "environment": return option.variable
        default: return "\(value.origin): \(option.key)"
        }
    }

    private mutating func readEnvironment(_ environment: [(name: String, value: String)]) throws(UsageError) {
        for (name, text) in environment where name.hasPrefix("UNDERSTUDY_") {
            guard let option = options.first(where: { $0.variable == name }) else {
                // `exec` sets these for its program, and commands for a running server read them; they are no settings.
                if name.hasSuffix("_URL") || ["UNDERSTUDY_WORLD", ExecTrust.rootVariable].contains(name) { continue }
                let near = NearestName.option(for: name, among: options)
                warnings.append("unknown environment variable \(name)" + Suggestion.hint(near?.variable))
                continue
            }
            if case .toggle = option.kind {
                guard let isOn = Self.toggles[text.lowercased()] else {
                    throw UsageError(message: "\(name): \"\(text)\" is neither true nor false")
                }
                values[option.name] = Value(texts: [isOn ? "true" : "false"], origin: "environment")
            } else if case .optional = option.kind, text.isEmpty {
                continue
            } else if option.takesMany {
                values[option.name] = Value(texts: text.split(separator: ",").map(String.init), origin: "environment")
            } else {
                values[option.name] = Value(texts: [text], origin: "environment")
            }
        }
    }

    private static let toggles = [
        "1": true, "true": true, "yes": true, "on": true, "0": false, "false": false, "no": false, "off": false,
        "": false,
    ]

    /// The configuration file that is read where none is named.
    static let workingFile = "understudy.json"

    /// The configuration file that a flag or a variable names; nil without one.
    static func named(_ arguments: Arguments, _ environment: [(name: String, value: String)]) -> String? {
        arguments["config"] ?? environment.last { $0.name == "UNDERSTUDY_CONFIG" }?.value
    }

    /// A configuration file that was read.
    private struct File {
        let path: String
        let object: JSONObject
        let positions: JSONPositions
    }

    private static func file(_ path: String, isRequired: Bool) throws(UsageError) -> File? {
        let read = isRequired ? try NamedFile.bytes(of: path) : try? FolderReader.contents(ofFile: path)
        guard let bytes = read else { return nil }
        let json: JSON
        let positions: JSONPositions
        do throws(JSONSyntaxError) {
            (json, positions) = try JSONReader.readWithPositions(
                bytes,
                options: JSONReader.Options(allowDuplicateNames: false)
            )
        } catch {
            throw UsageError(message: "\(path):\(error.line): $: \(error)")
        }
        guard case .object(let object) = json else {
            throw UsageError(message: "\(path):1: $: expected an object, found \(json.typeName)")
        }
        return File(path: path, object: object, positions: positions)
    }

    private mutating func read(
        _ object: JSONObject,
        _ positions: JSONPositions,
        _ path: String
    ) throws(UsageError) {
        for member in object.withoutSchemaAddress.members {
            let line = positions.closestLine(to: [.key(member.name)]).line
            func refuse(_ reason: String) -> UsageError {
                UsageError(message: "\(path):\(line): $.\(member.name): \(reason)")
            }
            guard member.name != "config" else {
                throw refuse("a configuration file can't name another; use --config or UNDERSTUDY_CONFIG")
            }
            if member.name == ConductKey.name {
                conduct = try ConductKey(member.value, apis: APICatalogue.names + own.names, "\(path):\(line)")
                continue
            }
            guard let option = options.first(where: { $0.key == member.name }) else {
                let known = options.filter { $0.name != "config" }
                throw refuse("unknown key" + Suggestion.hint(NearestName.option(for: member.name, among: known)?.key))
            }
            guard let texts = Self.texts(member.value, option.kind) else {
                throw refuse("expected \(Self.form(option.kind)), found \(member.value.typeName)")
            }
            if values[option.name] == nil { values[option.name] = Value(texts: texts, origin: "\(path):\(line)") }
        }
    }

    private static func texts(_ json: JSON, _ kind: Option.Kind) -> [String]? {
        switch (kind, json) {
        case (.toggle, .bool(let flag)): [flag ? "true" : "false"]
        case (.value, .string(let text)), (.optional, .string(let text)): [text]
        case (.optional(_, let alone), .bool(true)): [alone]
        case (.value, .integer(let number)), (.optional("PORT", _), .integer(let number)): ["\(number)"]
        case (.list, .string(let text)), (.repeated, .string(let text)): [text]
        case (.list, .array(let items)), (.repeated, .array(let items)):
            items.allSatisfy { $0.stringValue != nil } ? items.compactMap(\.stringValue) : nil
        case (.list(Option.pairs), .object(let object)):
            object.members.allSatisfy { $0.value.intValue != nil }
                ? object.members.map { "\($0.name)=\($0.value.text)" } : nil
        case (.list(ProxyOptions.pairs), .object(let object)):
            object.members.allSatisfy { $0.value.stringValue != nil }
                ? object.members.map { $0.name + "=" + ($0.value.stringValue ?? "") } : nil
        default: nil
        }
    }

    /// The type of value that a key takes, in words.
    private static func form(_ kind: Option.Kind) -> String {
        switch kind {
        case .toggle: "true or false"
        case .optional: "a string or true"
        case .value: "a string or a whole number"
        case .list(Option.pairs): "an object such as {\"faults\":100} or a list of strings such as \"faults=100\""
        case .list(ProxyOptions.pairs): "an object such as {\"api.example.com\":\"omnichat\"} or a list of strings"
        case .list, .repeated: "a string or a list of strings"
        }
    }
}
