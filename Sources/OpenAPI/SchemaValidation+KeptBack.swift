import JSON

/// Members that stay behind in one direction: what is read only in a request, what is written only in a response.
extension SchemaValidation {
    /// Tells whether a required member may be missing, since it does not travel in this direction.
    ///
    /// Any of the schemas that hold for the value may say so, wherever it is required.
    mutating func isTravelling(without name: String, _ value: JSON) -> Bool {
        guard direction != .neither, strictness == 0 else { return false }
        var seen: Set<Int> = []
        // One of many alternatives says most likely itself what it keeps back.
        for schema in underWay.reversed() {
            let most = ceiling - min(steps + outlay, ceiling)
            guard let kept = store.keptBack(schema, direction, outlay: &outlay, most: most) else {
                stopWork()
                return true
            }
            if kept.mayHave(name), isKeptBack(name, value, schema, &seen, steps: 0) { return true }
        }
        return false
    }

    /// Tells whether a schema, or one that it combines and that holds for the value, keeps a member back.
    private mutating func isKeptBack(
        _ name: String,
        _ value: JSON,
        _ schema: Int,
        _ seen: inout Set<Int>,
        steps depth: Int
    ) -> Bool {
        guard depth < Self.deepestKept, seen.count < Self.mostKept, seen.insert(schema).inserted else { return false }
        steps += 1
        let view = SchemaView(store)
        let rules = store.rules(schema)
        if let own = view.schema(ofMember: name, in: rules), view.hasMark(own, { $0.isKeptBack(direction) }) {
            return true
        }
        for inner in rules.allOf + (rules.reference.map { [$0] } ?? []) {
            if isKeptBack(name, value, inner, &seen, steps: depth + 1) { return true }
        }
        let alternatives = rules.anyOf + rules.oneOf + [rules.consequence, rules.alternative].compactMap(\.self)
        for inner in alternatives where isKeptBack(name, value, inner, &seen, steps: depth + 1) {
            // One that is being looked at holds until it is known better.
            if underWay.contains(inner) { return true }
            guard !isAsking else { continue }
            var unused = Evaluated()
            isAsking = true
            let fits = attempt(value, inner, &unused).isEmpty
            isAsking = false
            if fits { return true }
        }
        return false
    }

    /// The number of schemas that a value fits if all that is required counts.
    mutating func countStrictly(_ value: JSON, _ schemas: [Int]) -> Int {
        strictness += 1
        defer { strictness -= 1 }
        var unused = Evaluated()
        return schemas.count { attempt(value, $0, &unused).isEmpty }
    }

    private static let deepestKept = 64
    private static let mostKept = 1_000
}

/// The numbers of the parts of a value, each given when it is first asked for.
struct ValueNumbers {
    private struct Part: Hashable {
        let whole: Int
        let place: Int
    }

    private var numbers: [Part: Int] = [:]
    /// The places on the way to the value at hand.
    private var places: [Int] = []
    /// The numbers of the values on the way, as far as they are known; the whole is 0.
    private var known: [Int] = [0]

    mutating func descend(_ place: Int) { places.append(place) }

    mutating func ascend() {
        places.removeLast()
        if known.count > places.count + 1 { known.removeLast() }
    }

    /// The number of the value at hand.
    var number: Int {
        mutating get {
            while known.count <= places.count {
                let part = Part(whole: known[known.count - 1], place: places[known.count - 1])
                let number = numbers[part] ?? numbers.count + 1
                numbers[part] = number
                known.append(number)
            }
            return known[known.count - 1]
        }
    }
}
