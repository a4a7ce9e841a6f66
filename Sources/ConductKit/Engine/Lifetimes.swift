/// The lives of credentials, fair to clients whose device knows nothing of a world's clock (conduct contract, section 1).
extension RuleContext {
    /// Tells whether a session had a refresh token to use when an exchange ended.
    package func hasUsableRefresh(_ session: Int32, at row: Row) -> Bool {
        guard session >= 0 else { return false }
        let known = sessions[Int(session)]
        guard known.refresh >= 0, known.refreshFrom >= 0, known.refusedBy < 0, known.signedOutBy < 0 else {
            return false
        }
        guard self[known.refreshFrom].end <= row.begin else { return false }
        return !mayBeOver(credentials[Int(known.refresh)], at: row)
    }

    /// Tells whether the life of a credential is over for a client, by the world's clock or by its device's; `margin` is the
    /// time in microseconds that has to be left.
    package func mayBeOver(_ credential: KnownCredential, at row: Row, margin: Int64 = 0) -> Bool {
        guard let end = credential.expiresAt else { return false }
        return end - row.at <= margin || timeLeft(of: credential, at: row).map { $0 <= margin } ?? false
    }

    /// Tells whether the life of a credential was over for more than a time in microseconds, by both clocks.
    package func isOver(_ credential: KnownCredential, at row: Row, for time: Int64) -> Bool {
        guard let end = credential.expiresAt, let left = timeLeft(of: credential, at: row) else { return false }
        return row.at - end > time && -left > time
    }

    /// The time that is left of a credential's life by the machine's clock; nil where that can't be told.
    private func timeLeft(of credential: KnownCredential, at row: Row) -> Int64? {
        guard let end = credential.expiresAt else { return nil }
        guard credential.issuedBy >= 0 else {
            // A world whose clock is the machine's.
            return (row.at - row.begin).magnitude <= Fairness.drift ? end - row.begin : nil
        }
        let issue = self[credential.issuedBy]
        return end - issue.at - (row.begin - issue.begin)
    }
}
