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

        /// `HOST:PORT`.
        package var text: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
    }

    /// One request or tunnel as it is noted.
    package struct Sight: Sendable {
        package var key: Key
        package var outcome: Outcome
        package var api: String?
        /// Tells that it is neither mapped nor named by `--tunnel`.
        package var isOther: Bool
        package var isTunnel: Bool
        package var method: String
        /// The type of the problem of a refusal.
        package var reason: String?
        package var advice: String?

        package init(
            _ key: Key,
            _ outcome: Outcome,
            isTunnel: Bool,
            isOther: Bool = false,
            method: String = "CONNECT"
        ) {
            self.key = key
            self.outcome = outcome
            self.isTunnel = isTunnel
            self.isOther = isOther
            self.method = method
        }
    }

    package struct Item: Equatable, Sendable {
        package let key: Key
        package var outcome: Outcome
        package var api: String?
        package var isOther: Bool
        /// The method of the first request.
        package let method: String
        package var requests = 0
        package var tunnels = 0
        package let firstSeen: Instant
        package var lastSeen: Instant
        package var reason: String?
        package var advice: String?

        /// The number of requests and tunnels.
        package var count: Int { requests + tunnels }

        fileprivate mutating func take(_ sight: Sight, at now: Instant) {
            outcome = sight.outcome
            api = sight.api ?? (sight.outcome == .tlsRefused ? api : nil)
            isOther = sight.isOther
            if sight.outcome != .tlsRefused {
                if sight.isTunnel { tunnels += 1 } else { requests += 1 }
            }
            lastSeen = now
            reason = sight.reason
            advice = sight.advice
        }
    }

    package static let capacity = 1_000

    /// An item with the turn of its last sight, by which items are ordered.
    private struct Slot {
        var item: Item
        var turn: Int
    }

    private var slots: [Slot] = []
    private var places: [Key: Int] = [:]
    private var turn = 0
    /// The other hosts that the clients of worlds asked for, those included that were cleared.
    package private(set) var others: [Key] = []
    private var knownOthers: Set<Key> = []

    package init() {}

    /// Notes a sight; returns the item if it is new or its outcome has changed.
    @discardableResult
    package mutating func note(_ sight: Sight, at now: Instant) -> Item? {
        if sight.isOther, others.count < Self.capacity, knownOthers.insert(sight.key).inserted {
            others.append(sight.key)
        }
        turn += 1
        let known = places[sight.key]
        let place = known ?? place(for: sight, at: now)
        let former = known.map { slots[$0].item.outcome }
        slots[place].turn = turn
        slots[place].item.take(sight, at: now)
        return former == sight.outcome ? nil : slots[place].item
    }

    /// Makes an item of a host that is not listed.
    private mutating func place(for sight: Sight, at now: Instant) -> Int {
        let item = Item(
            key: sight.key,
            outcome: sight.outcome,
            isOther: sight.isOther,
            method: sight.method,
            firstSeen: now,
            lastSeen: now
        )
        let slot = Slot(item: item, turn: turn)
        let place = freedPlace() ?? slots.count
        if place == slots.count { slots.append(slot) } else { slots[place] = slot }
        places[sight.key] = place
        return place
    }

    /// Frees a place where the list is full: that of the oldest item that is mapped, else of the oldest.
    private mutating func freedPlace() -> Int? {
        guard slots.count >= Self.capacity else { return nil }
        var oldest = 0
        var oldestMapped: Int?
        for place in slots.indices {
            if slots[place].turn < slots[oldest].turn { oldest = place }
            guard slots[place].item.api != nil else { continue }
            if oldestMapped.map({ slots[place].turn < slots[$0].turn }) ?? true { oldestMapped = place }
        }
        let place = oldestMapped ?? oldest
        places[slots[place].item.key] = nil
        return place
    }

    /// Returns the items, those seen last first.
    package func list(world: String? = nil, othersOnly: Bool = false) -> [Item] {
        slots.filter { (world == nil || $0.item.key.world == world) && (!othersOnly || $0.item.isOther) }
            .sorted { $0.turn > $1.turn }.map(\.item)
    }

    /// Removes the items of a world, or all; what `exec` judges stays.
    package mutating func clear(world: String? = nil) {
        slots.removeAll { world == nil || $0.item.key.world == world }
        places = [:]
        for (place, slot) in slots.enumerated() { places[slot.item.key] = place }
    }
}
