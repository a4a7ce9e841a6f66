package import Backend
import Conditions
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

    private var errors = 0
    private var notes = 0

    /// Tells whether no more mistakes are listed.
    package var isFull: Bool { errors >= CustomAPILimits.findings }

    /// Tells whether the file has a mistake.
    package var hasErrors: Bool { errors > 0 }

    /// Notes a mistake at the value of that path, or at the deepest one around it.
    package func error(_ path: [JSONPathElement], _ reason: String) { add(path, reason, .error) }

    /// Notes something that is understood and not supported.
    package func note(_ path: [JSONPathElement], _ reason: String) { add(path, reason, .note) }

    /// Notes a mistake on a line of its own.
    package func error(line: Int, _ reason: String) {
        add(SeedError.Item(place: place, line: line, path: "$", reason: reason))
    }

    /// Adds findings that are located already.
    package func add(_ more: [SeedError.Item]) {
        for item in more { add(item) }
    }

    /// Adds problems that have paths inside the file.
    package func add(_ problems: [Problem.Item]) {
        guard let positions else { return }
        add(Array(problems.prefix(CustomAPILimits.findings)).located(in: positions, place: place))
    }

    /// Returns the line of a value, or of the deepest one around it.
    package func line(of path: [JSONPathElement]) -> Int { positions?.closestLine(to: path).line ?? 1 }

    private func add(_ path: [JSONPathElement], _ reason: String, _ severity: SeedError.Severity) {
        guard hasRoom(for: severity) else { return }
        add(
            SeedError.Item(
                place: place,
                line: line(of: path),
                path: path.formattedJSONPath,
                reason: reason,
                severity: severity
            )
        )
    }

    private func add(_ item: SeedError.Item) {
        guard hasRoom(for: item.severity) else { return }
        switch item.severity {
        case .error: errors += 1
        case .note: notes += 1
        }
        items.append(item)
    }

    /// Tells whether a finding is still listed.
    ///
    /// Mistakes and notes have room of their own: a file with many notes must not pass for one without mistakes.
    private func hasRoom(for severity: SeedError.Severity) -> Bool {
        switch severity {
        case .error: errors < CustomAPILimits.findings
        case .note: notes < CustomAPILimits.findings
        }
    }
}
