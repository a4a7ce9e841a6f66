import HTTPMessage

/// The connections beyond the limit that stay free for urgent requests.
///
/// Without them, an application whose connections are used up could not be asked for the cause, or told to close some.
extension Server {
    /// Tells whether an ordinary connection can be accepted.
    var hasRoom: Bool { connections.count - reserve.count < limits.connections }

    /// Returns whether a listening socket may accept its next connection.
    func takes(_ socket: ListeningSocket) -> Bool {
        state == .running && (hasRoom || (socket.listener == limits.reservedListener && hasReserve))
    }

    /// Tells whether a connection of the reserve is free, or is used by an idle client.
    private var hasReserve: Bool {
        reserve.count < limits.reserved || reserve.contains(where: \.canYield)
    }

    /// Makes a place in the reserve, by closing its oldest idle connection if necessary.
    func makeReserve() -> Bool {
        if reserve.count < limits.reserved { return true }
        guard let oldest = reserve.first(where: \.canYield) else { return false }
        lose(oldest)
        return true
    }

    /// Gives the place of a closed connection to a waiting one of the reserve.
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
    /// Tells whether it can be closed without harm to a response.
    fileprivate var canYield: Bool {
        !hasChannel { ![.parked, .receiving, .ended].contains($0.phase) }
    }

    /// Tells whether a head on it waits for a free connection.
    fileprivate var hasParked: Bool { hasChannel { $0.phase == .parked } }
}
