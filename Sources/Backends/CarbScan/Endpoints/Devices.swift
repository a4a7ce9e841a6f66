import Backend
import CivilTime
import Crypto
import HTTPMessage
import JSON

extension CarbScanAPI {
    private static let registrationFailure = APIError(
        .internalServerError,
        code: Code.registration,
        "The device could not be registered"
    ).declared("By a fault or a switch")

    static let deviceEndpoints: [CarbScanEndpoint] = [
        Endpoint(
            .post,
            base + "/devices/register",
            "Registers a push token",
            provenance: .documented,
            authentication: .optional,
            body: .json(DeviceRegistration.self, example: ["deviceToken": "abc", "platform": "ios"]),
            bodyLimit: bodyLimit,
            answers: [
                Envelope.declared(Registered.self, "Registered"),
                APIError.declaredFields(("deviceToken", "required"), ("platform", "unsupported_value")),
                APIError.unauthorized.declared("Only with devices.mode companion, as {\"error\": text}"),
                APIError(.forbidden, "").declared("Only with devices.mode companion, as {\"error\": text}"),
                registrationFailure,
            ] + APIError.bodyErrors,
            metadata: EndpointMetadata(group: .devices),
            handle: register
        ),
        Endpoint(
            .post,
            base + "/devices/unregister",
            "Forgets a push token",
            provenance: .documented,
            authentication: .optional,
            body: .json(DeviceToken.self, example: ["deviceToken": "abc"]),
            bodyLimit: bodyLimit,
            answers: [
                Envelope.declared(Unregistered.self, "Forgotten, or never seen"),
                APIError.declaredFields(("deviceToken", "required")),
                APIError.unauthorized.declared("Only with devices.mode companion, as {\"error\": text}"),
                registrationFailure,
            ] + APIError.bodyErrors,
            metadata: EndpointMetadata(group: .devices)
        ) { state, _, call throws(APIError) in
            state.devices.remove(try read(DeviceToken.self, call).token)
            return json(Unregistered(), state, call)
        },
    ]

    private static func register(
        _ state: inout CarbScanState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        var (body, issues) = DeviceRegistration.read(try object(call.request))
        let token = body.device.token
        if let user = call.user, let named = body.userId, !named.utf8.elementsEqual(user.id.utf8) {
            if state.settings.deviceMode == .companion {
                throw APIError(.forbidden, "You can only register devices of your own account")
            }
            issues.note("userId", .unsupported)
        }
        try issues.check()
        state.devices.insert(
            Device(
                id: token,
                userId: call.user?.id,
                platform: body.platform,
                deviceModel: body.deviceModel,
                osVersion: body.osVersion,
                appVersion: body.appVersion,
                registeredAt: .at(call.now)
            )
        )
        let id =
            state.settings.deviceMode == .placeholder
            ? "placeholder-device-id" : "device-\(Hex.encode(SHA256.digest(Array(token.utf8))).prefix(16))"
        return json(Registered(deviceId: id), state, call)
    }
}
