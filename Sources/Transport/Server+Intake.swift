import CivilTime
import HTTPMessage

extension Server {
    /// Whether what has come of a request may be looked at: false while its intake waits, and when it has ended.
    func takesIn(_ connection: Connection) -> Bool {
        guard var intake = connection.intake, !intake.isStopped else { return false }
        if let wait = intake.wait {
            guard let end = wait.end, end <= now else { return false }
            intake.wait = nil
            dropWaitAlarm(connection)
        }
        if let length = intake.takeDebt(), length > .zero {
            readClocks()
            let clock = application.clock(of: connection.world)
            intake.wait = Wait(length, .either, now: now, clock: clock)
            connection.intake = intake
            setIntakeAlarm(connection)
            return false
        }
        if intake.isOver {
            intake.isStopped = true
            connection.intake = intake
            if case .reset = intake.intake.ending { markCut(connection) }
            return false
        }
        connection.intake = intake
        return true
    }

    /// A world's clock was set or moved; whether the wait of this intake came due by it.
    func intakeClockChanged(_ connection: Connection, to reading: ClockReading) -> Bool {
        guard var wait = connection.intake?.wait else { return false }
        let wasOver = wait.end.map { $0 <= now } ?? false
        wait.clockChanged(to: reading, now: now)
        connection.intake?.wait = wait
        guard let end = wait.end, end <= now else {
            setIntakeAlarm(connection)
            return false
        }
        dropWaitAlarm(connection)
        makeReady(connection)
        return !wasOver
    }

    private func setIntakeAlarm(_ connection: Connection) {
        dropWaitAlarm(connection)
        guard let end = connection.intake?.wait?.end else { return }
        let handle = timers.add(at: end, .wait(connection.id))
        connection.waitAlarm = Connection.Alarm(handle: handle, deadline: end)
    }
}
