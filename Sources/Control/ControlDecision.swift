package import HTTPMessage

/// The outcome of a control call.
package enum ControlDecision {
    case now(Response)
    /// It waits for something to happen.
    case later(PendingControlCall)
    /// The rest takes longer than the loop has.
    case job(ControlJob)
}
