import JSON
import Traffic

/// Faults in words.
enum FaultText {
    /// The requests that a match meets: `omnichat POST /api/v1/* user=anna`.
    static func match(_ match: JSON?) -> String {
        guard let object = match?.objectValue, !object.isEmpty else { return "every request" }
        var words: [String] = []
        for name in ["api", "method", "path"] {
            if let text = object[name]?.stringValue { words.append(text) }
        }
        for member in object.members where !["api", "method", "path"].contains(member.name) {
            words.append("\(member.name)=\(member.value.stringValue ?? member.value.text)")
        }
        return words.joined(separator: " ")
    }

    /// The words for an effect: `status 503`, `delay 800 ms`.
    static func effect(_ effect: JSON?) -> String {
        guard let object = effect?.objectValue else { return "" }
        if let delay = object["delay"]?["ms"]?.intValue { return "delay \(delay) ms" }
        return object.members.map { "\($0.name) \($0.value.stringValue ?? $0.value.text)" }.joined(separator: ", ")
    }

    /// The words for the window of a fault: `times 2`.
    static func window(_ when: JSON?) -> String {
        (when?.objectValue?.members ?? []).map { "\($0.name) \($0.value.stringValue ?? $0.value.text)" }
            .joined(separator: ", ")
    }
}
