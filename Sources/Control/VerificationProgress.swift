/// The progress of a verification that waits, so that its order need not be read again for each check.
final class VerificationProgress {
    var verification: Verification?
    var watch: VerificationWatch?
}
