/// A dictionary cut into small shards, so that the first write to a copy costs one shard and not the whole.
/// Keys are compared byte by byte.
///
/// It has no order and no way to walk through it: nothing that depends on a process's hash seed can reach an output.
package struct ShardedMap<Value: Sendable>: Sendable {
    private static var rowsPerShard: Int { 24 }

    private var shards: [[ExactText: Value]] = [[:]]
    package private(set) var count = 0

    package init() {}

    package subscript(key: String) -> Value? {
        get { shards[shard(of: key)][ExactText(key)] }
        set {
            let place = shard(of: key)
            let before = shards[place].count
            shards[place][ExactText(key)] = newValue
            count += shards[place].count - before
            if count > shards.count * Self.rowsPerShard { grow() }
        }
    }

    /// Changes a value in place; `initial` takes the place of a missing one.
    package mutating func update<Result>(_ key: String, default initial: Value, _ change: (inout Value) -> Result) -> Result {
        if self[key] == nil { self[key] = initial }
        return change(&shards[shard(of: key)][ExactText(key), default: initial])
    }

    private func shard(of key: String) -> Int {
        guard shards.count > 1 else { return 0 }
        return Int(truncatingIfNeeded: key.fnv1a64 >> 20) & (shards.count - 1)
    }

    private mutating func grow() {
        let old = shards
        shards = Array(repeating: [:], count: old.count * 4)
        for (key, value) in old.joined() { shards[shard(of: key.text)][key] = value }
    }
}
