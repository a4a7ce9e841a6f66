import Backend
import CivilTime

/// One-time codes (own-API contract, section 15).
extension SignIn {
    /// Makes the code of a user and puts it into the outbox; a code that was sent before is replaced.
    func sendCode(to identifier: String, _ state: inout CustomAPIState, _ core: inout WorldCore, now: Instant) {
        let id = identifier.lowercased()
        var code = SentCode.fixed
        if state.settings.signIn.codes == .distinct {
            let former = state.signIn.codes[id]?.code
            var stream = core.randomness.stream("\(api).otp")
            repeat { code = stream.text(length: 6, from: Array("0123456789".utf8)) } while code == former
        }
        let end = now + codes.lifetime
        // It goes to the end, so that the first one is the oldest.
        state.signIn.codes.remove(id)
        if state.signIn.codes.count >= SentCode.most { dropCodes(&state, now: now) }
        state.signIn.codes.insert(SentCode(id: id, code: code, expiresAt: end))
        core.outbox.post(
            Outbox.Message(to: identifier, kind: .otp, api: api, code: code, at: now, expiresAt: end)
        )
    }

    /// Tells whether a code is the last one that was sent to a user, and good.
    func isGood(code: String, of identifier: String, _ state: CustomAPIState, now: Instant) -> Bool {
        guard let sent = state.signIn.codes[identifier.lowercased()] else { return false }
        return sent.code.utf8.elementsEqual(code.utf8) && now < sent.expiresAt
    }

    /// Removes the code of a user, which is good once.
    func spendCode(of identifier: String, _ state: inout CustomAPIState) {
        state.signIn.codes.remove(identifier.lowercased())
    }

    /// Drops the codes that are over, or else the oldest.
    private func dropCodes(_ state: inout CustomAPIState, now: Instant) {
        let all = state.signIn.codes.rows
        let over = all.filter { $0.expiresAt <= now }
        for code in over.isEmpty ? Array(all.prefix(SentCode.most / 2)) : over { state.signIn.codes.remove(code.id) }
    }
}
