import Basics
import JSON

/// The names that a document declares for an e-mail address.
extension OpenAPIParameter {
    /// The names of a query that are declared for an address, or for a list of them.
    ///
    /// A member of an object has the name that its style gives it: `filter[email]`, or `email` alone.
    package var mailNames: Set<String> {
        if Self.isAboutMail(name) || Self.isAboutMail(summary) { return [name] }
        guard let schema else { return [] }
        var search = MailSearch(schema.store)
        if search.isForMail(schema.number) { return [name] }
        switch style {
        case .deepObject: search.look(in: schema.number) { steps in name + steps.map { "[\($0)]" }.joined() }
        case .form where explode: search.look(in: schema.number, depth: 1) { steps in steps.joined() }
        case .simple, .form, .spaceDelimited, .pipeDelimited, .matrix, .label: break
        }
        return search.names
    }

    /// Tells whether a text speaks of e-mail.
    fileprivate static func isAboutMail(_ text: String) -> Bool { text.lowercased().contains("mail") }
}

/// Looks for the members of a schema that are declared for an e-mail address.
private struct MailSearch {
    private static let mostSteps = 8

    private let store: SchemaStore
    private let view: SchemaView
    private(set) var names: Set<String> = []

    init(_ store: SchemaStore) {
        self.store = store
        view = SchemaView(store)
    }

    /// Tells whether the values of a schema, or the elements of their lists, are declared for an address: by a format, or
    /// by words.
    func isForMail(_ schema: Int, depth: Int = mostSteps) -> Bool {
        guard depth > 0 else { return false }
        return view.parts(of: schema).contains { part in
            let json = store.place(of: part).value
            if ["email", "idn-email"].contains(json["format"]?.stringValue) { return true }
            let words = [json["title"], json["description"]].compactMap { $0?.stringValue }
            if words.contains(where: OpenAPIParameter.isAboutMail) { return true }
            return elements(store.rules(part)).contains { isForMail($0, depth: depth - 1) }
        }
    }

    /// The schemas of the elements of a list.
    private func elements(_ rules: SchemaRules) -> [Int] {
        var elements = rules.prefixItems
        if case .schema(let items)? = rules.items { elements.append(items) }
        return elements
    }

    /// Notes the names of members, as `name` writes the steps that lead to them.
    mutating func look(in schema: Int, depth: Int = mostSteps, _ name: ([String]) -> String) {
        guard depth > 0, names.count < 1_000 else { return }
        for rules in view.all(schema) {
            // What a pattern or nothing names is named by the object alone.
            var unnamed = rules.patternProperties.map(\.schema)
            if case .schema(let rest)? = rules.additionalProperties { unnamed.append(rest) }
            if unnamed.contains(where: { isForMail($0) }) { names.insert(name([])) }
            for (member, inner) in rules.properties {
                if OpenAPIParameter.isAboutMail(member) || isForMail(inner) {
                    names.insert(name([member]))
                } else {
                    look(in: inner, depth: depth - 1) { name([member] + $0) }
                }
            }
            // The index of an element is no part of its name.
            for element in elements(rules) { look(in: element, depth: depth - 1, name) }
        }
    }
}
