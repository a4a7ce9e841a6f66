import Backend
import CivilTime
import HTTPMessage
import JSON
import Templates

/// The answers of a sign-in, and the claims of its tokens (own-API contract, section 15).
extension SignInHandler {
    /// The names that the template of an answer has besides those of all templates.
    static let locals = ["access", "refresh", "expiresIn", "user"]

    /// Returns the answer that has the tokens.
    func answer(
        _ issued: SignIn.Issued,
        _ user: CustomRow,
        _ state: inout CustomAPIState,
        _ core: inout WorldCore,
        _ call: Call,
        status: Status = .ok
    ) throws(CustomAPIFailure) -> Response {
        let shown = shown(user, call)
        let locals: [(name: String, value: JSON?)] = [
            ("access", .string(issued.access)), ("refresh", .string(issued.refresh)),
            ("expiresIn", .integer(Int64(issued.expiresIn))), ("user", shown),
        ]
        let json = try filled(
            signIn.response,
            CustomTemplateValues(scope, call, state, core, user: shown, locals: locals),
            &core
        )
        return Response(
            status: status,
            fields: [.contentType: "application/json"],
            body: .bytes((json ?? .null).serialized())
        )
    }

    /// Returns the members of a token's payload besides the registered ones.
    func claims(
        of user: CustomRow,
        _ state: inout CustomAPIState,
        _ core: inout WorldCore,
        _ call: Call
    ) throws(CustomAPIFailure) -> JSONObject {
        guard let claims = signIn.claims else { return JSONObject() }
        let values = CustomTemplateValues(scope, call, state, core, user: shown(user, call), locals: [])
        return try filled(claims, values, &core)?.objectValue ?? JSONObject()
    }

    /// Returns the row of a user without its write-only members.
    private func shown(_ user: CustomRow, _ call: Call) -> JSON {
        .object(table.visible(user.members(in: call.epoch, table)))
    }

    private func filled(
        _ template: Template,
        _ values: CustomTemplateValues,
        _ core: inout WorldCore
    ) throws(CustomAPIFailure) -> JSON? {
        var values = values
        var budget = TemplateBudget()
        let json = template.filled(from: &values, &budget)
        guard !budget.isSpent else {
            throw CustomAPIFailure(.answerTooLarge, "The response would be larger than 8 MiB.")
        }
        values.keep(in: &core)
        return json
    }
}
