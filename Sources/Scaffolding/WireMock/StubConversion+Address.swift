import Basics
import Conditions
import HTTPMessage
import JSON
import RegularExpressions

/// The address of a mapping as a path and a query.
extension StubConversion {
    /// The conditions that an address states.
    struct Address {
        var path: JSON?
        var query = JSONObject()
        /// Tells whether a request may have no other parameters.
        var isWhole = false
    }

    /// Returns the conditions of a mapping's address.
    mutating func address(_ request: JSONObject) -> Address {
        let named = Self.addresses.filter { request[$0].map { !$0.isNull } ?? false }
        if named.first != "urlPathTemplate", let values = request["pathParameters"]?.objectValue, !values.isEmpty {
            omit(["request", "pathParameters"], "requires urlPathTemplate")
        }
        guard let first = named.first else { return Address() }
        for other in named.dropFirst() { omit(["request", .key(other)], "conflicts with \(first)") }
        let place: [JSONPathElement] = ["request", .key(first)]
        guard let text = request[first]?.stringValue else {
            omit(place, "expected a string, found \(request[first]?.typeName ?? "nothing")")
            return Address()
        }
        switch first {
        case "url": return url(text, at: place)
        case "urlPath": return Address(path: literal(text, at: place))
        case "urlPathTemplate": return Address(path: template(text, request["pathParameters"], at: place))
        case "urlPattern":
            switch QueryReach(text) {
            case .asked:
                omit(place, "matches path and query together")
                return Address()
            case .none: return Address(path: pathExpression(text, at: place), isWhole: true)
            case .end: return Address(path: pathExpression(text, at: place))
            case .unclear:
                note(place, "is looser here: only the path is compared, and any query matches")
                return Address(path: pathExpression(text, at: place))
            }
        default: return Address(path: pathExpression(text, at: place))
        }
    }

    /// The expression, if a path can fit it: a match that fits nothing would be refused.
    private mutating func pathExpression(_ text: String, at place: [JSONPathElement]) -> JSON? {
        guard let expression = regularExpression(text, at: place) else { return nil }
        if let read = try? RegularExpression(text), !PathCondition.expression(read).mayMatch {
            omit(place, "matches no path")
            return nil
        }
        return expression
    }

    private mutating func url(_ text: String, at place: [JSONPathElement]) -> Address {
        var address = Address(isWhole: true)
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let items = QueryItems(parts.count > 1 ? String(parts[1]) : nil)
        if items.isTruncated { omit(place, "has over \(items.items.count) parameters") }
        for item in items.items {
            if let value = address.query[item.name] {
                guard value != .string(item.value) else { continue }
                note(place, "is looser here: of the parameter \(item.name) only the first value is required")
            } else {
                address.query.append(item.name, .string(item.value))
            }
        }
        address.path = literal(String(parts.first ?? ""), at: place)
        if isComplete, items.items.count > 1 { note(place, "is looser here: the parameters may be in any order") }
        return address
    }

    /// The path as it is; as a regular expression where a pattern would read a sign of it.
    private mutating func literal(_ path: String, at place: [JSONPathElement]) -> JSON? {
        guard path.hasPrefix("/") else {
            omit(place, "does not begin with /, so no request matches")
            return nil
        }
        if PathPattern.refusal(of: path) == nil,
            !path.unicodeScalars.contains(where: { "*{}".unicodeScalars.contains($0) })
        {
            return .string(path)
        }
        // An expression is compared with the path as the journal writes it, a pattern with what was decoded.
        let read =
            Path(raw: path)
            ?? Path(segments: path.split(separator: "/").map(String.init), hasTrailingSlash: path.hasSuffix("/"))
        return expression(Self.escaped(read.text), at: place)
    }

    // MARK: Templates

    /// A template, with the conditions on its parameters in their places.
    private mutating func template(_ text: String, _ parameters: JSON?, at place: [JSONPathElement]) -> JSON? {
        if let reason = PathPattern.refusal(of: text) {
            omit(place, reason)
            return nil
        }
        let segments = text.split(separator: "/").map(String.init)
        let names = segments.filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
        var patterns: [String: String] = [:]
        for member in parameters?.objectValue?.members ?? [] {
            let path: [JSONPathElement] = ["request", "pathParameters", .key(member.name)]
            guard names.contains(member.name) else {
                omit(path, "is not a parameter of the template")
                continue
            }
            guard let (matcher, wanted) = textMatcher(member.value, at: path) else { continue }
            switch matcher {
            case .equalTo where !wanted.isEmpty: pathNames.values[member.name] = wanted
            case .contains: patterns[member.name] = "[^/]*\(Self.escaped(wanted.percentEncodedComponent))[^/]*"
            case .matches:
                if let reason = JavaPattern.refusal(of: wanted) {
                    omit(path + ["matches"], reason)
                } else {
                    patterns[member.name] = "(?:\(JavaPattern.bounded(wanted, by: "/")))"
                }
            case .equalTo, .absent: omit(path, "matches no part of a path")
            }
        }
        func name(_ segment: String) -> String? {
            segment.hasPrefix("{") ? String(segment.dropFirst().dropLast()) : nil
        }
        let values = pathNames.values
        let end = text.hasSuffix("/") && text != "/" ? "/" : ""
        guard patterns.isEmpty else {
            // An expression has no parameters; those with one value are known all the same.
            let parts = segments.map { segment in
                guard let name = name(segment) else {
                    return Self.escaped(
                        String(Path(segments: Path(raw: "/" + segment)?.segments ?? [segment]).text.dropFirst())
                    )
                }
                return patterns[name] ?? values[name].map { Self.escaped($0.percentEncodedComponent) }
                    ?? "[^/]+"
            }
            return expression(parts.map { "\\/" + $0 }.joined() + (end.isEmpty ? "" : "\\/"), at: place)
        }
        pathNames.names = names.filter { pathNames.values[$0] == nil }
        guard !pathNames.values.isEmpty else { return .string(text) }
        let parts = segments.map { segment in
            name(segment).flatMap { pathNames.values[$0] }?.percentEncodedComponent ?? segment
        }
        return .string(parts.map { "/" + $0 }.joined() + end)
    }
}
