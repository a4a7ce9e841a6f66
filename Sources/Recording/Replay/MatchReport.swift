import JSON

/// The differences between two requests in words.
package enum MatchReport {
    /// One difference.
    package struct Difference: Sendable, Equatable {
        package let text: String
        /// The part that a replay would have to ignore; nil if it can't.
        package let ignorable: Ignorable?

        fileprivate init(_ text: String, _ ignorable: Ignorable? = nil) {
            self.text = text
            self.ignorable = ignorable
        }
    }

    /// A part of a request that a replay can ignore.
    package enum Ignorable: Sendable, Equatable {
        case query(String)
        /// A path into the body; `*` is the whole of it.
        case body(String)
    }

    /// The maximum number of differences in a report.
    private static let limit = 12

    /// Returns the differences in words.
    package static func differences(live: RequestFingerprint, recorded: RequestFingerprint) -> [String] {
        all(live: live, recorded: recorded).map(\.text)
    }

    /// Returns the differences, in the order method, path, query, body.
    package static func all(live: RequestFingerprint, recorded: RequestFingerprint) -> [Difference] {
        var found: [Difference] = []
        if live.method != recorded.method {
            found.append(Difference("method: \(live.method.cut), recorded \(recorded.method)"))
        }
        if live.path != recorded.path {
            let isSlash = live.withOtherSlash()?.path == recorded.path
            let slash = isSlash ? ", which differs by the slash at its end" : ""
            found.append(Difference("path: \(live.path.cut), recorded \(recorded.path.cut)\(slash)"))
        }
        found += pairs(live.query, recorded.query, "query") { .query($0) }
        found += body(live.body, recorded.body)
        return Array(found.prefix(limit))
    }

    /// Returns the flags of `replay` that make a request equal to the recorded one; nil if there are none.
    package static func flags(_ differences: [Difference]) -> String? {
        var (query, body): ([String], [String]) = ([], [])
        guard !differences.isEmpty, differences.count < limit else { return nil }
        for difference in differences {
            switch difference.ignorable {
            case .query(let name): if !query.contains(name) { query.append(name) }
            case .body(let path): if !body.contains(path) { body.append(path) }
            case nil: return nil
            }
        }
        func flag(_ name: String, _ words: [String]) -> String? {
            words.isEmpty ? nil : "--\(name) " + words.map(quoted).joined(separator: " ")
        }
        return [flag("ignore-query", query), flag("ignore-body", body)].compactMap { $0 }.joined(separator: " ")
    }

    /// Returns a word as a shell takes it.
    private static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
            default: false
            }
        }
        return isPlain && !word.isEmpty
            ? word
            : "'"
                + word.split(separator: "'", omittingEmptySubsequences: false)
                .joined(separator: #"'\''"#) + "'"
    }

    // MARK: Parts

    private static func body(_ live: RequestFingerprint.Body, _ recorded: RequestFingerprint.Body) -> [Difference] {
        switch (live, recorded) {
        case (.none, .none), (_, .unknown): return []
        case (.none, _): return [Difference("body: none, recorded one", .body("*"))]
        case (_, .none): return [Difference("body: one, recorded none", .body("*"))]
        case (.json(let left), .json(let right)):
            var found: [Difference] = []
            json(left, right, [], &found)
            return found
        case (.form(let left), .form(let right)): return pairs(left, right, "body", field)
        case (.parts(let left), .parts(let right)):
            // A file that is not in the archive is whatever was sent.
            let lost = right.filter { $0.value == nil }.map(\.name)
            func shown(_ parts: [RequestFingerprint.Part]) -> [HARPair] {
                parts.enumerated().map { place, part in
                    let isLost = parts.count == right.count ? right[place].value == nil : lost.contains(part.name)
                    return HARPair(part.name, part.isFile && isLost ? "<file>" : part.value ?? "<file>")
                }
            }
            let found = pairs(shown(left), shown(right), "body", field)
            guard found.isEmpty, left.map(\.name) != right.map(\.name) else { return found }
            return [Difference("body: the parts are in another order", .body("*"))]
        default: return live == recorded ? [] : [Difference("body: another text", .body("*"))]
        }
    }

    /// A field of a form, if a path can name it.
    private static func field(_ name: String) -> Ignorable? {
        let path = MatchRules.path(name)
        return path.isEmpty ? nil : .body(path.joined(separator: "."))
    }

    private static func pairs(
        _ live: [HARPair],
        _ recorded: [HARPair],
        _ what: String,
        _ ignorable: (String) -> Ignorable?
    ) -> [Difference] {
        var found: [Difference] = []
        var names: [String] = []
        for pair in live + recorded where !names.contains(pair.name) && names.count < 100 { names.append(pair.name) }
        for name in names {
            let left = live.filter { $0.name == name }.map(\.value)
            let right = recorded.filter { $0.name == name }.map(\.value)
            if left == right { continue }
            let text: String
            if right.isEmpty {
                text = "\(what): \(name.cut) is not recorded"
            } else if left.isEmpty {
                text = "\(what): \(name.cut) is missing, recorded \(shown(right.joined(separator: ", ")))"
            } else {
                text =
                    "\(what): \(name.cut) is \(shown(left.joined(separator: ", "))), recorded \(shown(right.joined(separator: ", ")))"
            }
            found.append(Difference(text, ignorable(name)))
        }
        return found
    }

    private static func json(
        _ live: JSON,
        _ recorded: JSON,
        _ path: [JSONPathElement],
        _ found: inout [Difference]
    ) {
        guard live != recorded, found.count < limit else { return }
        switch (live, recorded) {
        case (.object(let left), .object(let right)):
            for member in left.members {
                let inner = path + [.key(member.name)]
                if let other = right[member.name] {
                    json(member.value, other, inner, &found)
                } else {
                    found.append(Difference("body: \(shown(inner)) is not recorded", ignorable(inner)))
                }
            }
            for member in right.members where left[member.name] == nil {
                let inner = path + [.key(member.name)]
                found.append(
                    Difference(
                        "body: \(shown(inner)) is missing, recorded \(shown(member.value.text))",
                        ignorable(inner)
                    )
                )
            }
        case (.array(let left), .array(let right)):
            if left.count != right.count {
                found.append(
                    Difference(
                        "body: \(shown(path)) has \(left.count) elements, recorded \(right.count)",
                        ignorable(path)
                    )
                )
            }
            for (place, pair) in zip(left, right).enumerated() {
                json(pair.0, pair.1, path + [.index(place)], &found)
            }
        default:
            found.append(
                Difference(
                    "body: \(shown(path)) is \(shown(live.text)), recorded \(shown(recorded.text))",
                    ignorable(path)
                )
            )
        }
    }

    /// The member that a place in a JSON body belongs to, if a path can name it; the whole body where there is none.
    private static func ignorable(_ path: [JSONPathElement]) -> Ignorable? {
        let names = path.compactMap { element in if case .key(let name) = element { name } else { nil } }
        let text = names.joined(separator: ".")
        guard !names.isEmpty else { return .body("*") }
        return MatchRules.path(text) == names ? .body(text) : nil
    }

    private static func shown(_ path: [JSONPathElement]) -> String { path.formattedJSONPath.cut }

    private static func shown(_ text: String) -> String { text.count > 60 ? text.prefix(57) + "…" : text }
}
