package import JSON

/// Reads the members of an object in a file, and refuses unknown ones with the nearest name.
package struct FileCheck {
    package let object: JSONObject
    package let path: [JSONPathElement]
    package let report: FileReport
    private var known: [String] = []

    package init(_ object: JSONObject, at path: [JSONPathElement] = [], in report: FileReport) {
        self.object = object
        self.path = path
        self.report = report
    }

    /// Notes a mistake of a member, or of the object as a whole.
    package func error(_ name: String? = nil, _ reason: String) {
        report.error(path + (name.map { [.key($0)] } ?? []), reason)
    }

    /// A member of any type; null counts as absent.
    package mutating func value(_ name: String) -> JSON? {
        if !known.contains(name) { known.append(name) }
        guard let value = object[name], !value.isNull else { return nil }
        return value
    }

    /// A text.
    package mutating func string(_ name: String) -> String? {
        guard let value = value(name) else { return nil }
        if value.stringValue == nil { error(name, "must be a string, found \(value.typeName)") }
        return value.stringValue
    }

    /// A text that is not empty.
    package mutating func name(_ name: String) -> String? {
        guard let text = string(name) else { return nil }
        guard !text.isEmpty else {
            error(name, "must not be empty")
            return nil
        }
        return text
    }

    /// A truth value.
    package mutating func boolean(_ name: String) -> Bool? {
        guard let value = value(name) else { return nil }
        if value.boolValue == nil { error(name, "must be true or false") }
        return value.boolValue
    }

    /// Tells whether a part is in use: `enabled` is not false; `why` is for readers.
    package mutating func isEnabled() -> Bool {
        _ = string("why")
        return boolean("enabled") ?? true
    }

    /// A whole number in a range.
    package mutating func integer(_ name: String, in range: ClosedRange<Int64>) -> Int64? {
        guard let value = value(name) else { return nil }
        guard let number = value.intValue, range.contains(number) else {
            error(name, MemberReason.range(range))
            return nil
        }
        return number
    }

    /// One of the values of an enumeration.
    package mutating func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String,
        _ type: Choice.Type
    ) -> Choice? where Choice.RawValue == String {
        guard let value = value(name) else { return nil }
        let allowed = Choice.allCases.map(\.rawValue)
        guard let text = value.stringValue, let choice = Choice(rawValue: text) else {
            error(name, MemberReason.choice(value, among: allowed))
            return nil
        }
        return choice
    }

    /// A list of texts, none of them twice.
    package mutating func strings(_ name: String) -> [String]? {
        guard let value = value(name) else { return nil }
        guard let elements = value.arrayValue else {
            error(name, "must be a list of strings, found \(value.typeName)")
            return nil
        }
        var texts: [String] = []
        var seen: Set<String> = []
        for (index, element) in elements.enumerated() {
            let place = path + [.key(name), .index(index)]
            guard let text = element.stringValue else {
                report.error(place, "must be a string, found \(element.typeName)")
                continue
            }
            guard seen.insert(text).inserted else {
                report.error(place, "\"\(text.shortened)\" is repeated")
                continue
            }
            texts.append(text)
        }
        return texts
    }

    /// An object whose members are read by the same rules.
    package mutating func object(_ name: String) -> FileCheck? {
        guard let value = value(name) else { return nil }
        guard let object = value.objectValue else {
            error(name, "must be an object, found \(value.typeName)")
            return nil
        }
        return FileCheck(object, at: path + [.key(name)], in: report)
    }

    /// The objects of a list.
    package mutating func objects(_ name: String) -> [FileCheck] {
        guard let value = value(name) else { return [] }
        guard let elements = value.arrayValue else {
            error(name, "must be a list of objects, found \(value.typeName)")
            return []
        }
        var checks: [FileCheck] = []
        for (index, element) in elements.enumerated() {
            let place = path + [.key(name), .index(index)]
            guard let object = element.objectValue else {
                report.error(place, "must be an object, found \(element.typeName)")
                continue
            }
            checks.append(FileCheck(object, at: place, in: report))
        }
        return checks
    }

    /// The members of an object whose names the user chooses.
    package mutating func entries(_ name: String) -> [(name: String, value: JSON)] {
        object(name)?.object.members.map { ($0.name, $0.value) } ?? []
    }

    /// Notes each member that no reader has asked for; at the top of a file `$schema` is for editors.
    package func refuseUnknown() {
        for member in object.members where !known.contains(member.name) {
            if path.isEmpty, member.name == JSONObject.schemaAddress { continue }
            guard !report.isFull else { return }
            error(member.name, MemberReason.unknown(member.name, among: known))
        }
    }
}

extension String {
    /// The beginning of a long text, for a message.
    package var shortened: String { count > 60 ? prefix(60) + "…" : self }
}
