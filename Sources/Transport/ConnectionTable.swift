/// The open connections by slot.
///
/// A slot's generation changes with every user, so that late events of an earlier user are recognised and dropped.
struct ConnectionTable {
    private var slots: [Connection?] = []
    private var generations: [UInt32] = []
    private var free: [UInt32] = []

    /// The number of open connections.
    var count: Int { slots.count - free.count }

    /// Returns the id of the next connection.
    mutating func reserve() -> ConnectionID {
        if let slot = free.popLast() {
            let next = generations[Int(slot)] &+ 1
            generations[Int(slot)] = next == 0 ? 1 : next
            return ConnectionID(slot: slot, generation: generations[Int(slot)])
        }
        slots.append(nil)
        generations.append(1)
        return ConnectionID(slot: UInt32(slots.count - 1), generation: 1)
    }

    mutating func put(_ connection: Connection) { slots[Int(connection.id.slot)] = connection }

    /// Frees a reserved or used slot.
    mutating func remove(_ id: ConnectionID) {
        guard Int(id.slot) < slots.count, generations[Int(id.slot)] == id.generation else { return }
        slots[Int(id.slot)] = nil
        free.append(id.slot)
    }

    subscript(id: ConnectionID) -> Connection? {
        guard Int(id.slot) < slots.count, generations[Int(id.slot)] == id.generation else { return nil }
        return slots[Int(id.slot)]
    }

    /// The channel of that number on an open connection.
    subscript(id: ChannelID) -> Channel? { self[id.connection]?.channel(id.number) }

    /// All open connections, in slot order.
    var all: [Connection] { slots.compactMap { $0 } }
}
