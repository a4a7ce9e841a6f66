import DrivingSchool
import UnderstudyTesting
import XCTest

final class FirstXCTests: UnderstudyTestCase {
    func testTheProfileOfWhoSignedInIsRead() async throws {
        let client = Client(base: try world.url(.trafikskola))
        try await client.signIn(email: "anna@example.com", password: "understudy-tfx")
        let name = try await client.profile().firstName
        XCTAssertEqual(name, "Anna")
    }
}
