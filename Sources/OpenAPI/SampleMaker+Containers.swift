import JSON
import RegularExpressions

/// Arrays and objects of samples.
extension SampleMaker {
    /// Tells whether only what is required is made any more.
    private func isSparing(_ depth: Int) -> Bool {
        isScanty || depth >= Self.usualDepth || size >= Self.usualSize
    }

    mutating func array(_ conjunction: Conjunction, _ schemas: [Int], _ depth: Int) -> JSON? {
        let least = conjunction.largest(\.minItems) ?? 0
        let most = conjunction.smallest(\.maxItems) ?? .max
        guard least <= most, least <= Self.mostSize else { return nil }
        let tuple = conjunction.rules.map(\.prefixItems.count).max() ?? 0
        let contained = conjunction.rules.compactMap { own in own.contains.map { (schema: $0, rules: own) } }
        let needed = contained.reduce(0) { $0 + ($1.rules.minContains ?? 1) }
        let wanted = isSparing(depth) ? max(least, needed) : min(max(2, tuple, least, needed), most)
        var counts = [wanted, wanted - 1, max(least, needed), least].filter {
            $0 >= least && $0 <= most && $0 <= wanted
        }
        counts = counts.enumerated().filter { !counts[..<$0].contains($1) }.map(\.element)
        let isUnique = conjunction.rules.contains(where: \.uniqueItems)
        for count in counts {
            let before = size
            if let elements = elements(
                count,
                conjunction,
                contained.map { ($0.schema, $0.rules.minContains ?? 1) },
                isUnique,
                depth
            ),
                fits(.array(elements), schemas)
            {
                return .array(elements)
            }
            size = before
        }
        return nil
    }

    private mutating func elements(
        _ count: Int,
        _ conjunction: Conjunction,
        _ contained: [(schema: Int, least: Int)],
        _ isUnique: Bool,
        _ depth: Int
    ) -> [JSON]? {
        var elements: [JSON] = []
        var seen: Set<ExactName> = []
        // The first elements are those that the array has to contain.
        var owed = contained.flatMap { Array(repeating: $0.schema, count: min($0.least, count)) }
        let tuple = conjunction.rules.map(\.prefixItems.count).max() ?? 0
        for index in 0..<count {
            guard var schemas = conjunction.schemas(ofElement: index) else { return nil }
            if !owed.isEmpty, index >= tuple || count - index <= owed.count { schemas.append(owed.removeFirst()) }
            var element: JSON?
            for variant in 0..<(isUnique ? 24 : 1) {
                guard let made = make(schemas, depth: depth + 1, variant: isUnique ? index + variant : 0) else {
                    continue
                }
                guard !isUnique || seen.insert(ExactName(text: made.canonicalText)).inserted else { continue }
                element = made
                break
            }
            guard let element else { return nil }
            elements.append(element)
        }
        return elements
    }

    mutating func object(_ conjunction: Conjunction, _ schemas: [Int], _ depth: Int) -> JSON? {
        let required = self.required(conjunction)
        for isFull in isSparing(depth) ? [false] : [true, false] {
            let before = size
            if let object = members(conjunction, required, isFull, depth), fits(.object(object), schemas) {
                return .object(object)
            }
            size = before
        }
        return nil
    }

    /// The names that have to be there, those that others bring along included.
    private func required(_ conjunction: Conjunction) -> [String] {
        var names = conjunction.names.map(\.member) + conjunction.rules.flatMap(\.required)
        var place = 0
        while place < names.count, names.count < 1_000 {
            for own in conjunction.rules {
                for (name, others) in own.dependentRequired where name == names[place] {
                    names += others.filter { !names.contains($0) }
                }
            }
            place += 1
        }
        var seen: Set<ExactName> = []
        return names.filter { seen.insert(ExactName(text: $0)).inserted }
    }

    private mutating func members(
        _ conjunction: Conjunction,
        _ required: [String],
        _ isFull: Bool,
        _ depth: Int
    ) -> JSONObject? {
        let view = SchemaView(store)
        let needed = Set(required.map { ExactName(text: $0) })
        let declared = conjunction.propertyNames
        let known = Set(declared.map { ExactName(text: $0) })
        let most = conjunction.smallest(\.maxProperties) ?? .max
        var room = most == .max ? Int.max : most - required.count
        var object = JSONObject()
        for name in declared + required.filter({ !known.contains(ExactName(text: $0)) }) {
            let isNeeded = needed.contains(ExactName(text: name))
            guard isNeeded || isFull && room > 0 && !isSparing(depth) else { continue }
            guard let schemas = conjunction.schemas(ofMember: name) else {
                if isNeeded { return nil }
                continue
            }
            if schemas.contains(where: { view.isWriteOnly($0) }) { continue }
            if let given = conjunction.names.last(where: { $0.member == name }) {
                object.append(name, .string(given.value))
                size += 1
                continue
            }
            if let value = make(schemas, depth: depth + 1) {
                object.append(name, value)
                if !isNeeded { room -= 1 }
            } else if isNeeded {
                return nil
            }
        }
        let isMap =
            declared.isEmpty
            && conjunction.rules.contains { own in
                if case .schema? = own.additionalProperties { true } else { !own.patternProperties.isEmpty }
            }
        let least = max(conjunction.largest(\.minProperties) ?? 0, isMap && isFull && room > 0 ? 1 : 0)
        addOthers(upTo: least, conjunction, depth, &object)
        return object
    }

    /// Adds members without a declared name until there are so many.
    private mutating func addOthers(
        upTo least: Int,
        _ conjunction: Conjunction,
        _ depth: Int,
        _ object: inout JSONObject
    ) {
        let names = conjunction.rules.compactMap(\.propertyNames)
        let patterns = conjunction.rules.flatMap(\.patternProperties)
        var attempt = 0
        while object.count < min(least, Self.mostSize), attempt < least * 4 + 16 {
            attempt += 1
            let name: String
            if !names.isEmpty, let made = make(names, depth: depth + 1, variant: attempt - 1)?.stringValue {
                name = made
            } else if let pattern = patterns.first?.pattern,
                let made = pattern.expression.sample(lengths: 1...64, using: &stream)
            {
                name = made
            } else {
                name = object.count == 0 && least == 1 ? "key" : "key\(attempt)"
            }
            guard object[name] == nil, let schemas = conjunction.schemas(ofMember: name),
                let value = make(schemas, depth: depth + 1)
            else { continue }
            object.append(name, value)
        }
    }
}
