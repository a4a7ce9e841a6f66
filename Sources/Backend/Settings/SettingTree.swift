package import JSON

/// All switches of an API as nested JSON.
///
/// A change is merged as a whole or not at all.
package struct SettingTree<State: Sendable>: Sendable {
    private let declared: @Sendable () -> [SettingDeclaration<State>]
    /// Tells whether the setting `compress` was ever switched on.
    package let compressed = SettingUse()

    /// The declarations are made only when a switch is read or written.
    package init(_ settings: @autoclosure @escaping @Sendable () -> [SettingDeclaration<State>]) { declared = settings }

    private var settings: [SettingDeclaration<State>] { declared() }

    /// Returns every switch with its value.
    package func read(_ state: State) -> JSON {
        var root = JSONObject()
        for setting in settings {
            Self.place(setting.get(state), at: setting.path.split(separator: ".")[...], in: &root)
        }
        return .object(root)
    }

    /// Merges a change.
    ///
    /// If anything does not fit, nothing changes and every problem is listed.
    package func write(_ json: JSON, to state: inout State, at path: String) -> [Problem.Item] {
        var changes: [(SettingDeclaration<State>, JSON)] = []
        var faults: [Problem.Item] = []
        collect(json, settings, prefix: "", path: path, into: &changes, faults: &faults)
        guard faults.isEmpty else { return faults }
        for (setting, value) in changes {
            setting.set(&state, value)
            if setting.path == SettingDeclaration<State>.compressPath, value == "on" { compressed.note() }
        }
        return []
    }

    /// Returns the switches of a change that are declared and have a value that fits.
    func fitting(_ json: JSON) -> JSON {
        var root = JSONObject()
        for setting in settings {
            let path = setting.path.split(separator: ".")
            var value: JSON? = json
            for step in path { value = value?[String(step)] }
            if let value, setting.refusal(of: value) == nil { Self.place(value, at: path[...], in: &root) }
        }
        return .object(root)
    }

    /// Returns every problem of a change without making it.
    package func faults(in json: JSON, at path: String) -> [Problem.Item] {
        var changes: [(SettingDeclaration<State>, JSON)] = []
        var faults: [Problem.Item] = []
        collect(json, settings, prefix: "", path: path, into: &changes, faults: &faults)
        return faults
    }

    private func collect(
        _ json: JSON,
        _ settings: [SettingDeclaration<State>],
        prefix: String,
        path: String,
        into changes: inout [(SettingDeclaration<State>, JSON)],
        faults: inout [Problem.Item]
    ) {
        guard case .object(let object) = json else {
            faults.append(Problem.Item(path: path, reason: "must be an object, found \(json.typeName)"))
            return
        }
        for member in object.members where faults.count < Problem.mostItems {
            guard member.name.utf8.count <= Self.longestName else {
                faults.append(Problem.Item(path: "\(path).\(member.name.cut)", reason: "unknown setting"))
                continue
            }
            let name = prefix.isEmpty ? member.name : "\(prefix).\(member.name)"
            let memberPath = "\(path).\(member.name.cut)"
            // A name with a dot is one member, not a path of two.
            if member.name.contains(".") {
                let reason = unknown(member.name, settings, below: prefix)
                faults.append(Problem.Item(path: memberPath, reason: reason))
            } else if let setting = settings.first(where: { $0.path == name }) {
                if let reason = setting.refusal(of: member.value) {
                    faults.append(Problem.Item(path: memberPath, reason: reason))
                } else {
                    changes.append((setting, member.value))
                }
            } else if settings.contains(where: { $0.path.hasPrefix(name + ".") }) {
                collect(member.value, settings, prefix: name, path: memberPath, into: &changes, faults: &faults)
            } else {
                let reason = unknown(member.name, settings, below: prefix)
                faults.append(Problem.Item(path: memberPath, reason: reason))
            }
        }
    }

    /// The longest name that is considered; no setting's is half as long.
    private static var longestName: Int { 200 }

    private func unknown(_ name: String, _ settings: [SettingDeclaration<State>], below prefix: String) -> String {
        var known: [String] = []
        for setting in settings where prefix.isEmpty || setting.path.hasPrefix(prefix + ".") {
            let rest = prefix.isEmpty ? setting.path[...] : setting.path.dropFirst(prefix.count + 1)
            let next = String(rest.prefix { $0 != "." })
            if !known.contains(next) { known.append(next) }
        }
        return "unknown setting; allowed: \(known.joined(separator: ", "))" + Suggestion.hint(to: name, among: known)
    }

    private static func place(_ value: JSON, at path: ArraySlice<Substring>, in object: inout JSONObject) {
        guard let first = path.first.map(String.init) else { return }
        guard path.count > 1 else {
            object.append(first, value)
            return
        }
        var inner = object[first]?.objectValue ?? JSONObject()
        place(value, at: path.dropFirst(), in: &inner)
        object[first] = .object(inner)
    }
}
