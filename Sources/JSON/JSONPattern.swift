/// A value that others are held against: they have to have all that it has.
///
/// Objects may have more members and arrays more elements, in between too; numbers compare by value.
package struct JSONPattern: Sendable {
    fileprivate indirect enum Node: Sendable {
        case object([(name: String, node: Node)])
        case array([Node])
        case number(JSON, Double?)
        case plain(JSON)
    }

    package let json: JSON
    /// The number of values: scalars, and containers with nothing in them.
    package let values: Int
    fileprivate let root: Node

    package init(_ json: JSON) {
        self.json = json
        var values = 0
        root = Self.node(json, &values)
        self.values = values
    }

    private static func node(_ json: JSON, _ values: inout Int) -> Node {
        switch json {
        case .object(let object) where !object.isEmpty:
            return .object(object.members.map { (name: $0.name, node: node($0.value, &values)) })
        case .array(let elements) where !elements.isEmpty: return .array(elements.map { node($0, &values) })
        default:
            values += 1
            switch json {
            case .object: return .object([])
            case .array: return .array([])
            case .integer, .number: return .number(json, json.doubleValue)
            case .null, .bool, .string: return .plain(json)
            }
        }
    }
}

/// A value that many patterns are held against: whatever takes time to find in it is made ready once.
package final class JSONSubject {
    package let value: JSON
    private var inner: [Int: JSONSubject] = [:]
    private lazy var index: JSONObjectIndex? = value.objectValue.map { JSONObjectIndex($0) }
    /// The places of the elements of each kind.
    private lazy var elements: [ElementKind: [Int]] = {
        var places: [ElementKind: [Int]] = [:]
        for (place, element) in (value.arrayValue ?? []).enumerated() {
            places[ElementKind(element), default: []].append(place)
        }
        return places
    }()
    private lazy var double: Double? = value.doubleValue

    package init(_ value: JSON) { self.value = value }

    /// Returns true if the value has everything that a pattern has.
    ///
    /// No element is looked at twice, so that this costs the sum of both sizes.
    package func holds(_ pattern: JSONPattern) -> Bool { holds(pattern.root) }

    /// Its member of that name.
    package subscript(name: String) -> JSONSubject? {
        guard let index, let place = index.place(of: name) else { return nil }
        return child(place, index.object.members[place].value)
    }

    private func holds(_ node: JSONPattern.Node) -> Bool {
        switch node {
        case .object(let wanted):
            guard let index else { return false }
            return wanted.allSatisfy { member in
                guard let place = index.place(of: member.name) else { return false }
                return holds(member.node, index.object.members[place].value, at: place)
            }
        case .array(let wanted):
            guard case .array(let found) = value, wanted.count <= found.count else { return false }
            var start = 0
            for element in wanted {
                guard let place = place(of: element, in: found, from: start) else { return false }
                start = place + 1
            }
            return true
        case .number(let json, let wanted):
            if json == value { return true }
            // Whole numbers are compared as such: they may be beyond what a double tells apart.
            if case .integer = json, case .integer = value { return false }
            return wanted != nil && wanted == double
        case .plain(let json): return json == value
        }
    }

    private func holds(_ node: JSONPattern.Node, _ found: JSON, at place: Int) -> Bool {
        switch (node, found) {
        case (.plain(let json), _): json == found
        case (.number(let json, let wanted), .integer(let number)):
            if case .integer = json { json == found } else { wanted == Double(number) }
        case (.object, .object), (.array, .array), (.number, .number): child(place, found).holds(node)
        default: false
        }
    }

    /// The first element from a place on that has all that a pattern has.
    private func place(of node: JSONPattern.Node, in found: [JSON], from start: Int) -> Int? {
        guard found.count > Self.fewElements else {
            return found.indices.dropFirst(start).first { holds(node, found[$0], at: $0) }
        }
        // Among many only those of its kind are looked at, and of texts and the like only the same ones.
        let same = elements[node.kind] ?? []
        var (low, high) = (0, same.count)
        while low < high {
            let middle = (low + high) / 2
            if same[middle] < start { low = middle + 1 } else { high = middle }
        }
        return same[low...].first { holds(node, found[$0], at: $0) }
    }

    /// The number of elements up to which a linear search is used.
    private static let fewElements = 16

    private func child(_ place: Int, _ value: JSON) -> JSONSubject {
        if let known = inner[place] { return known }
        let made = JSONSubject(value)
        inner[place] = made
        return made
    }
}

/// The kind that an element must have to match a pattern, as far as one look can tell.
private enum ElementKind: Hashable {
    case object, array
    case number(Double?)
    case plain(JSON)

    init(_ json: JSON) {
        switch json {
        case .object: self = .object
        case .array: self = .array
        case .integer, .number: self = .number(json.doubleValue)
        case .null, .bool, .string: self = .plain(json)
        }
    }
}

extension JSONPattern.Node {
    fileprivate var kind: ElementKind {
        switch self {
        case .object: .object
        case .array: .array
        case .number(_, let double): .number(double)
        case .plain(let json): .plain(json)
        }
    }
}
