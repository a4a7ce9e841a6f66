import CivilTime
import HTTPMessage

extension Server {
    /// Returns whether the received part of a request may be processed: not while its intake waits, nor after its end.
    func takesIn(_ channel: Channel) -> Bool {
        guard var intake = channel.intake, !intake.isStopped else { return false }
        if let wait = intake.wait {
            guard let end = wait.end, end <= now else { return false }
            intake.wait = nil
            dropWaitAlarm(channel)
        }
        if let length = intake.takeDebt(), length > .zero {
            readClocks()
            let clock = application.clock(of: channel.world)
            intake.wait = Wait(length, .either, now: now, clock: clock)
            channel.intake = intake
            setIntakeAlarm(channel)
            return false
        }
        // The framing of chunks is no content.
        if intake.isOver, let unread = channel.connection.wire.unreadContent(of: channel.number) {
            intake.foundContent(unread.received)
        }
        if intake.isOver {
            intake.isStopped = true
            channel.intake = intake
            if case .reset = intake.intake.ending { markCancelled(channel) }
            return false
        }
        channel.intake = intake
        return true
    }

    /// Adjusts the intake to a clock that was set or moved; returns whether its wait came due by that.
    func intakeClockChanged(_ channel: Channel, to reading: ClockReading) -> Bool {
        guard var wait = channel.intake?.wait else { return false }
        let wasOver = wait.end.map { $0 <= now } ?? false
        wait.clockChanged(to: reading, now: now)
        channel.intake?.wait = wait
        guard let end = wait.end, end <= now else {
            setIntakeAlarm(channel)
            return false
        }
        dropWaitAlarm(channel)
        makeReady(channel.connection)
        return !wasOver
    }

    private func setIntakeAlarm(_ channel: Channel) {
        dropWaitAlarm(channel)
        guard let end = channel.intake?.wait?.end else { return }
        let handle = timers.add(at: end, .wait(channel.id))
        channel.waitAlarm = Connection.Alarm(handle: handle, deadline: end)
    }
}
