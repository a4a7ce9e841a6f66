package import Emulation
package import JSON

/// Collects the findings in one file, with the lines they stand on.
package final class FileReport {
    package let place: String
    private let positions: JSONPositions?
    private(set) package var items: [SeedError.Item] = []

    package init(place: String, positions: JSONPositions? = nil) {
        self.place = place
        self.positions = positions
    }

    /// Tells whether no more findings are listed.
    package var isFull: Bool { items.count >= OwnLimits.findings }

    /// Tells whether the file has a mistake.
    package var hasErrors: Bool { items.contains { $0.severity == .error } }

    /// Notes a mistake at the value of that path, or at the deepest one around it.
    package func error(_ path: [JSONPathElement], _ reason: String) { add(path, reason, .error) }

    /// Notes something that is understood and not supported.
    package func note(_ path: [JSONPathElement], _ reason: String) { add(path, reason, .note) }

    /// Notes a mistake on a line of its own.
    package func error(line: Int, _ reason: String) {
        guard !isFull else { return }
        items.append(SeedError.Item(place: place, line: line, path: "$", reason: reason))
    }

    /// Adds findings that are located already.
    package func add(_ more: [SeedError.Item]) { items += more.prefix(max(OwnLimits.findings - items.count, 0)) }

    /// Adds problems that have paths inside the file.
    package func add(_ problems: [Problem.Item]) {
        guard let positions else { return }
        add(Array(problems.prefix(OwnLimits.findings)).located(in: positions, place: place))
    }

    /// Returns the line of a value, or of the deepest one around it.
    package func line(of path: [JSONPathElement]) -> Int { positions?.closestLine(to: path).line ?? 1 }

    private func add(_ path: [JSONPathElement], _ reason: String, _ severity: SeedError.Severity) {
        guard !isFull else { return }
        items.append(
            SeedError.Item(
                place: place,
                line: line(of: path),
                path: path.formattedJSONPath,
                reason: reason,
                severity: severity
            )
        )
    }
}
