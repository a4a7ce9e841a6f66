/// The cheapest way to read the segments of a path as the parts of a template: the edit distance of segments.
struct RouteAlignment: Sendable {
    /// A template's segment; a literal by its place in a list of all of them.
    enum Part: Sendable {
        case literal(Int)
        case any
        case rest
    }

    /// One step of the way, with places in the path and in the template.
    enum Step: Sendable {
        case pair(segment: Int, part: Int)
        case surplus(segment: Int, isPrefix: Bool)
        case missing(part: Int, isPrefix: Bool)
    }

    /// Costs of one step.
    ///
    /// A forgotten prefix is cheap, since it is the likeliest mistake, but only where a literal that
    /// fits follows it; a wrong segment costs less than one left out and another put in.
    enum Cost {
        static let prefix = 3
        static let skipped = 10
        static let typo = 2
        static let wrong = 12
        static let parameter = 1
    }

    /// The cost of reading each segment as each literal.
    private let distances: [[Int]]
    private let parts: [Part]
    /// The least costs of reading the first i segments as the first j parts.
    private var costs: [[Int]]

    init(_ distances: [[Int]], _ parts: [Part]) {
        self.distances = distances
        self.parts = parts
        costs = [[Int]](repeating: [Int](repeating: 0, count: parts.count + 1), count: distances.count + 1)
        for i in 0...distances.count {
            for j in 0...parts.count where i + j > 0 {
                costs[i][j] = min(pairCost(i, j) ?? .max, surplusCost(i, j) ?? .max, missingCost(i, j) ?? .max)
            }
        }
    }

    /// The cost of the whole alignment.
    var cost: Int { (costs.last?.last ?? 0) + discount(distances.count, parts.count) }

    /// The steps from the start of the path.
    var steps: [Step] {
        var steps: [Step] = []
        var i = distances.count
        var j = parts.count
        while i > 0 || j > 0 {
            if pairCost(i, j) == costs[i][j] {
                i -= 1
                j -= 1
                steps.append(.pair(segment: i, part: j))
            } else if surplusCost(i, j) == costs[i][j] {
                i -= 1
                // A rest takes any number of segments.
                if !isRest(before: j) { steps.append(.surplus(segment: i, isPrefix: j == 0)) }
            } else {
                j -= 1
                steps.append(.missing(part: j, isPrefix: i == 0))
            }
        }
        return steps.reversed()
    }

    private func pairCost(_ i: Int, _ j: Int) -> Int? {
        guard i > 0, j > 0 else { return nil }
        guard case .literal(let place) = parts[j - 1] else {
            return costs[i - 1][j - 1] + Cost.parameter + discount(i - 1, j - 1)
        }
        let distance = distances[i - 1][place]
        return costs[i - 1][j - 1] + distance + (distance < Cost.wrong ? 0 : discount(i - 1, j - 1))
    }

    private func surplusCost(_ i: Int, _ j: Int) -> Int? {
        guard i > 0 else { return nil }
        if j == 0 { return costs[i - 1][0] + Cost.prefix }
        return costs[i - 1][j] + (isRest(before: j) ? 0 : Cost.skipped) + discount(i - 1, j)
    }

    private func missingCost(_ i: Int, _ j: Int) -> Int? {
        guard j > 0 else { return nil }
        if i == 0 { return costs[0][j - 1] + Cost.prefix }
        return costs[i][j - 1] + Cost.skipped + discount(i, j - 1)
    }

    private func isRest(before j: Int) -> Bool {
        guard j > 0, case .rest = parts[j - 1] else { return false }
        return true
    }

    /// The cost saved by taking everything so far for a prefix; it is due when no fitting literal follows.
    private func discount(_ i: Int, _ j: Int) -> Int {
        i == 0 || j == 0 ? (i + j) * (Cost.skipped - Cost.prefix) : 0
    }
}
