/// Names one exchange (a request and its answer) of a server; never used twice.
package struct ExchangeID: Hashable, Sendable {
    /// The connection's place in the server's table and which of its users it is.
    var connection: ConnectionID
    /// Counts the exchanges of the server, from 1.
    package let serial: UInt64

    init(connection: ConnectionID, serial: UInt64) {
        self.connection = connection
        self.serial = serial
    }

    /// The id as two numbers, for an application that keeps it beside its own.
    package init(serial: UInt64, connection: UInt64) {
        self.serial = serial
        self.connection = ConnectionID(token: connection)
    }

    /// The connection as a number that means nothing outside.
    package var connectionNumber: UInt64 { connection.token }
}

/// A place in the connection table with the generation of its user, as one token for the poller.
struct ConnectionID: Hashable, Sendable {
    var slot: UInt32
    /// From 1 on; 0 marks the listeners' tokens.
    var generation: UInt32

    init(slot: UInt32, generation: UInt32) {
        self.slot = slot
        self.generation = generation
    }

    init(token: UInt64) {
        slot = UInt32(truncatingIfNeeded: token)
        generation = UInt32(truncatingIfNeeded: token >> 32)
    }

    var token: UInt64 { UInt64(generation) << 32 | UInt64(slot) }
}
