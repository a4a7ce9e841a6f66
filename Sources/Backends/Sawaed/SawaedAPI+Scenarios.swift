package import Backend
import CivilTime

/// A change of rows that a scenario of Sawaed makes (contract, section 13.2).
package struct SawaedChange: Decodable, Sendable {
    enum Operation: String, Decodable, CaseIterable, Sendable {
        /// Makes every password account unverified.
        case unverifyPasswords
        /// Ends all access tokens issued so far.
        case expireAccessTokens
        /// Ends all refresh tokens issued so far.
        case expireRefreshTokens
        /// Ends all sessions.
        case endSessions
        /// Deletes all sessions.
        case deleteSessions
        /// Forgets the e-mails that have had their one failure.
        case renewFailures
        case removeOnboarding
        /// Removes the last names from all drafts.
        case removeDraftLastNames
        case removeProfiles
        case archivePaths
        case unpublishEvents
        /// Reduces the capacity of every open event to the seats that are taken.
        case fillEvents
        /// Gives every event a waitlist, or none.
        case allowWaitlists, forbidWaitlists
        /// Makes every open event require approval, with no waitlist.
        case askForApproval
        case makeInviteOnly
        case openLater
        case closeRegistration
        case endEvents
        /// Gives every user an accepted registration everywhere.
        case seatEverybody
        /// Rejects every user everywhere.
        case rejectEverybody
        case removeRegistrations
    }

    var change: Operation
}

extension SawaedAPI {
    package static func apply(
        _ change: SawaedChange,
        to state: inout SawaedState,
        core: inout WorldCore,
        epoch: Epoch
    ) -> [String] {
        let now = core.now
        switch change.change {
        case .unverifyPasswords:
            return state.passwords.rows.map { row in
                state.passwords.update(row.id) { $0.isVerified = false }
                return "passwords/\(row.id)"
            }
        case .expireAccessTokens:
            state.endAccess(of: "*", at: now, now: now)
            return []
        case .expireRefreshTokens:
            return state.refreshTokens.rows.map { row in
                state.expire(row, at: now)
                return "refreshTokens/\(row.id)"
            }
        case .endSessions:
            return state.sessions.rows.map { row in
                state.sessions.update(row.id) { $0.expiresAt = .at(now - .microseconds(1)) }
                return "sessions/\(row.id)"
            }
        case .deleteSessions:
            return state.sessions.rows.map { row in
                state.deleteSession(row.id)
                return "sessions/\(row.id)"
            }
        case .renewFailures:
            for mark in state.marks.rows where mark.id.hasPrefix("failed ") { state.marks.remove(mark.id) }
            return []
        case .removeOnboarding:
            return state.onboardings.rows.map { row in
                state.onboardings.remove(row.id)
                return "onboarding/\(row.id)"
            }
        case .removeDraftLastNames:
            return state.onboardings.rows.map { row in
                state.onboardings.update(row.id) {
                    $0.lastNameAr = nil
                    $0.lastNameEn = nil
                }
                return "onboarding/\(row.id)"
            }
        case .removeProfiles:
            return state.profiles.rows.map { row in
                state.profiles.remove(row.id)
                return "profiles/\(row.id)"
            }
        case .archivePaths:
            return state.learningPaths.rows.filter { $0.status != .archived }.map { row in
                state.learningPaths.update(row.id) {
                    $0.status = .archived
                    $0.updatedAt = .at(now)
                }
                return "learningPaths/\(row.id)"
            }
        case .seatEverybody: return registerEverybody(.accepted, &state, now)
        case .rejectEverybody: return registerEverybody(.rejected, &state, now)
        case .removeRegistrations:
            let changed = state.registrations.rows.map { "registrations/\($0.id)" }
            state.removeAllRegistrations()
            return changed
        case .unpublishEvents, .fillEvents, .allowWaitlists, .forbidWaitlists, .askForApproval, .makeInviteOnly,
            .openLater, .closeRegistration, .endEvents:
            return changeEvents(change.change, &state, epoch, now)
        }
    }

    private static func changeEvents(
        _ operation: SawaedChange.Operation,
        _ state: inout SawaedState,
        _ epoch: Epoch,
        _ now: Instant
    ) -> [String] {
        state.events.rows.compactMap { event in
            var row = event
            /// Removes the registration dates, so that the checks on them pass.
            func letIn(_ row: inout Event) {
                row.registrationsOpenDate = nil
                row.registrationsCloseDate = nil
            }
            switch operation {
            case .unpublishEvents: row.isPublished = false
            case .fillEvents:
                guard row.registrationPolicy == .open else { return nil }
                row.capacity = Int(clamping: min(max(state.acceptedSeats(of: row.id), 0), 1 << 53))
            case .allowWaitlists: row.allowWaitlist = true
            case .forbidWaitlists: row.allowWaitlist = false
            case .askForApproval:
                guard row.registrationPolicy == .open else { return nil }
                row.registrationPolicy = .approval
                // A full event with a waitlist would answer `waitlisted` instead (section 9.3).
                row.allowWaitlist = false
            case .makeInviteOnly:
                letIn(&row)
                if row.endsAt.resolved(in: epoch) <= now { row.endsAt = .at(now + .days(1)) }
                row.registrationPolicy = .inviteOnly
            case .openLater: row.registrationsOpenDate = .at(now + .days(5))
            case .closeRegistration:
                letIn(&row)
                row.registrationsCloseDate = .at(now - .days(1))
            case .endEvents:
                letIn(&row)
                row.startsAt = .at(now - .hours(3))
                row.endsAt = .at(now - .hours(1))
            default: return nil
            }
            state.events.insert(row)
            return "events/\(row.id)"
        }
    }

    private static func registerEverybody(
        _ status: Registration.Status,
        _ state: inout SawaedState,
        _ now: Instant
    ) -> [String] {
        var changed: [String] = []
        for user in state.users.rows {
            let known = state.registrations(of: user.id)
            for event in state.events.rows {
                var row =
                    known.last { $0.eventId == event.id }
                    ?? Registration(
                        id: state.newID("registration") { $0.registrations.contains($1) },
                        userId: user.id,
                        eventId: event.id,
                        timestamp: .at(now),
                        quantity: 1,
                        status: status
                    )
                row.status = status
                if status == .rejected { row.decidedAt = .at(now) }
                state.insert(row)
                changed.append("registrations/\(row.id)")
            }
        }
        return changed
    }
}
