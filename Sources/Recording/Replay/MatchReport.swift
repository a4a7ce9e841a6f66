import JSON

/// The differences between two requests in words.
package enum MatchReport {
    /// The maximum number of differences in a report.
    private static let limit = 12

    /// Returns the differences, in the order method, path, query, body.
    package static func differences(live: Fingerprint, recorded: Fingerprint) -> [String] {
        var texts: [String] = []
        if live.method != recorded.method { texts.append("method: \(live.method.cut), recorded \(recorded.method)") }
        if live.path != recorded.path { texts.append("path: \(live.path.cut), recorded \(recorded.path.cut)") }
        texts += pairs(live.query, recorded.query, "query")
        switch (live.body, recorded.body) {
        case (.none, .none): break
        case (.none, _): texts.append("body: none, recorded one")
        case (_, .none): texts.append("body: one, recorded none")
        case (.json(let left), .json(let right)): json(left, right, [], &texts)
        case (.form(let left), .form(let right)): texts += pairs(left, right, "body")
        case (.parts(let left), .parts(let right)): texts += pairs(left, right, "body")
        default: if live.body != recorded.body { texts.append("body: another text") }
        }
        return Array(texts.prefix(limit))
    }

    private static func pairs(_ live: [HARPair], _ recorded: [HARPair], _ what: String) -> [String] {
        var texts: [String] = []
        var names: [String] = []
        for pair in live + recorded where !names.contains(pair.name) && names.count < 100 { names.append(pair.name) }
        for name in names {
            let left = live.filter { $0.name == name }.map(\.value)
            let right = recorded.filter { $0.name == name }.map(\.value)
            if left == right { continue }
            if right.isEmpty {
                texts.append("\(what): \(name.cut) is not recorded")
            } else if left.isEmpty {
                texts.append("\(what): \(name.cut) is missing, recorded \(shown(right.joined(separator: ", ")))")
            } else {
                texts.append(
                    "\(what): \(name.cut) is \(shown(left.joined(separator: ", "))), recorded \(shown(right.joined(separator: ", ")))"
                )
            }
        }
        return texts
    }

    private static func json(_ live: JSON, _ recorded: JSON, _ path: [JSONPathElement], _ texts: inout [String]) {
        guard live != recorded, texts.count < limit else { return }
        switch (live, recorded) {
        case (.object(let left), .object(let right)):
            for member in left.members {
                let inner = path + [.key(member.name)]
                if let other = right[member.name] {
                    json(member.value, other, inner, &texts)
                } else {
                    texts.append("body: \(shown(inner)) is not recorded")
                }
            }
            for member in right.members where left[member.name] == nil {
                let inner = path + [.key(member.name)]
                texts.append("body: \(shown(inner)) is missing, recorded \(shown(member.value.text))")
            }
        case (.array(let left), .array(let right)):
            if left.count != right.count {
                texts.append("body: \(shown(path)) has \(left.count) elements, recorded \(right.count)")
            }
            for (place, pair) in zip(left, right).enumerated() {
                json(pair.0, pair.1, path + [.index(place)], &texts)
            }
        default:
            texts.append("body: \(shown(path)) is \(shown(live.text)), recorded \(shown(recorded.text))")
        }
    }

    private static func shown(_ path: [JSONPathElement]) -> String { path.formattedJSONPath.cut }

    private static func shown(_ text: String) -> String { text.count > 60 ? text.prefix(57) + "…" : text }
}
