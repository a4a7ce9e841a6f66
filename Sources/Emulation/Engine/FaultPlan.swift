import HTTPMessage

/// A fault that acts on a request, with its chance.
struct ActiveFault {
    var spec: FaultSpec
    var stream: SeededStream
}

/// What acts on a request, decided before it is answered.
struct FaultPlan {
    /// The one that won.
    var main: ActiveFault?
    /// Delays and throttles.
    var shapes: [ActiveFault] = []
    /// What a preference asked for and got.
    var applied: [String] = []
    /// The world's faults are still to be decided on, since one of them has to see the answer first.
    var isUndecided = false
    /// One of them has to see its content, too.
    var looksAtContent = false

    /// Whether an answer is wanted; what takes its place in the phase `before` leaves who would give it alone.
    var wantsAnswer: Bool {
        guard let main, !isUndecided else { return true }
        return main.spec.phase == .after || main.spec.behavior.wantsAnswer
    }

    /// Whether the answer has to be there in full before the first byte of it leaves.
    func wantsWhole(_ head: Response) -> Bool {
        if isUndecided || shapes.contains(where: { $0.spec.behavior.laysOutContent }) {
            return true
        }
        guard let main else { return false }
        if main.spec.behavior.changesEventStreams { return !head.isEventStream }
        return true
    }
}
