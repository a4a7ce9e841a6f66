/// Nanoseconds of work, as medians, so that a moment in which the machine did something else does not count.
struct Stopwatch {
    private let clock = ContinuousClock()
    private var samples: [Double] = []

    /// Adds one sample: the time of the work, divided by how many times it was done.
    mutating func time<Result>(per count: Int = 1, _ work: () -> Result) -> Result {
        let start = clock.now
        let result = work()
        let length = (clock.now - start).components
        samples.append((Double(length.seconds) * 1e9 + Double(length.attoseconds) / 1e9) / Double(count))
        return result
    }

    var median: Double {
        guard !samples.isEmpty else { return 0 }
        return samples.sorted()[samples.count / 2]
    }

    /// Prints `NAME NANOSECONDS`, which `Benchmarks/bench/micro.py` reads.
    func report(_ name: String) { print(name, Int(median.rounded())) }
}
