import Backend
import HTTPMessage
import JSON

@testable import Control

/// Checks responses against the declarations, from which the documents are made.
enum Documented {
    /// The mismatches of a response to a control call; `path` is the one below `/__admin`.
    static func issues(of played: Played, _ method: HTTPMessage.HTTPMethod, _ path: String) -> [String] {
        let routes = Harness.table.value.operations.map(\.route)
        if played.contentType == "application/problem+json" {
            guard let problem = routes.first?.answers.last else { return ["no problem is declared"] }
            return issues(played, problem)
        }
        let asked = method == .head ? .get : method
        guard let route = route(asked, "/__admin" + path, routes) else { return ["no operation of that path"] }
        return issues(of: played, route)
    }

    /// The mismatches of a response of one route.
    static func issues(of played: Played, _ route: RouteSummary) -> [String] {
        let answers = route.answers.filter { $0.status.code == played.status }
        guard !answers.isEmpty else { return ["the status \(played.status) is not declared"] }
        let attempts = answers.map { issues(played, $0) }
        return attempts.contains([]) ? [] : attempts[0]
    }

    private static func issues(_ played: Played, _ answer: AnswerDeclaration) -> [String] {
        switch answer.content {
        case .none: return played.bytes.isEmpty ? [] : ["there is a body where none is declared"]
        case .json(_, let schema, let contentType):
            guard played.contentType == contentType else { return ["\(played.contentType) instead of \(contentType)"] }
            return JSONSchemaValidator.validate(played.json, against: schema).map { "\($0)" }
        case .text(let contentType):
            return played.contentType == contentType ? [] : ["\(played.contentType) instead of \(contentType)"]
        case .eventStream: return played.contentType == "text/event-stream" ? [] : ["not an event stream"]
        case .bytes(let types):
            let sent = played.contentType
            let fits = types.contains { $0 == "*/*" || $0 == sent }
            return fits ? [] : ["\(sent) is none of \(types)"]
        }
    }

    /// The route that takes a path: the one with the most literal segments.
    static func route(_ method: HTTPMessage.HTTPMethod, _ path: String, _ routes: [RouteSummary]) -> RouteSummary? {
        let segments = path.split(separator: "/")
        return routes.filter { $0.method == method && matches($0.template.split(separator: "/"), segments) }
            .min { $0.template.count { $0 == "{" } < $1.template.count { $0 == "{" } }
    }

    private static func matches(_ template: [Substring], _ path: [Substring]) -> Bool {
        if let last = template.last, last.hasSuffix("…}") {
            return path.count >= template.count && matches(template.dropLast(), Array(path.prefix(template.count - 1)))
        }
        return template.count == path.count
            && zip(template, path).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
    }
}
