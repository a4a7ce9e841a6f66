import EmulationTesting
import JSON
import Testing

@testable import CarbScan
@testable import Emulation

@Suite struct BodyAgreementTests {
    /// The members for which the contract requires the reader to differ from the document.
    static let exceptions = [
        "/api/mobile/v1/devices/register deviceToken": "either token has to be there (D29)",
        "/api/mobile/v1/devices/register expoPushToken": "only looked at without a deviceToken (D29)",
        "/api/mobile/v1/devices/unregister deviceToken": "either token has to be there (D29)",
        "/api/mobile/v1/devices/unregister expoPushToken": "only looked at without a deviceToken (D29)",
    ]

    @Test func `the readers of all bodies agree with the document`() throws {
        var agreement = BodyAgreement(except: Self.exceptions)
        agreement.check(CarbScanAPI.endpoints.map { RouteSummary($0) })
        #expect(agreement.disagreements.isEmpty, "\(agreement.disagreements.joined(separator: "\n"))")
        #expect(agreement.unused.isEmpty)
        #expect(agreement.endpoints > 0 && agreement.tried > 100)
    }
}
