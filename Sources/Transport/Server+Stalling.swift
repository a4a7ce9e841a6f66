import CivilTime

/// The time limit of responses that the peer does not take (control contract, section 17).
///
/// A response that is written faster than its client reads is ordinary, and so is one that pauses by design. Time
/// counts only while bytes are ready and the peer takes none of them.
extension Server {
    /// The number of checks, in that time, of the peer's progress.
    private static let looks: Int64 = 4

    /// Begins to watch a connection with bytes that the system does not take.
    func watchWriting(_ connection: Connection) {
        guard connection.hasOutput, connection.stall == nil else { return }
        connection.stall = Connection.Stall(since: now, taken: taken(connection), alarm: look(connection, since: now))
    }

    /// Checks the peer's progress, and ends the connection if there was none for too long.
    func lookAtWriting(_ id: ConnectionID) {
        guard let connection = connections[id], let stall = connection.stall else { return }
        connection.stall = nil
        guard connection.isOpen, connection.hasOutput else { return }
        let taken = taken(connection)
        let since = taken == stall.taken ? stall.since : now
        guard now - since < limits.writeTime else {
            // An orderly close would keep the unsent bytes in the kernel.
            Socket.resetOnClose(connection.number)
            lose(connection)
            return
        }
        connection.stall = Connection.Stall(since: since, taken: taken, alarm: look(connection, since: since))
    }

    private func look(_ connection: Connection, since: Instant) -> TimerQueue<Alarm>.Handle {
        let next = now + .microseconds(max(limits.writeTime.microseconds / Self.looks, 1))
        return timers.add(at: min(next, since + limits.writeTime), .stall(connection.id))
    }

    /// Returns the number of bytes that have reached the peer.
    ///
    /// The system reports free space only when a third of its buffer is free, for which a slow reader may take minutes.
    private func taken(_ connection: Connection) -> Int {
        connection.written - (Socket.unsentBytes(connection.number) ?? 0)
    }
}
