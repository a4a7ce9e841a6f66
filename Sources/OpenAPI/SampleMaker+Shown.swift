import JSON

/// The values that schemas show: constants, defaults, examples and enumerations.
extension SampleMaker {
    /// The values that the schemas show, in the order in which they count.
    func shown(_ conjunction: Conjunction) -> [JSON] {
        // An object of which other parts of the schema say more is a part of a sample.
        let wholes = conjunction.rules.enumerated().flatMap { place, own in
            ((own.defaultValue.map { [$0] } ?? []) + own.examples).filter { isWhole($0, of: place, conjunction) }
        }
        guard let domain = conjunction.domain else { return wholes }
        if domain.count == 1 { return domain }
        // Null is among the values of many an enumeration, and says the least.
        return wholes + domain.filter { !$0.isNull } + domain.filter(\.isNull)
    }

    /// The values that the schemas show for a member, as parts of objects.
    func shownMembers(_ conjunction: Conjunction) -> [ExactName: [JSON]] {
        var members: [ExactName: [JSON]] = [:]
        for own in conjunction.rules {
            for case .object(let object) in own.examples.prefix(1) {
                for member in object.members.prefix(1_000) {
                    members[ExactName(text: member.name), default: []].append(member.value)
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
    mutating func fitted(_ value: JSON, _ conjunction: Conjunction, _ schemas: [Int]) -> JSON? {
        let kept = named(withoutWriteOnly(value, schemas), conjunction)
        if fits(kept, schemas) { return kept }
        guard let text = text(of: value, conjunction), fits(.string(text), schemas) else { return nil }
        return .string(text)
    }

    /// The text of a scalar that stands where a text is wanted, as it is written in the document.
    private func text(of value: JSON, _ conjunction: Conjunction) -> String? {
        guard conjunction.types?.contains(.string) == true else { return nil }
        switch value {
        case .bool, .integer, .number: break
        case .null, .string, .array, .object: return nil
        }
        return conjunction.rules.lazy.compactMap { $0.written(value) }.first ?? value.text
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
