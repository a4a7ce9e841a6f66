import Backend
import HTTPMessage

/// The rest of a control call that takes longer than the event loop can spare (control contract, section 17).
package enum ControlJob {
    /// It needs nothing more from the worlds.
    case work(Work)
    /// A world is read and then replaces another.
    case importing(Import)
    /// An order is read before the call continues.
    case reading(Reading)
    /// It works on a large part of a world.
    case partWork(PartWork)
    /// It acts on many items in steps.
    case steps(Steps)
    /// A request is sent again.
    case replay(Replay)
}

extension ControlDecision {
    /// Returns the response, with all work done at once; a call that waits gets that of the present state.
    func response(at hostTime: HostTime) -> Response {
        switch self {
        case .now(let response): response
        case .later(let waiting): waiting.response(at: hostTime)
        case .job(.work(let work)): work.response()
        case .job(.importing(let document)): document.finish(document.read(), hostTime)
        case .job(.reading(let order)): order.finish(order.read(), hostTime).response(at: hostTime)
        case .job(.partWork(let work)): work.inPlace(hostTime)
        case .job(.steps(let steps)): steps.last(at: hostTime)
        // Only a running server has connections.
        case .job(.replay): Problem(.busy, "Only a running server can send requests again.").response
        }
    }
}
