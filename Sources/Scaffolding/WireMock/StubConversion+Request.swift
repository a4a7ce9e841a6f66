import Conditions
import Crypto
import HTTPMessage
import JSON
import RegularExpressions

/// The request of a mapping as a `match`.
extension StubConversion {
    private static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
    static let addresses = ["url", "urlPath", "urlPattern", "urlPathPattern", "urlPathTemplate"]

    /// Returns the `match` of a mapping's `request`, empty for every request, and the forms of `body` of which each takes a
    /// part of the requests.
    mutating func match(_ json: JSON?) -> (match: JSONObject, bodies: [JSON]) {
        guard let json, !json.isNull else { return ([:], []) }
        guard case .object(let request) = json else {
            omit(["request"], "expected an object, found \(json.typeName)")
            return ([:], [])
        }
        let known =
            Self.addresses + [
                "method", "pathParameters", "queryParameters", "headers", "cookies", "basicAuthCredentials",
                "basicAuth",
                "bodyPatterns",
            ]
        omitOthers(of: request, than: Set(known), at: ["request"])
        var match = JSONObject()
        if let method = method(request["method"]) { match.append("method", .string(method)) }
        let address = address(request)
        if let path = address.path { match.append("path", path) }
        var query = address.query
        for (name, value) in values("queryParameters", request) {
            if query[name] != nil {
                omit(["request", "queryParameters", .key(name)], "is in the URL already")
            } else {
                query.append(name, value)
            }
        }
        if address.isWhole {
            if query[Matcher.otherNames] == nil {
                query.append(Matcher.otherNames, ["absent": true])
            } else {
                note(["request"], "is looser here: a request with other parameters matches too")
            }
        }
        if !query.isEmpty { match.append("query", .object(query)) }
        let headers = headers(request)
        if !headers.isEmpty { match.append("headers", .object(headers)) }
        let body = body(request["bodyPatterns"])
        if let json = body.json.first { match.append("body", json) }
        if let text = body.text { match.append("bodyText", .object(text)) }
        return (match, body.json)
    }

    private mutating func method(_ json: JSON?) -> String? {
        guard let json, !json.isNull else { return nil }
        guard let text = json.stringValue?.uppercased(), text == "ANY" || Self.methods.contains(text) else {
            omit(["request", "method"], "is not one of ANY, \(Self.methods.joined(separator: ", "))")
            return nil
        }
        return text == "ANY" ? nil : text
    }

    // MARK: Values

    /// The regular expression, if both dialects read it alike.
    mutating func regularExpression(_ text: String, at path: [JSONPathElement]) -> JSON? {
        if let reason = JavaPattern.refusal(of: text) {
            omit(path, reason)
            return nil
        }
        return expression(text, at: path)
    }

    /// The expression, if the engine takes it.
    mutating func expression(_ text: String, at path: [JSONPathElement]) -> JSON? {
        do throws(RegularExpressionError) {
            return ["regex": .string(try RegularExpression(text).source)]
        } catch {
            omit(path, "\(error)")
            return nil
        }
    }

    private mutating func headers(_ request: JSONObject) -> JSONObject {
        var headers = JSONObject()
        for (name, value) in values("headers", request) {
            if FieldName(name) == nil {
                omit(["request", "headers", .key(name)], "is not the name of a header field")
            } else {
                headers.append(name, value)
            }
        }
        for name in ["basicAuthCredentials", "basicAuth"] {
            guard let credentials = request[name], !credentials.isNull else { continue }
            guard let user = credentials["username"]?.coercedText,
                let password = credentials["password"]?.coercedText,
                headers["Authorization"] == nil
            else {
                omit(["request", .key(name)], "needs username and password, and no header Authorization beside it")
                continue
            }
            headers.append("Authorization", .string("Basic " + Base64.encode(Array("\(user):\(password)".utf8))))
        }
        if let cookies = cookies(request["cookies"]) {
            if headers.members.contains(where: { $0.name.lowercased() == "cookie" }) {
                omit(["request", "cookies"], "conflicts with the header Cookie")
            } else {
                headers.append("Cookie", cookies)
            }
        }
        return headers
    }

    /// The matchers of an object of names, as values of `query` or `headers`.
    private mutating func values(_ member: String, _ request: JSONObject) -> [(name: String, value: JSON)] {
        guard let json = request[member], !json.isNull else { return [] }
        guard case .object(let object) = json else {
            omit(["request", .key(member)], "expected an object, found \(json.typeName)")
            return []
        }
        var found: [(name: String, value: JSON)] = []
        for entry in object.members {
            guard let value = value(entry.value, at: ["request", .key(member), .key(entry.name)]) else { continue }
            found.append((entry.name, value))
        }
        return found
    }

    /// A matcher of texts as a value of `query` or `headers`.
    private mutating func value(_ json: JSON, at path: [JSONPathElement]) -> JSON? {
        for form in ["hasExactly", "includes"] {
            guard let list = json[form], !list.isNull else { continue }
            let place = path + [.key(form)]
            omitOthers(of: json.objectValue ?? [:], than: [form], at: path)
            guard let matchers = list.arrayValue, let first = matchers.first else {
                omit(place, "is not a list of matchers")
                return nil
            }
            if matchers.count > 1 {
                note(place, "is looser here: only the first of the values is required")
            } else if form == "hasExactly" {
                note(place, "is looser here: other values are allowed too")
            }
            return value(first, at: place + [.index(0)])
        }
        guard let (name, text) = textMatcher(json, at: path) else { return nil }
        switch name {
        case .equalTo: return .string(text)
        case .contains: return ["contains": .string(text)]
        case .matches: return regularExpression(text, at: path + ["matches"])
        case .absent: return ["absent": true]
        }
    }

    /// The matchers that are carried over.
    enum TextMatcher: String { case equalTo, contains, matches, absent }

    /// Reads a matcher of texts; any other one is listed.
    mutating func textMatcher(_ json: JSON, at path: [JSONPathElement]) -> (TextMatcher, String)? {
        guard case .object(let object) = json else {
            omit(path, "expected an object, found \(json.typeName)")
            return nil
        }
        omitOthers(of: object, than: ["equalTo", "contains", "matches", "absent"], at: path)
        let named = object.members.compactMap { member in
            TextMatcher(rawValue: member.name).map { ($0, member.value) }
        }
        guard let (matcher, value) = named.first, named.count == 1 else {
            // A matcher that is not known has been listed.
            if named.count != 0 || object.isEmpty { omit(path, "must have one of equalTo, contains, matches, absent") }
            return nil
        }
        if matcher == .absent {
            guard value == true else {
                omit(path + ["absent"], "is supported only as true")
                return nil
            }
            return (.absent, "")
        }
        guard let text = value.stringValue else {
            omit(path + [.key(matcher.rawValue)], "expected a string, found \(value.typeName)")
            return nil
        }
        return (matcher, text)
    }

    /// The text with a backslash before every sign of a regular expression.
    static func escaped(_ text: String) -> String {
        var output = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if "\\^$.*+?()[]{}|/".unicodeScalars.contains(scalar) { output.append("\\") }
            output.append(scalar)
        }
        return String(output)
    }

    /// An expression that the pieces fit together in any order; nil for more pieces than can be written out.
    static func inAnyOrder(_ pieces: [String], between: String) -> String? {
        guard pieces.count <= 4 else { return nil }
        let orders = permutations(pieces).map { $0.joined(separator: between) }
        return orders.count == 1 ? orders[0] : "(?:\(orders.joined(separator: "|")))"
    }

    /// The orders of a few values.
    static func permutations<Value>(_ pieces: [Value]) -> [[Value]] {
        guard pieces.count > 1 else { return [pieces] }
        return pieces.indices.flatMap { place -> [[Value]] in
            var rest = pieces
            let first = rest.remove(at: place)
            return permutations(rest).map { [first] + $0 }
        }
    }
}
