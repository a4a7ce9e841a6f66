import EngineTesting
import Testing

@testable import Trendy

@Suite struct BodyAgreementTests {
    /// The members for which the contract requires the reader to differ from the document.
    static let exceptions = [
        "/api/v1/events source_type": "unknown ones are refused later, with 500",
        "/api/v1/events/{id} source_type": "unknown ones are refused later, after the event is looked up",
        "/api/v1/events/batch events": "what is wrong with an item is told in the result",
        "/auth/v1/signup password": "short ones are refused later, with 422",
        "/auth/v1/user password": "short ones are refused later, with 422",
    ]

    @Test func `the readers of all bodies agree with the document`() throws {
        try BodyAgreement.expect(of: TrendyAPI.definition, except: Self.exceptions)
    }
}
