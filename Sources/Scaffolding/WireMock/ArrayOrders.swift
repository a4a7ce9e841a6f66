import JSON

/// The orders that the elements of arrays may have.
enum ArrayOrders {
    /// The value with its arrays in each of their orders; nil if there are more than `most`.
    static func all(of json: JSON, atMost most: Int) -> [JSON]? {
        switch json {
        case .array(let elements):
            var orders: [[JSON]] = []
            guard collect(elements, from: [], &orders, atMost: most) else { return nil }
            var found: [JSON] = []
            for order in orders {
                guard let inner = products(order, atMost: most) else { return nil }
                found += inner.map { .array($0) }
                guard found.count <= most else { return nil }
            }
            return found
        case .object(let object):
            guard let values = products(object.members.map(\.value), atMost: most) else { return nil }
            return values.map { values in
                .object(
                    JSONObject(
                        zip(object.members, values).map { JSONObject.Member(name: $0.name, value: $1) }
                    )
                )
            }
        case .null, .bool, .integer, .number, .string: return [json]
        }
    }

    /// Adds the orders of elements behind those that are chosen, each once; false if there are too many.
    private static func collect(
        _ elements: [JSON],
        from chosen: [JSON],
        _ orders: inout [[JSON]],
        atMost most: Int
    ) -> Bool {
        guard !elements.isEmpty else {
            orders.append(chosen)
            return orders.count <= most
        }
        for (place, element) in elements.enumerated() where !elements[..<place].contains(element) {
            var rest = elements
            rest.remove(at: place)
            guard collect(rest, from: chosen + [element], &orders, atMost: most) else { return false }
        }
        return true
    }

    /// Each choice of one form for every value.
    private static func products(_ values: [JSON], atMost most: Int) -> [[JSON]]? {
        var found: [[JSON]] = [[]]
        for value in values {
            guard let forms = all(of: value, atMost: most) else { return nil }
            guard found.count * forms.count <= most else { return nil }
            found = found.flatMap { start in forms.map { start + [$0] } }
        }
        return found
    }

    /// The value with empty arrays in place of those that have several orders.
    static func without(_ json: JSON) -> JSON {
        switch json {
        case .array(let elements):
            guard let first = elements.first, elements.allSatisfy({ $0 == first }) else { return .array([]) }
            return .array(elements.map(without))
        case .object(let object):
            return .object(
                JSONObject(object.members.map { JSONObject.Member(name: $0.name, value: without($0.value)) })
            )
        case .null, .bool, .integer, .number, .string: return json
        }
    }

    /// Tells whether an array in the value has an element.
    static func hasElements(_ json: JSON) -> Bool {
        switch json {
        case .array(let elements): !elements.isEmpty
        case .object(let object): object.members.contains { hasElements($0.value) }
        case .null, .bool, .integer, .number, .string: false
        }
    }
}
