import HTTPMessage

/// The connections beyond the limit that stay free for what is urgent.
///
/// Without them an application whose connections are used up could not even be asked which, or be told to let them go.
extension Server {
    /// Tells whether one more connection can be taken as every other.
    var hasRoom: Bool { connections.count - reserve.count < limits.connections }

    /// Tells whether a listening socket may give its next connection away.
    func takes(_ socket: ListeningSocket) -> Bool {
        state == .running && (hasRoom || (socket.listener == limits.reservedListener && hasReserve))
    }

    /// Tells whether a connection of the reserve is free, or is used by a client that asks for nothing.
    private var hasReserve: Bool {
        reserve.count < limits.reserved || reserve.contains(where: \.canYield)
    }

    /// Makes sure that one more connection fits into the reserve: the oldest one that nothing is done for goes.
    func makeReserve() -> Bool {
        if reserve.count < limits.reserved { return true }
        guard let oldest = reserve.first(where: \.canYield) else { return false }
        lose(oldest)
        return true
    }

    /// Takes note that a connection is closed: its place goes to one of the reserve that waits for it.
    func giveWay(_ connection: Connection) {
        guard !connection.isReserve else {
            connection.isReserve = false
            reserve.removeAll { $0 === connection }
            return
        }
        guard hasRoom, let next = reserve.first(where: \.hasParked) ?? reserve.first else { return }
        next.isReserve = false
        reserve.removeAll { $0 === next }
        if next.hasParked { makeReady(next) }
    }
}

extension Connection {
    /// Tells whether it can be closed without harm to an answer.
    fileprivate var canYield: Bool {
        !hasChannel { ![.parked, .receiving, .ended].contains($0.phase) }
    }

    /// Tells whether a head on it waits for room.
    fileprivate var hasParked: Bool { hasChannel { $0.phase == .parked } }
}
