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
    /// Tells whether it is a mistake for which an entry is left out.
    package var isMistake = false

    /// `note (n times)`.
    package var reason: String { note + (count > 1 ? " (\(count) times)" : "") }

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
        let oddity = HAROddity(line: line, path: path, note: note, count: 1, isMistake: isMistake)
        if isOfEntry, items.count < Self.entryLimit {
            items.append(oddity)
        } else if let place = items.lastIndex(where: { $0.note == note }) {
            items[place].count += 1
        } else if items.count < Self.limit {
            items.append(oddity)
        } else {
            items[items.count - 1].count += 1
        }
    }
}
