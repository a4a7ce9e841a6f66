import JSON

/// The flags that describe which requests a fault or a gate meets (clients contract, section 9).
enum MatchOptions {
    static let all = [
        Option(
            name: "api",
            kind: .value("NAME"),
            values: .running(.apis),
            help: "requests to this API",
            default: "all"
        ),
        Option(
            name: "method",
            kind: .value("M"),
            values: .names(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]),
            help: "requests with this method",
            default: "any"
        ),
        Option(
            name: "path",
            kind: .value("P"),
            help: "a path, a glob (* one segment, ** many) or a route template",
            default: "any"
        ),
        Option(name: "user", kind: .value("WHO"), help: "the user of the credential, by e-mail or id", default: "any"),
        Option(
            name: "query",
            kind: .repeated("NAME=VALUE"),
            help: "a query parameter; may be repeated",
            default: "any"
        ),
        Option(
            name: "header",
            kind: .repeated("'NAME: VALUE'"),
            help: "a header; may be repeated",
            default: "any"
        ),
        Option(name: "body", kind: .value("JSON"), help: "JSON that the body must contain", default: "any"),
        Option(
            name: "on-connection",
            kind: .value("reused|fresh"),
            values: .names(["reused", "fresh"]),
            help: "requests on a connection that was used before, or the first of their connection",
            default: "any"
        ),
    ]

    /// The match of the flags; empty where none is given.
    static func match(_ arguments: Arguments) throws(CommandFailure) -> JSONObject {
        var match = JSONObject()
        for name in ["api", "method", "path"] {
            if let text = arguments[name] { match.append(name, .string(name == "method" ? text.uppercased() : text)) }
        }
        if let pairs = arguments.values["query"] {
            match.append("query", .object(try object(pairs, "query", "=", "NAME=VALUE")))
        }
        if let pairs = arguments.values["header"] {
            match.append("headers", .object(try object(pairs, "header", ":", "'NAME: VALUE'")))
        }
        if let user = arguments["user"] { match.append("user", .string(user)) }
        if let text = arguments["body"] { match.append("body", try JSONText.read(text, "--body")) }
        if let use = arguments["on-connection"] { match.append("connection", .string(use)) }
        return match
    }

    private static func object(
        _ pairs: [String],
        _ flag: String,
        _ separator: Character,
        _ form: String
    ) throws(CommandFailure) -> JSONObject {
        var object = JSONObject()
        for pair in pairs {
            guard let place = pair.firstIndex(of: separator), place > pair.startIndex else {
                throw .usage("--\(flag): \"\(pair)\" is not \(form)")
            }
            let name = String(pair[..<place])
            let value = pair[pair.index(after: place)...]
            guard object[name] == nil else { throw .usage("--\(flag): \(name) is given twice") }
            object.append(name, .string(separator == ":" ? String(value.drop { $0 == " " }) : String(value)))
        }
        return object
    }
}
