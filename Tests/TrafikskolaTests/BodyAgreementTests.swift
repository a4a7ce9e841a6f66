import EngineTesting
import Testing

@testable import Trafikskola

@Suite struct BodyAgreementTests {
    /// The members for which the contract requires the reader to differ from the document.
    static let exceptions = [
        "/api/mobile/auth/quick-login token": "either name has to be there",
        "/api/mobile/auth/quick-login quickToken": "only looked at without a token",
        "/api/mobile/auth/verify-otp otpCode": "either name has to be there",
        "/api/mobile/auth/verify-otp otp": "only looked at without an otpCode",
        "/api/mobile/lms/quizzes/{id}/submit answers": "no question may be answered twice",
        "/api/mobile/lms/quizzes/practice/submit answers": "no question may be answered twice",
        "/api/admin/app-dashboard/push targetId": "required by two values of targetType",
        "/api/admin/app-dashboard/push targetPlatform": "required by a value of targetType",
    ]

    @Test func `the readers of all bodies agree with the document`() throws {
        try BodyAgreement.expect(of: TrafikskolaAPI.definition, except: Self.exceptions)
    }
}
