package import CivilTime
package import Emulation
import HTTPMessage
package import JSON
package import Templates

/// The values of the placeholders in an own API's own templates (own-API contract, section 9).
package struct OwnValues: TemplateValues {
    /// The parts that are the same for all requests of an API.
    package struct Scope: Sendable {
        /// The name of the API, with which the names of its streams and counters begin.
        package var api: String
        /// The states that are declared.
        package var states: [NamedState]

        package init(_ definition: OwnDefinition) {
            api = definition.name
            states = definition.states
        }

        init(api: String, states: [NamedState]) {
            self.api = api
            self.states = states
        }
    }

    private let scope: Scope
    /// The request; nil for a refusal before there is one.
    private let call: Call?
    /// The place of each state's value.
    private let states: [Int]
    /// The row of the user who has signed in, without its write-only members.
    private let user: JSON?
    /// The values that the owner of the template adds.
    private let locals: [(name: String, value: JSON?)]
    private var randomness: Randomness
    private var counters: Counters
    /// Tells whether something was drawn or counted, which the world then has to keep.
    private var hasDrawn = false
    /// The body once it has been read.
    private var body: JSON??

    package init(
        _ scope: Scope,
        _ call: Call?,
        _ state: OwnState?,
        _ core: WorldCore?,
        user: JSON? = nil,
        locals: [(name: String, value: JSON?)]
    ) {
        self.scope = scope
        self.call = call
        states = state?.settings.states ?? []
        self.user = user
        self.locals = locals
        randomness = core?.randomness ?? Randomness(seed: 0)
        counters = core?.counters ?? Counters()
    }

    /// Keeps in a world what was drawn and counted.
    package func keep(in core: inout WorldCore) {
        guard hasDrawn else { return }
        core.randomness = randomness
        core.counters = counters
    }

    package var now: Instant { call?.now ?? .epoch }

    package var anchors: (start: Instant, day: Instant) { (call?.epoch.t0 ?? .epoch, call?.epoch.d0 ?? .epoch) }

    package mutating func value(of placeholder: Placeholder) -> JSON? {
        switch placeholder {
        case .path(let name): return parameter(name).map { .string($0) }
        case .query(let name): return call?.query.first(name).map { .string($0) }
        case .header(let name): return FieldName(name).flatMap { call?.fields[$0] }.map { .string($0) }
        case .body(let path): return content()?.part(at: path)
        case .user(let path): return user?.part(at: path)
        case .time: return nil
        case .uuid: return .string(draw { $0.uuid() })
        case .chance(let range): return .integer(draw { $0.number(in: range) })
        case .pick(let words): return words.isEmpty ? nil : .string(draw { words[$0.below(words.count)] })
        case .counter(let name):
            hasDrawn = true
            randomness.noteCount()
            return .integer(Int64(clamping: counters.next("\(scope.api).counter.\(name)")))
        case .state(let name):
            guard let place = scope.states.firstIndex(where: { $0.name == name }), place < states.count else {
                return nil
            }
            return .string(scope.states[place].values[states[place]])
        case .requestID: return call.map { .string($0.requestID) }
        case .requestMethod: return call.map { .string($0.method.rawValue) }
        case .requestPath: return call.map { .string($0.path.text) }
        case .base: return call.map { .string($0.origin) }
        case .local(let name, let path):
            return locals.first { $0.name == name }.flatMap { $0.value }?.part(at: path)
        }
    }

    private func parameter(_ name: String) -> String? {
        guard let call, let template = call.route.flatMap({ RouteTemplate($0) }),
            let place = template.parameterNames.firstIndex(of: name), place < call.parameters.count
        else { return nil }
        return call.parameters[place]
    }

    private mutating func draw<Result>(_ make: (inout SeededStream) -> Result) -> Result {
        hasDrawn = true
        var stream = randomness.stream("template", of: scope.api)
        return make(&stream)
    }

    /// Returns the body as JSON: of a form the first value of each name.
    private mutating func content() -> JSON? {
        if let body { return body }
        let read = call.flatMap { Self.content(of: $0) }
        body = .some(read)
        return read
    }

    private static func content(of call: Call) -> JSON? {
        let type = call.fields.bytes(.contentType).flatMap { MediaType(bytes: $0) }
        guard type?.essence == "application/x-www-form-urlencoded" else { return try? call.request.json() }
        var object = JSONObject()
        for item in QueryItems(bytes: call.request.body.bytes[...]).items where object[item.name] == nil {
            object.append(item.name, .string(item.value))
        }
        return .object(object)
    }
}
