package import JSON

/// The places of the parts of a value that was read from YAML.
///
/// The place of a member is that of its value where that begins on the line of its name, else that of its name. What an
/// alias or a merge brings in lies where it is written.
package struct YAMLPositions: SourcePositions {
    private let value: JSON
    private let root: PlacedNode
    /// The texts of plain scalars that their values don't show, such as `012`, by their places.
    private let texts: [YAMLPlace: String]

    init(_ value: JSON, _ root: PlacedNode, texts: [YAMLPlace: String] = [:]) {
        self.value = value
        self.root = root
        self.texts = texts
    }

    /// Returns the text of a scalar as it is written; nil where it is that of the value.
    package func text(at path: [JSONPathElement]) -> String? {
        let found = deepest(on: path)
        guard found.depth == path.count else { return nil }
        return texts[YAMLPlace(line: found.node.line, column: found.node.column)]
    }

    /// Returns the start of the value at that path, or nil when the text has no such value.
    package func line(at path: [JSONPathElement]) -> (line: Int, column: Int)? {
        let found = deepest(on: path)
        return found.depth == path.count ? (Int(found.node.line), Int(found.node.column)) : nil
    }

    /// Returns the start of the value at that path, or of the deepest existing value around it.
    package func closestLine(to path: [JSONPathElement]) -> (line: Int, column: Int) {
        let node = deepest(on: path).node
        return (Int(node.line), Int(node.column))
    }

    private func deepest(on path: [JSONPathElement]) -> (node: PlacedNode, depth: Int) {
        var node = root
        var value = value
        for (depth, element) in path.enumerated() {
            let place: Int?
            switch (element, value) {
            case (.key(let name), .object(let object)):
                place = object.members.lastIndex { $0.name.hasSameCodePoints(as: name) }
            case (.index(let index), .array(let elements)): place = elements.indices.contains(index) ? index : nil
            default: place = nil
            }
            guard let place, place < node.parts.count else { return (node, depth) }
            node = node.parts[place]
            switch value {
            case .object(let object): value = object.members[place].value
            case .array(let elements): value = elements[place]
            default: return (node, depth + 1)
            }
        }
        return (node, path.count)
    }
}

/// A place in a text.
struct YAMLPlace: Hashable, Sendable {
    let line: Int32
    let column: Int32
}

/// The place of a value and of its parts, in the order of its members or elements.
struct PlacedNode: Sendable {
    var line: Int32
    var column: Int32
    var parts: [PlacedNode] = []
}
