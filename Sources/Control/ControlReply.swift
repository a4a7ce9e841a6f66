package import CivilTime
package import Emulation
package import HTTPMessage

/// What a control call comes to.
package enum ControlReply {
    case now(Response)
    case later(WaitingCall)
    /// The rest takes long and needs nothing of the worlds any more.
    case elsewhere(ControlWork)
    case importing(ControlImport)
    /// It acts on many things, some at a time.
    case stepwise(ControlSteps)

    /// The answer, with all that it takes done here; that of a call that waits is the one as things stand.
    func response(at real: RealTime) -> Response {
        switch self {
        case .now(let response): response
        case .later(let waiting): waiting.response(at: real)
        case .elsewhere(let work): work.response()
        case .importing(let document): document.finish(document.read(), real)
        case .stepwise(let steps): steps.last(at: real)
        }
    }
}

/// A control call that waits for something to happen in its world, on real time.
package struct WaitingCall {
    let call: ControlCall
    let waiting: ControlWaiting
    let act: @Sendable (ControlCall) throws(ControlFault) -> ControlReply
    /// When it is answered at the latest, on the monotonic clock.
    package let until: Instant

    /// Notes that its world is in use, if that is still there.
    package func use(at real: RealTime) { _ = try? call(at: real).world() }

    /// What looks whether it has happened, where that takes too long to be done by the loop; nil where it does not.
    package func look(at real: RealTime) -> ControlLook? {
        // A call that has come to nothing is found out by the short way.
        (try? waiting.look?(call(at: real))) ?? nil
    }

    /// The answer if what it waits for has happened, or can't happen any more.
    package func settled(at real: RealTime) -> Response? {
        do throws(ControlFault) {
            guard try waiting.patience(call(at: real)) == nil else { return nil }
        } catch {
            return error.response
        }
        return response(at: real)
    }

    /// The answer as things stand.
    package func response(at real: RealTime) -> Response {
        do throws(ControlFault) {
            return try act(call(at: real)).response(at: real)
        } catch {
            return error.response
        }
    }

    /// What makes the answer as things stand, where that takes too long to be done by the loop.
    package func work(at real: RealTime) -> ControlWork? {
        guard case .elsewhere(let work) = try? act(call(at: real)) else { return nil }
        return work
    }

    private func call(at real: RealTime) -> ControlCall {
        var call = call
        call.real = real
        return call
    }
}
