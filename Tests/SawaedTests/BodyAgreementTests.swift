import EmulationTesting
import JSON
import Testing

@testable import Emulation
@testable import Sawaed

@Suite struct BodyAgreementTests {
    /// The members for which the contract requires the reader to differ from the document.
    static let exceptions = [
        "/api/mobile/v1/events/{id}/register quantity": "coerced as JavaScript does (section 2.2)",
        "/api/mobile/v1/onboarding/step step":
            "other names are refused later: the backend's own are taken by a setting",
    ]

    @Test func `the readers of all bodies agree with the document`() throws {
        var agreement = BodyAgreement(except: Self.exceptions)
        agreement.check(SawaedAPI.endpoints.map { RouteSummary($0) })
        #expect(agreement.disagreements.isEmpty, "\(agreement.disagreements.joined(separator: "\n"))")
        #expect(agreement.unused.isEmpty)
        #expect(agreement.endpoints > 0 && agreement.tried > 100)
    }
}
