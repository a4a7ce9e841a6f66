import Backend
import Conditions
import HTTPMessage

/// The faults that act on a request, decided before it is answered.
package struct FaultPlan {
    /// The one that won.
    var main: ActiveFault?
    /// Delays and throttles.
    var shapes: [ActiveFault] = []
    /// The preferences of the request that were applied.
    package var applied: [String] = []
    /// Tells that the world's faults are still to be decided, because one of them depends on the response.
    var isUndecided = false
    /// Tells that one of them depends on the content, too.
    var looksAtContent = false
    /// Tells that one of them depends on whether there is any content.
    var needsContent = false

    /// Tells whether the responder has to run.
    ///
    /// A fault that replaces the response in the phase `before` does without it.
    var wantsAnswer: Bool {
        guard let main, !isUndecided else { return true }
        return main.spec.phase == .after || main.spec.behavior.wantsAnswer
    }

    /// Returns whether the whole response is needed before its first byte leaves.
    func wantsWhole(_ head: Response) -> Bool {
        if isUndecided || shapes.contains(where: { $0.spec.behavior.laysOutContent }) {
            return true
        }
        guard let main, !main.spec.behavior.leavesContent else { return false }
        if main.spec.behavior.changesEventStreams { return !head.isEventStream }
        return true
    }
}

extension Exchange {
    /// Tells whether the preferences of a forwarded request were obeyed.
    package var obeysPreferences: Bool { plan?.applied.isEmpty == false }
}
