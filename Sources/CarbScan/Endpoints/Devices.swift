import CivilTime
import Crypto
import Emulation
import HTTPMessage
import JSON

struct Registered: ResponseModel {
    var deviceId: String

    static let shape = ResponseSchema<Self>(
        "Registered",
        [.boolean("registered") { _ in true }, .string("deviceId") { $0.deviceId }]
    )
}

struct Unregistered: ResponseModel {
    static let shape = ResponseSchema<Self>("Unregistered", [.boolean("unregistered") { _ in true }])
}

extension CarbScanAPI {
    /// Either token; with both `deviceToken` counts (D29).
    struct DeviceToken: BodyShaped {
        var deviceToken: String?
        var expoPushToken: String?

        static let name = "DeviceToken"
        static let fields: [BodyField<Self>] = [
            BodyField("deviceToken", .string(minLength: 1, maxLength: 4_096)) { read($0, &$1.deviceToken, $2, &$3) },
            BodyField("expoPushToken", .string(minLength: 1, maxLength: 4_096)) { json, body, path, faults in
                if body.deviceToken == nil { read(json, &body.expoPushToken, path, &faults) }
            },
        ]

        static func read(_ json: JSON, _ token: inout String?, _ path: String, _ faults: inout BodyIssues) {
            // Set even if unusable, so that the fault is told once and of the right field.
            token = json.stringValue ?? ""
            guard let text = json.stringValue else { return faults.note(path, .wrongType) }
            if text.isBlank { return faults.note(path, .empty) }
            if text.utf16.count > 4_096 { return faults.note(path, .tooLong) }
        }

        func token(_ faults: inout BodyIssues) -> String {
            if let token = deviceToken ?? expoPushToken { return token }
            faults.note("deviceToken", .required)
            return ""
        }
    }

    struct DeviceRegistration: BodyShaped {
        var token = DeviceToken()
        var platform = ""
        var deviceModel: String?
        var osVersion: String?
        var appVersion: String?
        var userId: String?

        static let name = "DeviceRegistration"
        static let fields: [BodyField<Self>] =
            DeviceToken.fields.map { field in
                BodyField(field.name, field.schema) { field.read($0, &$1.token, $2, &$3) }
            } + [
                .choice("platform", required: true, ["ios", "android"]) { $0.platform = $1 },
                .text("deviceModel", atMost: 100) { $0.deviceModel = $1 },
                .text("osVersion", atMost: 100) { $0.osVersion = $1 },
                .text("appVersion", atMost: 100) { $0.appVersion = $1 },
                .text("userId") { $0.userId = $1 },
            ]
    }

    private static let registrationFailure = APIError(
        .internalServerError,
        code: Code.registration,
        "The device could not be registered"
    ).declared("By a fault or a switch")

    static let deviceEndpoints: [Endpoint<CarbScanAPI>] = [
        Endpoint(
            .post,
            base + "/devices/register",
            "Registers a push token",
            standing: .documented,
            authentication: .optional,
            body: json(DeviceRegistration.self, example: ["deviceToken": "abc", "platform": "ios"]),
            bodyLimit: bodyLimit,
            answers: [
                Envelope.declared(Registered.self, "Registered"),
                APIError.declaredFields(("deviceToken", "required"), ("platform", "unsupported_value")),
                APIError.unauthorized.declared("Only with devices.mode companion, as {\"error\": text}"),
                APIError(.forbidden, "").declared("Only with devices.mode companion, as {\"error\": text}"),
                registrationFailure,
            ] + APIError.bodyErrors,
            trait: EndpointMetadata(group: .devices),
            handle: register
        ),
        Endpoint(
            .post,
            base + "/devices/unregister",
            "Forgets a push token",
            standing: .documented,
            authentication: .optional,
            body: json(DeviceToken.self, example: ["deviceToken": "abc"]),
            bodyLimit: bodyLimit,
            answers: [
                Envelope.declared(Unregistered.self, "Forgotten, or never seen"),
                APIError.declaredFields(("deviceToken", "required")),
                APIError.unauthorized.declared("Only with devices.mode companion, as {\"error\": text}"),
                registrationFailure,
            ] + APIError.bodyErrors,
            trait: EndpointMetadata(group: .devices)
        ) { state, _, call throws(APIError) in
            var (body, faults) = try body(DeviceToken.self, call)
            let token = body.token(&faults)
            try faults.check()
            state.devices.remove(token)
            return json(Unregistered(), state, call)
        },
    ]

    private static func register(
        _ state: inout CarbScanState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        var (body, faults) = try body(DeviceRegistration.self, call)
        var tokenFaults = BodyIssues()
        let token = body.token.token(&tokenFaults)
        if let user = call.user, let named = body.userId, !named.utf8.elementsEqual(user.id.utf8) {
            if state.settings.deviceMode == .companion {
                throw APIError(.forbidden, "You can only register devices of your own account")
            }
            faults.note("userId", .unsupportedValue)
        }
        guard faults.items.isEmpty, tokenFaults.items.isEmpty else {
            throw .validation(tokenFaults.items + faults.items)
        }
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
