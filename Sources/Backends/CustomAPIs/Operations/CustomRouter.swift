package import Backend
package import HTTPMessage
package import OpenAPI

/// Finds the route that takes a request: literal segments win over parameters, from the left (own-API contract,
/// section 4).
package struct CustomRouter: Sendable {
    /// A route whose template the usual router has no form for, such as `/files/{name}.json`.
    private struct Uncommon: Sendable {
        let template: PathTemplate
        let method: HTTPMethod
        let index: Int
    }

    /// The templates of all routes by their index.
    private let templates: [PathTemplate]
    private let common: Router
    /// The most specific first.
    private let uncommon: [Uncommon]
    /// Every route in a form for suggestions: a segment with a literal and a parameter counts as a parameter.
    package let forSuggestions: Router

    /// The routes whose path ends in a slash, where a path has to end as its route does; nil where that is not looked at.
    private let slashed: Set<Int>?

    /// Creates the router of routes; no two of a method have the same shape.
    ///
    /// `slashed` are the routes whose path ends in a slash, where that counts.
    package init(_ routes: [(method: HTTPMethod, template: PathTemplate)], slashed: Set<Int>? = nil) {
        templates = routes.map(\.template)
        self.slashed = slashed
        var rows: [Router.Row] = []
        var others: [Uncommon] = []
        for (index, route) in routes.enumerated() {
            if let template = RouteTemplate(route.template, isRounded: false) {
                rows.append(Router.Row(method: route.method, template: template, index: index))
            } else {
                others.append(Uncommon(template: route.template, method: route.method, index: index))
            }
        }
        common = Self.router(rows)
        uncommon = others.sorted { $0.template.isMoreSpecific(than: $1.template) }
        var taken = Set(rows.map { $0.method.rawValue + $0.template.shape })
        for other in others {
            guard let template = RouteTemplate(other.template, isRounded: true),
                taken.insert(other.method.rawValue + template.shape).inserted
            else { continue }
            rows.append(Router.Row(method: other.method, template: template, index: other.index))
        }
        forSuggestions = others.isEmpty ? common : Self.router(rows)
    }

    private static func router(_ rows: [Router.Row]) -> Router {
        do {
            return try Router(rows)
        } catch {
            preconditionFailure("the routes of a custom API conflict: \(error)")
        }
    }

    /// Returns the route that takes a request, or the reason why none does.
    package func match(_ method: HTTPMethod, _ path: Path) -> RouteMatch {
        let match = anyMatch(method, path)
        guard let slashed, !path.segments.isEmpty else { return match }
        switch match {
        case .unknownPath: return match
        case .endpoint(let index, _):
            return slashed.contains(index) == path.hasTrailingSlash ? match : .unknownPath
        case .otherMethod(let methods):
            let fitting = methods.filter { method in
                guard case .endpoint(let index, _) = anyMatch(method, path) else { return false }
                return slashed.contains(index) == path.hasTrailingSlash
            }
            return fitting.isEmpty ? .unknownPath : .otherMethod(fitting)
        }
    }

    /// Returns the same, whatever the end of the path.
    private func anyMatch(_ method: HTTPMethod, _ path: Path) -> RouteMatch {
        let found = RouteMatch(common, method, path, acceptsTrailingSlash: true)
        guard !uncommon.isEmpty else { return found }
        var methods: [HTTPMethod] = []
        for other in uncommon {
            guard let parameters = other.template.match(path) else { continue }
            guard other.method == method || (method == .head && other.method == .get) else {
                if !methods.contains(other.method) { methods.append(other.method) }
                continue
            }
            if case .endpoint(let index, _) = found, !other.template.isMoreSpecific(than: templates[index]) { break }
            return .endpoint(other.index, parameters: parameters)
        }
        switch found {
        case .endpoint: return found
        case .otherMethod(let known): return .otherMethod(known + methods.filter { !known.contains($0) })
        case .unknownPath: return methods.isEmpty ? .unknownPath : .otherMethod(methods)
        }
    }
}

extension RouteTemplate {
    /// Creates the usual form of a template; nil if it has none.
    ///
    /// Parameters whose names have other characters are named by their place. With `isRounded`, a segment of several
    /// pieces becomes a parameter.
    fileprivate init?(_ template: PathTemplate, isRounded: Bool) {
        // As it is written, so that suggestions show the names of its parameters.
        if let usual = RouteTemplate(template.text) {
            self = usual
            return
        }
        var text = ""
        var count = 0
        for segment in template.segments {
            text += "/"
            if segment.count == 1, case .literal(let literal) = segment[0] {
                text += literal
                continue
            }
            guard segment.count == 1 || isRounded else { return nil }
            text += "{p\(count)}"
            count += 1
        }
        self.init(text.isEmpty ? "/" : text)
    }

    /// The template without the names of its parameters.
    fileprivate var shape: String {
        segments.reduce(into: "") { text, segment in
            if case .literal(let literal) = segment { text += "/" + literal } else { text += "/{}" }
        }
    }
}
