import JSON

/// The members that a schema keeps back in one direction, by itself or through what it refers to or combines: what is
/// read only in a request, what is written only in a response.
///
/// An alternative that has such a member may not hold for a value, so that each is one that may be kept back.
struct KeptBackMembers: Sendable {
    private var names: Set<ExactName> = []
    /// Tells that members without a declared name may be kept back, or that there is too much to look at.
    private var isOpen = false

    /// Names of one schema that are kept, and the work of finding them.
    private static let mostNames = 1_000
    private static let mostWork = 50_000

    /// Nil if that takes more work than `most`.
    init?(of schema: Int, _ store: SchemaStore, _ direction: Schema.Direction, work: inout Int, most: Int) {
        let view = SchemaView(store)
        var seen: Set<Int> = []
        var waiting = [schema]
        while let next = waiting.popLast(), !isOpen {
            guard seen.insert(next).inserted else { continue }
            let limit = min(most, Self.mostWork)
            guard work <= limit, let rules = store.rules(next, outlay: &work, most: limit - work) else {
                guard most >= Self.mostWork else { return nil }
                isOpen = true
                break
            }
            func isKept(_ member: Int) -> Bool { view.hasMark(member, work: &work) { $0.isKeptBack(direction) } }
            work += 1 + rules.combined / 8
            for (name, member) in rules.properties where isKept(member) { names.insert(ExactName(text: name)) }
            if case .schema(let rest)? = rules.additionalProperties, isKept(rest) { isOpen = true }
            if rules.patternProperties.contains(where: { isKept($0.schema) }) { isOpen = true }
            if names.count > Self.mostNames { isOpen = true }
            waiting += rules.allOf + rules.anyOf + rules.oneOf
            waiting += [rules.reference, rules.consequence, rules.alternative].compactMap(\.self)
        }
        if isOpen { names = [] }
    }

    /// Tells whether the member of a name may be kept back.
    func mayHave(_ name: String) -> Bool { isOpen || names.contains(ExactName(text: name)) }
}
