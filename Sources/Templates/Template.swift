package import JSON

/// JSON, or a text, with placeholders in its texts (own-API contract, section 9); read once, and filled as often as asked.
package struct Template: Hashable, Sendable {
    indirect enum Node: Hashable, Sendable {
        /// Without a placeholder.
        case constant(JSON)
        /// A text that is nothing but one placeholder.
        case single(TemplatePiece)
        case text([Segment])
        case array([Node])
        case object([Member])
    }

    struct Member: Hashable, Sendable {
        let name: String
        let node: Node
    }

    enum Segment: Hashable, Sendable {
        case plain(String)
        case piece(TemplatePiece)
    }

    /// The maximum number of placeholders in a response.
    package static let mostPlaceholders = 1_000
    /// The maximum number of bytes of a filled response's content.
    package static let largestContent = 8 << 20

    let root: Node
    /// The number of placeholders.
    package let placeholders: Int

    /// A template without placeholders: braces in the value are only braces.
    package init(constant json: JSON) {
        root = .constant(json)
        placeholders = 0
    }

    init(_ root: Node, _ placeholders: Int) {
        self.root = root
        self.placeholders = placeholders
    }

    /// Reads a value whose texts hold placeholders.
    package init(_ json: JSON, names: TemplateNames) throws(TemplateProblems) {
        var reader = TemplateReader(names: names)
        self = reader.read(json, at: [])
        try reader.finish()
    }

    /// Fills it.
    ///
    /// A member whose whole text is one placeholder without a value is left out, and such an element of an array is
    /// null. Nil if the template itself is such a text.
    package func filled(from values: inout some TemplateValues, _ budget: inout TemplateBudget) -> JSON? {
        guard case .constant(let json) = root else { return Self.filled(root, &values, &budget) }
        budget.spend(on: json)
        return json
    }

    /// Fills it as a text, in which every value is spelled out.
    ///
    /// A template that is no text is spelled as compact JSON.
    package func filledText(from values: inout some TemplateValues, _ budget: inout TemplateBudget) -> String {
        guard case .single(let piece) = root else {
            let json = filled(from: &values, &budget) ?? .null
            return json.stringValue ?? json.text
        }
        guard !budget.isSpent, let value = piece.value(from: &values) else { return "" }
        budget.spend(on: value.json)
        return budget.isSpent ? "" : value.text
    }

    /// Fills it as the value of a header, without the characters that none can hold; nil if it is nothing but one
    /// placeholder without a value.
    package func filledHeader(from values: inout some TemplateValues, _ budget: inout TemplateBudget) -> String? {
        if case .single(let piece) = root {
            guard !budget.isSpent, let value = piece.value(from: &values) else { return nil }
            budget.spend(on: value.json)
            return budget.isSpent ? "" : Self.headerValue(value.text)
        }
        return Self.headerValue(filledText(from: &values, &budget))
    }

    /// The text without control characters, and without blanks around it (RFC 9110 section 5.5).
    private static func headerValue(_ text: String) -> String {
        var kept = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where scalar == "\t" || scalar.value >= 0x20 && scalar.value != 0x7F {
            kept.append(scalar)
        }
        return String(String(kept)[...].trimmed)
    }

    private static func filled(
        _ node: Node,
        _ values: inout some TemplateValues,
        _ budget: inout TemplateBudget
    ) -> JSON? {
        // What is too large is thrown away as a whole.
        guard !budget.isSpent else { return nil }
        switch node {
        case .constant(let json):
            budget.spend(on: json)
            return json
        case .single(let piece):
            guard let value = piece.value(from: &values) else { return nil }
            budget.spend(on: value.json)
            return value.json
        case .text(let segments):
            var text = ""
            for segment in segments where !budget.isSpent {
                switch segment {
                case .plain(let plain):
                    budget.spend(plain.utf8.count)
                    text += plain
                case .piece(let piece):
                    guard let value = piece.value(from: &values) else { continue }
                    budget.spend(on: value.json)
                    if !budget.isSpent { text += value.text }
                }
            }
            return .string(text)
        case .array(let nodes):
            return .array(nodes.map { filled($0, &values, &budget) ?? .null })
        case .object(let members):
            var object = JSONObject()
            object.reserveCapacity(members.count)
            for member in members {
                guard let value = filled(member.node, &values, &budget) else { continue }
                object.append(member.name, value)
            }
            return .object(object)
        }
    }
}
