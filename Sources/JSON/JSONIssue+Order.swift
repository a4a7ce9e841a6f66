extension JSONIssue {
    /// Returns issues in the order of the value that they are about, up to a limit.
    package static func inOrder(_ issues: [JSONIssue], of json: JSON, limit: Int = .max) -> [JSONIssue] {
        guard issues.count > 1 else { return Array(issues.prefix(limit)) }
        return Array(places(of: issues.map(\.path), in: json).prefix(limit).map { issues[$0] })
    }

    /// Returns the places of paths in the order in which a value has what they lead to.
    ///
    /// The whole comes before its parts, and what is missing before what is there. Paths to the same part keep their
    /// order.
    package static func places(of paths: [[JSONPathElement]], in json: JSON) -> [Int] {
        var sorted: [Int] = []
        sort(Array(paths.indices), paths, 0, json, &sorted)
        return sorted
    }

    private static func sort(
        _ places: [Int],
        _ paths: [[JSONPathElement]],
        _ depth: Int,
        _ json: JSON?,
        _ sorted: inout [Int]
    ) {
        guard places.count > 1 else { return sorted += places }
        var groups: [(element: JSONPathElement, places: [Int])] = []
        var known: [JSONPathElement: Int] = [:]
        for place in places {
            guard depth < paths[place].count else {
                sorted.append(place)
                continue
            }
            let element = paths[place][depth]
            if let group = known[element] {
                groups[group].places.append(place)
            } else {
                known[element] = groups.count
                groups.append((element, [place]))
            }
        }
        guard groups.count > 1 else {
            for group in groups { sort(group.places, paths, depth + 1, json?[group.element], &sorted) }
            return
        }
        let index = json?.objectValue.map { JSONObjectIndex($0) }
        let ordered = groups.map { group -> (rank: Int, places: [Int], inner: JSON?) in
            switch group.element {
            case .index(let number): (number, group.places, json?[number])
            case .key(let name): (index?.place(of: name) ?? -1, group.places, index?[name])
            }
        }
        // Stable, since sorting is.
        for group in ordered.sorted(by: { $0.rank < $1.rank }) {
            sort(group.places, paths, depth + 1, group.inner, &sorted)
        }
    }
}

extension JSON {
    fileprivate subscript(element: JSONPathElement) -> JSON? {
        switch element {
        case .key(let name): self[name]
        case .index(let number): self[number]
        }
    }
}
