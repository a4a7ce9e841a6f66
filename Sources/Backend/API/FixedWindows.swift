package import CivilTime

/// Fixed-window rate limits by key.
///
/// The first counted request of a key opens its window, which has ended when now is strictly later than its end.
package struct FixedWindows: Sendable {
    package struct Count: Sendable, Equatable {
        package var used: Int
        package var end: Instant

        package init(used: Int, end: Instant) {
            self.used = used
            self.end = end
        }
    }

    /// A window in its stored form; without a key it is the floor of all keys.
    struct Line: Sendable, Codable {
        var key: String?
        var used: Int
        var end: Instant
    }

    /// The number of keys at which ended windows are swept out, so that invented keys can't fill the memory.
    private static let sweepAt = 4_096

    /// The highest count; a window that has seen more counts as this full.
    static let mostUsed = Int(Int32.max)

    private var windows: [ExactText: Count] = [:]
    /// The use that counts for every key until an instant, known or not.
    private var floor: Count?
    /// The keys whose windows have changed since the changes were last taken; nil while nothing tracks them.
    var changes: RowChanges?

    package init() {}

    /// Counts one request and returns the updated window.
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

    /// Returns the open window of a key; nil if there is none.
    package func current(_ key: String, now: Instant) -> Count? {
        windows[ExactText(key)].flatMap { now <= $0.end ? $0 : nil }
    }

    /// Removes every window.
    package mutating func removeAll() {
        windows.removeAll()
        floor = nil
        noteAll()
    }

    /// Sets the use of every key, known or not, in a window that ends then.
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
    /// All windows: the floor first, then by key.
    var lines: [Line] {
        var lines = floor.map { [Line(key: nil, used: $0.used, end: $0.end)] } ?? []
        for (key, count) in windows.sorted(by: { $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8) }) {
            lines.append(Line(key: key.text, used: count.used, end: count.end))
        }
        return lines
    }

    /// Returns the window of one key.
    func line(_ key: String) -> Line? { windows[ExactText(key)].map { Line(key: key, used: $0.used, end: $0.end) } }

    /// Writes one window.
    mutating func put(_ line: Line) {
        let count = Count(used: line.used, end: line.end)
        if let key = line.key {
            windows[ExactText(key)] = count
            changes?.note(key)
        } else {
            floor = count
            noteAll()
        }
    }

    /// Removes the window of a key, or the floor.
    mutating func remove(_ key: String?) {
        if let key {
            windows[ExactText(key)] = nil
            changes?.note(key)
        } else {
            floor = nil
            noteAll()
        }
    }

    init(_ lines: [Line]) {
        for line in lines {
            let count = Count(used: line.used, end: line.end)
            if let key = line.key { windows[ExactText(key)] = count } else { floor = count }
        }
    }

    /// Stores windows, and removes those that were stored under the names in `gone`.
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
