package import Backend
package import CivilTime
import Conditions
import HTTPMessage
package import JSON
package import Templates

/// The values of the placeholders in a custom API's own templates (own-API contract, section 9).
package struct CustomTemplateValues: TemplateValues {
    /// The parts that are the same for all requests of an API.
    package struct Scope: Sendable {
        /// The name of the API, with which the names of its streams and counters begin.
        package var api: String
        /// The states that are declared.
        package var states: [NamedState]

        package init(_ definition: CustomAPIDefinition) {
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
    /// The time where there is no request.
    private let moment: (now: Instant, epoch: Epoch)?
    /// The place of each state's value.
    private let states: [Int]
    /// The row of the user who has signed in, without its write-only members.
    private let user: JSON?
    /// The values that the owner of the template adds.
    private let locals: [(name: String, value: JSON?)]
    private var draws: TemplateDraws
    /// The body once it has been read.
    private var body: JSON??

    package init(
        _ scope: Scope,
        _ call: Call?,
        _ state: CustomAPIState?,
        _ core: WorldCore?,
        user: JSON? = nil,
        at moment: (now: Instant, epoch: Epoch)? = nil,
        locals: [(name: String, value: JSON?)]
    ) {
        self.scope = scope
        self.call = call
        self.moment = moment
        states = state?.settings.states ?? []
        self.user = user
        self.locals = locals
        draws = TemplateDraws(scope.api, core)
    }

    /// Keeps in a world what was drawn and counted.
    package func keep(in core: inout WorldCore) { draws.keep(in: &core) }

    package var now: Instant { call?.now ?? moment?.now ?? .epoch }

    package var anchors: (start: Instant, day: Instant) {
        let epoch = call?.epoch ?? moment?.epoch
        return (epoch?.t0 ?? .epoch, epoch?.d0 ?? .epoch)
    }

    package mutating func value(of placeholder: Placeholder) -> JSON? {
        switch placeholder {
        case .path(let name): return parameter(name).map { .string($0) }
        case .query(let name): return call?.query.first(name).map { .string($0) }
        case .body(let path): return content()?.part(at: path)
        case .user(let path): return user?.part(at: path)
        case .time: return nil
        case .uuid, .chance, .pick, .counter: return draws.value(of: placeholder)
        case .state(let name):
            guard let place = scope.states.firstIndex(where: { $0.name == name }), place < states.count else {
                return nil
            }
            return .string(scope.states[place].values[states[place]])
        case .header, .requestID, .requestMethod, .requestPath, .base: return call?.value(of: placeholder)
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

    /// Returns the body as JSON: of a form the first value of each name.
    private mutating func content() -> JSON? {
        if let body { return body }
        let read = call.flatMap { call in call.formFields(call.request.body.bytes) ?? (try? call.request.json()) }
        body = .some(read)
        return read
    }
}
