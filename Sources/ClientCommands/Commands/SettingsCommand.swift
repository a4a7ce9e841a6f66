package import JSON
import Traffic

/// `settings`: shows and changes the switches of the contracts (clients contract, section 1).
package enum SettingsCommand: ServerCommand {
    package static let name = "settings"
    package static let summary = "shows and changes the settings of the APIs"
    package static let part: CommandPart? = .steering
    package static let usage = "[get PATH | set PATH VALUE]"
    package static let operands = Operands.actions([
        Action("", "", "shows all settings"),
        Action("get", "PATH", "shows one setting, or those below a path", counts: 1...1, values: .running(.settings)),
        Action(
            "set",
            "PATH VALUE",
            "changes a setting",
            counts: 2...2,
            values: .running(.settings),
            further: .running(.settingValues)
        ),
    ])
    package static let examples = [
        Example("understudy settings set carbscan.apple.mode strict", "verifies Apple's tokens")
    ]

    package static func run(_ arguments: Arguments, _ server: RunningServer) throws(CommandFailure) -> Int32 {
        switch arguments.action?.name {
        case "get": try get(arguments.operands[0], server)
        case "set": try set(arguments.operands[0], arguments.operands[1], server)
        default:
            let answer = try server.call("GET", "/settings")
            server.show(answer) { show(answer, below: "", server) }
        }
        return ExitCode.ok
    }

    private static func get(_ path: String, _ server: RunningServer) throws(CommandFailure) {
        let answer = try server.call("GET", "/settings")
        guard !server.explains else { return }
        guard let found = value(at: path, in: answer) else {
            throw SettingPaths.unknown(path, in: answer)
        }
        server.show(found) {
            if case .object = found { show(found, below: path, server) } else { Terminal.out(text(found)) }
        }
    }

    private static func set(_ path: String, _ text: String, _ server: RunningServer) throws(CommandFailure) {
        let answer = try change(path, text, server)
        server.show(answer) {
            ProblemText.warn(answer)
            Terminal.out("\(path) = \(Self.text(value(at: path, in: answer) ?? .string(text)))")
        }
    }

    /// A text such as `5` may be a number or a string: the server takes the one that fits.
    private static func change(_ path: String, _ text: String, _ server: RunningServer) throws(CommandFailure) -> JSON {
        guard !path.split(separator: ".", omittingEmptySubsequences: false).contains("") else {
            throw .usage("settings set: \"\(path)\" is not a path such as carbscan.apple.mode")
        }
        let read = try? JSONReader.read(text: text)
        let value = read.flatMap { $0.stringValue == nil ? $0 : nil } ?? .string(text)
        do throws(CommandFailure) {
            return try server.call("PUT", "/settings", body: nested(path, value))
        } catch {
            guard case .problem(let answer) = error, answer.status == 422 else { throw error }
            if value.stringValue == nil,
                let changed = try? server.call("PUT", "/settings", body: nested(path, .string(text)))
            {
                return changed
            }
            guard !server.printsJSON else { throw error }
            let settings = try server.call("GET", "/settings")
            guard Self.value(at: path, in: settings) == nil else { throw error }
            throw SettingPaths.unknown(path, in: settings)
        }
    }

    private static func nested(_ path: String, _ value: JSON) -> JSON {
        path.split(separator: ".").reversed().reduce(value) { inner, name in
            .object(JSONObject([JSONObject.Member(name: String(name), value: inner)]))
        }
    }

    private static func value(at path: String, in settings: JSON) -> JSON? {
        path.split(separator: ".", omittingEmptySubsequences: false)
            .reduce(settings as JSON?) { inner, name in inner?[String(name)] }
    }

    private static func show(_ settings: JSON, below path: String, _ server: RunningServer) {
        var table = TextTable([.init("SETTING", isKey: true), .init("VALUE", isFlexible: true)])
        for (name, value) in SettingPaths.leaves(of: settings, below: path) {
            table.add([.init(name), .init(text(value))])
        }
        table.print(server.style, orSay: "There are no settings.")
    }

    private static func text(_ value: JSON) -> String { VisibleText.escaped(value.stringValue ?? value.text) }
}

/// The paths of settings, such as `carbscan.apple.mode`.
package enum SettingPaths {
    package static func all(of settings: JSON) -> [String] { leaves(of: settings, below: "").map(\.name) }

    /// The refusal of a path: the nearest one, or those beside it.
    static func unknown(_ path: String, in settings: JSON) -> CommandFailure {
        let all = all(of: settings)
        let starts = all.flatMap { leaf in
            leaf.indices.filter { leaf[$0] == "." }.map { String(leaf[..<$0]) }
        }
        // A path without its API, or without what stands before it there, is the end of one.
        let near =
            Suggestion.nearest(to: path, among: all + starts) ?? all.first { $0.hasSuffix("." + path) }
        // Settings below the same path say more than those of other APIs.
        var beside = all
        var known = path[...]
        while let dot = known.lastIndex(of: ".") {
            known = known[..<dot]
            let found = all.filter { $0.hasPrefix(known + ".") }
            if !found.isEmpty {
                beside = found
                break
            }
        }
        return NameHint.unknown("setting", path, among: near.map { [$0] } ?? beside, in: nil)
    }

    package static func leaves(of settings: JSON, below path: String) -> [(name: String, value: JSON)] {
        guard case .object(let object) = settings, !object.isEmpty else { return [(path, settings)] }
        return object.members.flatMap { leaves(of: $0.value, below: path.isEmpty ? $0.name : "\(path).\($0.name)") }
    }
}
