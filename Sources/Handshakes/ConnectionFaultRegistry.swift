import Basics

/// The connection faults of the process, with their counts: a value without I/O.
package struct ConnectionFaultRegistry: Sendable {
    /// A connection whose ClientHello has been read.
    package struct Subject: Hashable, Sendable {
        /// The API of the port, or `hub`.
        package var api: String
        package var serverName: String?
        /// The numeric address of the client.
        package var peer: String

        package init(api: String, serverName: String?, peer: String) {
            self.api = api
            self.serverName = serverName
            self.peer = peer
        }
    }

    package struct Entry: Sendable {
        /// The id, such as `cfl_1`.
        package let id: String
        package let fault: ConnectionFault
        /// The number of connections that it has acted on.
        package fileprivate(set) var hits = 0
        fileprivate let number: UInt64
        fileprivate var matches = 0
        fileprivate var draws: UInt64 = 0
    }

    /// The most faults at a time.
    package static let capacity = 1_000

    /// The faults in the order in which they were added.
    package private(set) var entries: [Entry] = []
    private var nextNumber: UInt64 = 1
    private let seed: UInt64

    package init(seed: UInt64) { self.seed = seed }

    /// Adds a fault and returns its entry; nil if there are `capacity` already.
    package mutating func add(_ fault: ConnectionFault, capacity: Int = capacity) -> Entry? {
        guard entries.count < capacity else { return nil }
        let entry = Entry(id: "cfl_\(nextNumber)", fault: fault, number: nextNumber)
        nextNumber += 1
        entries.append(entry)
        return entry
    }

    /// Removes a fault and returns it; nil for an unknown id.
    package mutating func remove(_ id: String) -> ConnectionFault? {
        guard let place = entries.firstIndex(where: { $0.id == id }) else { return nil }
        return entries.remove(at: place).fault
    }

    package mutating func removeAll() { entries = [] }

    /// Returns the first fault that acts on a connection, and counts it.
    package mutating func decide(_ subject: Subject) -> Entry? {
        for place in entries.indices where entries[place].fault.match.covers(subject) {
            let when = entries[place].fault.when
            guard when.times.map({ entries[place].hits < $0 }) ?? true else { continue }
            let number = entries[place].matches
            entries[place].matches += 1
            guard number >= when.skip, (number - when.skip).isMultiple(of: when.every), draw(place) else { continue }
            entries[place].hits += 1
            return entries[place]
        }
        return nil
    }

    private mutating func draw(_ place: Int) -> Bool {
        let probability = entries[place].fault.when.probability
        guard probability < 1 else { return true }
        var stream = ConnectionRandom(seed: seed, purpose: entries[place].number, ordinal: entries[place].draws)
        entries[place].draws += 1
        return stream.fraction() < probability
    }
}

extension ConnectionFault.Match {
    /// Tells whether the fault looks at a connection.
    package func covers(_ subject: ConnectionFaultRegistry.Subject) -> Bool {
        guard covers(api: subject.api), peer == nil || peer == subject.peer else { return false }
        guard let serverName else { return true }
        guard let asked = subject.serverName else { return false }
        return Glob.matches(serverName.lowercased(), asked.lowercased())
    }

    /// Tells whether the fault looks at the connections of a port.
    package func covers(api: String) -> Bool {
        guard let own = self.api else { return api != ConnectionFault.hub }
        return own == api
    }
}
