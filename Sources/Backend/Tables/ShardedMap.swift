/// A dictionary divided into small shards, so that the first write to a copy costs one shard and not the whole.
///
/// Keys are compared byte by byte.
///
/// It has no order and can't be iterated, so nothing that depends on a process's hash seed can reach an output.
public struct ShardedMap<Value: Sendable>: Sendable {
    @inlinable static var rowsPerShard: Int { 16 }

    @usableFromInline var shards: SharedList<[ExactText: Value]>
    /// The number of keys.
    public var count = 0

    /// Creates an empty map.
    @inlinable public init() {
        shards = SharedList()
        shards.append([:])
    }

    /// The value of a key; nil removes it.
    @inlinable public subscript(key: String) -> Value? {
        get {
            let key = ExactText(key)
            return shards[shard(of: key)][key]
        }
        set {
            let key = ExactText(key)
            let place = shard(of: key)
            let before = shards[place].count
            shards[place][key] = newValue
            count += shards[place].count - before
            if count > shards.count * Self.rowsPerShard { grow() }
        }
    }

    /// Changes a value in place; `initial` replaces a missing one.
    @inlinable public mutating func update<Result>(
        _ key: String,
        default initial: Value,
        _ change: (inout Value) -> Result
    )
        -> Result
    {
        if self[key] == nil { self[key] = initial }
        let key = ExactText(key)
        return change(&shards[shard(of: key)][key, default: initial])
    }

    /// Returns the shard of a key.
    ///
    /// A shard that is not split yet has the keys of both of its halves.
    @inlinable func shard(of key: ExactText) -> Int {
        let hash = Int(truncatingIfNeeded: key.fingerprint >> 20)
        let place = hash & (2 * splitEnd - 1)
        return place < shards.count ? place : hash & (splitEnd - 1)
    }

    /// The number of shards when the present round of splitting began: a power of two.
    @inlinable var splitEnd: Int { 1 << (Int.bitWidth - 1 - shards.count.leadingZeroBitCount) }

    /// Splits one shard, so that no write costs more than that, however many keys there are.
    @inlinable mutating func grow() {
        let old = shards.count - splitEnd
        let keys = shards[old]
        shards[old] = [:]
        shards.append([:])
        for (key, value) in keys { shards[shard(of: key)][key] = value }
    }
}
