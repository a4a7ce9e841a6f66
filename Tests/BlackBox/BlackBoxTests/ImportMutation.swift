import JSON

/// The places of an exported world at which a value can be made extreme.
struct ImportPlaces {
    /// Numbers, dates and lists, one of each shape: the first and the last row of a table stand for all.
    private(set) var numbers: [[JSONPathElement]] = []
    private(set) var dates: [[JSONPathElement]] = []
    private(set) var lists: [[JSONPathElement]] = []

    init(_ document: JSON) {
        for member in document.objectValue?.members ?? [] { collect(member.value, [.key(member.name)]) }
    }

    private mutating func collect(_ json: JSON, _ path: [JSONPathElement]) {
        switch json {
        case .integer, .number: numbers.append(path)
        case .string(let text): if Self.isDate(text) { dates.append(path) }
        case .array(let elements):
            lists.append(path)
            for (place, element) in elements.enumerated() where place == 0 || place == elements.count - 1 {
                collect(element, path + [.index(place)])
            }
        case .object(let object):
            for member in object.members {
                // Switches have values of their own, each tested where it is declared.
                if path.count == 2, path[0] == .key("apis"), member.name == "settings" { continue }
                collect(member.value, path + [.key(member.name)])
            }
        case .null, .bool: break
        }
    }

    private static func isDate(_ text: String) -> Bool {
        if text.hasPrefix("T0") || text.hasPrefix("D0") { return true }
        let bytes = Array(text.utf8)
        return bytes.count >= 20 && bytes[4] == 0x2D && bytes[7] == 0x2D && bytes[10] == 0x54
    }
}

extension JSON {
    /// A copy with another value at a path that is there; nil takes it out.
    func putting(_ value: JSON?, at path: ArraySlice<JSONPathElement>) -> JSON {
        guard let first = path.first else { return value ?? .null }
        switch (first, self) {
        case (.key(let name), .object(var object)):
            object[name] = path.count == 1 ? value : object[name]?.putting(value, at: path.dropFirst())
            return .object(object)
        case (.index(let index), .array(var elements)):
            if elements.indices.contains(index) {
                elements[index] = elements[index].putting(value, at: path.dropFirst())
            }
            return .array(elements)
        default: return self
        }
    }

    func value(at path: [JSONPathElement]) -> JSON? {
        path.reduce(Optional(self)) { json, step in
            switch step {
            case .key(let name): json?[name]
            case .index(let index): json?[index]
            }
        }
    }
}
