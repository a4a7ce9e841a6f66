import Backend
import Conditions
import Engine
import HTTPMessage
import JSON
import Recording
import Worlds

/// The warnings of a match that can meet no route (clients contract, section 4).
///
/// Only path and method are looked at. An API whose routes are unknown, since a recording or a real backend answers for
/// it, gives no warning.
struct MatchWarnings {
    private let call: ControlCall
    private let hosted: Emulator.HostedWorld

    init(_ call: ControlCall, _ hosted: Emulator.HostedWorld) {
        (self.call, self.hosted) = (call, hosted)
    }

    /// The schema of the member `warnings`.
    static let schema = JSONSchema.array(Schemas.object([("path", .string()), ("reason", .string())]))

    /// Returns the answer with the warnings of a match, if there are any.
    func added(to answer: JSON, for matcher: Matcher) -> JSON {
        guard case .object(var object) = answer, let warning = warning(matcher) else { return answer }
        object.append("warnings", [["path": .string(warning.path), "reason": .string(warning.reason)]])
        return .object(object)
    }

    private func warning(_ matcher: Matcher) -> (path: String, reason: String)? {
        let path = matcher.json["path"]?.stringValue
        // A regular expression is not taken apart.
        guard matcher.json["path"] == nil || path != nil else { return nil }
        guard path != nil || matcher.method != nil else { return nil }
        let apis = call.emulator.apis.indices.filter { index in
            matcher.api == nil || call.emulator.apis[index].identity.name == matcher.api
        }
        guard !apis.isEmpty, !apis.contains(where: isOpaque) else { return nil }
        let method = matcher.method.map { HTTPMessage.HTTPMethod(rawValue: $0) }
        // Preflights are sent to any path.
        guard method != .options else { return nil }
        let shape = PathShape(path ?? "/**")
        var fitsPath = false
        for index in apis {
            switch fit(shape, method, index) {
            case .whole: return nil
            case .pathAlone: fitsPath = true
            case .none: break
            }
        }
        let name = matcher.api ?? "any API"
        let isMethodWrong = fitsPath && method != nil
        let shown = [isMethodWrong ? method?.rawValue : nil, path].compactMap { $0 }.joined(separator: " ")
        var reason = "no route of \(name) fits \(shown.cut)"
        if let near = nearest(path ?? "/", method, apis) { reason += "; nearest: \(near)" }
        return (isMethodWrong ? "$.match.method" : "$.match.path", reason)
    }

    /// Tells whether requests that no route takes may be answered: by a recording, a backend or a catch-all.
    private func isOpaque(_ index: Int) -> Bool {
        let api = call.emulator.apis[index]
        let mode = call.host.modes(of: [index]).first?.mode ?? .emulate
        return mode != .emulate || api.routes.isEmpty && !hosted.world.stubs.has(api.identity.name)
    }

    private enum Fit { case none, pathAlone, whole }

    private func fit(_ shape: PathShape, _ method: HTTPMessage.HTTPMethod?, _ index: Int) -> Fit {
        let api = call.emulator.apis[index]
        var found = Fit.none
        for route in api.routes where shape.meets(PathShape(route.template)) {
            let isMeant = method == nil || route.method == method || (method == .head && route.method == .get)
            if isMeant { return .whole }
            found = .pathAlone
        }
        for stub in hosted.world.stubs.stubs where stub.spec.api == api.identity.name {
            guard stub.spec.path.map({ shape.meets(PathShape($0)) }) ?? true else { continue }
            if method == nil || stub.spec.matcher.method == nil || stub.spec.matcher.method == method?.rawValue {
                return .whole
            }
            found = .pathAlone
        }
        return found
    }

    /// A slip of letters is likelier than a segment too many, and that likelier than another one.
    private static func weight(of difference: Substring) -> Int {
        difference.hasPrefix("typo") ? 1 : difference.hasPrefix("segment") ? 4 : 2
    }

    /// The route that was probably meant, with its method where that differs.
    private func nearest(_ path: String, _ method: HTTPMessage.HTTPMethod?, _ apis: [Int]) -> String? {
        var best: (text: String, score: Int)?
        for index in apis {
            let api = call.emulator.apis[index]
            for near in api.nearestRoutes(to: path, method: method ?? .get, count: 3) {
                let differences = near.differs.split(separator: ";").map { $0.drop { $0 == " " } }
                // Without a method any will do.
                let score = differences.reduce(0) {
                    $0 + (method == nil && $1.hasPrefix("method ") ? 0 : Self.weight(of: $1))
                }
                let text =
                    method == nil || near.method == method ? near.template : "\(near.method.rawValue) \(near.template)"
                if score < best?.score ?? .max { best = (text, score) }
            }
        }
        return best?.text
    }
}

/// A pattern of paths by its segments, to find out whether two patterns have a path in common.
struct PathShape: Sendable {
    private enum Part: Sendable {
        case text(String)
        /// A text with stars in it.
        case pieces(PathPattern)
        case one
        /// Any number of segments.
        case many
    }

    private let parts: [Part]

    /// Creates the shape of a glob, or of a route template.
    init(_ text: String) {
        parts = text.split(separator: "/").flatMap { segment -> [Part] in
            if segment == "**" { return [.many] }
            if segment == "*" { return [.one] }
            if segment.hasPrefix("{"), segment.hasSuffix("}") {
                return segment.hasSuffix("…}") ? [.one, .many] : [.one]
            }
            if segment.contains("*") { return [.pieces(PathPattern("/" + segment))] }
            return [.text(Path(raw: "/" + segment)?.segments.first ?? String(segment))]
        }
    }

    /// Tells whether there is a path that both take; two texts with stars are taken to have one.
    func meets(_ other: PathShape) -> Bool {
        let (left, right) = (parts, other.parts)
        // The places in the other pattern that are reached after each part of this one.
        var reached = [Bool](repeating: false, count: right.count + 1)
        reached[0] = true
        Self.skip(&reached, right)
        for part in left {
            var next = [Bool](repeating: false, count: right.count + 1)
            if case .many = part {
                var isOpen = false
                for place in reached.indices {
                    isOpen = isOpen || reached[place]
                    next[place] = isOpen
                }
            } else {
                for place in right.indices where reached[place] {
                    if case .many = right[place] {
                        next[place] = true
                    } else if Self.fit(part, right[place]) {
                        next[place + 1] = true
                    }
                }
            }
            Self.skip(&next, right)
            reached = next
        }
        return reached[right.count]
    }

    /// Any number of segments may be none.
    private static func skip(_ reached: inout [Bool], _ parts: [Part]) {
        for place in parts.indices where reached[place] {
            if case .many = parts[place] { reached[place + 1] = true }
        }
    }

    private static func fit(_ left: Part, _ right: Part) -> Bool {
        switch (left, right) {
        case (.text(let text), .text(let other)): text == other
        case (.text(let text), .pieces(let pattern)), (.pieces(let pattern), .text(let text)): pattern.matches([text])
        default: true
        }
    }
}
