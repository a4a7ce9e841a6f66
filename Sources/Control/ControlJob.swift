import Emulation
import HTTPMessage

/// The rest of a control call that takes longer than the loop has (control contract, section 17).
package enum ControlJob {
    /// It needs nothing of the worlds any more.
    case work(Work)
    /// A world is read, and takes its place.
    case importing(Import)
    /// An order is read before the call goes on.
    case reading(Reading)
    /// It works on a large part of a world.
    case partWork(PartWork)
    /// It acts on many things, some at a time.
    case steps(Steps)
}

extension ControlDecision {
    /// The answer, with all that it takes done here; that of a call that waits is the one as things stand.
    func response(at hostTime: HostTime) -> Response {
        switch self {
        case .now(let response): response
        case .later(let waiting): waiting.response(at: hostTime)
        case .job(.work(let work)): work.response()
        case .job(.importing(let document)): document.finish(document.read(), hostTime)
        case .job(.reading(let order)): order.finish(order.read(), hostTime).response(at: hostTime)
        case .job(.partWork(let work)): work.inPlace(hostTime)
        case .job(.steps(let steps)): steps.last(at: hostTime)
        }
    }
}
