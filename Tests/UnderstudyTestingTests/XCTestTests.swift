import UnderstudyServer
import XCTest

/// The same with XCTest.
final class XCTestTests: UnderstudyTestCase {
    override var worldScenarios: [String] { ["omnichat/unicode"] }

    func testAWorldForEachTest() async throws {
        let token = try await world.token(.omnichat, user: "test@icloud.com")
        XCTAssertFalse(token.isEmpty)
        XCTAssertNotEqual(try world.name, "main")
    }
}
