import Emulation
import HTTPMessage
import JSON

/// The address of a mapping as a path and a query.
extension StubConversion {
    /// Returns the `path` of a mapping's address, and adds the parameters in it to `query`.
    mutating func path(_ request: JSONObject, _ query: inout JSONObject) -> JSON? {
        let named = Self.addresses.filter { request[$0].map { !$0.isNull } ?? false }
        guard let first = named.first else { return nil }
        for other in named.dropFirst() { omit(["request", .key(other)], "stands beside \(first)") }
        let place: [JSONPathElement] = ["request", .key(first)]
        guard let text = request[first]?.stringValue else {
            omit(place, "expected a string, found \(request[first]?.typeName ?? "nothing")")
            return nil
        }
        switch first {
        case "url":
            let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            let items = QueryItems(parts.count > 1 ? String(parts[1]) : nil)
            if items.isTruncated { omit(place, "has over \(items.items.count) parameters") }
            for item in items.items {
                if let value = query[item.name], value != .string(item.value) {
                    omit(place, "has the parameter \(item.name) with two values")
                } else if query[item.name] == nil {
                    query.append(item.name, .string(item.value))
                }
            }
            return literal(String(parts.first ?? ""), at: place)
        case "urlPath": return literal(text, at: place)
        case "urlPathTemplate":
            if let reason = PathPattern.refusal(of: text) {
                omit(place, reason)
                return nil
            }
            pathNames = text.split(separator: "/").filter { $0.hasPrefix("{") }.map {
                String($0.dropFirst().dropLast())
            }
            return .string(text)
        default:
            if first == "urlPattern", text.unicodeScalars.contains("?"), Self.meansQuery(text) {
                omit(place, "looks at path and query together")
                return nil
            }
            return regularExpression(text, at: place)
        }
    }

    /// The path as it is; as a regular expression where a pattern would read a sign of it.
    private mutating func literal(_ path: String, at place: [JSONPathElement]) -> JSON? {
        guard path.hasPrefix("/") else {
            omit(place, "does not begin with /, so that no request fits")
            return nil
        }
        if PathPattern.refusal(of: path) == nil,
            !path.unicodeScalars.contains(where: { "*{}".unicodeScalars.contains($0) })
        {
            return .string(path)
        }
        // An expression is compared with the path as the journal writes it, a pattern with what was decoded.
        let segments = Path(raw: path)?.segments ?? path.split(separator: "/").map(String.init)
        return expression(Self.escaped(Path(segments: segments).text), at: place)
    }

    /// Returns whether a pattern has a question mark that stands for itself, which only a query has.
    private static func meansQuery(_ pattern: String) -> Bool {
        var isEscaped = false
        var isInClass = false
        for scalar in pattern.unicodeScalars {
            if isEscaped {
                if scalar == "?" { return true }
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else if scalar == "[" {
                isInClass = true
            } else if scalar == "]" {
                isInClass = false
            } else if scalar == "?", isInClass {
                return true
            }
        }
        return false
    }
}
