/// An error in an archive, with its place.
package struct HARError: Error, Sendable, Equatable {
    /// The line, from 1.
    package var line: Int
    /// The path, such as `$.log.entries[3].request.url`.
    package var path: String
    package var reason: String

    package init(line: Int, path: String, reason: String) {
        self.line = line
        self.path = path
        self.reason = reason
    }

    /// `file:line: path: reason`.
    package func text(in file: String) -> String { "\(file):\(line): \(path): \(reason)" }
}

/// A deviation of an archive from the specification that the reader accepts.
package struct HAROddity: Sendable, Equatable {
    /// The place of the first occurrence.
    package var line: Int
    package var path: String
    package var note: String
    package var count: Int
    /// The next places, and the number of those that are not named.
    package private(set) var others: [String] = []
    private var unnamed = 0
    private var last: String
    /// Tells whether it is a mistake for which an entry is left out.
    package var isMistake: Bool

    /// `note (n times, also at $.log.entries[4].response and at n more)`.
    package var reason: String {
        guard count > 1 else { return note }
        let more = unnamed > 0 ? " and at \(unnamed) more" : ""
        return "\(note) (\(count) times\(others.isEmpty ? "" : ", also at " + others.joined(separator: ", "))\(more))"
    }

    fileprivate init(line: Int, path: String, note: String, isMistake: Bool) {
        (self.line, self.path, self.note, self.isMistake) = (line, path, note, isMistake)
        (count, last) = (1, path)
    }

    /// The maximum number of places that are named, beside the first.
    private static let mostOthers = 3

    fileprivate mutating func occurs(at path: String) {
        count += 1
        guard path != last else { return }
        last = path
        if others.count < Self.mostOthers { others.append(path) } else { unnamed += 1 }
    }

    /// `file:line: path: note (n times)`.
    package func text(in file: String) -> String { "\(file):\(line): \(path): \(reason)" }
}

/// The deviations of one file, each kind with its first place and its number of occurrences.
package struct HAROddities: Sendable, Equatable {
    /// The maximum number of kinds that are counted separately; others count with the last.
    private static let limit = 200
    /// The maximum number of deviations that are listed for each entry; others count with the last of their kind.
    private static let entryLimit = 150

    package private(set) var items: [HAROddity] = []

    package init() {}

    /// Notes a deviation; `isOfEntry` lists it with its own place, even if other entries have it.
    ///
    /// `isMistake` tells that the entry is left out for it.
    package mutating func note(
        _ note: String,
        line: Int,
        path: String,
        isOfEntry: Bool = false,
        isMistake: Bool = false
    ) {
        let oddity = HAROddity(line: line, path: path, note: note, isMistake: isMistake)
        if isOfEntry, items.count < Self.entryLimit {
            items.append(oddity)
        } else if let place = items.lastIndex(where: { $0.note == note }) {
            items[place].occurs(at: path)
        } else if items.count < Self.limit {
            items.append(oddity)
        } else {
            items[items.count - 1].count += 1
        }
    }
}
