/// What a call that waits has found out at an earlier look, so that it need not be read again at each.
final class CallMemo {
    var verification: Verification?
    var watch: VerificationWatch?
}
