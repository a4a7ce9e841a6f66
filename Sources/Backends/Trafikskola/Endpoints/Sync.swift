import Backend
import CivilTime
import HTTPMessage
import JSON

extension TrafikskolaAPI {
    private static let entityTypes = ["booking", "feedback", "lesson_progress", "quiz_attempt"]

    /// Endpoints 41 and 44 (contract, section 7.6).
    static let syncEndpoints: [TrafikskolaEndpoint] = [
        Endpoint(
            .post,
            "/api/mobile/sync",
            "Takes what was done offline",
            provenance: .beyondTheDocument,
            body: .json(SyncRequest.self, example: ["deviceId": "device-1", "operations": []]),
            answers: [data(SyncReport.self, "How many were taken"), validationError] + bodyErrors + bearerErrors,
            metadata: EndpointMetadata(),
            handle: synchronise
        ),
        Endpoint(
            .get,
            "/api/mobile/sync/status",
            "What a device has sent so far",
            provenance: .beyondTheDocument,
            parameters: [query("deviceId", Schemas.filled, required: true, "The device")],
            answers: [data(SyncStatus.self, "The sums"), validationError] + bearerErrors,
            metadata: EndpointMetadata()
        ) { state, _, call throws(APIError) in
            let user = try signedIn(&state, &call).user
            guard let device = call.query.last("deviceId"), !device.isEmpty else {
                throw .validation("deviceId", "is required")
            }
            return ok(SyncStatus(record: state.syncRecords[Device.key(user.id, device)]), call)
        },
    ]

    private static func synchronise(
        _ state: inout TrafikskolaState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let user = try signedIn(&state, &call).user
        let sync = try read(SyncRequest.self, call)
        let processed = sync.operations.count { entityTypes.contains($0.entityType) }
        let failed = sync.operations.count - processed
        let key = Device.key(user.id, sync.deviceId)
        let former = state.syncRecords[key]
        state.syncRecords.insert(
            SyncRecord(
                id: key,
                synced: (former?.synced ?? 0).addingClamped(processed),
                failed: (former?.failed ?? 0).addingClamped(failed),
                lastSyncAt: Moment(call.now)
            )
        )
        return ok(
            SyncReport(processed: processed, failed: failed, next: call.now + .minutes(30)),
            call
        )
    }
}
