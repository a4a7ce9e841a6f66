import EngineTesting
import Testing

@testable import CarbScan

@Suite struct BodyAgreementTests {
    /// The members for which the contract requires the reader to differ from the document.
    static let exceptions = [
        "/api/mobile/v1/devices/register deviceToken": "either token has to be there (D29)",
        "/api/mobile/v1/devices/register expoPushToken": "only looked at without a deviceToken (D29)",
        "/api/mobile/v1/devices/unregister deviceToken": "either token has to be there (D29)",
        "/api/mobile/v1/devices/unregister expoPushToken": "only looked at without a deviceToken (D29)",
    ]

    @Test func `the readers of all bodies agree with the document`() throws {
        try BodyAgreement.expect(of: CarbScanAPI.definition, except: Self.exceptions)
    }
}
