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
    case reading(ControlReading)
    /// It works on a large part of a world.
    case aside(ControlAside)
    /// It acts on many things, some at a time.
    case stepwise(ControlSteps)

    /// The answer, with all that it takes done here; that of a call that waits is the one as things stand.
    func response(at real: RealTime) -> Response {
        switch self {
        case .now(let response): response
        case .later(let waiting): waiting.response(at: real)
        case .elsewhere(let work): work.response()
        case .importing(let document): document.finish(document.read(), real)
        case .reading(let order): order.finish(order.read(), real).response(at: real)
        case .aside(let aside): aside.inPlace(real)
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
    /// Bytes of the order that is kept for it.
    package let bytes: Int

    /// The part of the journal that it has seen, where it waits for that; the caller keeps it from here on.
    package var watch: VerificationWatch? { call.memo.watch }

    /// The world that it waits in; nil if that is gone.
    ///
    /// To ask is use of the world.
    package func slot(at real: RealTime) -> Emulator.Slot? { try? call(at: real).world() }

    /// The answer if what it waits for has happened, or can't happen any more; looked for at once.
    package func settled(at real: RealTime) -> Response? {
        do throws(ControlFault) {
            if call.memo.watch != nil {
                let world = try call(at: real).world().world
                call.memo.watch?.catchUp(world)
                return call.memo.watch?.settled
            }
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

    /// The work that makes the answer as things stand, of one that has seen so much of the journal.
    package func work(_ watch: VerificationWatch, at real: RealTime) -> ControlWork? {
        guard let world = slot(at: real)?.world else { return nil }
        var watch = watch
        watch.follow(world)
        return ControlWork(isShort: false, .searches) { [watch, journal = world.journal] wanted in
            var watch = watch
            watch.catchUp(journal, wanted)
            return watch.verdict(in: journal, wanted)
        }
    }

    private func call(at real: RealTime) -> ControlCall {
        var call = call
        call.real = real
        return call
    }
}
