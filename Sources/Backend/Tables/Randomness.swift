/// All randomness of a world: a stream for each purpose, with each use numbered.
package struct Randomness: Sendable {
    package let seed: UInt64
    package private(set) var counters = Counters()
    /// A salt for things that are made outside a running world, where all counters begin anew.
    package var salt: UInt64 = 0

    package init(seed: UInt64) { self.seed = seed }

    /// Continues from those counters.
    package init(seed: UInt64, counters: Counters) {
        self.seed = seed
        self.counters = counters
    }

    /// Purposes whose draws leave nothing behind that a client could hold.
    private static let passing: Set<String> = ["faults", "latency"]

    /// The number of streams whose results a client may hold, so that they must not be drawn again.
    package private(set) var lasting: UInt64 = 0

    /// Returns the stream for the next use of that purpose.
    package mutating func stream(_ purpose: String) -> SeededStream {
        if !Self.passing.contains(purpose) { lasting += 1 }
        return streamed(purpose)
    }

    /// Returns a new text of a purpose, skipping those that are taken.
    ///
    /// Only an imported world can have counted less than it holds. The number of skipped ordinals then doubles with
    /// each taken text, so that a full table costs only a few tries.
    package mutating func unused(
        _ purpose: String,
        _ make: (inout SeededStream) -> String,
        isTaken: (String) -> Bool
    ) -> String {
        var leap: UInt64 = 0
        while true {
            var stream = stream(purpose)
            let text = make(&stream)
            if !isTaken(text) { return text }
            counters.skip(leap, purpose)
            leap = min(leap * 2 + 1, 1 << 20)
        }
    }

    /// Notes that a client may hold a number that was counted beside the streams.
    package mutating func noteCount() { lasting += 1 }

    private mutating func streamed(_ purpose: String) -> SeededStream {
        SeededStream(seed: seed ^ salt, purpose: purpose, ordinal: counters.next(purpose))
    }

    /// Returns the stream for the next use of a purpose that every API counts for itself.
    package mutating func stream(_ purpose: String, of api: String) -> SeededStream {
        lasting += 1
        return SeededStream(seed: seed ^ salt, purpose: purpose, ordinal: counters.next("\(api).\(purpose)"))
    }

    /// Returns the counters of the streams of one API.
    package func lines(of api: String) -> [Counters.Line] { counters.lines(of: api) }

    /// Continues the streams of one API from those of a copy.
    package mutating func adopt(_ copy: Randomness, of api: String) {
        counters.adopt(copy.counters, of: api)
        lasting += 1
    }

    /// Restarts the streams of one API.
    package mutating func restart(_ api: String) {
        counters.remove(of: api)
        lasting += 1
    }
}

/// Numbers that count up from 1, one line for each name.
package struct Counters: Sendable {
    package struct Line: Sendable, Codable, Equatable {
        package var name: String
        package var value: UInt64

        package init(name: String, value: UInt64) {
            self.name = name
            self.value = value
        }
    }

    package private(set) var rows: [Line] = []

    package init() {}

    package init(_ rows: [Line]) { self.rows = rows }

    /// Increments a counter and returns the new number.
    package mutating func next(_ name: String) -> UInt64 {
        if let place = rows.firstIndex(where: { $0.name == name }) {
            rows[place].value += 1
            return rows[place].value
        }
        rows.append(Line(name: name, value: 1))
        return 1
    }

    /// Skips so many numbers of an existing line.
    mutating func skip(_ count: UInt64, _ name: String) {
        guard let place = rows.firstIndex(where: { $0.name == name }) else { return }
        rows[place].value += count
    }

    package func lines(of api: String) -> [Line] { rows.filter { $0.name.hasPrefix(api + ".") } }

    mutating func set(_ line: Line) {
        if let place = rows.firstIndex(where: { $0.name == line.name }) {
            rows[place] = line
        } else {
            rows.append(line)
        }
    }

    /// Continues the lines of one API from those of a copy.
    package mutating func adopt(_ copy: Counters, of api: String) {
        for line in copy.lines(of: api) { set(line) }
    }

    package func holds(_ name: String) -> Bool { rows.contains { $0.name == name } }

    /// Removes a line.
    package mutating func remove(_ name: String) { rows.removeAll { $0.name == name } }

    /// Removes the lines of one API, whose names begin with its own.
    package mutating func remove(of api: String) { rows.removeAll { $0.name.hasPrefix(api + ".") } }

    /// Returns the last number issued; 0 before the first.
    package func last(_ name: String) -> UInt64 { rows.first { $0.name == name }?.value ?? 0 }
}
