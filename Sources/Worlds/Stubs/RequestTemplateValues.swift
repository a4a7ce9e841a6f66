package import Backend
package import CivilTime
package import Conditions
import HTTPMessage
package import JSON
package import Templates

/// The values that placeholders have in the answer to a request (own-API contract, section 9).
///
/// Counters and chance are those of the API in its world; `commit` writes them back.
package struct RequestTemplateValues: TemplateValues {
    private let call: Call
    private let api: AnyAPI
    private let index: Int
    private let world: World
    private let path: [(name: String, value: String)]
    private let locals: [(name: String, value: JSON)]
    private let subject: MatchSubject
    private(set) var draws: TemplateDraws
    private var form: JSON??
    /// The row of the user, once it has been looked up.
    private var user: JSON??

    /// Creates the values of a call.
    ///
    /// `path` are the parameters of the template that matched; `locals` what the owner of the template adds.
    package init(
        _ call: Call,
        _ api: AnyAPI,
        _ index: Int,
        in world: World,
        subject: MatchSubject? = nil,
        path: [(name: String, value: String)] = [],
        locals: [(name: String, value: JSON)] = []
    ) {
        self.call = call
        self.api = api
        self.index = index
        self.world = world
        self.path = path
        self.locals = locals
        self.subject = subject ?? MatchSubject(call, api: api.identity.name, user: call.user)
        draws = TemplateDraws(api.identity.name, world.core)
    }

    package var now: Instant { call.now }
    package var anchors: (start: Instant, day: Instant) { (call.epoch.t0, call.epoch.d0) }

    package mutating func value(of placeholder: Placeholder) -> JSON? {
        switch placeholder {
        case .path(let name): return path.last { $0.name == name }.map { .string($0.value) }
        case .query(let name): return subject.query.first(name).map { .string($0) }
        case .body(let path): return body?.part(at: path)
        case .user(let path): return row?.part(at: path)
        case .uuid, .chance, .pick, .counter: return draws.value(of: placeholder)
        case .state(let name): return api.hooks.state(name, world, index).map { .string($0) }
        case .header, .requestID, .requestMethod, .requestPath, .base: return call.value(of: placeholder)
        case .local(let name, let path): return locals.last { $0.name == name }?.value.part(at: path)
        case .time: return nil
        }
    }

    /// Writes counters and streams back into the world.
    package func commit(to world: inout World) {
        world.withCore { draws.keep(in: &$0) }
    }

    private var row: JSON? {
        mutating get {
            if let user { return user }
            let found = api.hooks.templateUser(world, index, call)
            user = .some(found)
            return found
        }
    }

    /// The body as JSON, or the fields of a form with their first values.
    private var body: JSON? {
        mutating get {
            if let form { return form }
            let found = (subject.isWhole ? call.formFields(subject.content) : nil) ?? subject.json?.value
            form = .some(found)
            return found
        }
    }
}
