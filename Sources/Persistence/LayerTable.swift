import Worlds

/// The table of a store's layers: the parent of each, and the worlds and snapshots that refer to it.
struct LayerTable: Sendable {
    struct Layer: Sendable {
        var parent: Int?
        /// The number of layers above it.
        var children = 0
        /// The number of worlds and snapshots that refer to it.
        var holders = 0
        /// The approximate amount that was written to it; 0 if nothing was.
        var size = 0
        /// The number below which journal entries underneath do not count.
        var below: Int64 = 0
        /// The digest of its content if it is that of a seed.
        ///
        /// Such a layer is on no other one, stays as it is, and is kept while a layer is on it.
        var seed: String?
    }

    /// The content of a row of a world or a snapshot, besides its layer.
    struct Holder: Sendable, Equatable {
        var owner: Int?
        var name: String
        var facts: [UInt8]
    }

    private(set) var layers: [Int: Layer] = [:]
    private(set) var tops: [Int: Int] = [:]
    private(set) var holders: [Int: Holder] = [:]
    /// The layers of the seeds that worlds may branch off, by their keys among the steps.
    private(set) var seeds: [Int: Int] = [:]
    /// Layers that may be unused, the one to check first at the end.
    private(set) var candidates: [Int] = []
    private var lastLayer = -1
    /// The values from before the present transaction.
    private var formerLayers: [Int: Layer?] = [:]
    private var formerTops: [Int: Int?] = [:]
    private var formerHolders: [Int: Holder?] = [:]
    private var formerSeeds: [Int: Int]?

    // MARK: Transactions

    mutating func commit() {
        formerLayers = [:]
        formerTops = [:]
        formerHolders = [:]
        formerSeeds = nil
    }

    mutating func rollBack() {
        for (key, former) in formerLayers { layers[key] = former }
        for (key, former) in formerTops { tops[key] = former }
        for (key, former) in formerHolders { holders[key] = former }
        if let formerSeeds { seeds = formerSeeds }
        candidates += formerLayers.keys.sorted()
        commit()
    }

    private mutating func set(_ key: Int, _ layer: Layer?) {
        if formerLayers.index(forKey: key) == nil { formerLayers.updateValue(layers[key], forKey: key) }
        layers[key] = layer
    }

    private mutating func change(_ key: Int?, _ work: (inout Layer) -> Void) {
        guard let key, var layer = layers[key] else { return }
        work(&layer)
        set(key, layer)
    }

    // MARK: Changes

    /// Adds a layer on another one, or on none, and returns its key.
    mutating func add(on parent: Int?) -> Int {
        lastLayer += 1
        set(lastLayer, Layer(parent: parent))
        change(parent) { $0.children += 1 }
        return lastLayer
    }

    /// Sets the layer of a world or a snapshot; nil if it is gone.
    mutating func put(_ key: Int, on layer: Int?) {
        let former = tops[key]
        guard former != layer else { return }
        if formerTops.index(forKey: key) == nil { formerTops.updateValue(former, forKey: key) }
        tops[key] = layer
        change(layer) { $0.holders += 1 }
        change(former) { $0.holders -= 1 }
        if let former { candidates.append(former) }
    }

    mutating func put(_ key: Int, _ holder: Holder?) {
        if formerHolders.index(forKey: key) == nil { formerHolders.updateValue(holders[key], forKey: key) }
        holders[key] = holder
    }

    // MARK: Seeds

    /// Marks a layer as that of a seed with that digest; nil if it is none any more.
    mutating func mark(_ key: Int, seed: String?) { change(key) { $0.seed = seed } }

    /// Returns the layer of the seed with that digest.
    func layer(ofSeed digest: String) -> Int? { layers.first { $0.value.seed == digest }?.key }

    /// Sets the layer of a seed, and forgets all seeds but those.
    mutating func put(seed key: Int, on layer: Int, live: [Int]) {
        formerSeeds = formerSeeds ?? seeds
        let former = seeds
        seeds = seeds.filter { live.contains($0.key) }
        seeds[key] = layer
        candidates += former.filter { seeds[$0.key] == nil }.map(\.value).sorted()
    }

    mutating func grow(_ key: Int, by count: Int) { change(key) { $0.size += count } }

    mutating func shrink(_ key: Int, by count: Int) { change(key) { $0.size = max(1, $0.size - count) } }

    mutating func raise(_ key: Int, below: Int64) { change(key) { $0.below = max($0.below, below) } }

    /// Changes the parent of a layer.
    mutating func move(_ key: Int, on parent: Int?) {
        let former = layers[key]?.parent
        change(key) { $0.parent = parent }
        change(parent) { $0.children += 1 }
        change(former) { $0.children -= 1 }
        if let former { candidates.append(former) }
    }

    /// Removes a layer that nothing refers to.
    mutating func remove(_ key: Int) {
        let parent = layers[key]?.parent
        set(key, nil)
        change(parent) { $0.children -= 1 }
        if let parent { candidates.append(parent) }
    }

    // MARK: Layers of no use

    /// The use of a layer.
    enum Use { case needed, unused, only(child: Int) }

    func use(of key: Int) -> Use {
        guard let layer = layers[key], layer.holders == 0, layer.children < 2 else { return .needed }
        guard layer.seed == nil else {
            return layer.children > 0 || seeds.values.contains(key) ? .needed : .unused
        }
        guard layer.children == 1 else { return .unused }
        // This is rare enough for a search.
        guard let child = layers.first(where: { $0.value.parent == key }),
            child.value.holders + child.value.children > 0
        else { return .needed }
        return .only(child: child.key)
    }

    mutating func dropCandidate() { candidates.removeLast() }

    /// Returns the lowest layer under a layer, which may be that one.
    func root(of key: Int) -> Int {
        var key = key
        while let parent = layers[key]?.parent { key = parent }
        return key
    }

    func children(of key: Int) -> [Int] { layers.filter { $0.value.parent == key }.map(\.key).sorted() }

    func holders(of key: Int) -> [Int] { tops.filter { $0.value == key }.map(\.key).sorted() }

    // MARK: Reading

    mutating func restore(layer key: Int, on parent: Int?) {
        layers[key] = Layer(parent: parent)
        lastLayer = max(lastLayer, key)
    }

    mutating func restore(_ key: Int, _ holder: Holder) { holders[key] = holder }

    /// Counts the references to every layer.
    ///
    /// Returns those needed, each after its parent, or nil if one is missing.
    mutating func settle(_ worlds: [StoredWorld]) -> [Int]? {
        var children: [Int: [Int]] = [:]
        for (key, layer) in layers.sorted(by: { $0.key < $1.key }) {
            guard let parent = layer.parent else { continue }
            guard layers[parent] != nil else { return nil }
            layers[parent]?.children += 1
            children[parent, default: []].append(key)
        }
        var needed: Set<Int> = []
        for world in worlds {
            guard layers[world.layer] != nil else { return nil }
            tops[world.key] = world.layer
            layers[world.layer]?.holders += 1
            var key: Int? = world.layer
            while let found = key, needed.insert(found).inserted { key = layers[found]?.parent }
        }
        var order: [Int] = []
        var next = layers.filter { $0.value.parent == nil }.keys.sorted(by: >)
        while let key = next.popLast() {
            if needed.contains(key) { order.append(key) }
            next += (children[key] ?? []).reversed()
        }
        // A layer that is its own ancestor was not reached.
        guard order.count == needed.count else { return nil }
        let idle = layers.filter { $0.value.holders == 0 && $0.value.children < 2 }
        candidates = idle.sorted { ($1.value.children, $0.key) < ($0.value.children, $1.key) }.map(\.key)
        // The size of layers that were not read is unknown.
        for key in idle.keys where !needed.contains(key) { layers[key]?.size = 1 }
        commit()
        return order
    }
}
