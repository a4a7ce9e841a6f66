package import Backend
import CivilTime

/// A change of rows that a scenario of CarbScan makes (contract, section 12).
package struct CarbScanChange: Decodable, Sendable {
    enum Operation: String, Decodable, CaseIterable, Sendable {
        /// Leaves every account of `tier` (or all) `count` scans in its period.
        case leaveScans
        /// Leaves every account of `tier` (or all) `count` questions today.
        case leaveChats
        /// Ends every issued access token after `count` seconds.
        case endAccessTokens
        /// Ends every issued refresh token after `count` seconds.
        case endRefreshTokens
        /// Renews the token secret.
        case rotateTokenSecret
        /// Removes names and e-mail addresses from every account.
        case forgetNames
        /// Replaces the e-mail address of every Apple account by a private relay address.
        case hideMails
        /// Changes every uploaded meal on the server.
        case editUploads
        /// Adds `count` meals to every account, as if other devices had uploaded them.
        case addBacklog
        /// Removes all meals.
        case removeMeals
        /// Leaves every account one meal, eaten now.
        case keepOneMeal
        /// Removes all meals that are older than six days.
        case removeOldMeals
        /// Gives every account a meal one second before and one second after midnight.
        case addMidnightMeals
        /// Fills every account's history up to `count` meals with ones older than three months.
        case fillHistory
        /// Gives every paid tier that status; with `count` the tier ends after that many seconds.
        case setStanding
    }

    var change: Operation
    var tier: Tier?
    var count: Int?
    var status: User.SubscriptionStatus?
}

extension CarbScanAPI {
    package static func apply(
        _ change: CarbScanChange,
        to state: inout CarbScanState,
        core: inout WorldCore,
        epoch: Epoch
    ) -> [String] {
        state.settle(epoch)
        let now = core.now
        let accounts = state.users.rows.filter { user in
            change.tier.map { state.tier(of: user, now: now, epoch: epoch) == $0 } ?? true
        }
        switch change.change {
        case .leaveScans:
            return accounts.map { user in
                let quotas = state.quotas(of: user, now: now, epoch: epoch)
                let period = quotas.tier == .free ? state.calendar.day(of: now) : state.calendar.month(of: now)
                let surplus = quotas.scansLeft - max(0, change.count ?? 0)
                state.editQuota(of: user.id) { use(surplus, of: &$0.scans, in: period, now, epoch) }
                return "quotas/\(user.id)"
            }
        case .leaveChats:
            return accounts.compactMap { user in
                guard let left = state.quotas(of: user, now: now, epoch: epoch).chatsLeft else { return nil }
                let surplus = left - max(0, change.count ?? 0)
                let today = state.calendar.day(of: now)
                state.editQuota(of: user.id) { use(surplus, of: &$0.chats, in: today, now, epoch) }
                return "quotas/\(user.id)"
            }
        case .endAccessTokens, .endRefreshTokens:
            let end = now + .seconds(Int64(max(0, change.count ?? 0)))
            return accounts.compactMap { user in
                let order = TokenEnding(
                    user: user.id,
                    scope: change.change == .endAccessTokens ? .access : .refresh,
                    manner: .expire,
                    at: end
                )
                return endTokens(order, state: &state, core: &core) ? "holdingsEnds/\(state.lastEnd)" : nil
            }
        case .rotateTokenSecret:
            state.tokenGeneration += 1
            bind(&state, core: core)
            return []
        case .forgetNames: return forgetNames(&state, accounts)
        case .hideMails: return hideMails(&state)
        case .editUploads:
            return state.meals.rows.filter { $0.localId != nil }.map { meal in
                state.editOnServer(meal.id, now: now, epoch: epoch)
                return "meals/\(meal.id)"
            }
        case .setStanding:
            return accounts.filter { $0.tier != .free }.map { user in
                state.users.update(user.id) { row in
                    row.standing = change.status ?? .active
                    if let seconds = change.count { row.tierEndsAt = .at(now + .seconds(Int64(seconds))) }
                }
                return "users/\(user.id)"
            }
        case .removeMeals, .keepOneMeal, .removeOldMeals, .addBacklog, .addMidnightMeals, .fillHistory:
            return changeMeals(change, accounts, &state, now, epoch)
        }
    }

    /// Adds `count` uses now; a negative number removes the latest uses of the period.
    private static func use(
        _ count: Int,
        of log: inout [Timestamp],
        in period: Period,
        _ now: Instant,
        _ epoch: Epoch
    ) {
        guard count < 0 else { return log += Array(repeating: .at(now), count: count) }
        for _ in count..<0 {
            guard let last = log.lastIndex(where: { period.contains($0.resolved(in: epoch)) }) else { return }
            log.remove(at: last)
        }
    }

    private static func forgetNames(_ state: inout CarbScanState, _ accounts: [User]) -> [String] {
        accounts.map { user in
            state.updateUser(user.id) { row in
                row.formerEmail = row.email ?? row.formerEmail
                row.email = nil
                row.firstName = nil
                row.lastName = nil
            }
            return "users/\(user.id)"
        }
    }

    private static func hideMails(_ state: inout CarbScanState) -> [String] {
        state.identities.rows.compactMap { identity in
            guard let mail = state.users[identity.userId]?.email, !AppleIdentityToken.isRelay(mail) else {
                return nil
            }
            state.updateUser(identity.userId) { row in
                row.formerEmail = mail
                row.email = AppleIdentityToken.relay(of: identity.id)
            }
            return "users/\(identity.userId)"
        }
    }

    private static func changeMeals(
        _ change: CarbScanChange,
        _ accounts: [User],
        _ state: inout CarbScanState,
        _ now: Instant,
        _ epoch: Epoch
    ) -> [String] {
        var changed: [String] = []
        func remove(_ isUnwanted: (Meal) -> Bool) {
            for meal in accounts.flatMap({ state.meals.rows(in: $0.id) }) where isUnwanted(meal) {
                state.removeMeal(meal.id)
                changed.append("meals/\(meal.id)")
            }
        }
        func add(_ dish: Dish, to user: User, at time: Instant, confidence: Int = 85) {
            let meal = state.addMeal(
                of: user.id,
                name: dish.name,
                carbEstimate: dish.grams,
                confidence: confidence,
                createdAt: time,
                now: now,
                epoch: epoch
            )
            changed.append("meals/\(meal.id)")
        }
        let today = state.calendar.day(of: now).start
        let count = min(max(0, change.count ?? 0), 10_000)
        switch change.change {
        case .removeMeals: remove { _ in true }
        case .keepOneMeal:
            remove { _ in true }
            for user in accounts { add(Dish.all[15], to: user, at: now) }
        case .removeOldMeals:
            let start = state.calendar.days(0...6, before: now).start
            remove { $0.createdAt.resolved(in: epoch) < start }
        case .addBacklog:
            for user in accounts {
                // Their marks lie after now, so that a device that has synced at this instant still lacks all of them.
                state.raiseMark(of: user.id, to: now, epoch: epoch)
                for number in 0..<count {
                    add(Dish.all[number % Dish.all.count], to: user, at: now - .hours(Int64(count - number)))
                }
            }
        case .addMidnightMeals:
            for user in accounts {
                // Midnight is UTC, whatever the time zone, because the scenario tests on which day other zones count
                // the meal.
                add(Dish.all[39], to: user, at: now.flooredToDay - .seconds(1))
                add(Dish.all[12], to: user, at: now.flooredToDay + .seconds(1))
            }
        case .fillHistory:
            for user in accounts {
                let missing = count - state.meals.count(in: user.id)
                guard missing > 0 else { continue }
                for number in 0..<missing {
                    let time = today - .days(91) - .hours(Int64(8 * (missing - number)))
                    add(Dish.all[number % Dish.all.count], to: user, at: time)
                }
            }
        default: break
        }
        return changed
    }
}
