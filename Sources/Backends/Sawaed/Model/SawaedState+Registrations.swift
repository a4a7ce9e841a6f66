import Backend
import CivilTime
import HTTPMessage

/// The reasons for refusing a registration, in the order of the checks (contract, section 9.3).
enum EventRefusal: Error, CaseIterable {
    case notAvailable, notOpen, closed, past, inviteOnly, alreadyRegistered, rejected, tooMany, full, notRegistered

    var failure: APIError {
        switch self {
        case .notAvailable: .conflict("event_not_available", "The event is not available.")
        case .notOpen: .conflict("registration_not_open", "Registration has not begun.")
        case .closed: .conflict("registration_closed", "Registration has ended.")
        case .past: .conflict("event_past", "The event is over.")
        case .inviteOnly: .conflict("invite_only", "The event is by invitation.")
        case .alreadyRegistered: .conflict("already_registered", "You are registered.")
        case .rejected: .conflict("rejected_cannot_reapply", "Your registration was rejected.")
        case .tooMany: .conflict("max_per_user_exceeded", "That is more than one person may have.")
        case .full: .conflict("event_full", "The event is full.")
        case .notRegistered: .conflict("not_registered", "You are not registered.")
        }
    }

    /// The condition of the refusal, for the documents.
    var when: String {
        switch self {
        case .notAvailable: "Unknown, or not published"
        case .notOpen: "Before the opening date"
        case .closed: "After the closing date"
        case .past: "After the end"
        case .inviteOnly: "By invitation only"
        case .alreadyRegistered: "Pending, accepted or waitlisted already"
        case .rejected: "The last registration was rejected"
        case .tooMany: "More seats than one user may have"
        case .full: "Not enough seats, and no waitlist"
        case .notRegistered: "There is no registration"
        }
    }
}

extension SawaedState {
    func latestRegistration(of user: String, for event: String, epoch: Epoch) -> Registration? {
        let rows = registrations(of: user).filter { $0.eventId == event }
        let times = rows.map { $0.timestamp.resolved(in: epoch) }
        return rows.indices.max { (times[$0], $0) < (times[$1], $1) }.map { rows[$0] }
    }

    /// Seats held by accepted registrations.
    func acceptedSeats(of event: String) -> Int64 {
        registrations.rows(in: event).reduce(0) { $1.status == .accepted ? $0.addingClamped($1.quantity) : $0 }
    }

    /// Registers a user, or throws the reason of the refusal; the checks run in the contract's order.
    mutating func register(
        _ user: String,
        for eventID: String,
        quantity: Int64,
        notes: String?,
        now: Instant,
        epoch: Epoch
    ) throws(EventRefusal) -> Registration {
        guard let event = events[eventID], event.isPublished else { throw .notAvailable }
        if let opens = event.registrationsOpenDate?.resolved(in: epoch), now < opens { throw .notOpen }
        if let closes = event.registrationsCloseDate?.resolved(in: epoch), now > closes { throw .closed }
        guard now <= event.endsAt.resolved(in: epoch) else { throw .past }
        guard event.registrationPolicy != .inviteOnly else { throw .inviteOnly }
        let latest = latestRegistration(of: user, for: eventID, epoch: epoch)
        if settings.seats == .accepted || latest?.isActive == true { throw .alreadyRegistered }
        if settings.seats == .rejected || latest?.status == .rejected { throw .rejected }
        if let most = event.maxRegistrationsPerUser {
            let held = registrations(of: user).reduce(Int64(0)) {
                $1.eventId == eventID && $1.isActive ? $0.addingClamped($1.quantity) : $0
            }
            guard quantity.addingClamped(held) <= Int64(most) else { throw .tooMany }
        }
        // Checked before an id is allocated, because a refusal uses none.
        let status = try status(for: quantity, of: event)
        let row = Registration(
            id: latest?.id ?? newID("registration") { $0.registrations.contains($1) },
            userId: user,
            eventId: eventID,
            timestamp: .at(now),
            quantity: quantity,
            status: status,
            notes: notes
        )
        insert(row)
        return row
    }

    /// The status of a new registration by policy and capacity.
    private func status(for quantity: Int64, of event: Event) throws(EventRefusal) -> Registration.Status {
        let taken = acceptedSeats(of: event.id)
        let capacity = event.capacity.map(Int64.init)
        guard event.registrationPolicy == .open else {
            let isFull = capacity.map { taken >= $0 } ?? false
            return isFull && event.allowWaitlist ? .waitlisted : .pending
        }
        guard let capacity, taken.addingClamped(quantity) > capacity else { return .accepted }
        guard event.allowWaitlist else { throw .full }
        return .waitlisted
    }
}
