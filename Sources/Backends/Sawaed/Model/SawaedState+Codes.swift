import Backend
import CivilTime

/// One-time codes and the budgets of failures (contract, section 3.1).
extension SawaedState {
    static let codeLife = Interval.minutes(15)
    static let fixedCode = "123456"
    /// The time in which one attempt refills: ten an hour.
    static let refill = Interval.minutes(6)
    static let fullBudget = refill.microseconds * 10

    enum Account: String {
        case code, password
    }

    // MARK: Codes

    /// Makes the live code of an e-mail and puts it into the outbox.
    mutating func mailCode(to email: String, now: Instant, core: inout WorldCore) {
        var code = Self.fixedCode
        if settings.codes == .distinct {
            var stream = chance("otp", core)
            repeat { code = stream.text(length: 6, from: Array("0123456789".utf8)) } while code == codes[email]?.code
        }
        // A code that is issued as expired ended a moment ago.
        let end = settings.issuedCodes == .valid ? now + Self.codeLife : now - .milliseconds(1)
        codes.insert(OneTimeCode(id: email, code: code, expiresAt: .at(end)))
        core.outbox.post(
            Outbox.Message(to: email, kind: .otp, api: SawaedAPI.identity.name, code: code, at: now, expiresAt: end)
        )
    }

    /// Redeems the live code of an e-mail, or else spends an attempt; returns true if the code was right.
    mutating func redeem(_ code: String, of email: String, now: Instant) -> Bool {
        guard hasAttempt(.code, email, now: now) else { return false }
        if settings.verification == .failsOnce, marks["failed \(email)"] == nil {
            marks.insert(Mark(id: "failed \(email)"))
            spendAttempt(.code, email, now: now)
            return false
        }
        guard let row = codes[email], row.code == code else {
            spendAttempt(.code, email, now: now)
            return false
        }
        codes.remove(email)
        guard now <= instant(row.expiresAt) else {
            spendAttempt(.code, email, now: now)
            return false
        }
        budgets.remove(Self.budget(.code, email))
        return true
    }

    // MARK: Budgets

    private static func budget(_ account: Account, _ name: String) -> String { "\(account.rawValue) \(name)" }

    private func left(_ account: Account, _ name: String, now: Instant) -> Int64 {
        guard let row = budgets[Self.budget(account, name)] else { return Self.fullBudget }
        let elapsed = max(now - instant(row.at), .zero)
        return min(Self.fullBudget, row.left.addingClamped(elapsed.microseconds))
    }

    /// Tells whether at least one attempt is left.
    func hasAttempt(_ account: Account, _ name: String, now: Instant) -> Bool {
        if account == .code, settings.attempts == .spent { return false }
        return settings.rateLimits == .off || left(account, name, now: now) >= Self.refill.microseconds
    }

    mutating func spendAttempt(_ account: Account, _ name: String, now: Instant) {
        guard settings.rateLimits == .on else { return }
        // A full budget equals none, so full ones are removed from time to time.
        if budgets.count >= 1_024, budgets.count.isMultiple(of: 1_024) {
            for row in budgets.rows
            where row.left.addingClamped((now - instant(row.at)).microseconds) >= Self.fullBudget {
                budgets.remove(row.id)
            }
        }
        let rest = max(left(account, name, now: now) - Self.refill.microseconds, -Self.fullBudget)
        budgets.insert(FailureBudget(id: Self.budget(account, name), left: rest, at: .at(now)))
    }

    mutating func restoreAttempts(_ account: Account, _ name: String) { budgets.remove(Self.budget(account, name)) }
}
