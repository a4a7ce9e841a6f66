import CivilTime

/// The fate of answers that nobody takes (control contract, section 17).
///
/// An answer that is written faster than its client reads is ordinary, and so is one that pauses by design: only bytes
/// that lie ready while the peer takes none of them use up the time.
extension Server {
    /// The number of looks in that time at whether the peer has taken anything.
    private static let looks: Int64 = 4

    /// Begins to watch a connection that has bytes which the system does not take.
    func watchWriting(_ connection: Connection) {
        guard connection.hasOutput, connection.stall == nil else { return }
        connection.stall = Connection.Stall(since: now, taken: taken(connection), alarm: look(connection, since: now))
    }

    /// Looks whether the peer has taken anything, and gives up on it when it took nothing for too long.
    func lookAtWriting(_ id: ConnectionID) {
        guard let connection = connections[id], let stall = connection.stall else { return }
        connection.stall = nil
        guard connection.isOpen, connection.hasOutput else { return }
        let taken = taken(connection)
        let since = taken == stall.taken ? stall.since : now
        guard now - since < limits.writeTime else {
            // What is left would keep the kernel's memory too.
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

    /// The bytes that have reached the peer.
    ///
    /// The system tells of new room only when a third of its buffer is free, which a slow reader may take minutes for.
    private func taken(_ connection: Connection) -> Int {
        connection.written - (Socket.unsentBytes(connection.number) ?? 0)
    }
}
