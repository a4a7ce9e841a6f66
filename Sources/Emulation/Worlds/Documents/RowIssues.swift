import JSON

/// Finds everything that keeps a row from being read, since reading stops at the first of it.
enum RowIssues {
    /// The number up to which the faults of one row are looked for.
    private static let most = 100
    /// The number of good rows that are looked at.
    static let mostGood = 32

    /// Returns all faults of a row, the known ones first.
    ///
    /// A wrong member gets the value that one of the good rows has there, or is taken away where none has, until the rest
    /// can be read. A member that a good row has in another form than its type, such as bytes as text, is not judged by
    /// the type.
    static func all<Element: Decodable>(
        _ known: [JSONIssue],
        of row: JSON,
        like good: [JSON],
        _ ranges: StoredRanges,
        _ read: RowReader<Element>
    ) -> [JSONIssue] {
        var (rest, found) = (row, known)
        var paths = known.map { $0.path[...] }
        while !paths.isEmpty, found.count < most {
            for path in paths {
                rest = rest.replacing(path, with: good.lazy.compactMap { $0.value(at: path) }.first)
            }
            do throws(JSONDecodingError) {
                _ = try read(rest)
                paths = []
            } catch {
                let more = error.issues.filter { issue in !found.contains { $0.path == issue.path } }
                found += more
                // The row needs what was taken away: the whole that lacks it is mended or goes too.
                paths = more.isEmpty ? paths.map { $0.dropLast() } : more.map { $0.path[...] }
                paths.removeAll(where: \.isEmpty)
            }
        }
        found += byType(row, Element.self, ranges, like: good.first).filter { isNew($0.path, beside: found) }
        found += ranges.faults(in: row, from: .document).filter { isNew($0.path, beside: found) }
            .map { JSONIssue(path: $0.path, reason: $0.reason) }
        return found
    }

    private static func isNew(_ path: [JSONPathElement], beside found: [JSONIssue]) -> Bool {
        !found.contains { $0.path.starts(with: path) || path.starts(with: $0.path) }
    }

    private static func byType<Element: Decodable>(
        _ row: JSON,
        _ type: Element.Type,
        _ ranges: StoredRanges,
        like good: JSON?
    ) -> [JSONIssue] {
        guard let shape = try? JSONSchema.derived(from: type, additionalProperties: .closed) else { return [] }
        let schema = ranges.dated(shape)
        let unlike = Set((good.map { JSONSchemaValidator.validate($0, against: schema) } ?? []).map(\.path.first))
        return JSONSchemaValidator.validate(row, against: schema).filter { !unlike.contains($0.path.first) }
    }
}

extension JSON {
    /// Returns the value at the end of a path; nil where it leads nowhere.
    fileprivate func value(at path: ArraySlice<JSONPathElement>) -> JSON? {
        switch path.first {
        case nil: self
        case .key(let name)?: self[name]?.value(at: path.dropFirst())
        case .index(let place)?: self[place]?.value(at: path.dropFirst())
        }
    }

    /// Returns the value with another one at the end of a path, or with none there.
    fileprivate func replacing(_ path: ArraySlice<JSONPathElement>, with value: JSON?) -> JSON {
        let rest = path.dropFirst()
        switch (path.first, self) {
        case (nil, _): return value ?? self
        case (.key(let name)?, .object(var object)):
            object[name] = rest.isEmpty ? value : object[name]?.replacing(rest, with: value)
            return .object(object)
        case (.index(let place)?, .array(var items)) where items.indices.contains(place):
            if rest.isEmpty {
                // Without this element the others would have other numbers.
                guard let value = value ?? items.first(where: { $0.typeName != items[place].typeName }) else {
                    return .array(Array(items[..<place]))
                }
                items[place] = value
            } else {
                items[place] = items[place].replacing(rest, with: value)
            }
            return .array(items)
        default: return self
        }
    }
}
