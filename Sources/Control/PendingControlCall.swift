package import Backend
package import CivilTime
package import Engine
package import HTTPMessage
import Worlds

/// A control call that waits for an event in its world, in real time.
package struct PendingControlCall {
    let call: ControlCall
    let waiting: ControlWaiting
    let act: @Sendable (ControlCall) throws(Problem) -> ControlDecision
    /// The time at which it is answered at the latest, on the monotonic clock.
    package let until: Instant
    /// The size of the order that is kept for it.
    package let bytes: Int

    /// The part of the journal that it has seen, if it waits for the journal; the caller keeps it from here on.
    package var watch: VerificationWatch? { call.memo.watch }

    /// Returns a part of the journal with the other hosts that were asked for meanwhile.
    package func refreshed(_ watch: VerificationWatch) -> VerificationWatch {
        guard watch.judgesHosts, let hosts = try? call.otherHosts() else { return watch }
        var watch = watch
        watch.otherHosts = hosts
        return watch
    }

    /// Returns the world that it waits in; nil if that is gone.
    ///
    /// The call counts as use of the world.
    package func hosted(at hostTime: HostTime) -> Emulator.HostedWorld? { try? call(at: hostTime).world() }

    /// Returns the response if the awaited event has happened or can't happen any more.
    package func settled(at hostTime: HostTime) -> Response? {
        do throws(Problem) {
            if call.memo.watch != nil {
                let world = try call(at: hostTime).world().world
                call.memo.watch = call.memo.watch.map(refreshed)
                call.memo.watch?.catchUp(world)
                return call.memo.watch?.settled
            }
            guard try waiting.patience(call(at: hostTime)) == nil else { return nil }
        } catch {
            return error.response
        }
        return response(at: hostTime)
    }

    /// Returns the response for the present state.
    package func response(at hostTime: HostTime) -> Response {
        do throws(Problem) {
            return try act(call(at: hostTime)).response(at: hostTime)
        } catch {
            return error.response
        }
    }

    /// Returns the work that makes the response for the present state, for a call that has seen that part of the
    /// journal.
    package func work(_ watch: VerificationWatch, at hostTime: HostTime) -> ControlJob.Work? {
        guard let world = hosted(at: hostTime)?.world else { return nil }
        var watch = refreshed(watch)
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
