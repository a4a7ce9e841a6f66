import JSON
import RegularExpressions

/// Objects of samples.
extension SampleMaker {
    mutating func objects(
        _ conjunction: Conjunction,
        _ schemas: [Int],
        _ depth: Int,
        _ found: inout FoundValues
    ) {
        let required = conjunction.requiredNames
        work += required.count / 4
        guard required.count <= min(conjunction.smallest(\.maxProperties) ?? .max, Self.mostSize),
            conjunction.largest(\.minProperties) ?? 0 <= Self.mostSize
        else { return }
        var members = ConjunctionMembers(conjunction)
        for isFull in isSparing(depth) ? [false] : [true, false] {
            let before = (size, bytes)
            if let object = object(conjunction, &members, required, isFull, depth), fits(.object(object), schemas),
                found.take(.object(object))
            {
                guard !found.isFull else { return }
                variants(of: object, conjunction, &members, required, schemas, depth, &found)
                return
            }
            (size, bytes) = before
            guard !isStopped else { return }
        }
    }

    private mutating func object(
        _ conjunction: Conjunction,
        _ members: inout ConjunctionMembers,
        _ required: [String],
        _ isFull: Bool,
        _ depth: Int
    ) -> JSONObject? {
        let shown = shownMembers(conjunction)
        let needed = Set(required.map { ExactName(text: $0) })
        var values: [ExactName: JSON] = [:]
        for name in required {
            guard let schemas = schemas(of: name, &members) else { return nil }
            if isWriteOnly(schemas) { continue }
            guard let value = value(of: name, schemas, shown, conjunction, depth) else { return nil }
            values[ExactName(text: name)] = value
        }
        // Those that are only written are not there, and leave their room to others.
        var room = conjunction.smallest(\.maxProperties).map { $0 - values.count } ?? .max
        if isFull {
            for name in members.declared where !needed.contains(ExactName(text: name)) {
                guard room > 0, !isSparing(depth), !isStopped else { break }
                guard let schemas = schemas(of: name, &members), !isWriteOnly(schemas) else { continue }
                // One that takes too much work leaves the others some.
                let most = mostWork
                mostWork = min(most, work + max(2_000, (most - work) / 4))
                let before = (size, bytes)
                if let value = value(of: name, schemas, shown, conjunction, depth) {
                    values[ExactName(text: name)] = value
                    room -= 1
                } else {
                    (size, bytes) = before
                }
                mostWork = most
            }
        }
        let all = members.declared + required.filter { !members.isDeclared($0) }
        orderTimes(&values, all, &members, shown: shown)
        var object = JSONObject()
        object.reserveCapacity(values.count)
        for name in all {
            if let value = values[ExactName(text: name)] { object.append(name, value) }
        }
        let isMap = members.declared.isEmpty && members.describesOthers
        let least = conjunction.largest(\.minProperties) ?? 0
        addOthers(upTo: max(least, isMap && isFull && room > 0 ? 1 : 0), conjunction, &members, depth, &object)
        return object.count >= least ? object : nil
    }

    /// The value of a member: the name of a branch, what examples of the object show, or one that is made.
    private mutating func value(
        of name: String,
        _ schemas: [Int],
        _ shown: [ExactName: [Place]],
        _ conjunction: Conjunction,
        _ depth: Int
    ) -> JSON? {
        if let given = conjunction.names.last(where: { $0.member == name }) {
            size += 1
            return named(given.value, schemas)
        }
        for place in shown[ExactName(text: name)] ?? [] {
            let values = [place.value, fits(place.value, schemas) ? nil : withTexts(place, schemas)].compactMap(\.self)
            guard let value = values.first(where: { fits($0, schemas) }) else { continue }
            size += value.valueCount
            return value
        }
        names.append(name)
        defer { names.removeLast() }
        return value(schemas, depth: depth + 1)
    }

    /// The name of a branch as its member has it: a number or a truth value where that takes no text.
    private mutating func named(_ name: String, _ schemas: [Int]) -> JSON {
        let text = JSON.string(name)
        guard !fits(text, schemas), let value = try? JSONReader.read(text: name), fits(value, schemas) else {
            return text
        }
        return value
    }

    mutating func schemas(of name: String, _ members: inout ConjunctionMembers) -> [Int]? {
        let before = members.work
        let schemas = members.schemas(of: name)
        work += 1 + members.work - before
        return schemas
    }

    private mutating func isWriteOnly(_ schemas: [Int]) -> Bool {
        let view = SchemaView(store)
        return schemas.contains { view.isWriteOnly($0) }
    }

    /// Adds members without a declared name until there are so many.
    private mutating func addOthers(
        upTo least: Int,
        _ conjunction: Conjunction,
        _ members: inout ConjunctionMembers,
        _ depth: Int,
        _ object: inout JSONObject
    ) {
        guard object.count < least else { return }
        let described = conjunction.rules.compactMap(\.propertyNames)
        // Some of them may be there already.
        let given = described.isEmpty ? [] : values(described, depth: depth + 1, count: least).compactMap(\.stringValue)
        let patterns = conjunction.rules.flatMap(\.patternProperties).map(\.pattern.expression)
        var taken = Set(object.members.map { ExactName(text: $0.name) })
        var misses = 0
        for attempt in 1...(2 * least + 16) {
            guard object.count < least, misses < Self.mostNameMisses, !isSpent else { return }
            work += 8
            misses += 1
            let names: [String]
            if !described.isEmpty {
                guard attempt <= given.count else { return }
                names = [given[attempt - 1]]
            } else if !patterns.isEmpty,
                let made = patterns[attempt % patterns.count].sample(
                    lengths: Self.nameLengths,
                    work: &work,
                    using: &stream
                )
            {
                names = [made] + longer(made, Self.nameLengths, object.count)
            } else {
                names = [object.count == 0 && least == 1 ? "key" : "key\(attempt)"]
            }
            for name in names {
                guard taken.insert(ExactName(text: name)).inserted, let schemas = schemas(of: name, &members),
                    let value = value(schemas, depth: depth + 1)
                else { continue }
                object.append(name, value)
                misses = 0
                break
            }
        }
    }

    /// The characters of a name that follows a pattern.
    private static let nameLengths = 1...64

    /// Names that are tried one after the other without one that can be taken.
    private static let mostNameMisses = 100

    /// Takes further objects over, which have other members.
    private mutating func variants(
        of object: JSONObject,
        _ conjunction: Conjunction,
        _ members: inout ConjunctionMembers,
        _ required: [String],
        _ schemas: [Int],
        _ depth: Int,
        _ found: inout FoundValues
    ) {
        // Most objects have members that are other ones each time.
        while !isSpent, let other = self.object(conjunction, &members, required, object.count > required.count, depth) {
            let count = found.values.count
            guard fits(.object(other), schemas) else { break }
            if keep(.object(other), &found) { return }
            if found.values.count == count { break }
        }
        let wanted = found.missing + 1
        let needed = Set(required.map { ExactName(text: $0) })
        var lists: [[JSON?]] = []
        for member in object.members.prefix(16) {
            var list: [JSON?] = [member.value]
            if let own = self.schemas(of: member.name, &members),
                !conjunction.names.contains(where: { $0.member == member.name })
            {
                list += values(own, depth: depth + 1, count: wanted).map { $0 }
            }
            if !needed.contains(ExactName(text: member.name)) { list.append(nil) }
            lists.append(list)
        }
        var ways = Mixture(lists.map(\.count), most: 4 * wanted + 16)
        while !isSpent, let places = ways.next() {
            var varied = JSONObject()
            for (place, member) in object.members.enumerated() {
                let value = place < lists.count ? lists[place][places[place]] : member.value
                if let value { varied.append(member.name, value) }
            }
            guard fits(.object(varied), schemas) else { continue }
            if keep(.object(varied), &found) { return }
        }
    }
}
