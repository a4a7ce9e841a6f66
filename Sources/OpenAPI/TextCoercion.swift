import JSON

/// Reads values out of texts, by the types that their schemas take.
struct TextCoercion {
    let store: SchemaStore
    private let view: SchemaView

    init(_ store: SchemaStore) {
        self.store = store
        view = SchemaView(store)
    }

    /// The value that a text stands for: a number, a truth value or null where the schema takes such, else the text.
    func value(_ text: String, _ schema: Int) -> JSON {
        let types = view.types(of: schema)
        var candidates: [JSON] = []
        if !types.isDisjoint(with: .number), let number = number(text) { candidates.append(number) }
        if types.contains(.boolean), text == "true" || text == "false" { candidates.append(.bool(text == "true")) }
        if types.contains(.null), text == "null" || text.isEmpty { candidates.append(.null) }
        if types.contains(.string) || candidates.isEmpty { candidates.append(.string(text)) }
        guard candidates.count > 1 else { return candidates[0] }
        return candidates.first { fits($0, schema) } ?? candidates[0]
    }

    /// The value that texts stand for, as elements of an array or as the one value, which is the first.
    func value(_ texts: [String], _ schema: Int) -> JSON {
        let types = view.types(of: schema)
        guard types.contains(.array), texts.count != 1 || types.isDisjoint(with: [.string, .number, .boolean]) else {
            return value(texts.first ?? "", schema)
        }
        return .array(
            texts.enumerated().map { index, text in
                view.schemas(ofElement: index, in: schema).first.map { value(text, $0) } ?? .string(text)
            }
        )
    }

    /// Reads a value by a schema, and, where that does not fit, by each of its branches; the first that fits counts.
    func read(_ schema: Int, _ reading: (Int) -> JSON?) -> JSON? {
        let usual = reading(schema)
        let branches = view.branches(of: schema)
        guard !branches.isEmpty, usual.map({ !fits($0, schema) }) ?? true else { return usual }
        for branch in branches {
            if let value = reading(branch), fits(value, schema) { return value }
        }
        return usual
    }

    /// The value that nested texts stand for.
    func value(_ nested: NestedTexts, _ schema: Int) -> JSON {
        read(schema) { value(nested, by: $0) } ?? .null
    }

    private func value(_ nested: NestedTexts, by schema: Int) -> JSON {
        guard !nested.children.isEmpty else { return value(nested.texts, schema) }
        let types = view.types(of: schema)
        if nested.isList, types.contains(.array) {
            return .array(
                nested.elements.enumerated().map { index, element in
                    view.schemas(ofElement: index, in: schema).first.map { value(element, $0) } ?? element.untyped
                }
            )
        }
        var object = JSONObject()
        for child in nested.children {
            let inner = view.schemas(ofMember: child.name, in: schema).first
            object[child.name] = inner.map { value(child.texts, $0) } ?? child.texts.untyped
        }
        return .object(object)
    }

    /// The object whose members texts stand for; of several of one name the first counts.
    func object(_ members: [(name: String, text: String)], _ schema: Int) -> JSON {
        var object = JSONObject()
        for member in members where object[member.name] == nil {
            let inner = view.schemas(ofMember: member.name, in: schema).first
            object[member.name] = inner.map { value(member.text, $0) } ?? .string(member.text)
        }
        return .object(object)
    }

    /// Tells whether texts are read as an array, an object or one value.
    func form(_ schema: Int) -> TypeSet {
        let types = view.types(of: schema)
        if !types.isDisjoint(with: [.string, .number, .boolean]) { return .string }
        if types.contains(.array) { return .array }
        return types.contains(.object) ? .object : .string
    }

    func memberNames(_ schema: Int) -> [String] { view.memberNames(in: schema) }

    /// Steps of the comparison of one text with its schema: a text has no parts.
    private static let mostSteps = 20_000

    func fits(_ value: JSON, _ schema: Int) -> Bool {
        var validation = SchemaValidation(store, direction: .neither, limit: 1, ceiling: Self.mostSteps)
        return validation.run(value, schema).isEmpty
    }

    private func number(_ text: String) -> JSON? {
        guard let first = text.utf8.first, first == UInt8(ascii: "-") || first &- 0x30 < 10, text.utf8.count <= 1_000
        else {
            return nil
        }
        guard let value = try? JSONReader.read(text: text), value.doubleValue != nil,
            text.utf8.last.map({ $0 &- 0x30 < 10 }) == true
        else { return nil }
        return value
    }
}
