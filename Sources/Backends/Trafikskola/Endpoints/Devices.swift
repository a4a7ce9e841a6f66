import Backend
import CivilTime
import HTTPMessage
import JSON

extension TrafikskolaAPI {
    /// Endpoints 18, 19, 50 and 51 (contract, section 4).
    static let deviceEndpoints: [TrafikskolaEndpoint] = [
        Endpoint(
            .post,
            "/api/mobile/device/register",
            "Registers the device",
            provenance: .beyondTheDocument,
            body: .json(
                DeviceRegistration.self,
                example: ["deviceId": "device-1", "platform": "ios", "deviceName": "Annas iPhone"]
            ),
            answers: [data(DeviceRegistered.self, "Registered"), validationError] + bodyErrors + bearerErrors,
            metadata: EndpointMetadata()
        ) { state, core, call throws(APIError) in
            let session = try signedIn(&state, &call).session
            let registration = try read(DeviceRegistration.self, call)
            let deviceId = registration.deviceId
            var info = registration.info
            info.deviceId = deviceId
            if session.device.deviceId == nil || session.device.deviceId == deviceId {
                state.sessions.update(session.id) { $0.device.take(info) }
                for row in state.refreshTokens.rows(in: session.id) where row.deviceId == nil {
                    state.refreshTokens.update(row.id) { $0.deviceId = deviceId }
                }
            }
            state.seeDevice(info, of: session.userId, registers: true, now: call.now, core: &core)
            return ok(DeviceRegistered(deviceId: deviceId), call)
        },
        Endpoint(
            .delete,
            "/api/mobile/device/register",
            "Forgets the device's registration",
            provenance: .beyondTheDocument,
            body: .json(DeviceUnregistration.self, example: ["deviceId": "device-1"]),
            answers: [plainSuccess("Forgotten, or was not there"), validationError] + bodyErrors + bearerErrors,
            metadata: EndpointMetadata()
        ) { state, _, call throws(APIError) in
            let session = try signedIn(&state, &call).session
            let deviceId = try read(DeviceUnregistration.self, call).deviceId
            state.devices.update(Device.key(session.userId, deviceId)) {
                $0.isRegistered = false
                $0.info.pushToken = nil
            }
            for row in state.sessions.rows(in: session.userId) where row.device.deviceId == deviceId {
                state.sessions.update(row.id) { $0.device.pushToken = nil }
            }
            return success()
        },
        Endpoint(
            .get,
            "/api/mobile/devices",
            "The caller's live sessions",
            provenance: .assumed,
            answers: [data(OwnSessions.self, "Last active first")] + bearerErrors,
            metadata: EndpointMetadata()
        ) { state, _, call throws(APIError) in
            let current = try signedIn(&state, &call).session
            let sessions = state.liveSessions(of: current.userId, now: call.now).enumerated()
                .sorted { ($0.element.lastActiveAt, $0.offset) > ($1.element.lastActiveAt, $1.offset) }
                .map { OwnSession(session: $1, isCurrent: $1.id == current.id, expiresAt: state.end(of: $1)) }
            return ok(OwnSessions(sessions: sessions), call)
        },
        Endpoint(
            .delete,
            "/api/mobile/devices/{deviceId}",
            "Ends the caller's sessions of a device",
            provenance: .assumed,
            parameters: [
                Parameter("deviceId", in: .path, Schemas.filled, "A device's id, or the id of a session without one")
            ],
            answers: [plainSuccess("Ended"), missing] + bearerErrors,
            metadata: EndpointMetadata()
        ) { state, _, call throws(APIError) in
            let current = try signedIn(&state, &call).session
            let wanted = call.parameters.first ?? ""
            let sessions = state.liveSessions(of: current.userId, now: call.now).filter { session in
                session.device.deviceId.map { $0 == wanted } ?? (session.id == wanted)
            }
            guard !sessions.isEmpty else { throw .notFound }
            for session in sessions { state.endSession(session.id, .deviceRevoked, now: call.now) }
            return success()
        },
    ]
}
