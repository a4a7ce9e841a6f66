import JSON

/// The values that schemas show: constants, defaults, examples and enumerations.
extension SampleMaker {
    /// A value that a schema shows, and its place if it is an example or a default.
    typealias Shown = (value: JSON, place: Place?)

    /// The values that the schemas show, in the order in which they count.
    func shown(_ conjunction: Conjunction) -> [Shown] {
        // An object of which other parts of the schema say more is a part of a sample.
        let wholes: [Shown] = conjunction.rules.enumerated().flatMap { place, own in
            ([own.defaultValue].compactMap(\.self) + own.examples)
                .filter { isWhole($0.value, of: place, conjunction) }.map { ($0.value, $0) }
        }
        guard let domain = conjunction.domain else { return wholes }
        let values: [Shown] = domain.map { ($0, nil) }
        if domain.count == 1 { return values }
        // Null is among the values of many an enumeration, and says the least.
        let named = values.filter { !$0.value.isNull }
        let nulls = values.filter(\.value.isNull)
        guard named.count > 1 else { return wholes + named + nulls }
        // What is shown is that of the first element; others vary.
        let known = wholes.first.flatMap { whole in named.firstIndex { $0.value == whole.value } }
        let first = ((known ?? beginning(of: named.count, named[0].value.text(upTo: 100))) + place) % named.count
        let turned = named[first...] + named[..<first]
        return (place == 0 || known == nil ? wholes + turned : turned + wholes) + nulls
    }

    /// The values that the schemas show for a member, as parts of objects.
    func shownMembers(_ conjunction: Conjunction) -> [ExactName: [Place]] {
        var members: [ExactName: [Place]] = [:]
        for own in conjunction.rules {
            for example in own.examples.prefix(1) {
                for member in example.members.prefix(1_000) {
                    members[ExactName(text: member.name), default: []].append(member.place)
                }
            }
        }
        return members
    }

    /// Tells whether a value that some rules show says everything: no rules beside them declare members that it lacks.
    private func isWhole(_ value: JSON, of place: Int, _ conjunction: Conjunction) -> Bool {
        guard case .object(let object) = value, conjunction.rules.count > 1 else { return true }
        return conjunction.rules.indices.prefix(1_000).allSatisfy { other in
            let own = conjunction.rules[other]
            return own.properties.isEmpty || conjunction.isPart(other, of: place)
                || own.properties.allSatisfy { object[$0.name] != nil }
        }
    }

    /// A shown value as a response has it; nil if it does not fit.
    mutating func fitted(_ shown: Shown, _ conjunction: Conjunction, _ schemas: [Int]) -> JSON? {
        let kept = named(withoutWriteOnly(shown.value, schemas), conjunction)
        if fits(kept, schemas) { return kept }
        guard let place = shown.place, let told = withTexts(place, schemas) else { return nil }
        let read = named(withoutWriteOnly(told, schemas), conjunction)
        return fits(read, schemas) ? read : nil
    }

    /// A shown value in which numbers and truth values are texts where these are wanted, as they are written in the
    /// document; nil if that changes nothing.
    mutating func withTexts(_ place: Place, _ schemas: [Int]) -> JSON? {
        guard !schemas.isEmpty, !isSpent else { return nil }
        let view = SchemaView(store)
        work += schemas.count
        switch place.value {
        case .null, .string: return nil
        case .bool, .integer, .number:
            let types = schemas.map { view.types(of: $0) }
            let own = TypeSet(of: place.value)
            guard types.contains(where: { $0.contains(.string) }), !types.contains(where: { $0.isSuperset(of: own) })
            else { return nil }
            return .string(store.text(of: place))
        case .object(var object):
            let rules = schemas.flatMap { view.all($0) }
            var isChanged = false
            for member in place.members {
                work += 1 + rules.count / 8
                let inner = rules.compactMap { view.schema(ofMember: member.name, in: $0) }
                guard let told = withTexts(member.place, inner) else { continue }
                object[member.name] = told
                isChanged = true
            }
            return isChanged ? .object(object) : nil
        case .array(var elements):
            let rules = schemas.flatMap { view.all($0) }
            var isChanged = false
            for (index, element) in place.elements.enumerated() {
                work += 1 + rules.count / 8
                let inner = rules.compactMap { view.schema(ofElement: index, in: $0) }
                guard let told = withTexts(element, inner) else { continue }
                elements[index] = told
                isChanged = true
            }
            return isChanged ? .array(elements) : nil
        }
    }

    /// A shown object with the names that discriminators give to the branch.
    private func named(_ value: JSON, _ conjunction: Conjunction) -> JSON {
        guard case .object(var object) = value else { return value }
        for name in conjunction.names where object[name.member] != nil { object[name.member] = .string(name.value) }
        return .object(object)
    }

    /// A shown value without the members that are only written.
    private mutating func withoutWriteOnly(_ value: JSON, _ schemas: [Int]) -> JSON {
        guard value.isContainer, !schemas.isEmpty, !isSpent else { return value }
        let view = SchemaView(store)
        let rules = schemas.flatMap { view.all($0) }
        work += rules.count
        switch value {
        case .object(let object):
            var kept = JSONObject()
            for member in object.members {
                work += 1 + rules.count / 8
                guard !isSpent else { return value }
                let inner = rules.compactMap { view.schema(ofMember: member.name, in: $0) }
                if inner.contains(where: { view.isWriteOnly($0) }) { continue }
                kept.append(member.name, withoutWriteOnly(member.value, inner))
            }
            return .object(kept)
        case .array(let elements):
            return .array(
                elements.enumerated().map { index, element in
                    guard element.isContainer else { return element }
                    work += 1 + rules.count / 8
                    return withoutWriteOnly(element, rules.compactMap { view.schema(ofElement: index, in: $0) })
                }
            )
        default: return value
        }
    }
}
