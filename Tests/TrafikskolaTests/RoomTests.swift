import Backend
import CivilTime
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import Trafikskola

/// Control contract, section 17: no input grows memory without bound, and no answer changes for it.
struct RoomTests {
    private let harness: Harness

    init() throws { harness = try Harness() }

    private func logIn(_ count: Int) throws -> [String] {
        try harness.state { state, core in
            (0..<count).compactMap { _ in
                guard let user = state.user(Harness.anna) else { return nil }
                let device = DeviceInfo()
                return state.startSession(of: user, device: device, ipAddress: nil, now: core.now, core: &core)
                    .refreshToken
            }
        }
    }

    @Test func `control 17 ended sessions go once there are very many, live ones stay`() throws {
        let kept = try logIn(1)[0]
        for _ in 0..<12 {
            let ended = try logIn(200)
            try harness.state { state, core in
                for session in state.sessions.rows(in: "usr_123").dropFirst() {
                    state.endSession(session.id, .logout, now: core.now)
                }
            }
            try expectEqual(harness.refresh(ended[0]).error, "401 INVALID_REFRESH_TOKEN")
        }
        let rows = try harness.state { state, _ in (state.sessions.rows.count, state.refreshTokens.rows.count) }
        #expect(rows.0 <= TrafikskolaState.mostSessions + 256)
        #expect(rows.1 <= TrafikskolaState.mostSessions + 256)
        try expectEqual(harness.refresh(kept).status, 200)
    }

    @Test func `3.4 a rotated token is theft however often the session has rotated since`() throws {
        let tokens = try harness.logIn()
        var newest = tokens.refresh
        for _ in 0..<(2 * TrafikskolaState.mostRefreshTokens) {
            newest = try harness.refresh(newest).text(at: "data.refreshToken")
        }
        let count = try harness.state { state, _ in state.refreshTokens.rows.count }
        #expect(count <= TrafikskolaState.mostRefreshTokens)
        try expectEqual(harness.refresh(tokens.refresh).error, "401 REFRESH_TOKEN_REUSED")
        try expectEqual(harness.refresh(newest).error, "401 INVALID_REFRESH_TOKEN")
        try expectEqual(harness.refresh(tokens.refresh).error, "401 INVALID_REFRESH_TOKEN")
    }

    @Test func `3.3 an expired token is merely expired, also when its row is gone`() throws {
        let first = try harness.logIn().refresh
        try harness.advance(.days(80))
        var newest = try harness.refresh(first).text(at: "data.refreshToken")
        for _ in 0..<(2 * TrafikskolaState.mostRefreshTokens) {
            newest = try harness.refresh(newest).text(at: "data.refreshToken")
        }
        try harness.advance(.days(10))
        try expectEqual(harness.refresh(first).error, "401 INVALID_REFRESH_TOKEN")
        try expectEqual(harness.refresh(newest).status, 200)
    }

    @Test func `control 17 access tokens work without their rows, and their number is bounded`() throws {
        let first = try harness.logIn()
        try harness.state { state, core in
            guard let session = state.sessions.rows.first else { return }
            for _ in 0..<10_000 { _ = state.issueAccess(for: session, now: core.now, core: &core) }
        }
        let count = try harness.state { state, _ in state.accessTokens.rows.count }
        #expect(count <= TrafikskolaState.mostAccessTokens + 256)
        try expectEqual(harness.check(first.access), 200)
    }

    @Test func `control 17 devices and payments are bounded`() throws {
        let token = try harness.logIn().access
        try harness.state { state, core in
            for number in 0..<5_000 {
                let info = DeviceInfo(deviceId: "d\(number)")
                state.seeDevice(info, of: "usr_123", registers: true, now: core.now, core: &core)
            }
        }
        for _ in 0..<600 {
            _ = try harness.post(
                "/api/mobile/invoices/inv_1/payment/initiate",
                token: token,
                json: ["method": "swish"]
            )
        }
        let counts = try harness.state { state, _ in
            (state.devices.rows.count, state.payments.rows.count, state.avatars.rows.count)
        }
        #expect(counts.0 <= TrafikskolaState.mostDevices)
        #expect(counts.1 <= 512)
        expectEqual(counts.2, 1)
    }
}
