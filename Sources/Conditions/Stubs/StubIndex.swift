import HTTPMessage
import Templates

/// The stubs of one API by what requests have to have: the method, and the literal segments of the path.
///
/// A lookup gives the places of the few stubs that a request can fit. Patterns that no key describes, such as regular
/// expressions and `**`, are looked at for every request.
struct StubIndex: Sendable {
    /// The literal segments of a path of a fixed length.
    struct Shape: Hashable, Sendable {
        let literals: [Bool]
    }

    private struct Key: Hashable, Sendable {
        let shape: Shape
        /// The literal segments, each ended by a NUL, which no path has.
        let text: String
        /// Empty for any method.
        let method: String
    }

    /// The ranks of stubs in order, and what they cost together.
    struct Bucket: Sendable {
        var ranks: [Int64] = []
        var load = MatchLoad()
        var bodyReaders = 0
        /// The measures of the answers, the largest of each.
        var filling = TemplateLoad()

        fileprivate mutating func note(_ spec: StubSpec) {
            load.add(spec.matcher)
            if spec.matcher.looksAtBody { bodyReaders += 1 }
            filling = filling.joined(with: spec.filling)
        }
    }

    private var shapes: [(shape: Shape, count: Int)] = []
    private var buckets: [Key: Bucket] = [:]
    private var others = Bucket()
    private(set) var count = 0
    /// The cost of all stubs that it ever had, as if a request could fit each of them.
    private var bound = Bucket()

    /// A bound of the cost of any lookup, since nothing that is removed is taken off it.
    var most: StubRegistry.Load {
        var most = StubRegistry.Load()
        most.matchers = bound.load
        most.looksAtBody = bound.bodyReaders > 0
        most.filling = bound.filling
        most.hasManyShapes = hasManyShapes
        return most
    }

    /// Tells whether a lookup alone takes long.
    var hasManyShapes: Bool { shapes.count > 200 }

    /// Adds a stub.
    mutating func add(_ spec: StubSpec, _ rank: Int64) {
        count += 1
        bound.note(spec)
        bound.load.addLookups(1)
        guard let (key, shape) = Self.key(of: spec) else { return Self.insert(spec, rank, into: &others) }
        if let place = shapes.firstIndex(where: { $0.shape == shape }) {
            shapes[place].count += 1
        } else {
            shapes.append((shape, 1))
        }
        Self.insert(spec, rank, into: &buckets[key, default: Bucket()])
    }

    /// Removes a stub.
    mutating func remove(_ spec: StubSpec, _ rank: Int64, rest: (Int64) -> StubSpec?) {
        count -= 1
        guard let (key, shape) = Self.key(of: spec) else { return Self.take(rank, outOf: &others, rest) }
        if let place = shapes.firstIndex(where: { $0.shape == shape }) {
            shapes[place].count -= 1
            if shapes[place].count == 0 { shapes.remove(at: place) }
        }
        guard var bucket = buckets.removeValue(forKey: key) else { return }
        Self.take(rank, outOf: &bucket, rest)
        if !bucket.ranks.isEmpty { buckets[key] = bucket }
    }

    /// The buckets that hold every stub which a request of that method and path can fit.
    func buckets(_ method: HTTPMethod, _ segments: [String]) -> [Bucket] {
        var found: [Bucket] = []
        for (shape, _) in shapes where shape.literals.count == segments.count {
            var text = ""
            for (place, isLiteral) in shape.literals.enumerated() where isLiteral {
                text += segments[place]
                text += "\0"
            }
            for name in [method.rawValue, ""] {
                if let bucket = buckets[Key(shape: shape, text: text, method: name)] { found.append(bucket) }
            }
        }
        if !others.ranks.isEmpty { found.append(others) }
        return found
    }

    /// The ranks of the stubs that a request of that path and of any usual method can fit, in their order.
    func ranks(forPath segments: [String]) -> [Int64] {
        let usual: [HTTPMethod] = [.get, .head, .post, .put, .patch, .delete, .options]
        // Stubs for any method are found with each.
        return Set(usual.flatMap { buckets($0, segments).flatMap(\.ranks) }).sorted()
    }

    private static func key(of spec: StubSpec) -> (Key, Shape)? {
        guard case .pattern(let pattern)? = spec.matcher.pathCondition, let parts = pattern.literals else { return nil }
        let shape = Shape(literals: parts.map { $0 != nil })
        let text = parts.compactMap { $0 }.reduce(into: "") { $0 += $1 + "\0" }
        return (Key(shape: shape, text: text, method: spec.matcher.method ?? ""), shape)
    }

    private static func insert(_ spec: StubSpec, _ rank: Int64, into bucket: inout Bucket) {
        bucket.ranks.insert(rank, at: bucket.ranks.place(of: rank))
        bucket.note(spec)
    }

    private static func take(_ rank: Int64, outOf bucket: inout Bucket, _ rest: (Int64) -> StubSpec?) {
        bucket.ranks.removeAll { $0 == rank }
        (bucket.load, bucket.bodyReaders, bucket.filling) = (MatchLoad(), 0, TemplateLoad())
        for rank in bucket.ranks {
            guard let spec = rest(rank) else { continue }
            bucket.note(spec)
        }
    }
}

extension [Int64] {
    /// The place of a rank, or that at which it would stand; the ranks are in order.
    func place(of rank: Int64) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < rank { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// The ranks of several buckets in one order.
struct RankMerge {
    private let lists: [[Int64]]
    private var places: [Int]

    init(_ lists: [[Int64]]) {
        self.lists = lists
        places = lists.map { _ in 0 }
    }

    /// The next rank; each is in one list only.
    mutating func next() -> Int64? {
        var best: (list: Int, rank: Int64)?
        for (list, ranks) in lists.enumerated() where places[list] < ranks.count {
            let rank = ranks[places[list]]
            if best.map({ rank < $0.rank }) ?? true { best = (list, rank) }
        }
        guard let best else { return nil }
        places[best.list] += 1
        return best.rank
    }
}
