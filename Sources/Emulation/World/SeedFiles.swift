import JSON
import Synchronization

/// The files of one API's seed folder, read by the shell (control contract, section 6).
package struct SeedFiles: Sendable {
    package struct File: Sendable {
        /// The name inside the folder: `users.json`.
        package var name: String
        /// How an error names it: the path as the user knows it.
        package var place: String
        package var bytes: [UInt8]

        package init(name: String, place: String, bytes: [UInt8]) {
            self.name = name
            self.place = place
            self.bytes = bytes
        }
    }

    package var files: [File]
    /// Whether the files came with the build, whose tests have looked for unknown members already.
    package var isBuiltIn: Bool
    /// Takes what is wrong with the form of tables, so that reading goes on; nil to stop at the first that is wrong.
    var problems: SeedProblems?

    package init(_ files: [File], isBuiltIn: Bool = false) {
        self.files = files
        self.isBuiltIn = isBuiltIn
    }

    /// Reads a table: a JSON array of rows.
    ///
    /// A missing file is an empty table when `isOptional`.
    package func table<Element: Decodable>(
        _ name: String,
        of type: Element.Type,
        isOptional: Bool = false
    ) throws(SeedError) -> [Element] {
        guard let file = files.first(where: { $0.name == name }) else {
            if isOptional { return [] }
            return try refuse(
                [SeedError.Item(place: place(name), line: 1, path: "$", reason: "the file is missing")],
                []
            )
        }
        let json: JSON
        let positions: JSONPositions
        do {
            (json, positions) = try JSONReader.readWithPositions(
                file.bytes,
                options: JSONReader.Options(allowDuplicateNames: false)
            )
        } catch {
            let item = SeedError.Item(place: file.place, line: error.line, path: "$", reason: "\(error)")
            return try refuse([item], [])
        }
        guard case .array(let rows) = json else {
            let reason = "expected an array of rows, found \(json.typeName)"
            return try refuse([SeedError.Item(place: file.place, line: 1, path: "$", reason: reason)], [])
        }
        var found: [Element] = []
        found.reserveCapacity(rows.count)
        var problems: [SeedError.Item] = []
        for (index, row) in rows.enumerated() {
            do {
                found.append(
                    try JSONDecoding.decode(
                        Element.self,
                        from: row,
                        options: JSONDecoding.Options(rejectUnknownMembers: !isBuiltIn)
                    )
                )
            } catch {
                for issue in error.issues {
                    let path: [JSONPathElement] = [.index(index)] + issue.path
                    problems.append(
                        SeedError.Item(
                            place: file.place,
                            line: positions.closestLine(to: path).line,
                            path: path.formattedJSONPath,
                            reason: issue.reason
                        )
                    )
                }
            }
        }
        guard problems.isEmpty else { return try refuse(problems, found) }
        return found
    }

    /// Where a file would lie that is not there: beside the others.
    private func place(_ name: String) -> String {
        guard let other = files.first(where: { !$0.name.contains("/") && $0.place.hasSuffix($0.name) }) else {
            return name
        }
        return other.place.dropLast(other.name.count) + name
    }

    /// Stops the reading, or notes the problems and goes on with what could be read.
    private func refuse<Element>(_ items: [SeedError.Item], _ found: [Element]) throws(SeedError) -> [Element] {
        guard let problems else { throw SeedError(items) }
        problems.items.withLock { $0 += items }
        return found
    }

    /// A fault found by the API itself in a row that could be read.
    package func fault(in name: String, row: Int, member: String, _ reason: String) -> SeedError.Item {
        let file = files.first { $0.name == name }
        let path: [JSONPathElement] = [.index(row), .key(member)]
        let line = file.flatMap { try? JSONReader.readWithPositions($0.bytes).1.closestLine(to: path).line }
        return SeedError.Item(place: file?.place ?? name, line: line ?? 1, path: path.formattedJSONPath, reason: reason)
    }
}

/// What is wrong with the form of tables, gathered while they are read.
final class SeedProblems: Sendable {
    let items = Mutex<[SeedError.Item]>([])
}

/// Why a seed folder was refused: every fault with file, line and path.
package struct SeedError: Error, Sendable, Equatable {
    package struct Item: Sendable, Equatable {
        package var place: String
        package var line: Int
        package var path: String
        package var reason: String

        package init(place: String, line: Int, path: String, reason: String) {
            self.place = place
            self.line = line
            self.path = path
            self.reason = reason
        }

        /// `file:line: path: reason`.
        package var text: String { "\(place):\(line): \(path): \(reason)" }
    }

    package var items: [Item]

    package init(_ items: [Item]) { self.items = items }
}
