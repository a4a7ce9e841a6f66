package import CivilTime
package import Emulation
package import HTTPMessage

/// A control call that waits for something to happen in its world, on real time.
package struct PendingControlCall {
    let call: ControlCall
    let waiting: ControlWaiting
    let act: @Sendable (ControlCall) throws(Problem) -> ControlDecision
    /// When it is answered at the latest, on the monotonic clock.
    package let until: Instant
    /// Bytes of the order that is kept for it.
    package let bytes: Int

    /// The part of the journal that it has seen, where it waits for that; the caller keeps it from here on.
    package var watch: VerificationWatch? { call.memo.watch }

    /// The world that it waits in; nil if that is gone.
    ///
    /// To ask is use of the world.
    package func hosted(at hostTime: HostTime) -> Emulator.HostedWorld? { try? call(at: hostTime).world() }

    /// The answer if what it waits for has happened, or can't happen any more; looked for at once.
    package func settled(at hostTime: HostTime) -> Response? {
        do throws(Problem) {
            if call.memo.watch != nil {
                let world = try call(at: hostTime).world().world
                call.memo.watch?.catchUp(world)
                return call.memo.watch?.settled
            }
            guard try waiting.patience(call(at: hostTime)) == nil else { return nil }
        } catch {
            return error.response
        }
        return response(at: hostTime)
    }

    /// The answer as things stand.
    package func response(at hostTime: HostTime) -> Response {
        do throws(Problem) {
            return try act(call(at: hostTime)).response(at: hostTime)
        } catch {
            return error.response
        }
    }

    /// The work that makes the answer as things stand, of one that has seen so much of the journal.
    package func work(_ watch: VerificationWatch, at hostTime: HostTime) -> ControlJob.Work? {
        guard let world = hosted(at: hostTime)?.world else { return nil }
        var watch = watch
        watch.follow(world)
        return ControlJob.Work(isShort: false, .searches) { [watch, journal = world.journal] wanted in
            var watch = watch
            watch.catchUp(journal, wanted)
            return watch.verdict(in: journal, wanted)
        }
    }

    private func call(at hostTime: HostTime) -> ControlCall {
        var call = call
        call.hostTime = hostTime
        return call
    }
}
