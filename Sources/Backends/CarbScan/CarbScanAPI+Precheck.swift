package import Backend
import CivilTime
import HTTPMessage

/// The checks before every endpoint (section 2).
extension CarbScanAPI {
    /// Steps 3 and 4 of section 2: the credential, then the size of the body.
    package static func precheck(
        _ state: inout CarbScanState,
        _ core: inout WorldCore,
        _ call: inout Call,
        _ endpoint: CarbScanEndpoint
    ) throws(APIError) {
        state.settle(call.epoch)
        if state.settings.answers == .htmlGateway { throw APIError(Status(502), "") }
        let isCompanion = state.settings.deviceMode == .companion && endpoint.metadata.group == .devices
        if endpoint.authentication != .none {
            let found = call.bearerToken.flatMap { token in
                state.settings.accessTokens == .refused
                    ? nil : state.authenticate(token, as: .access, now: call.now, epoch: call.epoch)
            }
            if let user = found?.user {
                call.user = CallUser(id: user.id, email: user.email)
            } else if endpoint.authentication == .bearer || isCompanion {
                throw .unauthorized
            }
        }
        if call.request.body.exceedsLimit, !endpoint.metadata.ignoresBody { throw .tooLarge }
        if endpoint.metadata.group == .devices, state.settings.failsDevices {
            throw APIError(.internalServerError, code: Code.registration, "The device could not be registered")
        }
    }

    /// The signed-in account.
    static func user(_ state: CarbScanState, _ call: Call) throws(APIError) -> User {
        guard let id = call.user?.id, let user = state.users[id] else { throw .unauthorized }
        return user
    }
}
