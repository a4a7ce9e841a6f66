import JSON

/// The files of one API's seed folder, read by the shell (control contract, section 6).
package struct SeedFiles: Sendable {
    package struct File: Sendable {
        /// The name inside the folder: `users.json`.
        package var name: String
        /// The path that an error names, as the user knows it.
        package var place: String
        private let content: Content

        private enum Content: Sendable, Equatable {
            case bytes([UInt8])
            /// Text of the binary, which takes no memory until it is read.
            case text(String)
        }

        package var bytes: [UInt8] {
            switch content {
            case .bytes(let bytes): bytes
            case .text(let text): Array(text.utf8)
            }
        }

        package init(name: String, place: String, bytes: [UInt8]) {
            self.name = name
            self.place = place
            content = .bytes(bytes)
        }

        package init(name: String, place: String, text: String) {
            self.name = name
            self.place = place
            content = .text(text)
        }

        /// Returns whether it has the same content as another file of the same name.
        package func isCopy(of other: File) -> Bool {
            name == other.name && bytes == other.bytes
        }
    }

    package var files: [File]
    /// Tells whether the files came with the build, whose tests have already looked for unknown members.
    package var isBuiltIn: Bool
    /// Tables that are known to have unreadable rows; the readable rows are used.
    package var malformed: Set<String> = []
    /// Further checks of a row, by the name of the stored part that it becomes.
    var rules: [String: @Sendable (JSON) -> [PartFault]] = [:]

    package init(_ files: [File], isBuiltIn: Bool = false) {
        self.files = files
        self.isBuiltIn = isBuiltIn
    }

    /// The files of an API that come with the build.
    package static func builtIn<State>(of api: APIDefinition<State>) -> SeedFiles {
        SeedFiles(
            api.builtInSeed().map {
                File(name: $0.name, place: "built-in:\(api.identity.name)/\($0.name)", text: $0.text)
            },
            isBuiltIn: true
        )
    }

    /// The number of a table's problems up to which all problems of a row are listed.
    private static let mostExplained = 100

    /// Reads a table: a JSON array of rows.
    ///
    /// A missing file is an empty table when `isOptional`.
    package func table<Element: Decodable & Sendable>(
        _ name: String,
        of type: Element.Type,
        isOptional: Bool = false
    ) throws(SeedError) -> [Element] {
        guard let file = files.first(where: { $0.name == name }) else {
            if isOptional { return [] }
            return try refuse(
                name,
                [SeedError.Item(place: place(name), line: 1, path: "$", reason: "the file is missing")],
                []
            )
        }
        let json: JSON
        do {
            json = try JSONReader.read(file.bytes, options: JSONReader.Options(allowDuplicateNames: false))
        } catch {
            let item = SeedError.Item(place: file.place, line: error.line, path: "$", reason: "\(error)")
            return try refuse(name, [item], [])
        }
        guard case .array(let rows) = json else {
            let reason = "expected an array of rows, found \(json.typeName)"
            return try refuse(name, [SeedError.Item(place: file.place, line: 1, path: "$", reason: reason)], [])
        }
        var found: [Element] = []
        found.reserveCapacity(rows.count)
        var problems: [SeedError.Item] = []
        // Positions are needed only for problems.
        lazy var positions = try? JSONReader.readWithPositions(file.bytes).1
        let options = JSONDecoding.Options(rejectUnknownMembers: !isBuiltIn)
        func problem(_ index: Int, _ inner: [JSONPathElement], _ reason: String) -> SeedError.Item {
            let path: [JSONPathElement] = [.index(index)] + inner
            let line = positions?.closestLine(to: path).line ?? 1
            return SeedError.Item(place: file.place, line: line, path: path.formattedJSONPath, reason: reason)
        }
        let rule = isBuiltIn ? nil : rules[Self.part(of: name)]
        for (index, row) in rows.enumerated() {
            do {
                // Where very many rows are wrong, the first problem of each is enough.
                found.append(
                    problems.count < Self.mostExplained
                        ? try JSONDecoding.decodeOrExplain(Element.self, from: row, options: options)
                        : try JSONDecoding.decode(Element.self, from: row, options: options)
                )
            } catch {
                for issue in error.issues { problems.append(problem(index, issue.path, issue.reason)) }
                continue
            }
            for fault in rule?(row) ?? [] where problems.count < Self.mostExplained {
                problems.append(problem(index, fault.path, fault.reason))
            }
        }
        guard problems.isEmpty else { return try refuse(name, problems, found) }
        return found
    }

    /// The part of a state that the rows of a file become: `lessonTypes` of `lesson-types.json`.
    private static func part(of name: String) -> String {
        let words = name.prefix { $0 != "." }.split(separator: "-")
        return words.dropFirst().reduce(words.first.map(String.init) ?? "") {
            $0 + $1.prefix(1).uppercased() + $1.dropFirst()
        }
    }

    /// Returns the same files, with their rows checked by the rules that an API states for the parts they become.
    package func held<State>(to api: APIDefinition<State>) -> SeedFiles {
        var files = self
        guard !isBuiltIn else { return files }
        for part in api.storedProperties() { files.rules[part.name] = part.inspect }
        return files
    }

    /// Returns the path that a missing file would have, beside the others.
    private func place(_ name: String) -> String {
        guard let other = files.first(where: { !$0.name.contains("/") && $0.place.hasSuffix($0.name) }) else {
            return name
        }
        return other.place.dropLast(other.name.count) + name
    }

    /// Throws, or continues with the readable rows.
    private func refuse<Element>(
        _ name: String,
        _ items: [SeedError.Item],
        _ found: [Element]
    ) throws(SeedError) -> [Element] {
        guard malformed.contains(name) else { throw SeedError(items, table: name) }
        return found
    }

    /// Creates the problem of a readable row that the API itself found.
    package func fault(in name: String, row: Int, member: String, _ reason: String) -> SeedError.Item {
        let file = files.first { $0.name == name }
        let path: [JSONPathElement] = [.index(row), .key(member)]
        let line = file.flatMap { try? JSONReader.readWithPositions($0.bytes).1.closestLine(to: path).line }
        return SeedError.Item(place: file?.place ?? name, line: line ?? 1, path: path.formattedJSONPath, reason: reason)
    }
}

/// The refusal of a seed folder: every problem with file, line and path.
package struct SeedError: Error, Sendable, Equatable {
    /// The weight of a finding in a user's files.
    package enum Severity: String, Sendable {
        /// A mistake, with which the files are refused.
        case error
        /// Something that is understood and not supported, which stops nothing (own-API contract, section 2).
        case note
    }

    package struct Item: Sendable, Equatable {
        package var place: String
        package var line: Int
        package var path: String
        package var reason: String
        package var severity: Severity

        package init(place: String, line: Int, path: String, reason: String, severity: Severity = .error) {
            self.place = place
            self.line = line
            self.path = path
            self.reason = reason
            self.severity = severity
        }

        /// Creates a finding about a flag of the command line, which has no lines.
        package init(flag: String, reason: String) { self.init(place: flag, line: 0, path: "$", reason: reason) }

        /// `file:line: path: reason`, or `--flag: reason`, without control characters: names of files may have them.
        package var text: String {
            (line > 0 ? "\(place):\(line): \(path): \(reason)" : "\(place): \(reason)").withoutControls
        }
    }

    package var items: [Item]
    /// The table with the wrong form; nil for anything else.
    package var table: String?

    package init(_ items: [Item]) { self.items = items }

    init(_ items: [Item], table: String) {
        self.items = items
        self.table = table
    }
}
