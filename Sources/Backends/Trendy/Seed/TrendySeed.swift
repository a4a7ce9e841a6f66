package import Backend
import CivilTime
import JSON

extension TrendyAPI {
    /// An event of the seed; one with `weekdays` is left out if its day is on a weekend.
    private struct SeedEvent: Decodable {
        var id: String
        var userId: String
        var eventTypeId: String
        var timestamp: Timestamp
        var notes: String?
        var endDate: Timestamp?
        var source: Event.Source?
        var geofenceId: String?
        var sampleId: String?
        var category: String?
        var properties: JSONObject?
        var createdAt: Timestamp
        var weekdays: Bool?

        var event: Event {
            Event(
                uuid: id,
                userId: userId,
                eventTypeId: eventTypeId,
                timestamp: timestamp,
                notes: notes,
                isAllDay: false,
                endDate: endDate,
                source: source ?? .manual,
                geofenceId: geofenceId,
                sampleId: sampleId,
                category: category,
                properties: properties,
                createdAt: createdAt,
                updatedAt: createdAt
            )
        }
    }

    /// An onboarding record of the seed, with the permissions as separate members as in the contract.
    private struct SeedRecord: Decodable {
        var userId: String
        var completed: Bool
        var welcomeCompletedAt: Timestamp?
        var authCompletedAt: Timestamp?
        var permissionsCompletedAt: Timestamp?
        var notificationsStatus: String?
        var notificationsCompletedAt: Timestamp?
        var healthkitStatus: String?
        var healthkitCompletedAt: Timestamp?
        var locationStatus: String?
        var locationCompletedAt: Timestamp?
        var createdAt: Timestamp
        var updatedAt: Timestamp

        var record: OnboardingRecord {
            typealias Permission = OnboardingRecord.Permission
            var record = OnboardingRecord(id: userId, at: createdAt)
            record.completed = completed
            record.welcomeCompletedAt = welcomeCompletedAt
            record.authCompletedAt = authCompletedAt
            record.permissionsCompletedAt = permissionsCompletedAt
            record.notifications = Permission(status: notificationsStatus, completedAt: notificationsCompletedAt)
            record.healthkit = Permission(status: healthkitStatus, completedAt: healthkitCompletedAt)
            record.location = Permission(status: locationStatus, completedAt: locationCompletedAt)
            record.updatedAt = updatedAt
            return record
        }

        var statuses: [(member: String, value: String?)] {
            [
                ("notificationsStatus", notificationsStatus), ("healthkitStatus", healthkitStatus),
                ("locationStatus", locationStatus),
            ]
        }
    }

    /// Reads the seed world (contract, section 14): one file per table.
    package static func readSeed(_ files: SeedFiles) throws(SeedError) -> TrendyState {
        let accounts = try files.table("accounts.json", of: Account.self)
        let records = try files.table("onboarding.json", of: SeedRecord.self, isOptional: true)
        let profiles = try files.table("profiles.json", of: Profile.self, isOptional: true)
        let types = try files.table("event-types.json", of: EventType.self, isOptional: true)
        let events = try files.table("events.json", of: SeedEvent.self, isOptional: true)
        let definitions = try files.table("property-definitions.json", of: PropertyDefinition.self, isOptional: true)
        let geofences = try files.table("geofences.json", of: Geofence.self, isOptional: true)
        let insights = try files.table("insights.json", of: Insight.self, isOptional: true)

        var check = SeedCheck(files: files)
        check.unique("accounts.json", "id", accounts.map(\.id))
        check.unique("accounts.json", "email", accounts.map { $0.email.lowercased() })
        check.unique("onboarding.json", "userId", records.map(\.userId))
        check.unique("profiles.json", "id", profiles.map(\.id))
        check.unique("event-types.json", "id", types.map(\.id))
        check.unique("events.json", "id", events.map { OwnedKey.text($0.userId, $0.id) })
        check.unique("property-definitions.json", "id", definitions.map(\.id))
        check.unique("geofences.json", "id", geofences.map(\.id))
        check.unique("insights.json", "id", insights.map(\.id))
        let users = Set(accounts.map(\.id))
        check.known("onboarding.json", "userId", records.map(\.userId), among: users, "account")
        check.known("profiles.json", "id", profiles.map(\.id), among: users, "account")
        check.known("event-types.json", "userId", types.map(\.userId), among: users, "account")
        check.known("events.json", "userId", events.map(\.userId), among: users, "account")
        check.known("property-definitions.json", "userId", definitions.map(\.userId), among: users, "account")
        check.known("geofences.json", "userId", geofences.map(\.userId), among: users, "account")
        check.known("insights.json", "userId", insights.map(\.userId), among: users, "account")
        let typeIDs = Set(types.map(\.uuid))
        check.known("events.json", "eventTypeId", events.map(\.eventTypeId), among: typeIDs, "event type")
        check.known(
            "property-definitions.json",
            "eventTypeId",
            definitions.map(\.eventTypeId),
            among: typeIDs,
            "event type"
        )
        check.known("geofences.json", "entryTypeId", geofences.map(\.entryTypeId), among: typeIDs, "event type")
        check.known("geofences.json", "exitTypeId", geofences.map(\.exitTypeId), among: typeIDs, "event type")
        checkIDs(accounts, types, events, definitions, geofences, &check)
        for (row, record) in records.enumerated() {
            for (member, value) in record.statuses {
                if let value, !OnboardingRecord.statuses.contains(value) {
                    let names = OnboardingRecord.statuses.joined(separator: ", ")
                    check.fault("onboarding.json", row, member, "must be one of \(names)")
                }
            }
        }
        try check.finish()

        var state = TrendyState()
        for account in accounts { state.insert(account) }
        state.seedAccounts = accounts.prefix(64).map(\.id)
        state.onboarding = Table(records.map(\.record))
        state.profiles = Table(profiles)
        state.eventTypes = Table(types)
        state.propertyDefinitions = Table(definitions)
        state.geofences = Table(geofences)
        state.insights = Table(insights)
        let others =
            types.map { TrendyState.Entity.eventType($0) } + definitions.map { .propertyDefinition($0) }
            + geofences.map { .geofence($0) }
        state.variants = CivilDate.Weekday.allCases.map { variant(events, others, on: $0) }
        return state
    }

    /// Checks that ids are in lower case, in which they are compared.
    private static func checkIDs(
        _ accounts: [Account],
        _ types: [EventType],
        _ events: [SeedEvent],
        _ definitions: [PropertyDefinition],
        _ geofences: [Geofence],
        _ check: inout SeedCheck
    ) {
        let tables: [(String, [String])] = [
            ("accounts.json", accounts.map(\.id)), ("event-types.json", types.map(\.uuid)),
            ("events.json", events.map(\.id)), ("property-definitions.json", definitions.map(\.uuid)),
            ("geofences.json", geofences.map(\.uuid)),
        ]
        for (file, ids) in tables {
            for (row, id) in ids.enumerated() where UUIDText.canonical(id) != id {
                check.fault(file, row, "id", "must be a UUID in lower case")
            }
        }
    }

    /// The events, and the change log, of a world that begins on that weekday.
    private static func variant(
        _ events: [SeedEvent],
        _ others: [TrendyState.Entity],
        on weekday: CivilDate.Weekday
    ) -> TrendyState.Variant {
        // A noon on that weekday: 2024-12-30 was a Monday.
        let day = Instant(seconds: 1_735_516_800) + .days(Int64(weekday.rawValue - 1))
        let epoch = Epoch(start: day + .hours(12))
        let present = events.filter { event in
            let day = event.timestamp.resolved(in: epoch).civilDate.weekday
            return event.weekdays != true || day != .saturday && day != .sunday
        }
        var variant = TrendyState.Variant()
        variant.events = Table(present.map(\.event))
        let entities = others + present.map { .event($0.event) }
        for entity in sorted(entities, by: { $0.createdAt.resolved(in: epoch) }) {
            variant.lastChange += 1
            variant.changes.insert(
                TrendyState.change(variant.lastChange, .create, entity, at: entity.createdAt)
            )
        }
        return variant
    }
}

extension TrendyState.Entity {
    /// The time at which it was created.
    fileprivate var createdAt: Timestamp {
        switch self {
        case .event(let row): row.createdAt
        case .eventType(let row): row.createdAt
        case .geofence(let row): row.createdAt
        case .propertyDefinition(let row): row.createdAt
        }
    }
}
