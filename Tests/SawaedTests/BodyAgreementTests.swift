import EngineTesting
import Testing

@testable import Sawaed

@Suite struct BodyAgreementTests {
    /// The members for which the contract requires the reader to differ from the document.
    static let exceptions = [
        "/api/mobile/v1/events/{id}/register quantity": "coerced as JavaScript does (section 2.2)",
        "/api/mobile/v1/onboarding/step step":
            "other names are refused later: the backend's own are taken by a setting",
    ]

    @Test func `the readers of all bodies agree with the document`() throws {
        try BodyAgreement.expect(of: SawaedAPI.definition, except: Self.exceptions)
    }
}
