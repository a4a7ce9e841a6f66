import DrivingSchool
import Foundation
import GuideApp
import Testing
import UnderstudyTesting

/// The steps of an XCUITest, with a task in place of the app: the runner stages, the app has nothing but its launch environment.
@Suite(.understudy())
struct LaunchedAppTests {
    /// The app: it knows its launch environment, and nothing of the test.
    private func launch(_ environment: [String: String]) throws -> Client {
        Client(base: try #require(BackendAddress.current(environment))) { _ in }
    }

    @Test func `the spinner is there while the profile is on its way`() async throws {
        let world = try World.current
        let app = try launch(world.launchEnvironment)
        try await app.signIn(email: "anna@example.com", password: "understudy-tfx")
        let gate = try await world.gate("profile", on: Match(.trafikskola, "GET", "/api/mobile/student/profile"))
        async let profile = app.profile()
        try await gate.waitUntilHeld(1)
        try await gate.remove()
        #expect(try await profile.firstName == "Anna")
    }

    @Test func `an app finds its world again, for a debug menu`() async throws {
        let environment = try World.current.launchEnvironment
        let hub = try #require(environment["UNDERSTUDY_URL"].flatMap(URL.init(string:)))
        let name = try #require(environment["UNDERSTUDY_WORLD"])
        let world = try await UnderstudyServer.attach(to: hub).world(named: name)
        try await world.activate("trafikskola/config-500")
        #expect(try await World.current.scenarios(.trafikskola).contains { $0.active })
    }
}
