import Backend
import CivilTime

/// The visible progress of a session at an instant (contract, section 8.3).
struct ChatProgress: Sendable, Equatable {
    enum Status: String, CaseIterable, Sendable { case queued, running, partial, done, error }

    var status: Status
    var text: String
    /// Milliseconds since 1970 of the last change, not of the reading.
    var updatedAt: Int64
    var error: String?

    /// Computes the progress at `now`.
    ///
    /// `queued` lasts a third of a step, `running` the rest of it; then each step adds a piece.
    init(_ session: ChatSession, sentAt: Instant, now: Instant, timedOutAt: Instant?) {
        let start = sentAt.milliseconds
        // Clamped, because the pace is both divided by and multiplied.
        let pace = min(max(session.pace, 1), 3_600_000)
        // If the clock was set back, the session is at its beginning.
        let elapsed = max(0, now.milliseconds.subtractingClamped(start))
        let pieces = session.pieces
        func joined(_ count: Int) -> String { pieces.prefix(count).joined() }
        guard elapsed >= pace / 3 else {
            self.init(.queued, "", start)
            return
        }
        let running = start + pace / 3
        if let timedOutAt {
            self.init(.error, "", timedOutAt.milliseconds, "timeout")
            return
        }
        guard elapsed >= pace, session.ending != .stuck else {
            self.init(.running, "", running)
            return
        }
        let step = Int(min(elapsed / pace, Int64(pieces.count)))
        switch session.ending {
        case .empty: self.init(.error, "", start + pace, "empty_response")
        case .failed where step >= 3: self.init(.error, joined(2), start + 3 * pace, "unknown_error")
        case .doneWithError where step >= pieces.count:
            self.init(.done, joined(step), start + Int64(step) * pace, "assessment_repair_failed")
        default:
            let status: Status = step >= pieces.count ? .done : .partial
            self.init(status, joined(step), start + Int64(step) * pace)
        }
    }

    private init(_ status: Status, _ text: String, _ updatedAt: Int64, _ error: String? = nil) {
        self.status = status
        self.text = text
        self.updatedAt = updatedAt
        self.error = error
    }

    var isFinal: Bool { status == .done || status == .error }

    /// A strong entity tag of the time and the length in UTF-16 code units (contract, section 8.4).
    var etag: String { "\"\(updatedAt)-\(text.utf16.count)\"" }
}
