/// The progress of a verification that waits, so that its order need not be read again at each look.
final class VerificationProgress {
    var verification: Verification?
    var watch: VerificationWatch?
}
