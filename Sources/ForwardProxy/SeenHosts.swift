package import CivilTime

/// The hosts that clients asked the proxy for (proxy contract, section 7).
package struct SeenHosts: Sendable {
    /// The outcome of the last request for a host.
    package enum Outcome: String, CaseIterable, Sendable {
        case api, tunnelled, forwarded, refused, unreachable
        case tlsRefused = "tls-refused"
    }

    /// A host, a port and a world.
    package struct Key: Hashable, Sendable {
        package let host: String
        package let port: Int
        package let world: String

        package init(host: String, port: Int, world: String) {
            self.host = host
            self.port = port
            self.world = world
        }
    }

    /// One request or tunnel as it is noted.
    package struct Sight: Sendable {
        package var key: Key
        package var outcome: Outcome
        package var api: String?
        /// Tells that it is neither mapped nor named by `--tunnel`.
        package var isOther: Bool
        package var isTunnel: Bool
        /// The type of the problem of a refusal.
        package var reason: String?
        package var advice: String?

        package init(_ key: Key, _ outcome: Outcome, isTunnel: Bool, isOther: Bool = false) {
            self.key = key
            self.outcome = outcome
            self.isTunnel = isTunnel
            self.isOther = isOther
        }
    }

    package struct Item: Equatable, Sendable {
        package let key: Key
        package var outcome: Outcome
        package var api: String?
        package var isOther: Bool
        package var requests = 0
        package var tunnels = 0
        package let firstSeen: Instant
        package var lastSeen: Instant
        package var reason: String?
        package var advice: String?
    }

    package static let capacity = 1_000

    private var items: [Key: Item] = [:]
    /// The keys, the one seen last at the end.
    private var order: [Key] = []
    /// The other hosts that the clients of worlds asked for, those included that were cleared.
    package private(set) var others: [Key] = []

    package init() {}

    /// Notes a sight; returns the item if it is new or its outcome has changed.
    @discardableResult
    package mutating func note(_ sight: Sight, at now: Instant) -> Item? {
        if sight.isOther, others.count < Self.capacity, !others.contains(sight.key) { others.append(sight.key) }
        let former = items[sight.key]
        var item =
            former
            ?? Item(key: sight.key, outcome: sight.outcome, isOther: sight.isOther, firstSeen: now, lastSeen: now)
        item.outcome = sight.outcome
        item.api = sight.api ?? (sight.outcome == .tlsRefused ? item.api : nil)
        item.isOther = sight.isOther
        if sight.outcome != .tlsRefused {
            if sight.isTunnel { item.tunnels += 1 } else { item.requests += 1 }
        }
        item.lastSeen = now
        item.reason = sight.reason
        item.advice = sight.advice
        if former == nil { makeRoom() }
        items[sight.key] = item
        if order.last != sight.key {
            if former != nil { order.removeAll { $0 == sight.key } }
            order.append(sight.key)
        }
        return former?.outcome == sight.outcome ? nil : item
    }

    /// Removes an item where the list is full: the oldest that is mapped, else the oldest.
    private mutating func makeRoom() {
        guard order.count >= Self.capacity else { return }
        let place = order.firstIndex { items[$0]?.api != nil } ?? 0
        items[order.remove(at: place)] = nil
    }

    /// Returns the items, those seen last first.
    package func list(world: String? = nil, othersOnly: Bool = false) -> [Item] {
        order.reversed().compactMap { items[$0] }.filter {
            (world == nil || $0.key.world == world) && (!othersOnly || $0.isOther)
        }
    }

    /// Removes the items of a world, or all; what `exec` judges stays.
    package mutating func clear(world: String? = nil) {
        guard let world else {
            items = [:]
            order = []
            return
        }
        order.removeAll { $0.world == world }
        items = items.filter { $0.key.world != world }
    }
}
