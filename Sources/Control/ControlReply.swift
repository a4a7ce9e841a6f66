package import CivilTime
package import Emulation
package import HTTPMessage

/// What a control call comes to.
package enum ControlReply {
    case now(Response)
    case later(WaitingCall)
}

/// A control call that waits for something to happen in its world, on real time.
package struct WaitingCall {
    let call: ControlCall
    let operation: ControlOperation
    /// When it is answered at the latest, on the monotonic clock.
    package let until: Instant

    /// The answer if what it waits for has happened, or can't happen any more.
    package func settled(at real: RealTime) -> Response? {
        do throws(ControlFault) {
            guard try operation.patience?(call(at: real)) == nil else { return nil }
        } catch {
            return error.response
        }
        return response(at: real)
    }

    /// The answer as things stand.
    package func response(at real: RealTime) -> Response {
        do throws(ControlFault) {
            return try operation.handle(call(at: real))
        } catch {
            return error.response
        }
    }

    private func call(at real: RealTime) -> ControlCall {
        var call = call
        call.real = real
        return call
    }
}
