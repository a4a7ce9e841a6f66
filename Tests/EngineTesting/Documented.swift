package import Backend
package import HTTPMessage
import JSON

/// Checks responses against the declarations, from which the OpenAPI document is made.
package enum Documented {
    /// The mismatches of a response; a request without a route has none.
    package static func issues(
        of played: Played,
        _ method: HTTPMessage.HTTPMethod,
        _ path: String,
        _ routes: [RouteSummary]
    )
        -> [String]
    {
        guard let route = route(method, path, routes) else { return [] }
        let answers = route.answers.filter { $0.status.code == played.status }
        guard !answers.isEmpty else { return ["the status \(played.status) is not declared"] }
        let attempts = answers.map { issues(played, $0) }
        return attempts.contains([]) ? [] : attempts[0]
    }

    private static func issues(_ played: Played, _ answer: AnswerDeclaration) -> [String] {
        switch answer.content {
        case .none: return played.bytes.isEmpty ? [] : ["there is a body where none is declared"]
        case .json(_, let schema, let contentType):
            let sent = played.fields[.contentType] ?? ""
            guard media(sent) == media(contentType) else { return ["\(sent) instead of \(contentType)"] }
            return JSONSchemaValidator.validate(played.json, against: schema).map { "\($0)" }
        case .text(let contentType):
            return played.fields[.contentType] == contentType ? [] : ["not \(contentType)"]
        case .eventStream:
            return media(played.fields[.contentType] ?? "") == "text/event-stream" ? [] : ["not an event stream"]
        case .bytes(let types):
            let sent = String(media(played.fields[.contentType] ?? ""))
            let fits = types.contains { $0 == "*/*" || $0 == sent }
            return fits ? [] : ["\(sent) is none of \(types)"]
        }
    }

    private static func media(_ type: String) -> Substring { type.prefix { $0 != ";" } }

    /// The route that takes a path: the one with the most literal segments.
    private static func route(_ method: HTTPMessage.HTTPMethod, _ path: String, _ routes: [RouteSummary])
        -> RouteSummary?
    {
        let segments = path.split(separator: "/")
        return routes.filter { $0.method == method && matches($0.template.split(separator: "/"), segments) }
            .min { $0.template.count { $0 == "{" } < $1.template.count { $0 == "{" } }
    }

    private static func matches(_ template: [Substring], _ path: [Substring]) -> Bool {
        template.count == path.count && zip(template, path).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
    }
}
