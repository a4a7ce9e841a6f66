package import CivilTime
import HTTPMessage

extension ConnectionMachine {
    /// The next deadline and its timer; nil while the machine only waits for the owner's response.
    package var deadline: (kind: DeadlineKind, at: Instant)? {
        switch state {
        case .idle(let since): (.idle, since + limits.idleTime)
        case .head(let since): (.head, since + limits.headTime)
        case .body(let since), .discarding(let since): (.body, since + limits.bodyTime)
        case .lingering(let until, _): (.linger, until)
        case .headHandedOut, .late, .answering, .held, .shut, .closing, .closed: nil
        }
    }

    /// The owner has not read on purpose: the time between two bytes of content begins anew.
    package mutating func restartBodyTimer(now: Instant) {
        if case .body = state { state = .body(since: now) }
    }

    /// The last answer has only now been taken: the idle time begins anew.
    package mutating func restartIdleTimer(now: Instant) {
        if case .idle = state { state = .idle(since: now) }
    }

    /// A timer may have run out.
    ///
    /// Too early a call changes nothing. A begun head or content is refused with 408 (RFC 9110 section 15.5.9);
    /// everything else is closed silently. Ask `nextEvent` afterwards.
    package mutating func deadlineReached(now: Instant) {
        guard let deadline, now >= deadline.at else { return }
        switch state {
        case .head:
            noteRequestLine()
            state = .late(.head)
        case .body: state = .late(.body)
        case .idle, .discarding, .lingering: state = .closing
        case .headHandedOut, .late, .answering, .held, .shut, .closing, .closed: break
        }
    }
}
