import EmulationTesting
import JSON
import Testing

@testable import Emulation
@testable import OmniChat

@Suite struct BodyAgreementTests {
    /// The members for which the contract requires the reader to differ from the document.
    static let exceptions: [String: String] = [:]

    @Test func `the readers of all bodies agree with the document`() throws {
        var agreement = BodyAgreement(except: Self.exceptions)
        agreement.check(OmniChatAPI.endpoints.map { RouteSummary($0) })
        #expect(agreement.disagreements.isEmpty, "\(agreement.disagreements.joined(separator: "\n"))")
        #expect(agreement.unused.isEmpty)
        #expect(agreement.endpoints > 0 && agreement.tried > 100)
    }
}
