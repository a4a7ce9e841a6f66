/// A regular expression of Java, as WireMock takes it, in the dialect of ECMA-262.
enum JavaPattern {
    /// The length of the longest expression (own-API contract, section 6).
    private static let longest = 1_000

    /// Returns why an expression can't be taken over; nil if both dialects read it alike.
    static func refusal(of pattern: String) -> String? {
        let scalars = Array(pattern.unicodeScalars)
        guard scalars.count <= longest else { return "has over \(longest) characters" }
        var place = 0
        var isInClass = false
        var isAfterQuantifier = false
        while place < scalars.count {
            let scalar = scalars[place]
            let next = place + 1 < scalars.count ? scalars[place + 1] : nil
            var isQuantifier = false
            switch scalar {
            case "\\":
                guard let next else { return "ends in a backslash" }
                if let reason = refusal(ofEscape: next) { return reason }
                place += 1
            case "[" where isInClass: return "has a class within a class, which only Java reads"
            case "[": isInClass = true
            case "]": isInClass = false
            case "&" where isInClass && next == "&": return "has an intersection of classes, which only Java reads"
            case "(" where !isInClass && next == "?":
                let kind = place + 2 < scalars.count ? scalars[place + 2] : nil
                guard kind == ":" else {
                    return "has (?\(kind.map { String(Character($0)) } ?? ""), which has no counterpart"
                }
                place += 2
            case _ where !isInClass && (scalar == "*" || scalar == "+" || scalar == "?" || scalar == "}"):
                if isAfterQuantifier, scalar == "+" { return "has a possessive quantifier, which only Java reads" }
                // A question mark after a quantifier makes it lazy, and ends it.
                isQuantifier = !(isAfterQuantifier && scalar == "?")
            default: break
            }
            isAfterQuantifier = isQuantifier
            place += 1
        }
        return nil
    }

    private static func refusal(ofEscape scalar: Unicode.Scalar) -> String? {
        switch scalar {
        case "1"..."9", "k": "has a back-reference, which has no counterpart"
        case "d", "D", "w", "W", "s", "S", "b", "B", "n", "r", "t", "f", "x", "u": nil
        case "a"..."z", "A"..."Z", "0": "has \\\(Character(scalar)), which only Java reads this way"
        default: nil
        }
    }

    /// Returns an expression whose dots do not go beyond a sign, without anchors at its ends.
    static func bounded(_ pattern: String, by sign: Character) -> String {
        var output = String.UnicodeScalarView()
        var isInClass = false
        var isEscaped = false
        var rest = pattern.unicodeScalars[...]
        if rest.first == "^" { rest = rest.dropFirst() }
        if rest.last == "$", rest.dropLast().last != "\\" { rest = rest.dropLast() }
        for scalar in rest {
            if isEscaped {
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else if scalar == "[" {
                isInClass = true
            } else if scalar == "]" {
                isInClass = false
            } else if scalar == ".", !isInClass {
                output.append(contentsOf: "[^\(sign)]".unicodeScalars)
                continue
            }
            output.append(scalar)
        }
        return String(output)
    }
}
