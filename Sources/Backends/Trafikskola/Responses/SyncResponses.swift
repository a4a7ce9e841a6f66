import Backend
import CivilTime

struct SyncReport: ResponseModel {
    var processed: Int
    var failed: Int
    var next: Instant

    static let shape = ResponseSchema<Self>(
        "SyncReport",
        [
            .integer("processed") { $0.processed },
            .integer("failed") { $0.failed },
            .strings("serverChanges") { _ in [] },
            .time("nextSyncAt") { .at($0.next) },
        ]
    )
}

struct SyncStatus: ResponseModel {
    var record: SyncRecord?

    static let shape = ResponseSchema<Self>(
        "SyncStatus",
        [
            // Records are processed at once.
            .integer("pending") { _ in 0 },
            .integer("synced") { $0.record?.synced ?? 0 },
            .integer("failed") { $0.record?.failed ?? 0 },
            .nullableTime("lastSyncAt") { $0.record.map { .at($0.lastSyncAt.instant) } },
        ]
    )
}
