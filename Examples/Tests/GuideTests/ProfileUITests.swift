#if os(iOS)
import UnderstudyTesting
import XCTest

final class ProfileUITests: UnderstudyTestCase {
    override var worldScenarios: [String] { ["trafikskola/config-500"] }

    @MainActor
    func testTheProfileIsShown() async throws {
        continueAfterFailure = false
        let world = try world
        let app = XCUIApplication()
        app.launchEnvironment.merge(world.launchEnvironment) { $1 }
        app.launch()

        app.textFields["E-mail"].tap()
        app.textFields["E-mail"].typeText("anna@example.com")
        app.secureTextFields["Password"].tap()
        app.secureTextFields["Password"].typeText("understudy-tfx")

        let gate = try await world.gate("profile", on: Match(.trafikskola, "GET", "/api/mobile/student/profile"))
        app.buttons["Sign in"].tap()
        try await gate.waitUntilHeld(1, within: .seconds(10))
        XCTAssertTrue(app.activityIndicators["Loading"].exists)
        try await gate.remove()
        XCTAssertTrue(app.staticTexts["Anna"].waitForExistence(timeout: 5))
    }

    @MainActor
    func testASessionThatEndedLeadsToTheSignIn() async throws {
        let world = try world
        let app = XCUIApplication()
        app.launchEnvironment.merge(world.launchEnvironment) { $1 }
        let token = try await world.token(.trafikskola, user: "anna@example.com", kind: .refresh)
        app.launchEnvironment["TEST_REFRESH_TOKEN"] = token
        try await world.revoke(of: "anna@example.com", on: .trafikskola)
        app.launch()
        XCTAssertTrue(app.buttons["Sign in"].waitForExistence(timeout: 5))
    }
}
#endif
