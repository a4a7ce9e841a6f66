import Backend
import HTTPMessage
import JSON
import Templates

/// Answers refusals in the form of an API's errors, whose placeholders it fills (own-API contract, section 5).
struct ErrorAnswers: Sendable {
    private let form: ErrorForm
    private let scope: CustomTemplateValues.Scope
    private let users: (place: Int, table: TableDefinition)?
    /// The measures of the form, by which the work of filling it is estimated.
    let load: TemplateLoad

    init(_ definition: CustomAPIDefinition) {
        form = definition.errors
        load = form.body?.load ?? TemplateLoad()
        scope = CustomTemplateValues.Scope(definition)
        users = definition.users.map { ($0, definition.tables[$0]) }
    }

    /// Returns the answer to a request that is refused.
    func answer(_ failure: CustomAPIFailure, _ state: CustomAPIState, _ core: inout WorldCore, _ call: Call) -> Response
    {
        form.response(failure, hadToken: call.hasToken) { fill($0, $1, state, &core, call) }
    }

    /// Returns the fields that a refusal has whatever its content.
    func fields(of failure: CustomAPIFailure, _ shown: ErrorForm.Shown, _ call: Call) -> Fields {
        form.fields(of: failure, shown, hadToken: call.hasToken)
    }

    /// Returns the answer of a status that is not the API's own.
    func answer(_ order: InjectedStatus, _ state: CustomAPIState, _ core: inout WorldCore, _ call: Call) -> Response {
        form.response(order, hadToken: call.hasToken) { fill($0, $1, state, &core, call) }
    }

    /// Returns the answer to a request that never came into a world.
    func answer(_ failure: CustomAPIFailure) -> Response {
        form.response(failure, hadToken: false) { template, shown in
            var values = CustomTemplateValues(scope, nil, nil, nil, locals: shown.values)
            var budget = TemplateBudget()
            return template.filled(from: &values, &budget)
        }
    }

    private func fill(
        _ template: Template,
        _ shown: ErrorForm.Shown,
        _ state: CustomAPIState,
        _ core: inout WorldCore,
        _ call: Call
    ) -> JSON? {
        let user = call.user.flatMap { user in users.flatMap { state.user(user.id, $0.place, $0.table, call.epoch) } }
        var values = CustomTemplateValues(scope, call, state, core, user: user, locals: shown.values)
        var budget = TemplateBudget()
        defer { values.keep(in: &core) }
        return template.filled(from: &values, &budget)
    }
}

extension Call {
    /// Tells whether a token was sent, good or not.
    fileprivate var hasToken: Bool { accessToken?.isEmpty == false }
}

extension CustomAPIState {
    /// Returns the row of a user, without its write-only members.
    func user(_ id: String, _ place: Int, _ table: TableDefinition, _ epoch: Epoch) -> JSON? {
        tables[place].rows.read(id: id) { .object(table.visible($0.members(in: epoch, table))) }
    }
}
