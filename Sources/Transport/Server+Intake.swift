import CivilTime
import HTTPMessage

extension Server {
    /// Returns whether the received part of a request may be processed: not while its intake waits, nor after its end.
    func takesIn(_ channel: Channel) -> Bool {
        guard writesContinue(channel), var intake = channel.intake, !intake.isStopped else { return false }
        if let wait = intake.wait {
            guard let end = wait.end, end <= now else { return false }
            intake.surplus = wait.surplus(at: now)
            intake.wait = nil
            channel.intake = intake
            setIntakeAlarm(channel)
        }
        if let length = intake.takeDebt(), length > .zero {
            readClocks()
            let clock = application.clock(of: channel.world)
            intake.wait = Wait(length, intake.intake.pace, now: now, clock: clock, surplus: intake.surplus)
            intake.surplus = .zero
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

    /// Notes that a client's direction ended while its content is read slowly; false where it is not.
    ///
    /// One that has left is not read at its pace any more, so that its leaving is told at once (wire contract, section 7).
    func endedWhilePaced(_ connection: Connection) -> Bool {
        guard connection.isPaced, let channel = connection.only, let intake = channel.intake, !intake.isStopped,
            intake.wait != nil
        else { return false }
        let here = Socket.waitingBytes(connection.number) + (connection.tls?.waitingBytes ?? 0)
        if let due = connection.wire.dueContent(), here < due {
            channel.intake?.ended(.inContent)
            setIntakeAlarm(channel)
            makeReady(connection)
        } else {
            channel.intake?.ended(.behindContent)
        }
        settle(connection)
        return true
    }

    /// Begins the delay of a `100 Continue`.
    func delayContinue(_ channel: Channel) {
        guard let late = channel.intake?.intake.lateContinue else { return }
        readClocks()
        channel.intake?.continueWait = Wait(
            late.delay,
            late.waiting,
            now: now,
            clock: application.clock(of: channel.world)
        )
        setIntakeAlarm(channel)
    }

    /// Writes a `100 Continue` whose delay is over; false if the connection is gone.
    private func writesContinue(_ channel: Channel) -> Bool {
        guard let end = channel.intake?.continueWait?.end, end <= now else { return true }
        channel.intake?.continueWait = nil
        setIntakeAlarm(channel)
        let connection = channel.connection
        connection.wire.writeContinue(into: &output)
        if !output.isEmpty { _ = flush(connection) }
        return connection.isOpen
    }

    /// Adjusts the intake to a clock that was set or moved; returns whether its wait came due by that.
    func intakeClockChanged(_ channel: Channel, to reading: ClockReading) -> Bool {
        guard var intake = channel.intake, intake.wait != nil || intake.continueWait != nil else { return false }
        let wasOver = intake.nextEnd.map { $0 <= now } ?? false
        intake.wait?.clockChanged(to: reading, now: now)
        intake.continueWait?.clockChanged(to: reading, now: now)
        channel.intake = intake
        guard let end = intake.nextEnd, end <= now else {
            setIntakeAlarm(channel)
            return false
        }
        dropWaitAlarm(channel)
        makeReady(channel.connection)
        return !wasOver
    }

    private func setIntakeAlarm(_ channel: Channel) {
        dropWaitAlarm(channel)
        guard let end = channel.intake?.nextEnd else { return }
        let handle = timers.add(at: end, .wait(channel.id))
        channel.waitAlarm = Connection.Alarm(handle: handle, deadline: end)
    }
}
