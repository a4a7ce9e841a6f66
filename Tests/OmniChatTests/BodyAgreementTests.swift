import EngineTesting
import Testing

@testable import OmniChat

@Suite struct BodyAgreementTests {
    @Test func `the readers of all bodies agree with the document`() throws {
        try BodyAgreement.expect(of: OmniChatAPI.definition)
    }
}
