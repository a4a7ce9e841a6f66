import Backend
import CivilTime
import HTTPMessage
import JSON
import Templates

/// The endpoints of a sign-in (own-API contract, section 15).
final class SignInHandler: Sendable {
    let signIn: SignIn
    let table: TableDefinition
    /// Reads and writes the rows of users.
    let rows: ResourceHandler
    /// The values that templates can show besides those of the request.
    let scope: CustomTemplateValues.Scope

    init(_ signIn: SignIn, in definition: CustomAPIDefinition) {
        self.signIn = signIn
        table = definition.tables[signIn.users]
        scope = CustomTemplateValues.Scope(definition)
        rows = ResourceHandler(ResourceDefinition(path: signIn.routes.me ?? "/", table: signIn.users), in: definition)
    }

    // MARK: Endpoints

    /// Signs in with identifier and secret.
    func login(_ state: inout CustomAPIState, _ core: inout WorldCore, _ call: inout Call) throws(CustomAPIFailure)
        -> Response
    {
        let sent = try SignInBody.texts([signIn.identifier, signIn.secret], in: try SignInBody.object(call))
        let user = try user(sent[0], secret: sent[1], state, call)
        let issued = try start(user, &state, &core, &call)
        return try answer(issued, user, &state, &core, call, status: signIn.statuses.login)
    }

    /// Makes a user, and signs it in.
    func register(_ state: inout CustomAPIState, _ core: inout WorldCore, _ call: inout Call) throws(CustomAPIFailure)
        -> Response
    {
        let body = try SignInBody.object(call)
        let required = signIn.hasPasswords ? [signIn.identifier, signIn.secret] : [signIn.identifier]
        let identifier = try SignInBody.texts(required, in: body)[0]
        let user = try make(body, identifier, &state, &core, call)
        return try answer(try start(user, &state, &core, &call), user, &state, &core, call, status: .created)
    }

    /// Sends a one-time code.
    func sendCode(_ state: inout CustomAPIState, _ core: inout WorldCore, _ call: inout Call) throws(CustomAPIFailure)
        -> Response
    {
        let identifier = try SignInBody.texts([signIn.identifier], in: try SignInBody.object(call))[0]
        let user = state.tables[signIn.users].row(identifiedBy: identifier)
        if let user { note(user, in: &call) }
        if user != nil || signIn.codes.registers {
            let spelled = user?.stored[signIn.identifier]?.credentialText ?? identifier
            signIn.sendCode(to: spelled, &state, &core, now: call.now)
        }
        return Response(status: .noContent)
    }

    /// Signs in with a one-time code.
    func verifyCode(_ state: inout CustomAPIState, _ core: inout WorldCore, _ call: inout Call) throws(CustomAPIFailure)
        -> Response
    {
        let body = try SignInBody.object(call)
        let sent = try SignInBody.texts([signIn.identifier, signIn.codeName], in: body)
        guard signIn.isGood(code: sent[1], of: sent[0], state, now: call.now) else {
            throw CustomAPIFailure(.invalidCredentials)
        }
        var user = state.tables[signIn.users].row(identifiedBy: sent[0])
        if user == nil, signIn.codes.registers {
            var members = body
            members[signIn.codeName] = nil
            user = try make(members, sent[0], &state, &core, call)
        }
        guard let user else { throw CustomAPIFailure(.invalidCredentials) }
        signIn.spendCode(of: sent[0], &state)
        return try answer(try start(user, &state, &core, &call), user, &state, &core, call)
    }

    /// Exchanges a refresh token.
    func refresh(_ state: inout CustomAPIState, _ core: inout WorldCore, _ call: inout Call) throws(CustomAPIFailure)
        -> Response
    {
        let token = try SignInBody.texts([signIn.refreshName], in: try SignInBody.object(call))[0]
        let (issued, user) = try exchange(token, &state, &core, &call)
        return try answer(issued, user, &state, &core, call, status: signIn.statuses.refresh)
    }

    /// Ends the session of the access token.
    func logout(_ state: inout CustomAPIState, _ core: inout WorldCore, _ call: inout Call) throws(CustomAPIFailure)
        -> Response
    {
        if let token = call.accessToken, let session = signIn.find(token, as: .access, &state, now: call.now).session {
            signIn.end(session.id, &state, now: call.now)
        }
        return Response(status: .noContent)
    }

    /// Answers the row of the user.
    func me(_ state: inout CustomAPIState, _ core: inout WorldCore, _ call: inout Call) throws(CustomAPIFailure)
        -> Response
    {
        call.parameters = [key(of: call.user, state)]
        return try rows.get(&state, &core, &call)
    }

    /// Changes the row of the user.
    func changeMe(_ state: inout CustomAPIState, _ core: inout WorldCore, _ call: inout Call) throws(CustomAPIFailure)
        -> Response
    {
        call.parameters = [key(of: call.user, state)]
        return try rows.patch(&state, &core, &call)
    }

    // MARK: Users

    /// Returns the key by which the rows find a user.
    private func key(of user: CallUser?, _ state: CustomAPIState) -> String {
        guard let id = user?.id else { return "" }
        return state.tables[signIn.users].rows[id]?.name(table.key) ?? id
    }

    /// Returns the user of that identifier and secret; throws the same for each reason why there is none.
    func user(
        _ identifier: String,
        secret: String,
        _ state: CustomAPIState,
        _ call: Call
    ) throws(CustomAPIFailure) -> CustomRow {
        guard let row = state.tables[signIn.users].row(identifiedBy: identifier),
            let known = row.members(in: call.epoch, table)[signIn.secret]?.credentialText,
            known.utf8.elementsEqual(secret.utf8)
        else { throw CustomAPIFailure(.invalidCredentials) }
        return row
    }

    /// Makes a row as a create does.
    private func make(
        _ body: JSONObject,
        _ identifier: String,
        _ state: inout CustomAPIState,
        _ core: inout WorldCore,
        _ call: Call
    ) throws(CustomAPIFailure) -> CustomRow {
        guard state.tables[signIn.users].row(identifiedBy: identifier) == nil else {
            throw CustomAPIFailure(
                .conflict,
                "Another user has the same \(signIn.identifier).",
                details: [
                    CustomAPIFailure.Detail(path: [.key(signIn.identifier)].formattedJSONPath, reason: "is taken")
                ]
            )
        }
        let key = try rows.make(body, &state, &core, call)
        let users = state.tables[signIn.users]
        guard let id = users.id(ofKey: key, table.key), let row = users.rows[id] else { throw CustomAPIFailure(.noRow) }
        return row
    }

    // MARK: Tokens

    /// Starts a session of a user.
    func start(
        _ user: CustomRow,
        _ state: inout CustomAPIState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(CustomAPIFailure) -> SignIn.Issued {
        note(user, in: &call)
        let claims = try claims(of: user, &state, &core, call)
        return signIn.start(of: user.id, claims, &state, &core, now: call.now)
    }

    /// Exchanges a refresh token for new tokens of its session.
    func exchange(
        _ token: String,
        _ state: inout CustomAPIState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(CustomAPIFailure) -> (issued: SignIn.Issued, user: CustomRow) {
        let finding = signIn.find(token, as: .refresh, &state, now: call.now)
        let user = finding.user.flatMap { state.tables[signIn.users].rows[$0] }
        if let user { note(user, in: &call) }
        let session = try signIn.admit(finding, &state, now: call.now)
        guard let user else { throw CustomAPIFailure(.refreshRevoked) }
        let claims = try claims(of: user, &state, &core, call)
        return (signIn.refresh(token, finding.number, of: session, claims, &state, now: call.now), user)
    }

    /// Notes the user of a request for the journal.
    private func note(_ user: CustomRow, in call: inout Call) { call.user = signIn.user(of: user) }
}

extension SignIn {
    /// Returns a user as the journal names it.
    func user(of row: CustomRow) -> CallUser {
        CallUser(id: row.id, email: row.stored[identifier]?.credentialText)
    }
}
