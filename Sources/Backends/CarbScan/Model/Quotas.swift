import Backend
import CivilTime

/// The limits of a tier, and the account's rest of them (contract, section 6).
struct Quotas: Sendable {
    let tier: Tier
    /// Scans left in the tier's own period.
    let scansLeft: Int
    /// The end of the tier's own period.
    let scanReset: Instant
    /// The time of the next possible scan; nil if one is possible now.
    let scansBlockedUntil: Instant?
    let chatsToday: Int
    /// The number of questions a day; nil for no limit.
    let chatLimit: Int?

    /// The number of questions left today; nil for no limit.
    var chatsLeft: Int? { chatLimit.map { max(0, $0 - chatsToday) } }

    static func scanLimit(_ tier: Tier) -> Int {
        switch tier {
        case .free: 3
        case .essentials: 90
        case .pro: 300
        }
    }

    static func scansPerDay(_ tier: Tier) -> Int {
        switch tier {
        case .free: 3
        case .essentials: 10
        case .pro: 30
        }
    }

    static func scansPerMonth(_ tier: Tier) -> Int { tier == .pro ? 300 : 90 }

    static func resetPeriod(_ tier: Tier) -> String { tier == .free ? "daily" : "monthly" }

    static func chatLimit(_ tier: Tier, _ profile: CarbScanSettings.QuotaProfile) -> Int? {
        switch (tier, profile) {
        case (.free, .document), (.essentials, .document): 3
        case (.free, .guide): 5
        case (.essentials, .guide): 20
        case (.pro, _): nil
        }
    }
}

extension CarbScanState {
    var calendar: Calendar { Calendar(zone: Zone(named: settings.timeZone) ?? .utc) }

    /// The current tier: a paid one with an end falls back to free when the clock reaches it.
    func tier(of user: User, now: Instant, epoch: Epoch) -> Tier {
        hasLapsed(user, now: now, epoch: epoch) ? .free : user.tier
    }

    func hasLapsed(_ user: User, now: Instant, epoch: Epoch) -> Bool {
        guard user.tier != .free, let end = user.tierEndsAt?.resolved(in: epoch) else { return false }
        return now >= end
    }

    func quotas(of user: User, now: Instant, epoch: Epoch) -> Quotas {
        let tier = tier(of: user, now: now, epoch: epoch)
        let calendar = calendar
        let day = calendar.day(of: now)
        let period = tier == .free ? day : calendar.month(of: now)
        let log = quotas[user.id]
        var scans = (log?.scans ?? []).map { $0.resolved(in: epoch) }
        if hasLapsed(user, now: now, epoch: epoch), let end = user.tierEndsAt?.resolved(in: epoch) {
            // The fallback to free is a change of tier, so the count restarts at that instant.
            scans.removeAll { $0 < end }
        }
        let left = max(0, Quotas.scanLimit(tier) - scans.count { period.contains($0) })
        var blocked: Instant?
        if left == 0 {
            blocked = period.end
        } else if settings.dailyCap == .on, tier != .free,
            scans.count(where: { day.contains($0) }) >= Quotas.scansPerDay(tier)
        {
            blocked = day.end
        }
        return Quotas(
            tier: tier,
            scansLeft: left,
            scanReset: period.end,
            scansBlockedUntil: blocked,
            chatsToday: (log?.chats ?? []).count { day.contains($0.resolved(in: epoch)) },
            chatLimit: Quotas.chatLimit(tier, settings.quotaProfile)
        )
    }

    /// Gives an account a tier; the scan count restarts if the tier differs from the current one.
    mutating func grant(
        _ tier: Tier,
        to userId: String,
        standing: User.SubscriptionStatus,
        until end: Instant?,
        fromStore: Bool,
        now: Instant,
        epoch: Epoch
    ) {
        guard let user = users[userId] else { return }
        if self.tier(of: user, now: now, epoch: epoch) != tier {
            editQuota(of: userId) { $0.scans = [] }
        } else if hasLapsed(user, now: now, epoch: epoch), let change = user.tierEndsAt?.resolved(in: epoch) {
            // The change to this tier happened when the former one ended, which is not known after this update.
            editQuota(of: userId) { log in log.scans.removeAll { $0.resolved(in: epoch) < change } }
        }
        users.update(userId) { row in
            row.tier = tier
            row.standing = standing
            row.tierEndsAt = end.map { .at($0) }
            row.isTierFromStore = fromStore
        }
    }
}
