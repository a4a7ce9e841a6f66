package import HTTPMessage

/// The outcome of a control call.
package enum ControlDecision {
    case now(Response)
    /// It waits for an event.
    case later(PendingControlCall)
    /// The rest takes longer than the event loop can spare.
    case job(ControlJob)
}
