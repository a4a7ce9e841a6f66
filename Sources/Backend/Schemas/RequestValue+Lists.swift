import JSON

extension RequestValue where Output == [String] {
    /// A list of texts; an element of another type makes the whole list an issue.
    package static var strings: Self {
        Self(.array(.string())) { json, issues in
            guard case .array(let elements) = json else {
                issues.note(.wrongType(.strings), json)
                return nil
            }
            let texts = elements.compactMap(\.stringValue)
            guard texts.count == elements.count else {
                issues.note(.wrongType(.strings), json)
                return nil
            }
            return texts
        }
    }
}

extension RequestValue {
    /// A list of values of one kind, each of which has its own issues.
    ///
    /// - Parameters:
    ///   - element: The kind of the elements.
    ///   - counts: The allowed number of elements.
    ///   - endsAtIssue: Leaves the elements after the first mistake unread.
    ///   - key: The key of an element, where no two may be equal.
    /// - Returns: The kind of such a list.
    package static func array<Element>(
        of element: RequestValue<Element>,
        counts: ClosedRange<Int>? = nil,
        endsAtIssue: Bool = false,
        distinctBy key: (@Sendable (Element) -> String)? = nil
    ) -> Self where Output == [Element] {
        let schema = JSONSchema.array(
            element.schema,
            minItems: counts.flatMap { $0.lowerBound > 0 ? $0.lowerBound : nil },
            maxItems: counts?.upperBound
        )
        return Self(schema) { json, issues in
            guard case .array(let elements) = json else {
                issues.note(.wrongType(.array), json)
                return nil
            }
            if let counts, !counts.contains(elements.count) {
                let isShort = elements.count < counts.lowerBound
                issues.note(isShort ? .tooFewItems(counts.lowerBound) : .tooManyItems(counts.upperBound), json)
                return nil
            }
            let start = issues.count
            var values: [Element] = []
            values.reserveCapacity(elements.count)
            var seen: Set<String> = []
            for (place, json) in elements.enumerated() {
                let before = issues.count
                if let value = element.read(json, &issues) {
                    if let key, !seen.insert(key(value)).inserted { issues.note(.duplicate, json) }
                    values.append(value)
                }
                issues.nest(from: before, in: .index(place))
                if endsAtIssue, issues.count > before { break }
            }
            return issues.count == start ? values : nil
        }
    }

    /// An object with members of any names and of one kind; all of them are kept, in their order.
    package static func members<Element>(
        _ element: RequestValue<Element>
    ) -> Self where Output == [(name: String, value: Element)] {
        Self(.object(JSONSchema.Object(additionalProperties: .schema(element.schema)))) { json, issues in
            guard case .object(let object) = json else {
                issues.note(.wrongType(.object), json)
                return nil
            }
            var values: [(name: String, value: Element)] = []
            for member in object.members {
                let before = issues.count
                if let value = element.read(member.value, &issues) { values.append((member.name, value)) }
                issues.nest(from: before, in: .key(member.name))
            }
            return values
        }
    }
}
