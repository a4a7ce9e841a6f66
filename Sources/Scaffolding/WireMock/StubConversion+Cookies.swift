import JSON

/// The cookies of a mapping as one expression for the field `Cookie`.
extension StubConversion {
    /// Returns the value of `headers.Cookie`; nil without cookies that can be carried over.
    mutating func cookies(_ json: JSON?) -> JSON? {
        guard let json, !json.isNull else { return nil }
        guard case .object(let object) = json else {
            omit(["request", "cookies"], "expected an object, found \(json.typeName)")
            return nil
        }
        var pieces: [String] = []
        for member in object.members {
            if let piece = cookie(member.name, member.value) { pieces.append(piece) }
        }
        guard !pieces.isEmpty else { return nil }
        guard let all = Self.inAnyOrder(pieces, between: "; *(?:[^;]*; *)*"), all.utf8.count < 950 else {
            omit(["request", "cookies"], "are too many for one regular expression")
            return nil
        }
        return expression("(?:[^;]*; *)*\(all)(?:;.*)?", at: ["request", "cookies"])
    }

    private mutating func cookie(_ name: String, _ json: JSON) -> String? {
        let path: [JSONPathElement] = ["request", "cookies", .key(name)]
        guard let (matcher, text) = textMatcher(json, at: path) else { return nil }
        let start = Self.escaped(name) + "="
        switch matcher {
        case .equalTo: return start + Self.escaped(text)
        case .contains: return start + "[^;]*" + Self.escaped(text) + "[^;]*"
        case .matches:
            if let reason = JavaPattern.refusal(of: text) {
                omit(path + ["matches"], reason)
                return nil
            }
            return start + "(?:\(JavaPattern.bounded(text, by: ";")))"
        case .absent:
            omit(path, "can't be a regular expression of Cookie, which must match requests without it too")
            return nil
        }
    }
}
