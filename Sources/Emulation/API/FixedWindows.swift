package import CivilTime

/// Fixed-window rate limits by key.
///
/// The window of a key is opened by its first counted request; it has ended when now is strictly later than its end.
package struct FixedWindows: Sendable {
    package struct Count: Sendable, Equatable {
        package var used: Int
        package var end: Instant

        package init(used: Int, end: Instant) {
            self.used = used
            self.end = end
        }
    }

    /// A window as it is kept outside of the process; without a key it is the floor of all keys.
    struct Line: Sendable, Codable {
        var key: String?
        var used: Int
        var end: Instant
    }

    /// Ended windows are swept out when this many keys have come together, so that invented keys can't fill the memory.
    private static let sweepAt = 4_096

    /// The most that is counted: a window that has seen more is as full.
    static let mostUsed = Int(Int32.max)

    private var windows: [ExactText: Count] = [:]
    /// What every key has used already until an instant, whether or not it was ever seen.
    private var floor: Count?
    /// The keys whose windows have changed since somebody last took note; nil while nobody does.
    var changes: RowChanges?

    package init() {}

    /// Counts one request and answers the window as it then stands.
    package mutating func count(_ key: String, length: Interval, now: Instant) -> Count {
        changes?.note(key)
        let key = ExactText(key)
        if var window = windows[key], now <= window.end, window.end - now <= length {
            window.used = min(window.used, Self.mostUsed - 1) + 1
            windows[key] = window
            return window
        }
        if windows.count >= Self.sweepAt {
            windows = windows.filter { now <= $0.value.end }
            if windows.count >= Self.sweepAt { windows.removeAll() }
            noteAll()
        }
        var window = Count(used: 1, end: now + length)
        if let floor, now <= floor.end, floor.end - now <= length {
            window = Count(used: min(floor.used, Self.mostUsed - 1) + 1, end: floor.end)
        }
        windows[key] = window
        return window
    }

    /// The present window of a key; nil if none is open.
    package func current(_ key: String, now: Instant) -> Count? {
        windows[ExactText(key)].flatMap { now <= $0.end ? $0 : nil }
    }

    /// Forgets every window.
    package mutating func removeAll() {
        windows.removeAll()
        floor = nil
        noteAll()
    }

    /// Makes every key, known or not, have used that much in a window that ends then.
    package mutating func spend(_ used: Int, until end: Instant) {
        windows.removeAll()
        floor = Count(used: min(max(used, 0), Self.mostUsed), end: end)
        noteAll()
    }

    private mutating func noteAll() {
        if changes != nil { changes = RowChanges(isWhole: true) }
    }
}

extension FixedWindows {
    /// Every window: the floor first, then by key.
    var lines: [Line] {
        var lines = floor.map { [Line(key: nil, used: $0.used, end: $0.end)] } ?? []
        for (key, count) in windows.sorted(by: { $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8) }) {
            lines.append(Line(key: key.text, used: count.used, end: count.end))
        }
        return lines
    }

    /// The window of one key.
    func line(_ key: String) -> Line? { windows[ExactText(key)].map { Line(key: key, used: $0.used, end: $0.end) } }

    init(_ lines: [Line]) {
        for line in lines {
            let count = Count(used: line.used, end: line.end)
            if let key = line.key { windows[ExactText(key)] = count } else { floor = count }
        }
    }

    /// Puts windows, and takes those out that were stored under these names.
    mutating func amend(_ lines: [Line], gone: [String]) {
        for id in gone {
            if id.utf8.first == UInt8(ascii: "k") {
                windows[ExactText(String(id.dropFirst()))] = nil
            } else {
                floor = nil
            }
        }
        for line in lines {
            let count = Count(used: line.used, end: line.end)
            if let key = line.key { windows[ExactText(key)] = count } else { floor = count }
        }
    }
}
