import Foundation
import Testing

@testable import TrendyOnboarding

/// The types of the record (Trendy contract, section 11.1).
@Suite struct ModelTests {
    static let rows: [(completed: Bool, welcome: Date?, auth: Date?, permissions: Date?, step: OnboardingStep?)] = [
        (true, nil, nil, nil, nil), (true, noon, noon, noon, nil), (false, noon, noon, noon, .finish),
        (false, noon, noon, nil, .permissions), (false, nil, noon, nil, .permissions), (false, noon, nil, nil, .auth),
        (false, nil, nil, nil, .welcome),
    ]

    @Test(arguments: rows.indices)
    func `T11 L17 each row of the table of steps`(index: Int) throws {
        let row = Self.rows[index]
        let step = OnboardingStep.current(
            completed: row.completed,
            welcome: row.welcome,
            auth: row.auth,
            permissions: row.permissions
        )
        expectEqual(step, row.step)
        // The cache and an answer derive it by the same function.
        let entry = CachedOnboardingStatus(
            userId: "a",
            completed: row.completed,
            welcomeCompletedAt: row.welcome,
            authCompletedAt: row.auth,
            permissionsCompletedAt: row.permissions,
            lastUpdatedAt: noon
        )
        expectEqual(entry.currentStep, row.step?.rawValue)
    }

    @Test func `T12 dates without the welcome's are the last step's`() {
        expectEqual(OnboardingStep.current(completed: false, welcome: nil, auth: noon, permissions: noon), .finish)
    }

    private func answer(_ members: String) throws -> APIOnboardingStatus {
        let text = """
            {"user_id":"A","completed":false,\(members)"created_at":"2025-01-01T12:00:00Z","updated_at":"2025-01-01T12:00:00Z"}
            """
        return try JSONDecoder().decode(APIOnboardingStatus.self, from: Data(text.utf8))
    }

    @Test(arguments: [
        ("2025-01-01T12:00:00Z", 0), ("2025-01-01T12:00:00.5Z", 0.5), ("2025-01-01T12:00:00.250000Z", 0.25),
        ("2025-01-01T12:00:00.123456789Z", 0.123456789), ("2025-01-01T14:00:00.5+02:00", 0.5),
    ])
    func `T40 L25 dates are read with and without a fraction`(text: String, fraction: Double) throws {
        let date = try #require(try answer(#""welcome_completed_at":"\#(text)","#).welcomeCompletedAt)
        #expect(abs(date.timeIntervalSince(noon) - fraction) < 0.000_001)
    }

    @Test(arguments: ["yesterday", "", "2025-01-01", "2025-01-01T12:00:00.Z", "2025-01-01T12:00:00", "1735732800"])
    func `T40 what is no date is an error`(text: String) {
        #expect(throws: DecodingError.self) { try answer(#""welcome_completed_at":"\#(text)","#) }
    }

    @Test func `T41 an unknown permission is kept as text`() throws {
        let status = try answer(#""notifications_status":"provisional","location_status":"granted","#)
        expectEqual(status.notificationsStatus, "provisional")
        expectEqual(status.locationStatus.flatMap(PermissionStatus.init(rawValue:)), .granted)
    }

    @Test func `11-1 null is absence, and unknown members are ignored`() throws {
        let names = [
            "welcome_completed_at", "auth_completed_at", "permissions_completed_at", "notifications_status",
            "notifications_completed_at", "healthkit_status", "healthkit_completed_at", "location_status",
            "location_completed_at",
        ]
        let nulls = names.map { #""\#($0)":null,"# }.joined()
        try expectEqual(answer(nulls), answer(""))
        try expectEqual(answer(#""plan":{"tier":[1,2]},"#), answer(""))
    }

    private func json(_ request: UpdateOnboardingStatusRequest) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(request), as: UTF8.self)
    }

    @Test func `T42 L24 a cleared member is null, and the others are absent`() throws {
        var request = UpdateOnboardingStatusRequest()
        request.authCompletedAt = .clear
        try expectEqual(json(request), #"{"auth_completed_at":null}"#)
        request.completed = .set(true)
        request.welcomeCompletedAt = .set(noon.addingTimeInterval(0.9))
        request.locationStatus = .set(.notRequested)
        try expectEqual(
            json(request),
            """
            {"auth_completed_at":null,"completed":true,"location_status":"not_requested",\
            "welcome_completed_at":"2025-01-01T12:00:00Z"}
            """
        )
    }

    @Test func `11-1 each of the ten members is left, set and cleared`() throws {
        expectEqual(MemberName.allCases.count, 10)
        for name in MemberName.allCases {
            var request = UpdateOnboardingStatusRequest()
            #expect(request.isEmpty)
            try expectEqual(json(request), "{}")
            let value: WireValue =
                name == .completed
                ? .flag(true) : name.rawValue.hasSuffix("_status") ? .text("denied") : .text("2025-01-01T12:00:00Z")
            request[name] = value
            expectEqual(request[name], value)
            #expect(!request.isEmpty)
            request[name] = .null
            try expectEqual(json(request), #"{"\#(name.rawValue)":null}"#)
            // A value that the member can't have changes nothing.
            request[name] = .list([])
            expectEqual(request[name], .null)
            request[name] = nil
            #expect(request.isEmpty)
        }
    }

    @Test func `11-1 a record that is made is the one that is read`() throws {
        try expectEqual(APIOnboardingStatus(userId: "A", createdAt: noon, updatedAt: noon), answer(""))
    }

    @Test func `11-1 an answer that is encoded is read back`() throws {
        let status = try answer(#""auth_completed_at":"2025-01-01T12:00:00Z","healthkit_status":"odd","#)
        let data = try JSONEncoder().encode(status)
        try expectEqual(JSONDecoder().decode(APIOnboardingStatus.self, from: data), status)
    }
}
